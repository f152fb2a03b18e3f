"""The lanes, lines and symmetries of a game. Everything else asks here what is a line.

A set of cells is an integer: cell i is the bit `1 << i`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, reduce
from itertools import groupby, product
from operator import attrgetter, itemgetter, or_
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from bestmove.game.rules import Rules

DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of a row, a column and both diagonals, each as (rows down, columns right)."""
_DOWN: Final = 1

OFF: Final = -1
"""Stands for a cell that is not on the board."""

SYMMETRIES: Final = (
    *("identity", "left-right", "top-bottom", "half-turn"),
    *("diagonal", "three-quarter-turn", "quarter-turn", "antidiagonal"),
)
"""The names of a square's symmetries in docs/proofs.md. The first four do not swap rows and
columns."""

_DIGITS: Final = {
    mark: str.maketrans("XO.", digits)
    for mark, digits in (("X", "100"), ("O", "010"), (".", "001"))
}
"""For each mark, a table for `str.translate`: this mark becomes 1, the others become 0."""

Bits = tuple[int, int, int]
"""Three sets of cells: those with X, those with O, and the empty cells."""


def cells_with(cells: str, mark: str) -> int:
    """Return the set of cells with this mark (`X`, `O` or `.`)."""
    return int(cells[::-1].translate(_DIGITS[mark]), 2)


def bits_of(cells: str) -> Bits:
    x, o = cells_with(cells, "X"), cells_with(cells, "O")
    return x, o, (1 << len(cells)) - 1 ^ x ^ o


def set_of(cells: Iterable[int]) -> int:
    return reduce(or_, (1 << cell for cell in cells), 0)


def cells_of(marks: int) -> list[int]:
    """Return the cells of a set, in ascending order."""
    found = []
    while marks:
        found.append((marks & -marks).bit_length() - 1)
        marks &= marks - 1
    return found


class Line(NamedTuple):
    """k cells in a row.

    Attributes:
        cells: the cells in order.
        mask: the same cells as a set.
        ends: if only exactly k in a row are a line, the cells just before and after; a side with a
            mark there has no line here. The set is empty if longer rows are lines, too.
        lane: the index of the line's lane in `Geometry.lanes`.
    """

    cells: tuple[int, ...]
    mask: int
    ends: int
    lane: int


_LANE: Final = attrgetter("lane")


class BoardSymmetry(NamedTuple):
    """A symmetry of the board.

    Attributes:
        name: one of `SYMMETRIES`.
        image: `image[cell]` is where the symmetry moves a cell.
        back: `back[cell]` is the cell whose image is `cell`.
        in_order: takes the marks of the cells in `back` from a position.
    """

    name: str
    image: tuple[int, ...]
    back: tuple[int, ...]
    in_order: Callable[[str], Iterable[str]]

    def moved(self, cells: str) -> str:
        return "".join(self.in_order(cells))

    def image_of(self, cells: int) -> int:
        """Return the image of the set `cells`."""
        return set_of(self.image[cell] for cell in cells_of(cells))

    def undone(self, cells: int) -> int:
        """Return the set of cells whose image is the set `cells`."""
        return set_of(self.back[cell] for cell in cells_of(cells))


