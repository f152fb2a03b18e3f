"""The engines behind the door: who searches a position, with what share of the budget.

A board of few cells goes to the solver first, for as many nodes as a proof there is likely to
take; what it cannot prove goes to the gomoku engine, which plays. Shares are counted in nodes,
never by the clock, so that equal searches find equal answers. What is to be repeatable has a count
of nodes for its time, and no clock but the latest there is.

Where exactly k win, the general engine stands in for the solver, whose null moves, zones and
dominated cells rest on monotony: that an extra mark never hurts its owner. There it may, by turning
k in a row into more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from bestmove.game import Board
from bestmove.game.rules import DEFAULT_K
from bestmove.search import variants
from bestmove.search.budget import PRINCIPAL_VARIATION_SEARCH, PROOF_SEARCH, Budget, is_variant
from bestmove.search.cancellation import Cancellation
from bestmove.search.gomoku import parameters, patterns, weights
from bestmove.search.gomoku.defence import LongestDefence
from bestmove.search.gomoku.driver import Engine
from bestmove.search.limits import Limits
from bestmove.search.pool import Pool
from bestmove.search.results import Found, Moves, Report, ReportMoves
from bestmove.search.scores import MAX_ESTIMATE, WIN, is_proven
from bestmove.search.solver import proof

_engines = Pool(lambda rules: Engine(rules.rows, rules.columns, rules.k, overline=rules.overline))
_solvers: Pool[proof.Solver | variants.GeneralEngine] = Pool(
    lambda rules: (
        proof.Solver(rules.rows, rules.columns, rules.k)
        if rules.overline
        else variants.GeneralEngine(rules)
    )
)


def cancel() -> None:
    """From another thread: end the searches in progress, which answer with what they have.

    A search that is about to begin is not reached: repeat until the answer is there.
    """
    for pool in (_solvers, _engines, *variants.POOLS):
        pool.cancel()


def prepare() -> None:
    """Build the tables that all searches share, so that the first search finds them built."""
    weights.cell_tables()
    patterns.line_table(DEFAULT_K)


def search(
    board: Board,
    limits: Limits,
    report: Report | None = None,
    cancellation: Cancellation | None = None,
) -> tuple[Found, str]:
    """The best move that the budget finds, and the algorithm that found it.

    Args:
        board: a game in progress.
        limits: the budget.
        report: takes the estimates on the way, by `PRINCIPAL_VARIATION_SEARCH`.
        cancellation: ends it.
    """
    if is_variant(board.rules):
        return variants.search(board, limits, report, cancellation)
    budget = Budget(board, limits)
    if budget.solver_nodes:
        with _solvers.borrow(board.rules, cancellation) as searcher:
            proven = _solved(searcher, budget)
            spent = searcher.nodes
        if proven is not None:
            return proven, PROOF_SEARCH
    else:
        spent = 0
    with _engines.borrow(board.rules, cancellation) as engine:
        found, _ = _searched(limits, engine, budget, budget.deadline, spent, report)
    return found, PRINCIPAL_VARIATION_SEARCH


def search_moves(
    board: Board,
    limits: Limits,
    report: Callable[[Moves], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Moves:
    """Every legal move with its own value; `report` takes what is known on the way.

    Where that of `search` is proven, or bounded by depth alone, its move and value are the best
    here, too: it is searched for by itself, and then every move.
    """
    if is_variant(board.rules):
        return Moves(
            *variants.search_moves(
                board, limits, _reporting(report, PRINCIPAL_VARIATION_SEARCH), cancellation
            )
        )
    budget = Budget(board, limits)
    best: Found | None = None
    proven: dict[int, Found] = {}
    spent_on_best = spent = 0
    if budget.solver_nodes:
        with _solvers.borrow(board.rules, cancellation) as searcher:
            if not budget.is_exact:
                best = _solved(searcher, budget)
                spent_on_best = searcher.nodes
            answers = searcher.solve_moves(
                budget.cells,
                budget.mover,
                deadline=budget.solver_deadline,
                nodes=budget.solver_nodes,
                report=_reporting(report, PROOF_SEARCH, best),
            )
            spent = searcher.nodes
        proven = {found.pv[0]: found for found in answers if found is not None}
        if len(proven) == len(board.moves):
            return _led_by(best, list(proven.values()), True, PROOF_SEARCH)
    with _engines.borrow(board.rules, cancellation) as engine:
        if best is None and limits.nodes is None:
            best, played = _searched(limits, engine, budget, budget.early(), spent_on_best)
            if not best.exact and limits.depth is None:
                best = None
            elif best.exact and best.value < 0:
                # Every move has been proven to lose.
                lost = [
                    played.confirmed(budget.mover - 1, replace(best, pv=(move,)), is_best=False)
                    for move in board.moves
                ]
                return _led_by(best, lost, True, PRINCIPAL_VARIATION_SEARCH)
        found, complete = engine.evaluate_moves(
            budget.cells,
            budget.mover,
            deadline=budget.deadline,
            nodes=budget.engine_nodes(spent),
            depth=limits.depth,
            counted=budget.counted,
            report=_reporting(report, PRINCIPAL_VARIATION_SEARCH, best, proven),
        )
        played = _played_out(engine, budget)
        found = [
            proven.get(move.pv[0]) or played.confirmed(budget.mover - 1, move, is_best=False)
            for move in found
        ]
    return _led_by(best, found, complete, PRINCIPAL_VARIATION_SEARCH)


def _solved(searcher: proof.Solver | variants.GeneralEngine, budget: Budget) -> Found | None:
    return searcher.solve(
        budget.cells,
        budget.mover,
        deadline=budget.solver_deadline,
        nodes=budget.solver_nodes,
    )


def _searched(
    limits: Limits,
    engine: Engine,
    budget: Budget,
    deadline: float | None,
    spent: int,
    report: Report | None = None,
) -> tuple[Found, LongestDefence]:
    """The engine's best move, its plies confirmed, and what confirmed them."""
    found = engine.search(
        budget.cells,
        budget.mover,
        deadline=deadline,
        nodes=budget.engine_nodes(spent),
        depth=limits.depth,
        counted=budget.counted,
        report=report,
    )
    played = _played_out(engine, budget)
    return played.confirmed(budget.mover - 1, found, is_best=True), played


