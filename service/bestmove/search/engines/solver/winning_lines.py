"""Finds the moves of a proven win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bestmove.game import Rules
from bestmove.search.common.clock import ENDLESS
from bestmove.search.engines.solver.kernel import SolverKernel
from bestmove.search.engines.solver.parameters import ATTACKER_TURN, DEFENDER_TURN, STOPPED

_LOWEST_WIN_SHARE: Final = (2000, 8)
"""The node limit of `_lowest`, for `share_of`. Tuned for a low total cost on random positions."""


def share_of(nodes: int, share: tuple[int, int]) -> int:
    """Return a node limit that grows with `nodes`, the nodes searched so far."""
    count, part = share
    return count + nodes // part


class WinningLines:
    """Plays out positions that the attacker is proven to win.

    The limits of the kernel apply.
    """

    def __init__(self, kernel: SolverKernel, rules: Rules) -> None:
        self._kernel = kernel
        self._size = rules.size
        self._lines = [line.mask for line in rules.geometry.lines]

    def is_won(self, marks: int) -> bool:
        return any(marks & line == line for line in self._lines)

    def shortest(
        self, attacker: int, defender: int, turn: int, n: int, order: Sequence[int] | None = None
    ) -> list[int] | None:
        """Return the n moves of the shortest win; None if the budget ran out.

        Of equally good moves, each side plays the lowest cell. If `order` is given, the first move
        is instead the best move that comes first in `order`.
        """
        for move in order or self._free(attacker, defender):
            if turn == ATTACKER_TURN:
                after = attacker | 1 << move, defender
                # A best move of the attacker lets him win within the next n - 1 plies.
                if n == 1:
                    value = int(self.is_won(after[0]))
                else:
                    value = self._kernel.ask(*after, DEFENDER_TURN, n - 1, ENDLESS)
                is_best = value > 0
            else:
                after = attacker, defender | 1 << move
                # The win takes n - 1 more plies after a best move of the defender, and n - 3 plies
                # or fewer after any other move.
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

    def bounded(
        self, attacker: int, defender: int, turn: int, n: int, order: Sequence[int] | None = None
    ) -> list[int] | None:
        """Return the moves of a win within n plies; None if the budget ran out.

        The defender delays the win as long as possible, but the attacker may miss a shorter win. Of
        equally good moves, the defender plays the first in `order`, by default the lowest cell.
        """
        if turn == ATTACKER_TURN:
            value = self._kernel.ask(attacker, defender, turn, n, ENDLESS)
            if value <= 0:
                return None
            move = self._lowest(attacker, defender, self._kernel.best, value)
            if value == 1:
                return [move]
            rest = self.bounded(attacker | 1 << move, defender, DEFENDER_TURN, value - 1, order)
            return None if rest is None else [move, *rest]
        lasts: dict[int, int] = {}
        for move in self._free(attacker, defender, order):
            value = self._kernel.ask(attacker, defender | 1 << move, ATTACKER_TURN, n - 1, ENDLESS)
            if value <= 0:
                return None
            lasts[move] = value
        while True:
            move = max(lasts, key=lasts.__getitem__)  # the first of several
            rest = self.bounded(attacker, defender | 1 << move, ATTACKER_TURN, lasts[move], order)
            if rest is None:
                return None
            if len(rest) == lasts[move]:
                return [move, *rest]
            lasts[move] = len(rest)

    def _lowest(self, attacker: int, defender: int, best: int, n: int) -> int:
        """Return a move on a lower cell than `best` that also wins within n plies, or `best`."""
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

    def _free(self, attacker: int, defender: int, order: Sequence[int] | None = None) -> list[int]:
        cells = order or range(self._size)
        return [cell for cell in cells if not (attacker | defender) >> cell & 1]