class Geometry:
    """The geometry of the games with certain rules; `Rules.geometry` makes and keeps it.

    Attributes:
        lanes: every whole row, column and diagonal; the cells of each in order, rows first.
        lane_of: for each of `DIRECTIONS`, the index of each cell's lane.
        lines: every possible line: first along rows, then columns, then diagonals. Of lines in the
            same direction, the line with the lowest first cell is first.
        in_lanes: each lane that has lines, as a set of cells, with its lines. Each line is one cell
            further along the lane than the line before.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        # For each direction, the cell after each cell, and the cell before. Index `OFF` gives OFF.
        self._ways: list[tuple[list[int], list[int]]] = []
        self.lanes: list[tuple[int, ...]] = []
        self.lane_of: list[dict[int, int]] = []
        lines: dict[int, Line] = {}
        for down, right in DIRECTIONS:
            after = [self.beside(cell, down, right) for cell in range(rules.size)] + [OFF]
            before = [OFF] * len(after)
            for cell, beside in enumerate(after):
                before[beside] = cell
            before[OFF] = OFF
            self._ways.append((after, before))
            self.lane_of.append(self._add_lanes(down, right))
            steps = [list(range(rules.size))]
            while len(steps) < rules.k:
                steps.append([after[cell] for cell in steps[-1]])
            for cells in zip(*steps, strict=True):
                mask = 0 if cells[-1] == OFF else set_of(cells)
                if mask.bit_count() == rules.k and mask not in lines:
                    ends = {before[cells[0]], after[cells[-1]]} - {OFF, *cells}
                    counted = 0 if rules.counts_longer else set_of(ends)
                    lines[mask] = Line(cells, mask, counted, self.lane_of[-1][cells[0]])
        self.lines = list(lines.values())
        lane_by_lane = groupby(sorted(self.lines, key=_LANE), _LANE)
        self.in_lanes = [(set_of(self.lanes[lane]), [*of]) for lane, of in lane_by_lane]

    def _add_lanes(self, down: int, right: int) -> dict[int, int]:
        """Add the lanes in one direction. Return the index of each cell's lane."""
        after, before = self._ways[-1]

        def order(cell: int) -> tuple[bool, int]:
            # A lane begins at a cell with no cell before it. A circle begins anywhere. Parallel
            # lanes are in the order of the second number.
            row, column = self._rules.coordinates(cell)
            return before[cell] != OFF, row * right - column * down

        lane_of: dict[int, int] = {}
        for cell in sorted(range(self._rules.size), key=order):
            lane = []
            while cell != OFF and cell not in lane_of:
                lane_of[cell] = len(self.lanes)
                lane.append(cell)
                cell = after[cell]
            if lane:
                self.lanes.append(tuple(lane))
        return lane_of

    def beside(self, cell: int, down: int, right: int) -> int:
        """Return the cell that many rows down and columns right of a cell; or `OFF`.

        All lanes, lines and symmetries follow from this method.
        """
        row, column = divmod(cell, self._rules.columns)
        row += down
        column += right
        if 0 <= row < self._rules.rows and 0 <= column < self._rules.columns:
            return row * self._rules.columns + column
        return OFF

    def around(self, cell: int, distance: int) -> list[int]:
        """Return the other cells at most `distance` rows and columns from a cell, ascending."""
        span = range(-distance, distance + 1)
        near = {self.beside(cell, down, right) for down, right in product(span, span)}
        return sorted(near - {cell, OFF})

    @cached_property
    def lines_through(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell, the lines through the cell, each as its `mask` and its `ends`."""
        through: list[list[tuple[int, int]]] = [[] for _ in range(self._rules.size)]
        for line in self.lines:
            sets = line.mask, line.ends
            for cell in line.cells:
                through[cell].append(sets)
        return tuple(map(tuple, through))

    @cached_property
    def lanes_through(self) -> tuple[int, ...]:
        """For each cell, the set of the lanes through the cell: lane i is the bit `1 << i`."""
        cells = range(self._rules.size)
        return tuple(set_of(lane_of[cell] for lane_of in self.lane_of) for cell in cells)

    def full_lines(self, marks: int, within_longer: bool = False) -> list[Line]:
        """Return the lines that these marks of one side fill, lane by lane.

        Args:
            within_longer: if only exactly k in a row are a line, also return the k cells in a row
                that are part of a longer row.
        """
        return [
            line
            for lane, lines in self.in_lanes
            if (marks & lane).bit_count() >= self._rules.k
            for line in lines
            if marks & line.mask == line.mask and (within_longer or not marks & line.ends)
        ]

    def completes(self, marks: int, cell: int) -> bool:
        """Return True if these marks of one side, with one more on `cell`, fill a line there."""
        marks |= 1 << cell
        for mask, ends in self.lines_through[cell]:
            if marks & mask == mask and not marks & ends:
                return True
        return False

    def gaps(self, marks: int, legal: int) -> int:
        """Return the `legal` moves with which the side with these marks fills a line, as a set."""
        found = 0
        for lane, lines in self.in_lanes:
            if (marks & lane).bit_count() >= self._rules.k - 1:
                for line in lines:
                    gap = line.mask & ~marks
                    if not gap & gap - 1 and not marks & line.ends:
                        found |= gap
        return found & legal

    def left(self, filler: int, foe: int) -> list[int]:
        """Return the empty cells of each line that a side can still fill.

        Args:
            filler: the cells with the side's marks.
            foe: the cells with the opponent's marks.
        """
        return [
            mask & ~filler
            for _, mask, ends, _ in self.lines
            if not mask & foe and not ends & filler
        ]

    @cached_property
    def symmetries(self) -> tuple[BoardSymmetry, ...]:
        """The distinct symmetries of the game, at most 8; the identity is first."""
        rows, columns = self._rules.rows, self._rules.columns
        found: dict[tuple[int, ...], BoardSymmetry] = {}
        flips = product((False, True), (1, -1), (1, -1))
        for name, (transpose, down, across) in zip(SYMMETRIES, flips, strict=True):
            if transpose and rows != columns:
                continue
            grid = [range(start, start + columns) for start in range(0, rows * columns, columns)]
            lines = [*zip(*grid, strict=True)] if transpose else [*map(tuple, grid)]
            image = tuple(cell for line in lines[::down] for cell in line[::across])
            if image not in found and self._keeps_game(image):
                back = tuple(sorted(range(len(image)), key=image.__getitem__))
                found[image] = BoardSymmetry(name, image, back, itemgetter(*back))
        return tuple(found.values())

    def _keeps_game(self, image: Sequence[int]) -> bool:
        """Return True if `image` keeps neighbours in a direction neighbours in a direction, so it
        maps lines to lines, and if with gravity it keeps what is below a cell below the cell."""
        places = (*image, OFF)
        moved = [[places[cell] for cell in after] for after, _ in self._ways]
        ways = [[way[place] for place in places] for pair in self._ways for way in pair]
        return all(each in ways for each in moved) and (
            not self._rules.gravity or moved[_DOWN] == ways[2 * _DOWN]
        )

    def least(self, cells: str) -> str:
        """Return the alphabetically first of a position and the position's images."""
        return min([cells, *(symmetry.moved(cells) for symmetry in self.symmetries[1:])])

    def combined(self, first: BoardSymmetry, then: str | None) -> BoardSymmetry | None:
        """Return the symmetry that has the effect of `first` followed by the symmetry named `then`.

        Return None if the two cancel out.
        """
        if then is None:
            return first
        back = tuple(first.back[cell] for cell in self.named(then).back)
        return next((each for each in self.symmetries[1:] if each.back == back), None)

    def named(self, name: str) -> BoardSymmetry:
        return next(each for each in self.symmetries if each.name == name)
