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

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bestmove.game import Board
from bestmove.game.rules import DEFAULT_K
from bestmove.search import variants
from bestmove.search.budget import PRINCIPAL_VARIATION_SEARCH, PROOF_SEARCH, Budget, is_variant
from bestmove.search.cancellation import Cancellation
from bestmove.search.gomoku import book, network, parameters, patterns, weights
from bestmove.search.gomoku.defence import LongestDefence
from bestmove.search.gomoku.driver import Engine
from bestmove.search.limits import Limits
from bestmove.search.pool import Pool
from bestmove.search.ranking import led_by, told
from bestmove.search.results import Found, Moves, Report
from bestmove.search.scores import WIN, is_proven
from bestmove.search.solver import proof
from bestmove.search.symmetry import Symmetry

_engines = Pool(lambda rules: Engine(rules.rows, rules.columns, rules.k, overline=rules.overline))
_solvers: Pool[proof.Solver | variants.GeneralEngine] = Pool(
    lambda rules: (
        proof.Solver(rules.rows, rules.columns, rules.k)
        if rules.overline
        else variants.GeneralEngine(rules)
    )
)

_SHARED_PATTERNS: Final = ((DEFAULT_K, True), (DEFAULT_K, False), (DEFAULT_K + 1, True))
"""The longest lines, k and whether more than k win: only their patterns take long to build."""


def prepare() -> None:
    """Build the tables that all searches share, so that the first search finds them built."""
    weights.cell_tables()
    network.network()
    for k, overline in _SHARED_PATTERNS:
        patterns.window_table(k, overline)
    book.opening()
    book.images()


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
        found, algorithm = variants.search(board, limits, report, cancellation)
        return Symmetry(board).lowest(found), algorithm
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
        threads = limits.threads or 1
        found, _ = _searched(limits, engine, budget, budget.deadline, spent, report, threads)
    return Symmetry(board).lowest(found), PRINCIPAL_VARIATION_SEARCH


def search_moves(
    board: Board,
    limits: Limits,
    report: Callable[[Moves], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Moves:
    """Every legal move with its own value; `report` takes what is known on the way.

    The best move is searched for by itself, as by `search`, and then every move, or those that
    `lines` asks for and the others. Where that of `search` is proven, or bounded by depth alone,
    its move and value are the best here, too. Of moves that are each other's images one is
    searched.
    """
    if is_variant(board.rules):
        return variants.search_moves(board, limits, report, cancellation)
    budget = Budget(board, limits)
    best: Found | None = None
    proven: dict[int, Found] = {}
    spent_on_best = spent = 0
    if budget.solver_nodes:
        with _solvers.borrow(board.rules, cancellation) as searcher:
            best = _solved(searcher, budget)
            spent_on_best = searcher.nodes

            def report_proven(found: list[Found], complete: bool) -> None:
                assert report is not None
                report(_led_by(best, found, complete, PROOF_SEARCH))

            answers = searcher.solve_moves(
                budget.cells,
                budget.mover,
                deadline=budget.solver_deadline,
                nodes=budget.solver_nodes,
                report=report and report_proven,
            )
            spent = searcher.nodes
        proven = {found.pv[0]: found for found in answers if found is not None}
        if best is not None and len(proven) == len(board.moves):
            return _led_by(best, list(proven.values()), True, PROOF_SEARCH)
    symmetry = Symmetry(board)
    lines = 0

    def moves_of(best: Found | None, found: list[Found], complete: bool) -> Moves:
        return told(
            symmetry,
            best,
            found,
            lines,
            PRINCIPAL_VARIATION_SEARCH,
            complete=complete,
            bounded=limits.depth is not None,
        )

    def report_found(found: list[Found], complete: bool) -> None:
        assert report is not None
        known = [proven.get(move.pv[0]) or _as_estimate(move) for move in found]
        report(moves_of(best, known, complete))

    with _engines.borrow(board.rules, cancellation) as engine:
        goes_on = best is None
        if goes_on:
            at_sight: list[Found] = []
            if report is not None:
                at_sight, _ = engine.evaluate_moves(
                    budget.cells, budget.mover, depth=0, moves=symmetry.moves
                )

            def report_best(found: Found) -> None:
                nonlocal best
                best = symmetry.lowest(found)
                others = [move for move in at_sight if move.pv[0] != symmetry.first(found)]
                report_found(others, False)

            until = budget.early(limits.lines)
            found_best, played = _searched(
                limits, engine, budget, until, spent_on_best, report and report_best
            )
            best = symmetry.lowest(found_best)
            if best.exact and best.value < 0:
                # Every move has been proven to lose.
                lost = [
                    played.confirmed(budget.mover - 1, replace(best, pv=(move,)), is_best=False)
                    for move in board.moves
                ]
                return _led_by(best, lost, True, PRINCIPAL_VARIATION_SEARCH)
        if limits.lines is not None:
            lines = max(0, limits.lines - (symmetry.count(best) if best else 0))
        first = None if best is None else symmetry.first(best)
        found, complete = engine.evaluate_moves(
            budget.cells,
            budget.mover,
            deadline=budget.deadline,
            nodes=budget.engine_nodes(spent),
            depth=limits.depth,
            counted=budget.counted,
            moves=[move for move in symmetry.moves if move != first],
            lines=None if limits.lines is None else lines,
            goes_on=goes_on,
            report=report and report_found,
        )
        played = _played_out(engine, budget)
        found = [
            proven.get(move.pv[0]) or played.confirmed(budget.mover - 1, move, is_best=False)
            for move in found
        ]
    return moves_of(best, found, complete)


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
    threads: int = 1,
) -> tuple[Found, LongestDefence]:
    """The engine's best move, its plies confirmed, and what confirmed them."""
    found = engine.search(
        budget.cells,
        budget.mover,
        deadline=deadline,
        nodes=budget.engine_nodes(spent),
        depth=limits.depth,
        counted=budget.counted,
        in_game=limits.in_game and not budget.counted,
        threads=threads,
        from_book=limits.depth is None and limits.nodes is None,
        report=report,
    )
    played = _played_out(engine, budget)
    return played.confirmed(budget.mover - 1, found, is_best=True), played


def _played_out(engine: Engine, budget: Budget) -> LongestDefence:
    deadline = budget.deadline
    if deadline is not None and not budget.counted:
        deadline += parameters.COMPLETION_OVERTIME
    return LongestDefence(
        engine.kernel,
        budget.cells,
        deadline,
        engine.played,
        only_exact=budget.is_exact,
    )


def _as_estimate(found: Found) -> Found:
    if not is_proven(found.value) or found.value == WIN - 1:
        return found
    presumed = parameters.PRESUMED - 1
    return replace(found, value=presumed if found.value > 0 else -presumed, exact=False)


def _led_by(best: Found | None, found: list[Found], complete: bool, algorithm: str) -> Moves:
    """The moves, and before all the best one with its own value where it is known."""
    if best is None:
        return Moves(found, complete, algorithm)
    return Moves(led_by(best, found), complete, algorithm, best.pv[0])