def _played_out(engine: Engine, budget: Budget) -> LongestDefence:
    return LongestDefence(
        engine.kernel,
        budget.cells,
        budget.deadline,
        counted=budget.counted,
        only_exact=budget.is_exact,
    )


def _reporting(
    report: Callable[[Moves], None] | None,
    algorithm: str,
    best: Found | None = None,
    proven: Mapping[int, Found] | None = None,
) -> ReportMoves | None:
    """What an engine reports to, for `report` to take what is known in all.

    Args:
        report: takes it, None for nobody.
        algorithm: the engine's.
        best: the move that `search` answers, where it is known.
        proven: by index, what the solver knows. What the engine says it has proven is not played
            out yet, so that its plies may be too few; it is reported as an estimate.
    """
    if report is None:
        return None

    def take(found: list[Found], complete: bool) -> None:
        depth = max(move.depth for move in found)
        if proven is not None:
            found = [proven.get(move.pv[0]) or _as_estimate(move) for move in found]
        moves = _led_by(best, found, complete, algorithm)
        # How deep another search was says nothing of this one.
        found = [replace(move, depth=min(move.depth, depth)) for move in moves.found]
        report(moves._replace(found=found))

    return take


def _as_estimate(found: Found) -> Found:
    if not is_proven(found.value) or found.value == WIN - 1:
        return found
    presumed = parameters.PRESUMED - 1
    return replace(found, value=presumed if found.value > 0 else -presumed, exact=False)


def _led_by(best: Found | None, found: list[Found], complete: bool, algorithm: str) -> Moves:
    """The moves, with the best one's own value, and none that was searched otherwise above it."""
    if best is None:
        return Moves(found, complete, algorithm)
    moves = [best]
    for move in found:
        if move.pv[0] == best.pv[0]:
            continue
        # Two proven wins may have different bounds; all else above the best is an estimate of
        # another search, or becomes one.
        if move.value > best.value and not (move.exact and best.exact):
            most = max(-MAX_ESTIMATE, min(best.value, MAX_ESTIMATE))
            move = replace(move, value=most, exact=False)
        moves.append(move)
    return Moves(moves, complete, algorithm, best.pv[0])
