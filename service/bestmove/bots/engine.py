"""The engine in process, called as the client is called."""

from __future__ import annotations

from collections.abc import Sequence

from bestmove.game import Board, X
from bestmove.search.analysis import best_move
from bestmove.search.limits import BEST_LEVEL, DEFAULT_TIME_MS, Limits
from bestmove.search.results import BestMove


class Engine:
    """Best play without a server: give it to `bestmove.client.Bot` in a client's place.

    >>> from bestmove.client import Bot
    >>> row, column = Bot(Engine(), "X")([["X", "X", None], ["O", "O", None], [None, None, None]])
    >>> row, column
    (0, 2)
    """

    def best_move(
        self,
        board: str | Sequence[object],
        *,
        rows: int | None = None,
        columns: int | None = None,
        k: int | None = None,
        first: str = X,
        level: int | None = None,
        seed: int | None = None,
        time_ms: int | None = None,
        depth: int | None = None,
        algorithm: str | None = None,
    ) -> BestMove:
        """The best move on a board in any accepted spelling; `move` is a cell index.

        Raises:
            InvalidInput: no position of a game, or options out of range.
        """
        limits = Limits(
            time_ms=DEFAULT_TIME_MS if time_ms is None else time_ms,
            depth=depth,
            level=BEST_LEVEL if level is None else level,
            seed=seed,
            algorithm=algorithm or "auto",
        )
        return best_move(Board.parse(board, rows, columns, k, first), limits)
