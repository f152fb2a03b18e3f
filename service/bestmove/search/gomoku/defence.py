"""Proven wins played out against every defence, so that their plies are told true.

The search proves that a side wins, by moves that each leave the loser a threat to answer. How
long he can hold out is found here: the winner follows the proof, by the table and the searches of
threats, and the loser tries every move that does not lose at once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bestmove.search.gomoku import parameters
from bestmove.search.gomoku.patterns import CELL_FIVE, CELL_FOUR_THREE, CELL_OPEN_FOUR
from bestmove.search.gomoku.search import Search
from bestmove.search.results import Found
from bestmove.search.scores import WIN, is_proven

MOST_POSITIONS: Final = 2_000
"""Positions visited at most: of the 60 wins in `benchmarks/engine/won_positions.txt` the widest
takes 600."""

MOST_NODES: Final = 50_000
"""Nodes of the kernel for all of them: 1,500 there."""

_FOURS_NODES: Final = 300
"""A search of continuous fours that comes before the table's move, for it wins sooner."""

_FOURS_PLIES: Final = 40


_SURELY_EXACT: Final = 3
"""Plies of a win for the side to move that are no bound but the distance: a win on the spot is
always seen, and there is none in two."""


class _Unproven(Exception):
    """The proof cannot be followed here, or the budget ran out."""


def winning_by_counts(kernel: Search, side: int) -> int:
    """The index of a move that wins within five plies, where the counts show one; else -1."""
    sought = [CELL_FIVE]
    if kernel.first_of_class(1 - side, CELL_FIVE) < 0:
        sought.append(CELL_OPEN_FOUR)
        if kernel.static_value(side) == WIN - 5:
            sought.append(CELL_FOUR_THREE)
    moves = (kernel.first_of_class(side, wanted) for wanted in sought)
    return next((move for move in moves if move >= 0), -1)


class LongestDefence:
    """Plays out what a search of one position has proven, while its table is still there.

    Args:
        kernel: the search, with the position set up.
        cells: the position: one byte a cell, 0 empty, 1 X, 2 O.
        deadline: `time.monotonic()` seconds at which the search was to end; None: no clock. A
            proof has some time more.
        counted: whether that is the end of all time: then there is no more.
        only_exact: whether a distance counts only if it is surely the exact one: a win in three
            plies or fewer, a loss in four.
    """

    def __init__(
        self,
        kernel: Search,
        cells: bytes,
        deadline: float | None,
        *,
        counted: bool = False,
        only_exact: bool = False,
    ) -> None:
        self._kernel = kernel
        self._size = len(cells)
        self._marks = [
            sum(1 << cell for cell, mark in enumerate(cells) if mark == side + 1)
            for side in range(2)
        ]
        self._lines: dict[tuple[int, int, int, int], tuple[int, ...]] = {}
        self._visited = 0
        self._only_exact = only_exact
        self._deadline = deadline
        if deadline is not None and not counted:
            self._deadline = deadline + parameters.COMPLETION_OVERTIME
        kernel.node_limit = kernel.nodes + MOST_NODES
        kernel.next_check = kernel.nodes
        kernel.stopped = False
        kernel.timed = self._deadline is not None
        kernel.deadline = self._deadline or 0.0

    def confirmed(self, side: int, found: Found, *, is_best: bool) -> Found:
        """What was found with its plies proven; an estimate where they cannot be.

        Args:
            side: 0 for X, 1 for O, to move.
            found: what a search has found for the side.
            is_best: whether it speaks of the position. A loss then begins with the move that
                holds out longest, the lowest of equals; else with the move that it is about.
        """
        if not is_proven(found.value):
            return found
        winner = side if found.value > 0 else 1 - side
        try:
            if winner == side:
                line = self._after(found.pv[0], side, winner, found.pv[1:])
            elif is_best:
                line = self._line(side, winner, ())
            else:
                line = self._after(found.pv[0], side, winner, ())
            if self._only_exact and len(line) > _SURELY_EXACT + (winner != side):
                raise _Unproven
        except _Unproven:
            presumed = parameters.PRESUMED - 1
            return replace(found, value=presumed if winner == side else -presumed, exact=False)
        value = WIN - len(line)
        return replace(found, value=value if winner == side else -value, pv=line)

    def _line(self, turn: int, winner: int, told: Sequence[int]) -> tuple[int, ...]:
        """The longest line from here, against the winner's moves; `told` is tried for them."""
        key = (self._marks[0], self._marks[1], turn, winner)
        line = self._lines.get(key)
        if line is None:
            self._visited += 1
            late = self._deadline is not None and time.monotonic() > self._deadline
            if self._visited > MOST_POSITIONS or late or self._kernel.cancelled:
                raise _Unproven
            if turn == winner:
                move = told[0] if told else self._winning(winner)
                line = self._after(move, turn, winner, told[1:])
            else:
                lines = [
                    self._after(move, turn, winner, told[1:] if told[:1] == (move,) else ())
                    for move in self._defences(turn)
                ]
                # The first of equals is the lowest move.
                line = max(lines, key=len)
            self._lines[key] = line
        return line

    def _after(self, move: int, turn: int, winner: int, told: Sequence[int]) -> tuple[int, ...]:
        """A move and the longest line after it."""
        if self._kernel.completes(move, turn):
            return (move,)
        self._kernel.play(move, turn)
        self._marks[turn] ^= 1 << move
        try:
            return (move, *self._line(1 - turn, winner, told))
        finally:
            self._marks[turn] ^= 1 << move
            self._kernel.take_back()

    def _defences(self, side: int) -> list[int]:
        """The loser's moves to try, lowest first: every other one loses no later than these."""
        kernel, winner = self._kernel, 1 - side
        if kernel.first_of_class(side, CELL_FIVE) >= 0:
            raise _Unproven
        five = kernel.first_of_class(winner, CELL_FIVE)
        if five >= 0:
            return [five]
        taken = self._marks[0] | self._marks[1]
        free = [cell for cell in range(self._size) if not taken >> cell & 1]
        if kernel.first_of_class(winner, CELL_OPEN_FOUR) < 0:
            # So only at the root of a lost position: there the search has tried every move.
            return free
        replies = [cell for cell in free if self._value_after(cell, side) != WIN - 3]
        # Where all lose in four plies, so does the lowest.
        return replies or free[:1]

    def _value_after(self, move: int, side: int) -> int:
        """What the counts say of the opponent's position after a move."""
        self._kernel.play(move, side)
        value: int = self._kernel.static_value(1 - side)
        self._kernel.take_back()
        return value

    def _winning(self, side: int) -> int:
        """The winner's next move: from the counts, by fours, from the table or by threats."""
        kernel = self._kernel
        move = winning_by_counts(kernel, side)
        if move >= 0:
            return move
        if kernel.fours_win(side, _FOURS_PLIES, kernel.nodes + _FOURS_NODES):
            return kernel.line()[0]
        move = kernel.table_move(side, proven=True)
        if move >= 0:
            return move
        move = kernel.threats_win(side, kernel.nodes + parameters.COMPLETION_THREAT_NODES)
        if move >= 0:
            return move
        most_nodes = kernel.nodes + parameters.COMPLETION_VCF_NODES
        if kernel.fours_win(side, parameters.COMPLETION_VCF_PLIES, most_nodes):
            return kernel.line()[0]
        raise _Unproven
