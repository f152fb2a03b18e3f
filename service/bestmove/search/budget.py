"""The shares of a search's budget: how much the prover may spend, and what is left for the player.

A prover's share is counted in nodes where possible, so that equal searches find equal answers. In
repeatable searches `time_ms` is converted to nodes; the clock only enforces the server's maximum.
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
"""How many nodes replace a millisecond of `time_ms` in a repeatable search, for all engines,
compiled or not. One core of a server visits 800 to 1,600 nodes in a millisecond. An uncompiled
engine visits about 10, so its repeatable searches take ten times as long as `time_ms`, unless the
deadline ends them."""

PROOF_SHARE: Final = 0.6
"""The part of the budget, in time or nodes, after which a prover must stop."""

_LEAST_SHARE: Final = 0.25
"""The part of a node budget that is left for the player, however much the prover has spent."""

_BEST_SHARE: Final = 0.5
_BEST_SHARE_OF_LINES: Final = 0.85
"""The part of an analysis's time for the search for the best move: the first constant applies
without `lines`, the second with them."""

_SLOWLY_PROVEN_CELLS: Final = 36
"""On boards of up to this many cells, a proof gets as many nodes where only exactly k in a row win
as under other rules."""

_SLOWER: Final = 4
"""On larger boards where only exactly k in a row win, the share of nodes is divided by this: the
general engine makes the proofs there, and takes four times as long for a node as the solver."""

_GLANCE_NODES: Final = 200
"""The fewest nodes for a proof where only exactly k in a row win: enough to see that no line fits
the board. They take about a millisecond."""


def in_book(board: Board) -> bool:
    """Whether Connect Four's book has the position."""
    rules = board.rules
    marks = rules.size - board.cells.count(EMPTY)
    book_rules = PRESETS["connect-four"].rules
    return rules == book_rules and marks <= book.DISCS and not board.is_over


class Budget:
    """The shares of the prover and the player in the budget of one search.

    Attributes:
        deadline: when the search must stop, in `time.monotonic()` seconds, or None.
        proof_deadline: when a prover must stop.
        counted: whether the search is repeatable: nodes or a depth limit it, not the clock.
        proves: whether a proof is tried first. Searches with `engine_nodes` should be weak (but
            `solver_nodes` allows a short proof), and those with a `depth` should stop there. The
            smallest boards are proven in spite of a depth: this is cheap, with exact distances.
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
            # A search limited by depth alone has no node limit.
            if self._nodes is None and (limits.time_ms is not None or limits.depth is None):
                self._nodes = self._time_ms * NODES_PER_MS
        elif not self._is_exact and limits.engine_nodes is None:
            self.proof_deadline = after_share(self.deadline, PROOF_SHARE)

    def solver_nodes(self) -> int:
        """How many nodes a proof without gravity may visit; 0 means no proof is tried."""
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
        """How many nodes a proof with gravity may visit; 0 means no proof is tried, None that only
        the clock limits it."""
        if not self.proves and not in_book(self._board):
            return 0
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(1, int(PROOF_SHARE * self._nodes))

    def nodes_left(self, spent: int) -> int | None:
        """How many nodes the player may visit after a proof has spent `spent`; None means that only
        the clock limits the player."""
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(int(_LEAST_SHARE * self._nodes), self._nodes - spent)

    def early(self) -> float | None:
        """When the search for the best move must end, so that time is left for the other moves."""
        if self.counted:
            return self.deadline
        is_of_all = self._limits.lines is None
        return after_share(self.deadline, _BEST_SHARE if is_of_all else _BEST_SHARE_OF_LINES)
