"""Games that neither the solver nor the gomoku engine plays: gravity, exactly k, misère.

Where marks fall and k or more in a row win, the bitboard solver for gravity proves, with its book
of Connect Four's opening, and plays where it cannot; all other games go to the general engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bestmove.game import Board, Rules
from bestmove.search.budget import (
    PRINCIPAL_VARIATION_SEARCH,
    PROOF_SEARCH,
    Budget,
)
from bestmove.search.connect4 import solver as connect4
from bestmove.search.general import engine as general
from bestmove.search.limits import Limits
from bestmove.search.pool import Pool
from bestmove.search.ranking import Moves, joined
from bestmove.search.results import Found
from bestmove.search.symmetry import Symmetry

_droppers = Pool(lambda rules: connect4.Solver(rules.rows, rules.columns, rules.k))
_general_engines = Pool(
    lambda rules: general.Engine(
        rules.rows,
        rules.columns,
        rules.k,
        gravity=rules.gravity,
        overline=rules.overline,
        misere=rules.misere,
    )
)

_GLANCE: Final = 2
"""Plies to which all moves are searched before some lines are, where the depth is bounded."""

POOLS: Final = (_droppers, _general_engines)
"""What `dispatch.cancel` stops."""


def _is_for_dropper(rules: Rules) -> bool:
    """Whether the engine for gravity plays by these rules: k or more in a row win, and it fits."""
    return (
        rules.gravity
        and rules.overline
        and not rules.misere
        and connect4.fits(rules.rows, rules.columns)
    )


def search(board: Board, limits: Limits) -> tuple[Found, str]:
    """The best move that the budget finds, and the algorithm that found it."""
    budget = Budget(board, limits)
    if not _is_for_dropper(board.rules):
        with _general_engines.borrow(board.rules) as engine:
            found = engine.search(
                budget.cells,
                budget.mover,
                deadline=budget.deadline,
                nodes=budget.engine_nodes(0),
                depth=None if budget.proves else limits.depth,
            )
        return found, PROOF_SEARCH if found.exact else PRINCIPAL_VARIATION_SEARCH
    with _droppers.borrow(board.rules) as dropper:
        if budget.proves:
            proven = dropper.solve(
                budget.cells,
                budget.mover,
                deadline=budget.solver_deadline,
                nodes=budget.proof_nodes,
                line_nodes=budget.line_nodes,
            )
            if proven is not None:
                return proven, PROOF_SEARCH
        found = dropper.search(
            budget.cells,
            budget.mover,
            deadline=budget.deadline,
            nodes=budget.engine_nodes(0),
            depth=limits.depth,
        )
    return found, PRINCIPAL_VARIATION_SEARCH


def search_moves(board: Board, limits: Limits) -> Moves:
    """Every legal move with its own value, whether all were searched alike, and the algorithm.

    Where not all is proven the best move is searched for by itself, as by `search`. `lines` of the
    others are searched once more, with what is left after a glance at all of them; where marks
    fall there are so few moves that all are searched alike.
    """
    budget = Budget(board, limits)
    symmetry = Symmetry(board)
    if _is_for_dropper(board.rules):
        return _search_drops(board, limits, budget, symmetry)
    with _general_engines.borrow(board.rules) as engine:
        depth = None if budget.proves else limits.depth
        best: Found | None = None
        if limits.nodes is None and not budget.is_exact:
            best = symmetry.lowest(
                engine.search(
                    budget.cells,
                    budget.mover,
                    deadline=budget.early(limits.lines),
                    nodes=budget.engine_nodes(0),
                    depth=depth,
                )
            )
        first = None if best is None else symmetry.first(best)
        moves = [move for move in symmetry.moves if move != first]
        lines = None
        if limits.lines is not None:
            lines = max(0, limits.lines - (symmetry.count(best) if best else 0))
        found, complete = _evaluated(engine, budget, moves, depth, lines)
    return _joined(symmetry, limits, best, found, lines or 0, complete)


def _evaluated(
    engine: general.Engine,
    budget: Budget,
    moves: Sequence[int],
    depth: int | None,
    lines: int | None,
) -> tuple[list[Found], bool]:
    """The values of some moves, and whether they, or the first `lines`, were searched alike."""
    nodes = budget.engine_nodes(0)

    def evaluate(
        moves: Sequence[int], deadline: float | None, nodes: int | None, depth: int | None
    ) -> tuple[list[Found], bool]:
        return engine.evaluate_moves(
            budget.cells, budget.mover, deadline=deadline, nodes=nodes, depth=depth, moves=moves
        )

    if lines is None or lines >= len(moves):
        return evaluate(moves, budget.deadline, nodes, depth)
    found, complete = evaluate(
        moves,
        budget.glance(),
        None if nodes is None else max(1, nodes // 4),
        None if depth is None else min(depth, _GLANCE),
    )
    if not lines:
        return found, True
    leading, complete = evaluate(
        [move.pv[0] for move in found[:lines]], budget.deadline, nodes, depth
    )
    return [*leading, *found[lines:]], complete


def _search_drops(board: Board, limits: Limits, budget: Budget, symmetry: Symmetry) -> Moves:
    """Every move where marks fall: proven, or searched to one depth."""
    with _droppers.borrow(board.rules) as dropper:
        proven: dict[int, Found] = {}
        if budget.proves:
            answers = dropper.solve_moves(
                budget.cells,
                budget.mover,
                deadline=budget.solver_deadline,
                nodes=budget.proof_nodes,
                line_nodes=budget.line_nodes,
            )
            proven = {found.pv[0]: found for found in answers if found is not None}
            if len(proven) == len(board.moves):
                return Moves(list(proven.values()), True, PROOF_SEARCH)
        best: Found | None = None
        if limits.nodes is None:
            best = symmetry.lowest(
                dropper.search(
                    budget.cells,
                    budget.mover,
                    deadline=budget.early(limits.lines),
                    nodes=budget.engine_nodes(0),
                    depth=limits.depth,
                )
            )
        found, complete = dropper.evaluate_moves(
            budget.cells,
            budget.mover,
            deadline=budget.deadline,
            nodes=budget.engine_nodes(0),
            depth=limits.depth,
        )
    wanted = set(symmetry.moves)
    found = [proven.get(move.pv[0], move) for move in found if move.pv[0] in wanted]
    if best is not None:
        first = symmetry.first(best)
        if first in proven:
            best = None
        else:
            found = [move for move in found if move.pv[0] != first]
    return _joined(symmetry, limits, best, found, 0, complete)


def _joined(
    symmetry: Symmetry,
    limits: Limits,
    best: Found | None,
    found: list[Found],
    lines: int,
    complete: bool,
) -> Moves:
    """What was found of one move of each kind, told of all."""
    if best is not None and best.exact and best.value < 0:
        # A lost position: the moves have losses of their own, and this is one of them.
        found, best = [best, *found], None
    bounded = limits.depth is not None
    complete = complete and (best is None or best.exact or bounded)
    found, best = joined(best, found, lines, keeps_best=bounded)
    moves = symmetry.of_all(found)
    exact = all(move.exact for move in moves)
    algorithm = PROOF_SEARCH if exact else PRINCIPAL_VARIATION_SEARCH
    return Moves(moves, complete, algorithm, None if best is None else best.pv[0])
