"""A position as the engines take it, and the shares that each gets of a search's budget."""

from __future__ import annotations

import time
from typing import Final

from bestmove.game import EMPTY, PRESETS, Board, O, Rules, X
from bestmove.search.connect4 import book
from bestmove.search.connect4 import solver as connect4
from bestmove.search.gomoku import patterns
from bestmove.search.limits import DEFAULT_TIME_MS, Limits
from bestmove.search.scores import EXACT_CELLS
from bestmove.search.solver import proof

PROOF_SEARCH: Final = "proof-search"
PRINCIPAL_VARIATION_SEARCH: Final = "principal-variation-search"

NODES_PER_MS: Final = 100
"""What a millisecond is worth when the budget is counted in nodes, of any searcher: the same in
either build, so that both answer alike. On one core of a server they make 800 to 1,600 in it,
uncompiled about 10: then such a search takes ten times as long, unless its deadline ends it."""

SOLVER_SHARE: Final = 0.6
"""The part of the budget, time or nodes, after which the solver must give way."""

_LEAST_SHARE: Final = 0.25
"""Of a count of nodes, what is left to the engine whatever the solver spent."""

_BEST_SHARE: Final = 0.5
_BEST_SHARE_OF_LINES: Final = 0.85
"""Of the time for all moves, the part in which the best is searched for by itself; more of it
where only some lines are asked for."""

_GLANCE_SHARE: Final = 0.25
"""Of what is left then, the part for a look at all moves, before some are searched further."""

_TO_CODE: Final = str.maketrans({EMPTY: "\0", X: "\1", O: "\2"})
_CODES: Final = {X: 1, O: 2}


def encoded(cells: str, mover: str | None) -> tuple[bytes, int]:
    """A position as the solver and the engine take it: a byte a cell, and whose turn it is.

    0 is empty, 1 X, 2 O; without a mover it is X's turn.
    """
    return cells.translate(_TO_CODE).encode("ascii"), _CODES[mover or X]


_SLOWLY_PROVEN_CELLS: Final = 36
"""Where exactly k win, boards up to here are proven in as many nodes as where k or more do."""

_SLOWER: Final = 4
"""The general engine, which proves those boards, takes some four times as long for a node as the
solver: beyond _SLOWLY_PROVEN_CELLS it gets so many nodes less."""


_GLANCE_NODES: Final = 200
"""The least for the general engine, a millisecond: so much shows a line too long to be made."""


def is_variant(rules: Rules) -> bool:
    """Whether the general engine or the one for gravity plays by these rules alone.

    The gomoku engine plays without gravity and misère. Where exactly k win, the smallest boards,
    whose distances must be exact, are left to the general engine, too: it proves them all.
    """
    if rules.gravity or rules.misere or not patterns.fits(rules.k, rules.overline):
        return True
    return not rules.overline and rules.size <= EXACT_CELLS


def nodes_for_proof(rules: Rules, empty_cells: int, time_ms: int) -> int:
    """How many nodes a proof is worth within a search of so many milliseconds; 0: do not try."""
    nodes = proof.nodes_for_proof(rules.rows, rules.columns, rules.k, empty_cells, time_ms)
    if rules.overline:
        return nodes
    if rules.size > _SLOWLY_PROVEN_CELLS:
        nodes //= _SLOWER
    return max(nodes, _GLANCE_NODES)


def in_book(board: Board) -> bool:
    """Whether Connect Four's book has the position: it is answered without a search."""
    rules = board.rules
    marks = rules.size - board.cells.count(EMPTY)
    book_rules = PRESETS["connect-four"].rules
    return rules == book_rules and marks <= book.DISCS and not board.is_over


class Budget:
    """The shares of one search.

    Attributes:
        cells: one byte a cell: 0 empty, 1 X, 2 O.
        mover: 1 or 2, whose turn it is.
        deadline: `time.monotonic()` seconds, or None.
        counted: whether nodes alone bound the search, and the clock must have no say in it.
        is_exact: whether a proven distance must be the exact one.
        proves: whether a proof is tried before a search that estimates.
        line_nodes: nodes to follow the line of best play with, once it is proven.
        solver_nodes: nodes for the solver; 0 where a proof is out of reach.
    """

    def __init__(self, board: Board, limits: Limits) -> None:
        rules = board.rules
        self.cells, self.mover = encoded(board.cells, board.turn)
        self.deadline = limits.due()
        self.solver_deadline = self.deadline
        time_ms = limits.time_ms or DEFAULT_TIME_MS
        self.counted = limits.is_repeatable
        self.is_exact = rules.size <= EXACT_CELLS
        # A search to a given depth is asked for that depth, one limited to nodes is a level's.
        self.proves = in_book(board) or (
            limits.nodes is None and (limits.depth is None or self.is_exact)
        )
        # A level's search has both a depth and nodes, and goes without the line.
        is_weak = limits.nodes is not None and limits.depth is not None
        self.line_nodes = 0 if is_weak else connect4.LINE_NODES
        self.solver_nodes = 0
        # A search to a given depth is asked for that depth, not for a proof; but where a proof
        # costs next to nothing it gives the exact distance. One limited to nodes, too, is meant
        # to be weak: the levels' are.
        if not is_variant(rules) and (
            limits.depth is None or (self.is_exact and limits.nodes is None)
        ):
            self.solver_nodes = nodes_for_proof(rules, board.cells.count(EMPTY), time_ms)
        self._nodes = limits.nodes
        if limits.nodes is not None:
            self.solver_nodes = min(self.solver_nodes, limits.nodes)
        elif self.counted:
            # To a depth alone, as deep as it is.
            if limits.time_ms is not None or limits.depth is None:
                self._nodes = time_ms * NODES_PER_MS
            if not self.is_exact:
                most = int(SOLVER_SHARE * time_ms * NODES_PER_MS)
                self.solver_nodes = min(self.solver_nodes, most)
        elif not self.is_exact:
            self.solver_deadline = self._after(SOLVER_SHARE)

    @property
    def proof_nodes(self) -> int | None:
        """Nodes for a proof that is tried before the engine's search."""
        if self._nodes is None or not self.counted:
            return self._nodes
        return int(SOLVER_SHARE * self._nodes)

    def engine_nodes(self, spent: int) -> int | None:
        """Nodes for the engine after the solver's; None leaves only the clock."""
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(int(_LEAST_SHARE * self._nodes), self._nodes - spent)

    def early(self, lines: int | None = None) -> float | None:
        """When to end the search for the best move where every move, or `lines`, is to follow."""
        if self.counted:
            return self.deadline
        return self._after(_BEST_SHARE if lines is None else _BEST_SHARE_OF_LINES)

    def glance(self) -> float | None:
        """When to end the first look at all moves, before some lines are searched."""
        return self.deadline if self.counted else self._after(_GLANCE_SHARE)

    def _after(self, share: float) -> float | None:
        """When a share of the time that is left has gone by."""
        if self.deadline is None:
            return None
        now = time.monotonic()
        return now + share * (self.deadline - now)
