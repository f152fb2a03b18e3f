"""Decides whether a game can reach a position. `Board` refuses a position that no game can reach.

X and O must have taken turns, and the last move must have completed every line.

- Without gravity, if k or more in a row make a line: nothing else is required. Before the last move
  there was no line, so the other marks can have come in any order.
- Without gravity, if only exactly k in a row make a line: before the last move, no run may ever
  have had exactly k marks. Each side's marks are checked separately, by removing them one by one,
  because the order of one side's marks does not matter to the other side.
- With gravity: a search looks for an order of moves, forwards from the empty board and backwards
  from the position.

The work is counted in looks. A look examines up to `LINES` lines, or visits one position of the
search. A position that needs more than `MOST_LOOKS` looks counts as reachable. No
position of up to 16 cells, and hardly any other, needs so many.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Final

from bestmove.errors import InvalidPosition
from bestmove.game.geometry import Bits, Line, cells_of
from bestmove.game.rules import O, Rules, X, other

MOST_LOOKS: Final = 1_000
"""The limit on the work (see `Looks`) for checking one position: two to four milliseconds."""


LINES: Final = 16
"""How many lines a look examines."""


class OutOfLooks(Exception):
    """Checking a position takes too much work."""


class Looks:
    """Counts the work of checking one position. The module's docstring defines the unit."""

    def __init__(self, most: int = MOST_LOOKS) -> None:
        self.spent = 0
        self._most = most

    def spend(self, looks: int = 1) -> None:
        """Add to the count, before the work is done.

        Raises:
            OutOfLooks: the count would exceed the limit.
        """
        if self.spent + looks > self._most:
            raise OutOfLooks
        self.spent += looks

    def has_line(self, lines: list[Line], marks: int) -> bool:
        """Return True if a side with these marks has one of the lines, and count the looks."""
        return any(not line.ends & marks for line in self.filled(lines, marks))

    def filled(self, lines: list[Line], marks: int) -> list[Line]:
        """Return the lines of which all cells have marks, and count the looks."""
        self.spend(1 + len(lines) // LINES)
        return [line for line in lines if line.mask & marks == line.mask]


def require_no_gap(bits: Bits, rules: Rules) -> None:
    x, o, empty = bits
    floating = (x | o) & empty >> rules.columns
    if floating:
        index = cells_of(floating)[0]
        raise InvalidPosition(
            f"{rules.squares[index]} is above an empty cell: with gravity a mark falls to the "
            "lowest empty cell of its column (the rows come from the top, the bottom row last)"
        )


def require_history(rules: Rules, last: str, lines: list[Line], sides: dict[str, int]) -> None:
    try:
        if _has_history(rules, last, lines, sides, Looks()):
            return
    except OutOfLooks:
        return
    if lines:
        raise InvalidPosition(f"no order of moves leads here without {last} having a line earlier")
    why = "from the bottom up, in turns" if rules.gravity else "without a line on the way"
    raise InvalidPosition(f"no order of moves leads here {why}")


def _has_history(
    rules: Rules, last: str, lines: list[Line], sides: dict[str, int], looks: Looks
) -> bool:
    if not any(sides.values()):
        return True
    if rules.counts_longer and not lines and _come_off(sides[last], sides[other(last)], rules):
        return True
    # Removing marks fills no other line.
    filled = [line for each in sides.values() for line in rules.geometry.full_lines(each, True)]
    joins = _Joins(filled, looks)
    # The last mark must be in every line.
    latest = reduce(and_, (line.mask for line in lines), sides[last])
    if rules.gravity:
        latest &= ~((sides[X] | sides[O]) << rules.columns)
    before = [sides[last] ^ 1 << cell for cell in cells_of(latest)]
    if lines:
        before = [marks for marks in before if not looks.has_line(filled, marks)]
    if not rules.counts_longer and not (
        joins.come_apart(sides[other(last)]) and any(map(joins.come_apart, before))
    ):
        return False
    if not rules.gravity or rules.rows == 1:
        return bool(before)
    return _DropOrders(rules, filled, sides[last], sides[other(last)], looks).lead_to(before)


def _come_off(last: int, others: int, rules: Rules) -> bool:
    """Remove one mark after another, alternately from `last` and from `others`. Return True if no
    mark remains.

    A mark with a mark directly above cannot be removed. Each side always removes its highest
    removable mark; no other choice is tried.

    For a position without a line, True proves that the position is reachable, unless only exactly
    k in a row make a line. False proves nothing, but few reachable positions give False.
    """
    up = rules.columns
    while last:
        free = last & ~((last | others) << up)
        if not free:
            return False
        last, others = others, last ^ (free & -free)
    return not others


class _Joins:
    """Removes one side's marks one by one, in games where only exactly k in a row make a line.

    No removal may leave a run of exactly k marks, because such a run is a line.

    An arm of a mark is the run of marks that starts next to it in one of the eight directions. The
    mark itself is not part of its arms.
    """

    def __init__(self, lines: list[Line], looks: Looks) -> None:
        """`lines`: every line that the marks fill, even if a longer run contains the line."""
        self._lines = lines
        self._looks = looks
        self._known: dict[int, bool] = {}

    def come_apart(self, marks: int) -> bool:
        """Return True if all marks can be removed. `marks` must not have a line."""
        marks = self._held(marks)
        while marks:
            part = self._part_of(marks)
            if not self._part_comes_apart(part):
                return False
            marks ^= part
        return True

    def _part_comes_apart(self, part: int) -> bool:
        known = self._known.get(part)
        if known is None:
            known = False
            for cell in cells_of(part & ~self._blocked(part)):
                # `any()` with a generator would take two stack frames for each mark.
                known = self.come_apart(part ^ 1 << cell)
                if known:
                    break
            self._known[part] = known
        return known

    def _held(self, marks: int) -> int:
        """Remove each mark whose arms all have fewer than k marks. Return the remaining marks.

        Only an arm of exactly k marks blocks a removal. These removals create no such arm, so they
        can always come first.
        """
        while marks:
            held = 0
            for line in self._looks.filled(self._lines, marks):
                held |= line.ends
            if marks & held == marks:
                break
            marks &= held
        return marks

    def _blocked(self, marks: int) -> int:
        """Return the cells that have an arm of exactly k marks. If such a cell's mark is removed,
        the arm is a line."""
        blocked = 0
        for line in self._looks.filled(self._lines, marks):
            beside = line.ends & marks
            if not beside & beside - 1:
                blocked |= beside
        return blocked

    def _part_of(self, marks: int) -> int:
        """Return the part that contains the first mark. All marks of a run of k or more marks are
        in one part."""
        lines = self._looks.filled(self._lines, marks)
        part, grown = 0, marks & -marks
        while part != grown:
            self._looks.spend(1 + len(lines) // LINES)
            part = grown
            for line in lines:
                if line.mask & grown:
                    grown |= line.mask
        return part


_FORWARDS: Final = 0
_BACKWARDS: Final = 1


class _DropOrders:
    """Searches forwards and backwards, in turns, for an order of moves that obeys gravity.

    A position is the set of its filled cells. Their number tells whose turn it is.

    Args:
        lines: every line that a side's marks fill.
        last: the marks of the side that moved last.
        others: the other side's marks.
    """

    def __init__(
        self, rules: Rules, lines: list[Line], last: int, others: int, looks: Looks
    ) -> None:
        self._up = rules.columns
        self._bottom = (1 << rules.columns) - 1 << rules.size - rules.columns
        # `_sides[n & 1]`: the marks of the side that has just moved when n moves are still to come.
        self._sides = last, others
        self._count = (last | others).bit_count()
        # Before the last move, a run of exactly k marks is forbidden. So later marks must have made
        # it longer.
        self._lines = [
            [line for line in lines if line.mask & side == line.mask and line.ends & side]
            for side in self._sides
        ]
        self._looks = looks

    def lead_to(self, before: list[int]) -> bool:
        """Return True if a game can reach the position.

        Args:
            before: the last mover's marks before the last move, one set for each possible move.
        """
        ends = [marks | self._sides[1] for marks in before]
        met: tuple[set[int], set[int]] = set(), set()
        waiting = [0], ends[::-1]
        while all(waiting):
            for way in (_FORWARDS, _BACKWARDS):
                if not waiting[way]:
                    break
                position = waiting[way].pop()
                if position in met[way] or self._has_line(position, way):
                    continue
                if position in met[1 - way]:
                    return True
                met[way].add(position)
                waiting[way].extend(self._next(position, way))
        return 0 in met[_BACKWARDS] or not met[_FORWARDS].isdisjoint(ends)

    def _has_line(self, position: int, way: int) -> bool:
        """Return True if the side whose mark was just added or removed has a line."""
        later = self._count - position.bit_count()
        side = later - way & 1
        return self._looks.has_line(self._lines[side], position & self._sides[side])

    def _next(self, position: int, way: int) -> list[int]:
        later = self._count - position.bit_count()
        marks = self._sides[later - 1 + way & 1]
        if way == _FORWARDS:
            free = marks & ~position & (position >> self._up | self._bottom)
            return [position | 1 << cell for cell in cells_of(free)]
        free = marks & position & ~(position << self._up)
        return [position ^ 1 << cell for cell in cells_of(free)][::-1]
