# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: warn-return-any=False, disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""Represents a position by the lines that each side can still complete.

This is plain Python; `live_lines.pxd` has the C types for Cython.
"""

from __future__ import annotations

from bestmove.game import Rules
from bestmove.search import declared
from bestmove.search.common.clock import Limited
from bestmove.search.common.clock import compiled as _clock_compiled
from bestmove.search.engines.solver.parameters import ONE

compiled: bool = declared.is_compiled(__file__, _clock_compiled)

# Plain Python reads the constants of live_lines.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))


class LiveLines(Limited):
    """The live lines of each side at each ply of a search.

    A live line is a line that its side can still complete. Side 0 is the attacker, side 1 the
    defender. Each side has a row at each ply: row = 2 * ply + side. The live lines of a row have
    the numbers i = 0 to _live[row] - 1.

        _rest[row*LINES + i]             the empty cells of live line i
        _left[row*LINES + i]             how many empty cells live line i has
        _line_of[row*LINES + i]          the number of live line i among all lines of the board
        _mask[line]                      the cells of a line of the board
        _lane[line]                      the lane of a line: see `Geometry.lanes`
        _attacker[ply], _defender[ply]   the marks of each side
        _weight[left]                    the weight of a line with this many empty cells
    """

    def __init__(self, rules: Rules) -> None:
        lines = [line for _, lines in rules.geometry.in_lanes for line in lines]
        if rules.size > CELLS or len(lines) > LINES:
            raise ValueError(
                f"a board of {rules.size} cells and {len(lines)} lines is too large: the solver "
                f"takes {CELLS} and {LINES}"
            )
        if not compiled:
            declared.make_arrays(self, __file__)
        self.size = rules.size
        self._k = rules.k
        self._blocks_only = False
        self._line_count = len(lines)
        for i, line in enumerate(lines):
            self._mask[i] = line.mask
            self._lane[i] = line.lane
        # C cannot shift a 64-bit number by 64. So the weight for 64 cells is ONE, which is too
        # high. That is safe, because only a low potential proves something.
        self._weight = [ONE >> (left & 63) for left in range(CELLS + 1)]

    def _sum_up(self, row: int, kept: int) -> None:
        """Compute these values from the `kept` live lines of one side at one ply.

        _winning: the cells that complete a line.
        _forking: the cells in two lines that each lack two marks.
        _cells: the empty cells of all live lines.
        _full: all cells of all live lines.
        _potential: the weight of all live lines.
        _longest: the largest number of empty cells in a live line.
        """
        base = row * LINES
        top = 0
        one = 0
        seen = 0
        two = 0
        cells = 0
        full = 0
        phi = 0
        for i in range(base, base + kept):
            r = self._rest[i]
            c = self._left[i]
            cells |= r
            full |= self._mask[self._line_of[i]]
            phi += self._weight[c]
            if c > top:
                top = c
            if c == 1:
                one |= r
            elif c == 2:
                # `_follow` keeps only one of several lines with the same empty cells. So the other
                # empty cells of the two lines differ.
                two |= r & seen
                seen |= r
        self._live[row] = kept
        self._winning[row] = one
        self._forking[row] = two
        self._cells[row] = cells
        self._full[row] = full
        self._potential[row] = phi
        self._longest[row] = top

    def _follow(self, ply: int, side: int, bit: int, own: bool) -> None:
        """Set the live lines of `side` at the next ply, after a mark on `bit`.

        `own`: whether `side` made the mark.
        """
        row = 2 * ply + side
        start = row * LINES
        first = (row + 2) * LINES
        kept = first
        for i in range(start, start + self._live[row]):
            r = self._rest[i]
            c = self._left[i]
            if r & bit:
                if not own:
                    continue
                r ^= bit
                c -= 1
            # Drop a line if its empty cells include all empty cells of its neighbour in the list.
            # Marks that complete the dropped line also complete the neighbour.
            if kept > first:
                previous = self._rest[kept - 1]
                if previous & r == previous:
                    continue
                if previous & r == r:
                    kept -= 1
            self._rest[kept] = r
            self._left[kept] = c
            self._line_of[kept] = self._line_of[i]
            kept += 1
        kept -= first
        if self._blocks_only and side == 0:
            kept = self._drop_paired(first, kept)
        self._sum_up(row + 2, kept)

    def _drop_paired(self, first: int, kept: int) -> int:
        """Drop each line of the attacker with two empty cells that no other remaining line has.

        Return how many lines remain. If the attacker marks one of the two cells, the defender marks
        the other. Call this only if the defender's lines do not count. Otherwise the attacker's
        mark might block a line of the defender.
        """
        while True:
            once = twice = 0
            for i in range(first, first + kept):
                twice |= once & self._rest[i]
                once |= self._rest[i]
            once &= ~twice
            left = 0
            for i in range(first, first + kept):
                r = self._rest[i]
                lone = r & once
                if lone & (lone - 1):
                    continue
                if first + left != i:
                    self._rest[first + left] = r
                    self._left[first + left] = self._left[i]
                    self._line_of[first + left] = self._line_of[i]
                left += 1
            if left == kept:
                return kept
            kept = left

    def _play(self, ply: int, side: int, bit: int) -> None:
        """Set up the position at ply + 1, after a mark on `bit`. If `bit` is 0, the side passes."""
        assert not bit & (bit - 1)
        assert not bit & (self._attacker[ply] | self._defender[ply])
        assert 0 <= ply < PLIES - 1
        self._follow(ply, 0, bit, side == 0)
        self._follow(ply, 1, bit, side == 1)
        self._attacker[ply + 1] = self._attacker[ply] | (bit if side == 0 else 0)
        self._defender[ply + 1] = self._defender[ply] | (bit if side == 1 else 0)

    def _place(self, attacker: int, defender: int) -> None:
        assert not attacker & defender
        for side in range(2):
            own = attacker if side == 0 else defender
            other = defender if side == 0 else attacker
            kept = side * LINES
            if side == 0 or not self._blocks_only:
                for i in range(self._line_count):
                    mask = self._mask[i]
                    if not mask & other:
                        self._rest[kept] = mask & ~own
                        self._left[kept] = self._k
                        own_on_line = mask & own
                        while own_on_line:
                            own_on_line &= own_on_line - 1
                            self._left[kept] -= 1
                        self._line_of[kept] = i
                        kept += 1
            self._live[side] = kept - side * LINES
        self._attacker[0] = attacker
        self._defender[0] = defender
        # Drop needless lines: pass from ply 0 to ply 1, and copy the lines of ply 1 to ply 0.
        self._play(0, 0, 0)
        for side in range(2):
            for i in range(self._live[2 + side]):
                self._rest[side * LINES + i] = self._rest[(2 + side) * LINES + i]
                self._left[side * LINES + i] = self._left[(2 + side) * LINES + i]
                self._line_of[side * LINES + i] = self._line_of[(2 + side) * LINES + i]
            self._sum_up(side, self._live[2 + side])
