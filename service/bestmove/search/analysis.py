"""The entry points of all searches: `best_move` and `analyze`.

The engines are imported only when a search first needs them, so `import bestmove` is fast. A 3×3
board needs no engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final, Never

from bestmove.answers import (
    BY_RULES,
    Analysis,
    BestMove,
    GameState,
    Move,
    MoveEvaluation,
    SearchStats,
)
from bestmove.errors import InvalidLimits
from bestmove.game import Board
from bestmove.game.board import not_a_board
from bestmove.search import reasons, table
from bestmove.search.cancellation import Cancellation
from bestmove.search.curves import Curve
from bestmove.search.limits import BEST_LEVEL, Limits, SearchLimits
from bestmove.search.results import (
    Found,
    Moves,
    Report,
    algorithm_of,
    cost_of,
    evaluation,
    variation,
    verdict,
)
from bestmove.search.shapes import threats

_DEFAULT: Final = SearchLimits()


def best_move(
    board: Board,
    limits: Limits = _DEFAULT,
    progress: Callable[[BestMove], None] | None = None,
    cancellation: Cancellation | None = None,
    **options: Never,
) -> BestMove:
    """Return the best move for the side to move, its score and the reason for it.

    Args:
        board: a position of a game.
        limits: what the search may spend.
        progress: called in this thread with the answer so far, after every depth of the search
            except the last. Tables, books, levels below 10, textbook searches, and proofs of small
            boards do not call it.
        cancellation: lets another thread end the search; the answer is then the best move so far.

    Raises:
        TypeError: `board` is not a `Board`, or an option such as `level` is not in `limits`.
        PositionTooLarge: a textbook algorithm could take too long on this position.
        OutOfTime: a textbook algorithm reached the deadline or was cancelled.
        InvalidLimits: a level below 10 together with a textbook algorithm.

    >>> answer = best_move(Board.parse("XX.OO...."))
    >>> answer.move, answer.outcome, answer.reason.code
    (Move(index=2, row=0, column=2, name='c3'), 'win', 'wins')
    """
    if not isinstance(board, Board):
        raise not_a_board(board)
    started = time.perf_counter()
    if options or not isinstance(limits, SearchLimits):
        limits = SearchLimits.of(limits, options)
    if board.is_over:
        return BestMove(
            board=board,
            move=None,
            after=GameState(board),
            score=board.utility,
            exact=True,
            outcome=None,
            plies=0,
            pv=(),
            reason=None,
            search=SearchStats(BY_RULES, threads=None if limits.threads is None else 1),
        )

    looked_up = limits.algorithm == "auto" and board.rules.is_3x3
    if not looked_up:
        limits = limits.begun()

    def answer(found: Found, algorithm: str, timed_out: bool = False) -> BestMove:
        curve = None if found.exact else _curve(board, limits)
        score, outcome, plies = verdict(board, found, curve)
        pv, move = variation(found), found.pv[0]
        after = board.after(move)
        level = limits.level if found.is_weakened else BEST_LEVEL
        return BestMove(
            board=board,
            score=score,
            exact=found.exact,
            outcome=outcome,
            plies=plies,
            pv=pv,
            reason=reasons.explain(board, move, after, outcome, plies, level),
            search=SearchStats(
                algorithm,
                nodes=found.nodes,
                cutoffs=found.cutoffs,
                table_hits=found.table_hits,
                depth=found.depth,
                elapsed_ms=_since(started),
                cached=looked_up,
                timed_out=timed_out,
                threads=None if limits.threads is None else found.threads,
                value=found.evaluated,
            ),
            move=Move.of(move, board.rules),
            after=GameState(after),
        )

    def report(found: list[Found]) -> None:
        assert progress is not None
        progress(answer(found[0], algorithm_of(found[0].exact)))

    found, algorithm = _search(board, limits, progress and report, cancellation)
    searched = not looked_up and limits.algorithm == "auto"
    return answer(found, algorithm, searched and limits.is_cut_short())


def find(board: Board, limits: SearchLimits) -> tuple[MoveEvaluation, int]:
    """Return the best move of a game in progress, and the nodes searched for it."""
    limits = limits.begun()
    found, _ = _search(board, limits)
    return evaluation(board, found, None if found.exact else _curve(board, limits)), found.nodes


def analyze(
    board: Board,
    limits: Limits = _DEFAULT,
    progress: Callable[[Analysis], None] | None = None,
    cancellation: Cancellation | None = None,
    **options: Never,
) -> Analysis:
    """Return every legal move with its own score: best first, equal scores in order of index.

    If the game is over, the answer has no moves.

    The level and the algorithm of `limits` are ignored: each move gets the best score that the
    search finds within the budget. `threads` applies to the search for the best move; one thread
    searches the other moves. `progress` and `cancellation` work as in `best_move`. Answers passed
    to `progress` show a win or loss as an estimate until its number of plies is proven.
    """
    if not isinstance(board, Board):
        raise not_a_board(board)
    started = time.perf_counter()
    limits = SearchLimits.of(limits, options).begun()
    if board.is_over:
        return Analysis(board, (), True, threats(board), SearchStats(BY_RULES))

    def answer(
        found: list[Found], complete: bool, algorithm: str, timed_out: bool = False
    ) -> Analysis:
        stats = SearchStats(
            algorithm,
            **cost_of(found),
            elapsed_ms=_since(started),
            cached=board.rules.is_3x3,
            timed_out=timed_out,
        )
        curve = _curve(board, limits)
        moves = tuple(evaluation(board, move, curve) for move in found)
        return Analysis(board, moves, complete, shapes, stats)

    shapes = threats(board)
    deepest = 0

    def report(moves: Moves) -> None:
        nonlocal deepest
        assert progress is not None
        so_far = answer(*moves)
        if so_far.search.depth > deepest or limits.lines is not None:
            deepest = so_far.search.depth
            progress(so_far)

    found = _search_moves(board, limits, progress and report, cancellation)
    timed_out = not board.rules.is_3x3 and limits.is_cut_short()
    return answer(*found, timed_out=timed_out)


def _curve(board: Board, limits: Limits) -> Curve | None:
    if is_cheap(board, limits):
        return None
    from bestmove.search import dispatch

    return dispatch.curve_for(board.rules, limits)


def require_textbook(board: Board, limits: Limits) -> None:
    """Raise `InvalidLimits` if a textbook search cannot search this board within these limits."""
    if limits.level < BEST_LEVEL:
        raise InvalidLimits('a level below 10 requires the algorithm "auto"', "level")
    if not board.is_over:
        from bestmove.search.textbook import algorithms

        algorithms.require_affordable(board, limits)


def is_cheap(board: Board, limits: Limits = _DEFAULT) -> bool:
    """Return True if no search is needed: the game is over, or `auto` answers a 3×3 board."""
    return (limits.algorithm == "auto" and board.rules.is_3x3) or board.is_over


def takes_threads(board: Board, limits: Limits = _DEFAULT) -> bool:
    """Return True if the search for the best move can use several threads: only gomoku's can."""
    if is_cheap(board, limits) or limits.algorithm != "auto" or limits.level < BEST_LEVEL:
        return False
    from bestmove.search import dispatch

    return dispatch.engines_for(board.rules).takes_threads


