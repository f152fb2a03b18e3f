"""The shares that a prover and a player get of a search's budget.

Shares of a proof are counted in nodes where they can be, so that equal searches find equal answers.
What is to be repeatable has a count of nodes for its time, and no clock but the latest there is.
"""

from __future__ import annotations

from typing import Final

from bestmove.game import EMPTY, PRESETS, Board
from bestmove.search.engine import after_share
from bestmove.search.engines.connect4 import book
from bestmove.search.engines.solver import proof
from bestmove.search.limits import DEFAULT_TIME_MS, Limits
from bestmove.search.scores import EXACT_CELLS

NODES_PER_MS: Final = 100
"""What a millisecond is worth when the budget is counted in nodes, of any searcher: the same in
either build, so that both answer alike. On one core of a server they make 800 to 1,600 in it,
uncompiled about 10: then such a search takes ten times as long, unless its deadline ends it."""

PROOF_SHARE: Final = 0.6
"""The part of the budget, time or nodes, after which a prover must give way."""

_LEAST_SHARE: Final = 0.25
"""Of a count of nodes, what is left to the player whatever the prover spent."""

_BEST_SHARE: Final = 0.5
_BEST_SHARE_OF_LINES: Final = 0.85
"""Of the time for all moves, the part in which the best is searched for by itself; more of it
where only some lines are asked for."""

_SLOWLY_PROVEN_CELLS: Final = 36
"""Where exactly k win, boards up to here are proven in as many nodes as where k or more do."""

_SLOWER: Final = 4
"""The general engine, which proves those boards, takes some four times as long for a node as the
solver: beyond _SLOWLY_PROVEN_CELLS it gets so many nodes less."""

_GLANCE_NODES: Final = 200
"""The least for the general engine, a millisecond: so much shows a line too long to be made."""


def in_book(board: Board) -> bool:
    """Whether Connect Four's book has the position: it is answered without a search."""
    rules = board.rules
    marks = rules.size - board.cells.count(EMPTY)
    book_rules = PRESETS["connect-four"].rules
    return rules == book_rules and marks <= book.DISCS and not board.is_over


class Budget:
    """The shares of one search.

    Attributes:
        deadline: `time.monotonic()` seconds, or None.
        proof_deadline: when a prover must give way.
        counted: whether nodes alone bound the search, and the clock must have no say in it.
        proves: whether a proof comes before a search to a depth or of the engine alone. One of so
            many nodes of the engine is meant to be weak, as the levels' are, and one to a depth is
            asked for that depth; but where a proof costs next to nothing it gives the exact
            distance.
    """

    def __init__(self, board: Board, limits: Limits) -> None:
        self._board, self._limits = board, limits
        self.deadline = self.proof_deadline = limits.due()
        self.counted = limits.is_repeatable
        self._is_exact = board.rules.size <= EXACT_CELLS
        self._time_ms = limits.time_ms or DEFAULT_TIME_MS
        if limits.nodes is not None:
            self._time_ms = max(1, limits.nodes // NODES_PER_MS)
        self._nodes = limits.engine_nodes or limits.nodes
        self.proves = limits.engine_nodes is None and (limits.depth is None or self._is_exact)
        if self.counted:
            # To a depth alone, as deep as it is.
            if self._nodes is None and (limits.time_ms is not None or limits.depth is None):
                self._nodes = self._time_ms * NODES_PER_MS
        elif not self._is_exact and limits.engine_nodes is None:
            self.proof_deadline = after_share(self.deadline, PROOF_SHARE)

    def solver_nodes(self) -> int:
        """Nodes for a proof where marks stay where they are put; 0: do not try."""
        rules, limits = self._board.rules, self._limits
        if not self.proves and (limits.engine_nodes is None or limits.depth is not None):
            return 0
        empty = self._board.cells.count(EMPTY)
        nodes = proof.nodes_for_proof(rules.rows, rules.columns, rules.k, empty, self._time_ms)
        if not rules.overline:
            if rules.size > _SLOWLY_PROVEN_CELLS:
                nodes //= _SLOWER
            nodes = max(nodes, _GLANCE_NODES)
        if limits.engine_nodes is not None:
            return min(nodes, limits.engine_nodes)
        if limits.nodes is not None and self._is_exact:
            return min(nodes, limits.nodes)
        if self.counted and not self._is_exact:
            worth = limits.nodes or self._time_ms * NODES_PER_MS
            return min(nodes, int(PROOF_SHARE * worth))
        return nodes

    def drop_nodes(self) -> int | None:
        """Nodes for a proof where marks fall; None leaves only the clock, 0: do not try."""
        if not self.proves and not in_book(self._board):
            return 0
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(1, int(PROOF_SHARE * self._nodes))

    def nodes_left(self, spent: int) -> int | None:
        """Nodes for the player after those that a proof has spent; None leaves only the clock."""
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(int(_LEAST_SHARE * self._nodes), self._nodes - spent)

    def early(self) -> float | None:
        """When to end the search for the best move where the others, or `lines`, are to follow."""
        if self.counted:
            return self.deadline
        is_of_all = self._limits.lines is None
        return after_share(self.deadline, _BEST_SHARE if is_of_all else _BEST_SHARE_OF_LINES)
