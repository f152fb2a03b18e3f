"""The engine in this process, with the client's interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from bestmove.client.bot import HasBestMove
from bestmove.errors import IllegalMove
from bestmove.game import Board, X
from bestmove.game.board import Variant
from bestmove.search.analysis import best_move
from bestmove.search.limits import BEST_LEVEL, DEFAULT_TIME_MS, Limits
from bestmove.search.results import BestMove


class Engine:
    """Plays without a server: pass it to `bestmove.client.Bot` instead of a client.

    >>> from bestmove.client import Bot
    >>> row, column = Bot(Engine(), "X")([["X", "X", None], ["O", "O", None], [None, None, None]])
    >>> row, column
    (0, 2)
    """

    def best_move(
        self,
        board: str | Sequence[object] | Board,
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
        evaluation: str | None = None,
        threads: int | None = None,
        **variant: Unpack[Variant],
    ) -> BestMove:
        """The best move on a board; `move` is a cell index.

        A `Board` keeps its own rules and ignores the rules given here.

        Raises:
            InvalidInput: not a position of a game, or an option is out of range.
        """
        if not isinstance(board, Board):
            board = Board.parse(board, rows, columns, k, first, **variant)
        limits = Limits(
            time_ms=DEFAULT_TIME_MS if time_ms is None else time_ms,
            depth=depth,
            level=BEST_LEVEL if level is None else level,
            seed=seed,
            algorithm=algorithm or "auto",
            evaluation=evaluation or "bare",
            threads=threads,
        )
        return best_move(board, limits)


def move_of(engine: HasBestMove, board: Board, **options: Any) -> int:
    """The index of the cell that an engine or a client plays.

    Raises:
        IllegalMove: the game is over.
        BestMoveError: an error of the engine or the client.
    """
    move = engine.best_move(board, **options).move
    if move is None:
        raise IllegalMove("the game is over: there is no move left to make", "board")
    return int(getattr(move, "index", move))
