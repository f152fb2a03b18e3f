"""The entry points of all searches: `best_move` and `analyze`.

The engines are imported only when a search first needs them, so `import bestmove` is fast. A 3×3
board needs no engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

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
from bestmove.game.board import require_board
from bestmove.search import reasons, table
from bestmove.search.cancellation import Cancellation
from bestmove.search.curves import Curve
from bestmove.search.limits import BEST_LEVEL, Limits, SearchLimits
from bestmove.search.results import (
    PRINCIPAL_VARIATION_SEARCH,
    Found,
    Moves,
    Report,
    cost_of,
    evaluation,
    variation,
    verdict,
)
from bestmove.search.shapes import threats
from bestmove.words import Outcome

_DEFAULT: Final = SearchLimits()


def best_move(
    board: Board,
    limits: Limits = _DEFAULT,
    progress: Callable[[BestMove], None] | None = None,
    cancellation: Cancellation | None = None,
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
        TypeError: `board` is not a `Board`.
        PositionTooLarge: a textbook algorithm could take too long on this position.
        OutOfTime: a textbook algorithm reached the deadline or was cancelled.
        InvalidLimits: a level below 10 together with a textbook algorithm.

    >>> answer = best_move(Board.parse("XX.OO...."))
    >>> answer.move, answer.outcome, answer.reason.code
    (Move(index=2, row=0, column=2, name='c3'), 'win', 'wins')
    """
    require_board(board)
    started = time.perf_counter()
    limits = SearchLimits.of(limits).begun()
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

    def answer(found: Found, algorithm: str, timed_out: bool = False) -> BestMove:
        move = found.pv[0]
        score, outcome, plies = _verdict(board, found, limits)
        return BestMove(
            board=board,
            move=Move.of(move, board.rules),
            after=GameState(board.play(move)),
            score=score,
            exact=found.exact,
            outcome=outcome,
            plies=plies,
            pv=variation(found),
            reason=reasons.explain(board, move, outcome, plies, limits.level),
            search=SearchStats(
                algorithm,
                nodes=found.nodes,
                cutoffs=found.cutoffs,
                table_hits=found.table_hits,
                depth=found.depth,
                elapsed_ms=_since(started),
                cached=is_cheap(board, limits),
                timed_out=timed_out,
                threads=None if limits.threads is None else found.threads,
                value=found.evaluated,
            ),
        )

    def report(found: list[Found]) -> None:
        assert progress is not None
        progress(answer(found[0], PRINCIPAL_VARIATION_SEARCH))

    found, algorithm = _search(board, limits, progress and report, cancellation)
    return answer(found, algorithm, limits.algorithm == "auto" and _is_cut_short(board, limits))


def find(board: Board, limits: SearchLimits) -> tuple[MoveEvaluation, int]:
    """Return the best move of a game in progress, and the nodes searched for it."""
    limits = limits.begun()
    found, _ = _search(board, limits)
    return evaluation(board, found, None if found.exact else _curve(board, limits)), found.nodes


def _verdict(board: Board, found: Found, limits: SearchLimits) -> tuple[float, Outcome, int | None]:
    return verdict(board, found, None if found.exact else _curve(board, limits))


def analyze(
    board: Board,
    limits: Limits = _DEFAULT,
    progress: Callable[[Analysis], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Analysis:
    """Return every legal move with its own score: best first, equal scores in order of index.

    If the game is over, the answer has no moves.

    The level and the algorithm of `limits` are ignored: each move gets the best score that the
    search finds within the budget. `threads` applies to the search for the best move; one thread
    searches the other moves. `progress` and `cancellation` work as in `best_move`. Answers passed
    to `progress` show a win or loss as an estimate until its number of plies is proven.
    """
    require_board(board)
    started = time.perf_counter()
    limits = SearchLimits.of(limits).begun()
    if board.is_over:
        return Analysis(board, (), True, threats(board), SearchStats(BY_RULES))

    def answer(
        found: list[Found], complete: bool, algorithm: str, timed_out: bool = False
    ) -> Analysis:
        stats = SearchStats(
            algorithm,
            **cost_of(found),
            elapsed_ms=_since(started),
            cached=table.covers(board),
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
    return answer(*found, timed_out=_is_cut_short(board, limits))


def _curve(board: Board, limits: Limits) -> Curve | None:
    if is_cheap(board, limits):
        return None
    from bestmove.search import dispatch

    return dispatch.curve_for(board.rules, limits)


def check(board: Board, limits: Limits) -> None:
    """Raise `InvalidLimits` before any search if the limits do not suit this board."""
    if limits.algorithm == "auto":
        return
    if limits.level < BEST_LEVEL:
        raise InvalidLimits('a level below 10 requires the algorithm "auto"', "level")
    if not board.is_over:
        from bestmove.search.textbook import algorithms

        algorithms.require_affordable(board, limits)


def is_cheap(board: Board, limits: Limits = _DEFAULT) -> bool:
    """Return True if no search is needed: the game is over, or `auto` answers a 3×3 board."""
    return (limits.algorithm == "auto" and table.covers(board)) or board.is_over


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
        check(board, limits)
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
    if table.covers(board):
        found = table.lookup(board) if limits.seed is None else _drawn(board, limits)[0]
        return found, table.ALGORITHM
    from bestmove.search import dispatch

    return dispatch.search(board, limits, report, cancellation)


def _search_moves(
    board: Board,
    limits: SearchLimits,
    report: Callable[[Moves], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Moves:
    if table.covers(board):
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


def _is_cut_short(board: Board, limits: SearchLimits) -> bool:
    return limits.is_cut_short() and not table.covers(board)


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
