"""The line of play of a proven win: the attacker wins, the defender holds out as long as he can."""

from __future__ import annotations

from typing import Final

from bestmove.search.common import geometry
from bestmove.search.common.clock import ENDLESS
from bestmove.search.engines.solver.kernel import SolverKernel
from bestmove.search.engines.solver.parameters import ATTACKER_TURN, DEFENDER_TURN, STOPPED

_LOWEST_WIN_SHARE: Final = (2000, 8)
"""What the lowest of equally fast winning moves may cost: so many nodes and this part of those
spent; chosen by what random positions cost in all."""


def share_of(nodes: int, share: tuple[int, int]) -> int:
    """A share, as a count of nodes and a part of those spent so far, in nodes."""
    count, part = share
    return count + nodes // part


class WinningLines:
    """Lines of play from positions that the attacker has been proven to win.

    Args:
        kernel: what to ask, within the limits of the question that it was told to begin.
        rows, columns, k: its board.
    """

    def __init__(self, kernel: SolverKernel, rows: int, columns: int, k: int) -> None:
        self._kernel = kernel
        self._size = rows * columns
        self._lines, _ = geometry.lines(rows, columns, k)

    def is_won(self, marks: int) -> bool:
        """Whether these marks have a line."""
        return any(marks & line == line for line in self._lines)

    def shortest(self, attacker: int, defender: int, turn: int, n: int) -> list[int] | None:
        """The line from a position won in n plies and no fewer, of exactly n moves.

        Both sides take the lowest of their best moves. None where the budget ran out.
        """
        for move in self._free(attacker, defender):
            if turn == ATTACKER_TURN:
                after = attacker | 1 << move, defender
                # He is to win within the plies that are left.
                if n == 1:
                    value = int(self.is_won(after[0]))
                else:
                    value = self._kernel.ask(*after, DEFENDER_TURN, n - 1, ENDLESS)
                is_best = value > 0
            else:
                after = attacker, defender | 1 << move
                # The attacker is to need all that are left, so that two fewer are too few.
                value = 0
                if n > 2:
                    value = self._kernel.ask(*after, ATTACKER_TURN, n - 3, ENDLESS)
                is_best = value == 0
            if value == STOPPED:
                return None
            if is_best:
                if n == 1:
                    return [move]
                rest = self.shortest(*after, 1 - turn, n - 1)
                return None if rest is None else [move, *rest]
        return None

    def bounded(self, attacker: int, defender: int, turn: int, n: int) -> list[int] | None:
        """A line from a position won within n plies. None where the budget ran out.

        Its length is a proven bound: no defence lasts longer against the moves found.
        """
        if turn == ATTACKER_TURN:
            value = self._kernel.ask(attacker, defender, turn, n, ENDLESS)
            if value <= 0:
                return None
            move = self._lowest(attacker, defender, self._kernel.best, value)
            if value == 1:
                return [move]
            rest = self.bounded(attacker | 1 << move, defender, DEFENDER_TURN, value - 1)
            return None if rest is None else [move, *rest]
        lasts: dict[int, int] = {}
        for move in self._free(attacker, defender):
            value = self._kernel.ask(attacker, defender | 1 << move, ATTACKER_TURN, n - 1, ENDLESS)
            if value <= 0:
                return None
            lasts[move] = value
        while True:
            move = min(lasts, key=lambda cell: (-lasts[cell], cell))
            rest = self.bounded(attacker, defender | 1 << move, ATTACKER_TURN, lasts[move])
            if rest is None:
                return None
            if len(rest) == lasts[move]:
                return [move, *rest]
            lasts[move] = len(rest)

    def _lowest(self, attacker: int, defender: int, best: int, n: int) -> int:
        """The lowest move that wins as fast as `best`, as far as a small share of nodes shows."""
        end = self._kernel.nodes + share_of(self._kernel.nodes, _LOWEST_WIN_SHARE)
        for move in self._free(attacker, defender):
            if move >= best:
                break
            marks = attacker | 1 << move
            if n == 1:
                if self.is_won(marks):
                    return move
            elif self._kernel.ask(marks, defender, DEFENDER_TURN, n - 1, end) > 0:
                return move
        return best

    def _free(self, attacker: int, defender: int) -> list[int]:
        return [cell for cell in range(self._size) if not (attacker | defender) >> cell & 1]
