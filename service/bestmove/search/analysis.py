"""The only door to the searches: `best_move` and `analyze`."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Final

from bestmove.errors import InvalidLimits
from bestmove.game import EMPTY, Board, Rules, X
from bestmove.search import dispatch, levels, reasons, table
from bestmove.search.limits import BEST_LEVEL, Limits
from bestmove.search.results import Analysis, BestMove, Found, MoveEvaluation, Outcome, SearchStats
from bestmove.search.scores import expected_result, is_proven, plies_to_end
from bestmove.search.textbook import algorithms

__all__ = ["Analysis", "BestMove", "MoveEvaluation", "analyze", "best_move", "check", "is_cheap"]

_DEFAULT: Final = Limits()

_TABLE_ALGORITHM: Final = "memoized-alpha-beta"
"""What solved the 3×3 table that is looked up."""


def best_move(board: Board, limits: Limits = _DEFAULT) -> BestMove:
    """The best move for the side to move, its score and why it was chosen.

    Raises:
        PositionTooLarge: the textbook algorithm asked for cannot finish on this position.
        InvalidLimits: limits that do not go together.

    >>> answer = best_move(Board.parse("XX..O...."))
    >>> answer.move, answer.outcome, answer.reason.code
    (2, 'win', 'wins')
    """
    started = time.perf_counter()
    if is_looked_up(board, limits) and limits.level == BEST_LEVEL:
        known = _known(board.cells, board.rules.k, board.first)
        return known if known.move is None else _timed(known, started)
    if board.is_over:
        return _over(board)
    check(board, limits)
    if limits.level < BEST_LEVEL:
        chosen, stats = _weakened(board, limits, started)
    else:
        found, algorithm = _search(board, limits)
        chosen, stats = _evaluation(board, found), _stats(found, algorithm, started)
    return _explained(board, chosen, stats, limits.level)


def analyze(board: Board, limits: Limits = _DEFAULT) -> Analysis:
    """Every legal move with its own score, best first, ties by index; none when the game is over.

    The level and the algorithm of `limits` do not matter here: each move gets the best score that
    the budget allows.
    """
    started = time.perf_counter()
    if board.is_over:
        return Analysis((), True)
    if table.covers(board):
        found, complete, algorithm = table.lookup_moves(board), True, _TABLE_ALGORITHM
        best = None
    else:
        found, complete, algorithm, best = dispatch.search_moves(board, limits)
    # One search weighs all moves, and each notes what it had cost when it was weighed last.
    stats = SearchStats(
        algorithm,
        nodes=max(move.nodes for move in found),
        cutoffs=max(move.cutoffs for move in found),
        table_hits=max(move.table_hits for move in found),
        depth=max(move.depth for move in found),
        elapsed_ms=_since(started),
    )
    moves = sorted((_evaluation(board, move) for move in found), key=_best_first(board, best))
    return Analysis(tuple(moves), complete, stats)


def check(board: Board, limits: Limits) -> None:
    """Refuse, before any search, limits that cannot be kept on this board."""
    if limits.algorithm == "auto":
        return
    if limits.level < BEST_LEVEL:
        raise InvalidLimits('a level below 10 goes with the algorithm "auto" only', "level")
    if not board.is_over:
        algorithms.require_affordable(board, limits.algorithm, limits.depth)


def is_cheap(board: Board, limits: Limits = _DEFAULT) -> bool:
    """Whether the answer is a look-up: a finished game, or 3×3 without a textbook search."""
    return is_looked_up(board, limits) or board.is_over


def is_looked_up(board: Board, limits: Limits = _DEFAULT) -> bool:
    """Whether the table is asked: 3×3 without a textbook search."""
    return limits.algorithm == "auto" and table.covers(board)


@cache
def _known(cells: str, k: int, first: str) -> BestMove:
    """The whole answer for a 3×3 board, put together once.

    There are 13,444 of them, with either side first and k from 1 to 3, so all may stay.
    """
    board = Board(cells, Rules.of(table.SIDE, table.SIDE, k), first)
    if board.is_over:
        return _over(board)
    found = table.lookup(board)
    stats = _stats(found, _TABLE_ALGORITHM, time.perf_counter())
    return _explained(board, _evaluation(board, found), stats, BEST_LEVEL)


def _timed(known: BestMove, started: float) -> BestMove:
    """The same answer, with the time that this look-up took."""
    cost = known.search
    stats = SearchStats(
        cost.algorithm, cost.nodes, cost.cutoffs, cost.table_hits, cost.depth, _since(started)
    )
    return BestMove(
        known.move,
        known.score,
        known.exact,
        known.outcome,
        known.plies,
        known.pv,
        known.reason,
        stats,
    )


def _over(board: Board) -> BestMove:
    return BestMove(None, board.utility, True, None, 0, (), None, SearchStats("rules"))


def _explained(board: Board, chosen: MoveEvaluation, stats: SearchStats, level: int) -> BestMove:
    reason = reasons.explain(board, chosen.index, chosen.outcome, chosen.plies, level)
    return BestMove(
        chosen.index,
        chosen.score,
        chosen.exact,
        chosen.outcome,
        chosen.plies,
        chosen.pv,
        reason,
        stats,
    )


def _search(board: Board, limits: Limits) -> tuple[Found, str]:
    if limits.algorithm != "auto":
        found, _ = algorithms.run(board, limits.algorithm, limits.depth)
        return found, limits.algorithm
    if table.covers(board):
        return table.lookup(board), _TABLE_ALGORITHM
    return dispatch.search(board, limits)


def _weakened(board: Board, limits: Limits, started: float) -> tuple[MoveEvaluation, SearchStats]:
    costs: list[SearchStats] = []

    def measured_move(position: Board, budget: Limits) -> BestMove:
        answer = best_move(position, budget)
        costs.append(answer.search)
        return answer

    def measured_moves(position: Board, budget: Limits) -> Analysis:
        answer = analyze(position, budget)
        costs.append(answer.search)
        return answer

    chosen = levels.weakened(board, limits, measured_move, measured_moves)
    return chosen, SearchStats(
        costs[-1].algorithm if costs else "rules",
        nodes=sum(cost.nodes for cost in costs),
        cutoffs=sum(cost.cutoffs for cost in costs),
        table_hits=sum(cost.table_hits for cost in costs),
        depth=max((cost.depth for cost in costs), default=0),
        elapsed_ms=_since(started),
    )


def _evaluation(board: Board, found: Found) -> MoveEvaluation:
    """What was found for the side to move, in the frame of the answers: the score is X's."""
    sign = 1 if board.turn == X else -1
    value = found.value
    if not found.exact:
        score = sign * expected_result(value)
        return MoveEvaluation(found.pv[0], score, False, "unknown", None, found.pv)
    outcome: Outcome = "win" if value > 0 else "loss" if value < 0 else "draw"
    plies = plies_to_end(value) if is_proven(value) else board.cells.count(EMPTY)
    result = (value > 0) - (value < 0)
    return MoveEvaluation(found.pv[0], sign * result, True, outcome, plies, found.pv)


def _best_first(
    board: Board, best: int | None
) -> Callable[[MoveEvaluation], tuple[bool, float, int, int]]:
    """The order of an analysis: a higher score, a quicker win or slower loss, a lower index.

    Before all, the move known to be the best.
    """
    sign = 1 if board.turn == X else -1
    hurry = {"win": 1, "loss": -1}

    def key(move: MoveEvaluation) -> tuple[bool, float, int, int]:
        plies = move.plies or 0
        is_other = move.index != best
        return is_other, -sign * move.score, hurry.get(move.outcome, 0) * plies, move.index

    return key


def _stats(found: Found, algorithm: str, started: float) -> SearchStats:
    return SearchStats(
        algorithm, found.nodes, found.cutoffs, found.table_hits, found.depth, _since(started)
    )


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
