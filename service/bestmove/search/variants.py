"""Games that neither the solver nor the gomoku engine plays: gravity and misère.

Where marks fall and k or more in a row win, the bitboard solver for gravity proves, with its book
of Connect Four's opening, and plays where it cannot; all other games go to the general engine. That
also proves small boards where exactly k win.
"""

from __future__ import annotations

from typing import Final

from bestmove.game import Board, Rules
from bestmove.search.budget import (
    PRINCIPAL_VARIATION_SEARCH,
    PROOF_SEARCH,
    Budget,
)
from bestmove.search.cancellation import Cancellation
from bestmove.search.connect4 import solver as connect4
from bestmove.search.general import engine as general
from bestmove.search.limits import Limits
from bestmove.search.pool import Pool
from bestmove.search.results import Found, Report, ReportMoves


class GeneralEngine(general.Engine):
    """The general engine of some rules, which can stand in for the solver, too."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(
            rules.rows,
            rules.columns,
            rules.k,
            gravity=rules.gravity,
            overline=rules.overline,
            misere=rules.misere,
        )

    @property
    def nodes(self) -> int:
        """Nodes of the last search."""
        nodes: int = self._kernel.nodes
        return nodes

    def solve(
        self, cells: bytes, to_move: int, *, deadline: float | None, nodes: int | None
    ) -> Found | None:
        """What `search` proves, or None."""
        found = self.search(cells, to_move, deadline=deadline, nodes=nodes)
        return found if found.exact else None

    def solve_moves(
        self,
        cells: bytes,
        to_move: int,
        *,
        deadline: float | None,
        nodes: int | None,
        report: ReportMoves | None = None,
    ) -> list[Found | None]:
        """For every legal move what `evaluate_moves` proves, or None, in the order of the cells."""
        found, _ = self.evaluate_moves(
            cells, to_move, deadline=deadline, nodes=nodes, report=report
        )
        found.sort(key=lambda move: move.pv[0])
        return [move if move.exact else None for move in found]


_droppers = Pool(lambda rules: connect4.Solver(rules.rows, rules.columns, rules.k))
_general_engines = Pool(GeneralEngine)

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


def search(
    board: Board,
    limits: Limits,
    report: Report | None = None,
    cancellation: Cancellation | None = None,
) -> tuple[Found, str]:
    """The best move that the budget finds, and the algorithm that found it."""
    budget = Budget(board, limits)
    if not _is_for_dropper(board.rules):
        with _general_engines.borrow(board.rules, cancellation) as engine:
            found = engine.search(
                budget.cells,
                budget.mover,
                deadline=budget.deadline,
                nodes=budget.engine_nodes(0),
                depth=None if budget.proves else limits.depth,
                report=report,
            )
        return found, PROOF_SEARCH if found.exact else PRINCIPAL_VARIATION_SEARCH
    with _droppers.borrow(board.rules, cancellation) as dropper:
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
            report=report,
        )
    return found, PRINCIPAL_VARIATION_SEARCH


def search_moves(
    board: Board,
    limits: Limits,
    report: ReportMoves | None = None,
    cancellation: Cancellation | None = None,
) -> tuple[list[Found], bool, str]:
    """Every legal move with its own value, whether all were searched alike, and the algorithm."""
    budget = Budget(board, limits)
    if not _is_for_dropper(board.rules):
        with _general_engines.borrow(board.rules, cancellation) as engine:
            found, complete = engine.evaluate_moves(
                budget.cells,
                budget.mover,
                deadline=budget.deadline,
                nodes=budget.engine_nodes(0),
                depth=None if budget.proves else limits.depth,
                report=report,
            )
        exact = all(move.exact for move in found)
        return (found, complete, PROOF_SEARCH if exact else PRINCIPAL_VARIATION_SEARCH)
    with _droppers.borrow(board.rules, cancellation) as dropper:
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
                return (list(proven.values()), True, PROOF_SEARCH)

        def report_all(found: list[Found], complete: bool) -> None:
            assert report is not None
            report([proven.get(move.pv[0], move) for move in found], complete)

        found, complete = dropper.evaluate_moves(
            budget.cells,
            budget.mover,
            deadline=budget.deadline,
            nodes=budget.engine_nodes(0),
            depth=limits.depth,
            report=report and report_all,
        )
    found = [proven.get(move.pv[0], move) for move in found]
    return (found, complete, PRINCIPAL_VARIATION_SEARCH)
