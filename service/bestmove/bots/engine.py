"""`Engine` has the methods of `bestmove.client.Client`, but searches in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar, Unpack

from bestmove.answers import Analysis, AnswerT, BestMove, GameTree, Progress, Proven
from bestmove.game import Board
from bestmove.game.inputs import (
    AnalysisOptions,
    BoardInput,
    MoveOptions,
    Options,
    given,
    position_of,
    without_position,
)
from bestmove.game.moves import MoveInput
from bestmove.game.rules import require_known
from bestmove.search.analysis import analyze, best_move, is_cheap
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import Limits, SearchLimits

T = TypeVar("T")


class EngineOptions(AnalysisOptions, MoveOptions, total=False):
    """The options of the engine.

    Attributes:
        nodes: how many nodes to search; a service does not accept this option.
    """

    nodes: int | None


class Engine:
    """An engine in this process that has the methods, arguments and answers of a `Client`.

    >>> from bestmove.client import Bot
    >>> row, column = Bot(Engine(), "X")([["X", "X", None], ["O", "O", None], [None, None, None]])
    >>> row, column
    (0, 2)

    Ctrl-C ends a search. Before the KeyboardInterrupt, `on_progress` gets the answer so far.

    Args:
        in_game: whether all boards belong to one game. A search may then use the results of
            earlier searches.
    """

    def __init__(self, in_game: bool = False) -> None:
        self._in_game = in_game

    def __repr__(self) -> str:
        return "Engine()"

    def best_move(
        self,
        board: BoardInput | None = None,
        *,
        on_progress: Callable[[Progress[BestMove]], None] | None = None,
        cancellation: Cancellation | None = None,
        **options: Unpack[EngineOptions],
    ) -> BestMove:
        """Return the best move. Rules in the options override those of a `Board`.

        Args:
            on_progress: called with the answer so far, after each depth of the search.
            cancellation: ends the search from another thread.

        Raises:
            InvalidInput: the board is not a position of a game, or an option is out of range.
        """
        position = position_of(board, options)
        return self._answer(best_move, position, options, on_progress, cancellation)

    def analyze(
        self,
        board: BoardInput | None = None,
        *,
        on_progress: Callable[[Progress[Analysis]], None] | None = None,
        cancellation: Cancellation | None = None,
        **options: Unpack[EngineOptions],
    ) -> Analysis:
        """Return every legal move, best first."""
        position = position_of(board, options)
        return self._answer(analyze, position, options, on_progress, cancellation)

    def play(
        self, board: BoardInput | None, move: MoveInput, **options: Unpack[EngineOptions]
    ) -> BestMove:
        """Make a move and return the reply."""
        return self._answer(best_move, position_of(board, options).play(move), options)

    def prove(
        self,
        board: BoardInput | None = None,
        *,
        exactly: bool = False,
        **options: Unpack[EngineOptions],
    ) -> Proven:
        """Return a certificate of the result, if the search proves it.

        Args:
            exactly: also prove that no shorter win exists, if the search can.
        """
        from bestmove.proof.certificate import attempt

        position, limits = position_of(board, options), limits_of(options)
        proof, why = _until_ctrl_c(
            lambda ended: attempt(position, limits, exactly=exactly, cancellation=ended)
        )
        return Proven(None, why) if proof is None else Proven(proof.to_dict())

    def game_tree(
        self,
        tree: object,
        *,
        maximizing: bool = True,
        depth: int | None = None,
        algorithm: str | None = None,
        trace: bool = False,
    ) -> GameTree:
        """Return the value of the given game tree."""
        from bestmove.search.textbook.tree import parse, search

        return search(parse(tree), algorithm or "alpha-beta", maximizing, depth, trace=trace)

    def _answer(
        self,
        search: Callable[..., AnswerT],
        board: Board,
        options: EngineOptions,
        on_progress: Callable[[Progress[AnswerT]], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> AnswerT:
        limits = replace(SearchLimits.of(limits_of(options)), in_game=self._in_game)

        def progress(found: AnswerT) -> None:
            assert on_progress is not None
            cost = found.search
            on_progress(Progress(cost.depth, cost.nodes, cost.elapsed_ms, found))

        report = on_progress and progress

        def interruptible(ended: Cancellation) -> AnswerT:
            answer = search(board, limits, report, ended)
            if report and ended.is_cancelled:
                report(answer)
            return answer

        if cancellation is not None or is_cheap(board, limits):
            return search(board, limits, report, cancellation)
        return _until_ctrl_c(interruptible)


def _until_ctrl_c(search: Callable[[Cancellation], T]) -> T:
    """Run a search in another thread, because Ctrl-C does not interrupt the compiled engine.

    Raises:
        KeyboardInterrupt: Ctrl-C; the search has ended.
    """
    cancellation = Cancellation()
    if sys.platform == "emscripten":  # a browser, where Python cannot start threads
        return search(cancellation)
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(search, cancellation).result()
        except BaseException:
            cancellation.cancel()
            raise


def limits_of(options: Options | EngineOptions) -> Limits:
    """Return the limits of the search. Options that are None get their defaults.

    Raises:
        TypeError: an option is unknown.
    """
    require_known(options, EngineOptions.__optional_keys__)
    return Limits(**without_position(given(options)))
