"""Divides the budget of one search between its engines."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from bestmove.game import EMPTY, Board
from bestmove.search.engine import Engines, after_share
from bestmove.search.engines.connect4 import book
from bestmove.search.engines.solver import proof
from bestmove.search.limits import DEFAULT_TIME_MS, NODES_PER_MS, SearchLimits
from bestmove.words import EXACT_CELLS

_LEAST_MS: Final = 15
"""In the first search of a process, loading the engines may use up `time_ms`. The search then still
gets `_LEAST_MS` milliseconds, or `time_ms` if that is less."""

_PROOF_SHARE: Final = 0.6
_DROP_SHARE: Final = 0.85
"""The prover's part of the time; the second applies with gravity, where the player's estimates are
less useful."""

_LEAST_SHARE: Final = 0.25
"""In a repeatable search, the player gets at least this part of the budget, whatever the prover has
spent."""

_BEST_SHARE: Final = 0.5
_BEST_SHARE_OF_LINES: Final = 0.85
"""In an analysis, the player first searches for the best move alone. This search gets `_BEST_SHARE`
of the remaining time. If `Limits.lines` is given, the search gets `_BEST_SHARE_OF_LINES`."""

_SLOWLY_PROVEN_CELLS: Final = 36
_SLOWER: Final = 4
"""The general engine needs `_SLOWER` times as long for a node as the solver. On boards of more than
`_SLOWLY_PROVEN_CELLS` cells, a proof by the general engine gets `1 / _SLOWER` of the solver's
nodes."""

_GLANCE_NODES: Final = 200
"""The least node limit for a proof by the general engine. Visiting 200 nodes takes about a
millisecond, and suffices to prove that no line fits on the board."""

_LINE_SHARE: Final = 0.1
"""With gravity, the part of the budget that all variations of proven results get together."""

_LOSS_NODES: Final = 200_000
_DROP_LOSS_NODES: Final = 2_000_000
_LOSS_GRACE: Final = 0.015
"""If the best move is proven to lose, an analysis tries to prove that the other moves lose, too.

- `_LOSS_NODES`: the least node limit for these proofs, if nodes are limited, or if each move must
  have its exact number of plies.
- `_DROP_LOSS_NODES`: the same with gravity. Visiting so many nodes takes 0.3 seconds, and proved
  the moves of all of 3,300 lost positions of Connect Four.
