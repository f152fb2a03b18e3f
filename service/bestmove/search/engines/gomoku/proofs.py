"""Makes the results of a search, and completes the lines of proven results to the winning move.

Such a line often ends early, at a position that the table or a search of threats has decided.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from bestmove.search.common.clock import ENDLESS
from bestmove.search.engine import Memory, Task
from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.defence import Played, winning_by_counts
from bestmove.search.engines.gomoku.parameters import PROVEN, UNKNOWN
from bestmove.search.engines.gomoku.patterns import CELL_FIVE
from bestmove.search.engines.gomoku.search import Search
from bestmove.search.results import Found
from bestmove.search.scores import WIN


class Proofs:
    """Makes the results of a kernel, and completes their lines with a share of nodes and time.

    Results include the nodes of the kernel's helpers; limits apply to the kernel alone.

    Args:
        kernel: the search, with its position.

    Attributes:
        counted: whether nodes limit the search, not the clock.
        played: the positions played out so far: see `defence`.
        helping: the kernels that help this one.
    """

    def __init__(self, kernel: Search) -> None:
        self.kernel = kernel
        self.counted = False
        self._completion_nodes = 0
        self.played: dict[tuple[int, int, int, int], Played] = {}
        self.helping: Sequence[Search] = ()

    def begin(self, task: Task) -> None:
        """Set up the limits of a task, and its position unless the kernel has just searched it."""
        kernel = self.kernel
        if task.memory is Memory.POSITION:
            kernel.timed = task.deadline is not None
            kernel.deadline = task.deadline or 0.0
            kernel.node_limit = ENDLESS if task.nodes is None else kernel.nodes + task.nodes
            kernel.next_check = kernel.nodes
            kernel.stopped = False
            return
        kernel.begin(task.cells, task.deadline, task.nodes, task.memory is Memory.GAME)
        self.counted = task.counted
        self.played = {}
        self.helping = ()
        self._completion_nodes = parameters.COMPLETION_NODES

    def found(self, value: int, pv: list[int], depth: int = 0, exact: bool = False) -> Found:
        """A result with the cost of the search so far."""
        kernels = (self.kernel, *self.helping)
        return Found(
            value=value,
            exact=exact or abs(value) >= PROVEN,
            pv=tuple(pv),
            depth=depth,
            nodes=sum(kernel.nodes for kernel in kernels),
            cutoffs=sum(kernel.cutoffs for kernel in kernels),
            table_hits=sum(kernel.table_hits for kernel in kernels),
            threads=len(kernels),
        )

    def win(self, line: list[int]) -> Found | None:
        """The win by threats that has this complete line; None if the line is empty."""
        return self.found(WIN - len(line), line) if line else None

    def proven(self, side: int, value: int, line: list[int], depth: int = 0) -> Found | None:
        """A proven value with its line played to the end; the line's length is the distance.

        None if the limits are not enough to complete the line.
        """
        whole = self._complete(side, side if value > 0 else 1 - side, line)
        if not whole:
            return None
        return self.found(WIN - len(whole) if value > 0 else len(whole) - WIN, whole, depth)

    def better(self, best: Found, side: int, value: int, line: list[int], plies: int) -> Found:
        """What a search found, with a completed line if it is proven; `best` if it has no line."""
        if not line:
            return best
        if abs(value) >= PROVEN:
            stopped = self.kernel.stopped
            proven = self.proven(side, value, line, plies)
            self.kernel.stopped = stopped
            if proven is not None:
                return proven
            presumed = parameters.PRESUMED - 1
            value = presumed if value > 0 else -presumed
        return self.found(value, line, plies)

    def threats(self, side: int, budget: int) -> tuple[list[int], bool]:
        """The line of a win by continuous threats, or [], and whether there is certainly none."""
        move = self.kernel.threats_win(side, self.kernel.nodes + budget)
        if move < 0:
            return [], self.kernel.disproof == 0
        return self._complete(side, side, [move]), False

    def is_refuted(self, side: int, move: int, most_nodes: int | None = None) -> bool:
        """Whether the opponent wins by threats after a move; the win is then in the table.

        The search for it may take `most_nodes`, by default a share of those spent so far.
        """
        kernel = self.kernel
        nodes = parameters.refutation_budget(kernel.nodes) if most_nodes is None else most_nodes
        kernel.play(move, side)
        foe = 1 - side
        line: list[int] = []
        if kernel.static_value(foe) == UNKNOWN:
            line, _ = self.threats(foe, nodes)
        if line:
            kernel.remember_win(foe, len(line), line[0])
        kernel.take_back()
        return bool(line)

    def _complete(self, side: int, winner: int, line: list[int]) -> list[int]:
        """The line of a proven result, completed to the winning move; [] if that fails."""
        kernel = self.kernel
        whole: list[int] = []
        won = False
        turn = side
        moves = line
        while True:
            for move in moves:
                won = kernel.completes(move, turn)
                kernel.play(move, turn)
                whole.append(move)
                turn = 1 - turn
            if won or not kernel.empty:
                break
            moves = self._winning(turn) if turn == winner else [self._resisting(turn)]
            if not moves:
                break
        for _ in whole:
            kernel.take_back()
        return whole if won else []

    def _winning(self, side: int) -> list[int]:
        """The winner's next moves in a proven win: from the counts, the table or a search."""
        kernel = self.kernel
        move = winning_by_counts(kernel, side)
        if move >= 0:
            return [move]
        move = kernel.table_move(side, PROVEN)
        if move >= 0:
            return [move]
        limit, deadline, stopped = kernel.node_limit, kernel.deadline, kernel.stopped
        before = kernel.nodes
        kernel.node_limit, kernel.stopped = before + self._completion_nodes, False
        kernel.next_check = before
        if not self.counted:
            kernel.deadline = max(
                deadline,
                min(
                    deadline + parameters.COMPLETION_OVERTIME,
                    time.monotonic() + parameters.COMPLETION_SECONDS,
                ),
            )
        line: list[int] = []
        most_nodes = kernel.nodes + parameters.COMPLETION_VCF_NODES
        if kernel.fours_win(side, parameters.COMPLETION_VCF_PLIES, most_nodes):
            line = kernel.line()
        else:
            most_nodes = kernel.nodes + parameters.COMPLETION_THREAT_NODES
            move = kernel.threats_win(side, most_nodes)
            if move >= 0:
                line = [move]
        self._completion_nodes = max(0, self._completion_nodes - (kernel.nodes - before))
        kernel.node_limit, kernel.deadline, kernel.stopped = limit, deadline, stopped
        kernel.next_check = kernel.nodes
        return line

    def _resisting(self, side: int) -> int:
        """The loser's next move: as far as is known, the one that delays the loss longest."""
        kernel = self.kernel
        move = -1
        if kernel.first_of_class(1 - side, CELL_FIVE) < 0:
            move = kernel.table_move(side)
        return move if move >= 0 else kernel.most_urgent(side)
