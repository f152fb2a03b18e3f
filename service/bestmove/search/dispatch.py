"""The engines behind the door: who searches a position, with what share of the budget.

A board of few cells goes to the solver first, for as many nodes as a proof there is likely to
take; what it cannot prove goes to the gomoku engine, which plays. Shares are counted in nodes,
never by the clock, so that equal searches find equal answers. What is to be repeatable has a count
of nodes for its time, and no clock but the latest there is.
"""

from __future__ import annotations

from dataclasses import replace

from bestmove.game import Board
from bestmove.game.rules import DEFAULT_K
from bestmove.search import variants
from bestmove.search.budget import PRINCIPAL_VARIATION_SEARCH, PROOF_SEARCH, Budget, is_variant
from bestmove.search.gomoku import patterns, weights
from bestmove.search.gomoku.defence import LongestDefence
from bestmove.search.gomoku.driver import Engine
from bestmove.search.limits import Limits
from bestmove.search.pool import Pool
from bestmove.search.ranking import Moves, joined, led_by
from bestmove.search.results import Found
from bestmove.search.solver import proof
from bestmove.search.symmetry import Symmetry

_engines = Pool(lambda rules: Engine(rules.rows, rules.columns, rules.k))
_solvers = Pool(lambda rules: proof.Solver(rules.rows, rules.columns, rules.k))


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


def search(board: Board, limits: Limits) -> tuple[Found, str]:
    """The best move that the budget finds, and the algorithm that found it."""
    if is_variant(board.rules):
        found, algorithm = variants.search(board, limits)
        return Symmetry(board).lowest(found), algorithm
    budget = Budget(board, limits)
    if budget.solver_nodes:
        with _solvers.borrow(board.rules) as searcher:
            proven = _solved(searcher, budget)
            spent = searcher.nodes
        if proven is not None:
            return proven, PROOF_SEARCH
    else:
        spent = 0
    with _engines.borrow(board.rules) as engine:
        found, _ = _searched(limits, engine, budget, budget.deadline, spent)
    return Symmetry(board).lowest(found), PRINCIPAL_VARIATION_SEARCH


def search_moves(board: Board, limits: Limits) -> Moves:
    """Every legal move with its own value.

    The best move is searched for by itself, as by `search`, and then every move, or those that
    `lines` asks for and the others. Where that of `search` is proven, or bounded by depth alone,
    its move and value are the best here, too. Of moves that are each other's images one is
    searched.
    """
    if is_variant(board.rules):
        return variants.search_moves(board, limits)
    budget = Budget(board, limits)
    best: Found | None = None
    proven: dict[int, Found] = {}
    spent_on_best = spent = 0
    if budget.solver_nodes:
        with _solvers.borrow(board.rules) as searcher:
            if not budget.is_exact:
                best = _solved(searcher, budget)
                spent_on_best = searcher.nodes
            answers = searcher.solve_moves(
                budget.cells,
                budget.mover,
                deadline=budget.solver_deadline,
                nodes=budget.solver_nodes,
            )
            spent = searcher.nodes
        proven = {found.pv[0]: found for found in answers if found is not None}
        if len(proven) == len(board.moves):
            return _led_by(best, list(proven.values()), True, PROOF_SEARCH)
    symmetry = Symmetry(board)
    with _engines.borrow(board.rules) as engine:
        goes_on = best is None and limits.nodes is None
        if goes_on:
            until = budget.early(limits.lines)
            best, played = _searched(limits, engine, budget, until, spent_on_best)
            best = symmetry.lowest(best)
            if best.exact and best.value < 0:
                # Every move has been proven to lose.
                lost = [
                    played.confirmed(budget.mover - 1, replace(best, pv=(move,)), is_best=False)
                    for move in board.moves
                ]
                return _led_by(best, lost, True, PRINCIPAL_VARIATION_SEARCH)
        lines = None
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
            lines=lines,
            goes_on=goes_on,
        )
        played = _played_out(engine, budget)
        found = [
            proven.get(move.pv[0]) or played.confirmed(budget.mover - 1, move, is_best=False)
            for move in found
        ]
    bounded = limits.depth is not None
    complete = complete and (best is None or best.exact or bounded)
    found, best = joined(best, found, lines or 0, keeps_best=bounded)
    moves = symmetry.of_all(found)
    return Moves(moves, complete, PRINCIPAL_VARIATION_SEARCH, None if best is None else best.pv[0])


def _solved(searcher: proof.Solver, budget: Budget) -> Found | None:
    return searcher.solve(
        budget.cells,
        budget.mover,
        deadline=budget.solver_deadline,
        nodes=budget.solver_nodes,
    )


def _searched(
    limits: Limits, engine: Engine, budget: Budget, deadline: float | None, spent: int
) -> tuple[Found, LongestDefence]:
    """The engine's best move, its plies confirmed, and what confirmed them."""
    found = engine.search(
        budget.cells,
        budget.mover,
        deadline=deadline,
        nodes=budget.engine_nodes(spent),
        depth=limits.depth,
        counted=budget.counted,
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


def _led_by(best: Found | None, found: list[Found], complete: bool, algorithm: str) -> Moves:
    """The moves, and before all the best one with its own value where it is known."""
    if best is None:
        return Moves(found, complete, algorithm)
    return Moves(led_by(best, found), complete, algorithm, best.pv[0])