- `_LOSS_GRACE`: for how many seconds beyond the budget the other proofs may continue.
"""


class Share(NamedTuple):
    """What one engine may spend on one task: fields of `Task`."""

    deadline: float | None
    due: float | None
    nodes: int | None
    line_nodes: int | None


class Budget:
    """Hands out the shares of one search, and counts what is spent.

    Under `counts_time`, cost is counted in milliseconds, at each engine's rate; otherwise in nodes.

    Attributes:
        deadline: when the search must stop, in `time.monotonic()` seconds; None means no deadline.
        counted: whether the search is repeatable, and limited by nodes or depth instead of time.
        counts_time: whether the search is repeatable, and its node limits are made from `time_ms`.
        proof_nodes: the prover's node limit; 0 means no proof, None no limit.
        proves: whether the search may try a full proof. `engine_nodes` forbids a full proof,
            because the search should be weak. On boards of more than EXACT_CELLS cells, `depth`
            forbids a full proof, because the proof would look further than `depth`.
    """

    def __init__(self, board: Board, limits: SearchLimits, engines: Engines) -> None:
        self._board, self._rules, self._limits = board, board.rules, limits
        self._prover_rate = engines.prover_rate(board.rules)
        self._player_rate = engines.player_rate(board.rules)
        self._prover_part = _DROP_SHARE if board.rules.gravity else _PROOF_SHARE
        self.counted = limits.is_repeatable
        self.deadline = limits.due()
        if self.deadline is not None and limits.time_ms is not None and not self.counted:
            least = min(limits.time_ms, _LEAST_MS) / 1000
            self.deadline = max(self.deadline, time.monotonic() + least)
        self._proof_deadline = self.deadline
        self._is_exact = board.rules.size <= EXACT_CELLS
        self._time_ms = limits.time_ms or DEFAULT_TIME_MS
        if limits.nodes is not None:
            self._time_ms = max(1, limits.nodes // NODES_PER_MS)
        self._nodes = limits.engine_nodes or limits.nodes
        self.proves = limits.engine_nodes is None and (limits.depth is None or self._is_exact)
        # If only `depth` limits the search, there is no node limit.
        is_limited = limits.time_ms is not None or limits.depth is None
        self.counts_time = self.counted and self._nodes is None and is_limited
        if not self.counted and not self._is_exact and limits.engine_nodes is None:
            self._proof_deadline = after_share(self.deadline, self._prover_part)
        whole = self._nodes or self._time_ms * self._prover_rate
        self._line_nodes = max(1, int(_LINE_SHARE * whole))
        # A repeatable answer has the whole variation of the best move.
        self._line_of_best = None if self.counted else self._line_nodes
        self.proof_nodes: int | None = 0
        if engines.prover is not None:
            self.proof_nodes = self._drop_nodes() if board.rules.gravity else self._solver_nodes()
        self._proved = 0
        self._spent = self._spent_on_proof = 0.0

    def _solver_nodes(self) -> int:
        rules, limits = self._rules, self._limits
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
            whole = limits.nodes or self._time_ms * self._prover_rate
            return min(nodes, int(self._prover_part * whole))
        return nodes

    def _drop_nodes(self) -> int | None:
        if not self.proves and not book.covers(self._board):
            return 0
        if self.counts_time:
            return int(self._prover_part * self._time_ms * self._prover_rate)
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(1, int(_PROOF_SHARE * self._nodes))

    # The shares, in the order in which they are asked for. An analysis asks for all of them, until
    # it knows enough.

    def for_proof(self) -> Share:
        """Return the prover's share for the best move."""
        return Share(self._proof_deadline, self.deadline, self.proof_nodes, self._line_of_best)

    def for_proofs(self, *, are_losses: bool) -> Share:
        """Return the prover's share for all moves."""
        if are_losses:
            until = self._late()
            due = self.deadline if self._rules.gravity else until
            least = _DROP_LOSS_NODES if self._rules.gravity else _LOSS_NODES
            return Share(until, due, self._loss_nodes(self._prover_rate, least), self._line_nodes)
        share = self.for_proof()._replace(line_nodes=self._line_nodes)
        if share.nodes is None or not self.counts_time or self._is_exact:
            return share
        return share._replace(nodes=max(1, share.nodes - self._proved))

    def for_best(self, *, of_all: bool = False) -> Share:
        """Return the player's share for the best move. `of_all`: the other moves are to follow."""
        until = self.deadline
        if of_all and not self.counted:
            is_alike = self._limits.lines is None
            until = after_share(until, _BEST_SHARE if is_alike else _BEST_SHARE_OF_LINES)
        return Share(until, self.deadline, self._left(self._spent_on_proof), self._line_of_best)

    def for_moves(self, *, are_losses: bool) -> Share:
        """Return the player's share for the moves after the best."""
        if are_losses:
            until = self._late()
            nodes = self._loss_nodes(self._player_rate, _LOSS_NODES)
            return Share(until, until, nodes, self._line_nodes)
        return Share(self.deadline, self.deadline, self._left(self._spent), self._line_nodes)

    def charge_prover(self, nodes: int, *, of_all: bool = False) -> None:
        if self.counts_time:
            self._spent += nodes / self._prover_rate
        elif not self._rules.gravity:
            # A budget in nodes does not count the proof of the best move, if all moves follow.
            self._spent = nodes
        if not of_all:
            self._proved, self._spent_on_proof = nodes, self._spent

    def charge_player(self, nodes: int) -> None:
        if self.counts_time:
            self._spent += nodes / self._player_rate

    def _left(self, spent: float) -> int | None:
        if self.counts_time:
            return max(1, int(self._left_ms(spent) * self._player_rate))
        if self._nodes is None or not self.counted:
            return self._nodes
        return max(int(_LEAST_SHARE * self._nodes), int(self._nodes - spent))

    def _left_ms(self, spent: float) -> float:
        return max(_LEAST_SHARE * self._time_ms, self._time_ms - spent)

    def _loss_nodes(self, rate: int, least: int) -> int | None:
        if not self.counted:
            return None
        nodes = self._nodes
        if self.counts_time:
            nodes = int((self._left_ms(self._spent) + 1000 * _LOSS_GRACE) * rate)
            if not (self._is_exact or self._rules == book.CONNECT_FOUR):
                return nodes  # here a loss may be longer than it need be
        return None if nodes is None else max(least, nodes)

    def _late(self) -> float | None:
        if self.counted or self.deadline is None:
            return self.deadline
        return self.deadline + _LOSS_GRACE
