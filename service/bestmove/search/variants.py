"""Games that neither the solver nor the gomoku engine plays: gravity and misère.

Where marks fall and k or more in a row win, the bitboard solver for gravity proves, with its book
of Connect Four's opening, and plays where it cannot; all other games go to the general engine. That
also proves small boards where exactly k win.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from bestmove.search.ranking import told
from bestmove.search.results import Found, Moves, Report, ReportMoves
from bestmove.search.symmetry import Symmetry


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

_GLANCE: Final = 2
"""Plies to which all moves are searched before some lines are, where the depth is bounded."""


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
    if _is_for_dropper(board.rules):
        with _droppers.borrow(board.rules, cancellation) as dropper:
            return _best_drop(dropper, budget, limits, budget.deadline, report)
    with _general_engines.borrow(board.rules, cancellation) as engine:
        found = _best_of_any(engine, budget, limits, budget.deadline, report)
    return found, PROOF_SEARCH if found.exact else PRINCIPAL_VARIATION_SEARCH


def _best_of_any(
    engine: general.Engine,
    budget: Budget,
    limits: Limits,
    deadline: float | None,
    report: Report | None,
) -> Found:
    """The best move under any rules."""
    return engine.search(
        budget.cells,
        budget.mover,
        deadline=deadline,
        nodes=budget.engine_nodes(0),
        depth=None if budget.proves else limits.depth,
        report=report,
    )


def _best_drop(
    dropper: connect4.Solver,
    budget: Budget,
    limits: Limits,
    deadline: float | None,
    report: Report | None,
) -> tuple[Found, str]:
    """The best move where marks fall, by a proof or else by a search, and which it was."""
    if budget.proves:
        solved = dropper.solve(
            budget.cells,
            budget.mover,
            deadline=budget.solver_deadline,
            nodes=budget.proof_nodes,
            line_deadline=budget.deadline,
            line_nodes=budget.line_nodes,
        )
        if solved is not None:
            return solved, PROOF_SEARCH
    found = dropper.search(
        budget.cells,
        budget.mover,
        deadline=deadline,
        nodes=budget.engine_nodes(0),
        depth=limits.depth,
        report=report,
    )
    return found, PRINCIPAL_VARIATION_SEARCH


def search_moves(
    board: Board,
    limits: Limits,
    report: Callable[[Moves], None] | None = None,
    cancellation: Cancellation | None = None,
) -> Moves:
    """Every legal move with its own value; `report` takes what is known on the way.

    The best move is searched for by itself, as by `search`. `lines` of the others are searched once
    more, with what is left after a glance at all of them; where marks fall there are so few moves
    that all are searched alike.
    """
    budget = Budget(board, limits)
    all_moves = _AllMoves(board, limits, report)
    if _is_for_dropper(board.rules):
        with _droppers.borrow(board.rules, cancellation) as dropper:
            return _search_drops(dropper, budget, all_moves)
    with _general_engines.borrow(board.rules, cancellation) as engine:
        return _search_any(engine, budget, all_moves)


class _AllMoves:
    """What is known of all moves while one engine after the other speaks of some.

    Attributes:
        symmetry: of the position; the engines value one of equal moves.
        best: the move that `search` answers, None where that is not known.
        found: the other moves, the best first.
        lines: so many of them are searched further than the rest.
    """

    def __init__(
        self, board: Board, limits: Limits, report: Callable[[Moves], None] | None
    ) -> None:
        self.limits = limits
        self.symmetry = Symmetry(board)
        self.best: Found | None = None
        self.found: list[Found] = []
        self.lines = 0
        self.proven: dict[int, Found] = {}
        self._report = report
        self.takes_best = report and self._take_best
        self.takes_others = report and self._take_others

    def lead(self, found: Found) -> None:
        """Take the best move, and leave it out of the others."""
        self.best = self.symmetry.lowest(found)
        first = self.best.pv[0]
        self.found = [move for move in self.found if move.pv[0] != first]
        if self.limits.lines is not None:
            self.lines = max(0, self.limits.lines - self.symmetry.count(found))

    def others(self, found: Sequence[Found]) -> list[Found]:
        """What was found of the others, one of each kind, as it is proven where it is."""
        wanted = set(self.symmetry.moves)
        if self.best is not None:
            wanted.discard(self.symmetry.first(self.best))
        return [self.proven.get(move.pv[0], move) for move in found if move.pv[0] in wanted]

    def told(self, complete: bool) -> Moves:
        """All moves, told of every image."""
        best, found = self.best, self.found
        exact = all(move.exact for move in found) and (best is None or best.exact)
        return told(
            self.symmetry,
            best,
            found,
            self.lines,
            PROOF_SEARCH if exact else PRINCIPAL_VARIATION_SEARCH,
            complete=complete,
            bounded=self.limits.depth is not None,
        )

    def _take_best(self, found: Found) -> None:
        assert self._report is not None
        before = self.found
        self.lead(found)
        self._report(self.told(False))
        self.found = before

    def _take_others(self, found: list[Found], complete: bool) -> None:
        assert self._report is not None
        known = self.others(found)
        named = {move.pv[0] for move in known}
        before = self.found
        self.found = [*known, *(move for move in before if move.pv[0] not in named)]
        self._report(self.told(complete))
        self.found = before


def _search_any(engine: general.Engine, budget: Budget, all_moves: _AllMoves) -> Moves:
    """Every move under any rules."""
    limits = all_moves.limits
    depth = None if budget.proves else limits.depth
    nodes = budget.engine_nodes(0)
    moves = all_moves.symmetry.moves

    def evaluate(
        moves: Sequence[int], deadline: float | None, nodes: int | None, depth: int | None
    ) -> tuple[list[Found], bool]:
        return engine.evaluate_moves(
            budget.cells,
            budget.mover,
            deadline=deadline,
            nodes=nodes,
            depth=depth,
            moves=moves,
            report=all_moves.takes_others,
        )

    if all_moves.takes_best is not None:
        all_moves.found, _ = engine.evaluate_moves(budget.cells, budget.mover, nodes=1, moves=moves)
    early = budget.early(limits.lines)
    best = _best_of_any(engine, budget, limits, early, all_moves.takes_best)
    all_moves.lead(best)
    moves = [move for move in moves if move != all_moves.symmetry.first(best)]
    if limits.lines is None or all_moves.lines >= len(moves):
        all_moves.found, complete = evaluate(moves, budget.deadline, nodes, depth)
        return all_moves.told(complete)
    all_moves.found, complete = evaluate(
        moves,
        budget.glance(),
        None if nodes is None else max(1, nodes // 4),
        None if depth is None else min(depth, _GLANCE),
    )
    lines = all_moves.lines
    if not lines:
        return all_moves.told(True)
    leading, complete = evaluate(
        [move.pv[0] for move in all_moves.found[:lines]], budget.deadline, nodes, depth
    )
    all_moves.found = [*leading, *all_moves.found[lines:]]
    return all_moves.told(complete)


def _search_drops(dropper: connect4.Solver, budget: Budget, all_moves: _AllMoves) -> Moves:
    """Every move where marks fall: proven, or searched to one depth."""
    limits = all_moves.limits
    if all_moves.takes_best is not None:
        found, _ = dropper.evaluate_moves(budget.cells, budget.mover, depth=1)
        all_moves.found = all_moves.others(found)
    early = budget.early(limits.lines)
    best, _ = _best_drop(dropper, budget, limits, early, all_moves.takes_best)
    all_moves.lead(best)
    if budget.proves:
        answers = dropper.solve_moves(
            budget.cells,
            budget.mover,
            deadline=budget.early(),
            nodes=budget.proof_nodes,
            line_nodes=budget.line_nodes,
        )
        all_moves.proven = {found.pv[0]: found for found in answers if found is not None}
        if len(all_moves.proven) == len(answers):
            all_moves.found = all_moves.others(list(all_moves.proven.values()))
            return all_moves.told(True)
    found, complete = dropper.evaluate_moves(
        budget.cells,
        budget.mover,
        deadline=budget.deadline,
        nodes=budget.engine_nodes(0),
        depth=limits.depth,
        report=all_moves.takes_others,
    )
    all_moves.found, all_moves.lines = all_moves.others(found), 0
    return all_moves.told(complete)