def _search(
    board: Board,
    limits: SearchLimits,
    report: Report | None = None,
    cancellation: Cancellation | None = None,
) -> tuple[Found, str]:
    if limits.algorithm != "auto":
        require_textbook(board, limits)
        from bestmove.search.textbook import algorithms

        return algorithms.run(board, limits, cancellation), limits.algorithm
    if limits.level < BEST_LEVEL:
        from bestmove.search import levels

        return levels.weakened(
            board,
            limits,
            partial(_search, cancellation=cancellation),
            partial(_search_moves, cancellation=cancellation),
        )
    if board.rules.is_3x3:
        found = table.lookup(board.key) if limits.seed is None else _drawn(board, limits)[0]
        return found, table.ALGORITHM
    from bestmove.search import dispatch

    return dispatch.search(board, limits, report, cancellation)


def _search_moves(
    board: Board,
    limits: SearchLimits,
    report: Callable[[Moves], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Moves:
    if board.rules.is_3x3:
        return Moves(_drawn(board, limits), True, table.ALGORITHM)
    from bestmove.search import dispatch

    return dispatch.search_moves(board, limits, report, cancellation)


def _drawn(board: Board, limits: SearchLimits) -> list[Found]:
    """Return every move of a 3×3 board, best first. A seed chooses among the best moves."""
    found = table.lookup_moves(board)
    if limits.seed is None:
        return found
    from bestmove.search.levels import dice

    best = dice(board, limits).choice([move for move in found if move.value == found[0].value])
    return [best, *(move for move in found if move is not best)]


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
