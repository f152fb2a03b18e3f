"""Classify an empty cell, and each line through it, by what a mark on the cell would make.

The same method serves every k. Side s marks the empty cell c. Then the class of a line through c
depends only on the cells up to the nearest foreign mark or the edge, at most `reach` each way. A
code describes the cells on one side of c, with the adjacent cell in the lowest bit:

    cells to the right of c      . s s . o        (s own, . empty, o foreign or the edge)
    bits, the lowest first       0 1 1 0 1        1 for an own mark; the last 1 marks the end

The class of a line is found by recursion: mark one more cell, and classify the line again.
`cell_class` turns the classes of the four lines through a cell into the class of the cell.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from typing import Final

from bestmove.search import declared

# Classes of a line through a cell, after the cell is marked:
#
# - DEAD: no k cells in a row can win
# - ONE_CLOSED: a win takes at least five more marks, or four that fit in only one way
# - ONE: a win takes four more marks, which fit in several ways
# - TWO_CLOSED: one more mark makes at most a closed three
# - TWO: there is one cell where a mark makes a three
# - TWO_WAYS: there are two or three such cells
# - TWO_WIDE: there are four or more such cells
# - THREE_CLOSED: one more mark makes a four, but no open four
# - THREE (broken): there is one cell where a mark makes an open four
# - THREE_WIDE (open): there are several such cells
# - FOUR: there is one cell where a mark completes the line
# - OPEN_FOUR: there are two such cells
DEAD: Final = 0
ONE_CLOSED: Final = 1
ONE: Final = 2
TWO_CLOSED: Final = 3
TWO: Final = 4
TWO_WAYS: Final = 5
TWO_WIDE: Final = 6
THREE_CLOSED: Final = 7
THREE: Final = 8
THREE_WIDE: Final = 9
FOUR: Final = 10
OPEN_FOUR: Final = 11
FIVE: Final = 12
LINE_CLASSES: Final = declared.constants(__file__)["LINE_CLASSES"]

COMBINATIONS: Final = tuple(combinations_with_replacement(range(LINE_CLASSES), 4))
"""All combinations of four line classes, each in ascending order. A combination's *number* is its
index here."""

SUMMANDS: Final = (0, 2, 9, 19, 68, 171, 405, 938, 4096, 4818, 6001, 8076, 10588)
"""SUMMANDS[class]: a number for each class of a line. No two combinations of four classes have the
same sum, so the sum identifies the combination. (Such numbers are a B4 sequence: Bose and Chowla
1962. A greedy search found these.)"""

# Classes of a cell: the best that a mark there makes on its four lines together.
#
# - CELL_TWOS: twos or closed threes on at least two lines
# - CELL_THREE_PLUS: a three, and a two or a closed three on another line
# - CELL_FOUR_PLUS: a four, and a two or a closed three on another line
# - CELL_OPEN_FOUR: an open four, or two fours
NOTHING: Final = 0
LOW: Final = 1
CELL_TWO: Final = 2
CELL_TWOS: Final = 3
CELL_THREE_CLOSED: Final = 4
CELL_THREE: Final = 5
CELL_THREE_PLUS: Final = 6
CELL_DOUBLE_THREE: Final = 7
CELL_FOUR: Final = 8
CELL_FOUR_PLUS: Final = 9
CELL_FOUR_THREE: Final = 10
CELL_OPEN_FOUR: Final = 11
CELL_FIVE: Final = 12
CELL_CLASSES: Final = declared.constants(__file__)["CELL_CLASSES"]

# Groups of cells where a side's mark makes the same kind of threat.
FIVES: Final = 0
OPEN_FOURS: Final = 1
FOURS: Final = 2
THREES: Final = 3
GROUP_OF_CLASS: Final = (-1,) * 5 + (THREES,) * 3 + (FOURS,) * 3 + (OPEN_FOURS, FIVES)
"""GROUP_OF_CLASS[class]: the group of the cells of this class; -1 for no group."""

MAX_REACH: Final = 18

TABULATED_REACH: Final = 5
"""The largest `reach` for which a table holds the classes of all lines. HALF_BITS of position.pxd
is twice this number."""

_MOST_KNOWN: Final = 16_384
"""The most classes that `line_class` remembers, about 4 MB."""


def reach(k: int, overline: bool) -> int:
    """Return how many cells on each side of a cell decide the class of a line through the cell.

    A row of k cells that includes the cell ends at most k - 1 cells away. If only rows of exactly
    k marks win, an own mark just beyond the end spoils the row, so one more cell counts.
    """
    return k - 1 if overline else k


def fits(k: int, overline: bool) -> bool:
    return k >= 1 and reach(k, overline) <= MAX_REACH


def is_tabulated(k: int, overline: bool) -> bool:
    """Return True if a table has the classes of all lines; otherwise they are found on demand."""
    return reach(k, overline) <= TABULATED_REACH


def line_class(left: int, right: int, k: int, overline: bool = True) -> int:
    """Return the class of a line for the side that marks a cell of the line.

    Args:
        left: the code of the cells before the marked cell, from 1 to 2**(reach + 1) - 1.
        right: the code of the cells after the marked cell, in the same range.
        k: marks in a row that win.
        overline: whether more than k win as well.
    """
    known = _known_classes(k, overline)
    if len(known) > _MOST_KNOWN:
        known.clear()
    return _line_class(left, right, k, overline, known)


@lru_cache(maxsize=4)
def _known_classes(k: int, overline: bool) -> dict[tuple[int, int], int]:
    del k, overline
    return {}


@cache
def line_table(k: int, overline: bool = True) -> bytearray:
    """Return a table with the class of each line at index `left << bits | right`.

    `bits` is `reach(k, overline) + 1`. The table has 4**bits bytes, so it is made for small k only.
    """
    bits = reach(k, overline) + 1
    table = bytearray(1 << 2 * bits)
    known: dict[tuple[int, int], int] = {}
    # Large codes come first, because a line's class depends on lines with one more mark.
    for left in range((1 << bits) - 1, 0, -1):
        for right in range(left, 0, -1):
            found = _line_class(left, right, k, overline, known)
            table[left << bits | right] = table[right << bits | left] = found
    return table


@cache
def combination_numbers() -> array[int]:
    """Return a table that turns the sum of four SUMMANDS into an index in COMBINATIONS."""
    numbers = array("H", bytes(2 * (4 * SUMMANDS[-1] + 1)))
    for number, lines in enumerate(COMBINATIONS):
        numbers[sum(SUMMANDS[line] for line in lines)] = number
    return numbers


@cache
def window_table(k: int, overline: bool = True) -> tuple[array[int], array[int], bytearray]:
    """Return tables to look up both sides' classes of a line through a cell.

    The line has two halves: one before the cell, one after it. A half has 2 bits for each of its
    cells: 0 empty, 1 X, 2 O, 3 a wall. The first cell along the line has the lowest bits. The
    *sight* of a half is a pair of codes: X's code and O's code (see `half_code`).

    Returns:
        Three tables:

        - before[half]: the index of the half's sight, times the count of all sights.
        - after[half]: the index of the half's sight.
        - classes[before[first half] + after[second half]]: X's class + 16 * O's class.
    """
    cells = reach(k, overline)
    halves = range(1 << 2 * cells)
    codes = [(half_code(half, cells, 1), half_code(half, cells, 2)) for half in halves]
    # Sort by the number of marks, so that the most frequent entries are close together.
    sights = sorted(set(codes), key=lambda sight: (sum(map(int.bit_count, sight)), sight))
    number = {sight: at for at, sight in enumerate(sights)}
    after = array("H", [number[sight] for sight in codes])
    before = array("H", bytes(2 * len(halves)))
    for half in halves:
        mirrored = 0
        for at in range(cells):
            mirrored |= (half >> 2 * at & 3) << 2 * (cells - 1 - at)
        before[half] = after[mirrored] * len(sights)
    classes = line_table(k, overline)
    bits = cells + 1
    table = bytearray(
        classes[x_before << bits | x_after] | classes[o_before << bits | o_after] << 4
        for x_before, o_before in sights
        for x_after, o_after in sights
    )
    return before, after, table


def half_code(half: int, cells: int, side: int) -> int:
    """Return the code of half a line for a side (1 X, 2 O). Each cell of `half` has 2 bits. The
    nearest cell has the lowest bits."""
    code = 0
    for at in range(cells):
        mark = half >> 2 * at & 3
        if mark not in (0, side):
            return code | 1 << at
        code |= (mark == side) << at
    return code | 1 << cells


def _line_class(
    left: int, right: int, k: int, overline: bool, known: dict[tuple[int, int], int]
) -> int:
    key = (left, right) if left >= right else (right, left)
    found = known.get(key)
    if found is None:
        found = known[key] = _classify(left, right, k, overline, known)
    return found


def _classify(
    left: int, right: int, k: int, overline: bool, known: dict[tuple[int, int], int]
) -> int:
    reach_left = left.bit_length() - 1
    reach_right = right.bit_length() - 1
    # Put the reachable cells into one row of bits, the leftmost cell lowest.
    marks = 1 << reach_left | (right - (1 << reach_right)) << reach_left + 1
    for i in range(reach_left):
        marks |= (left >> i & 1) << reach_left - 1 - i
    most = 0
    fullest: list[int] = []
    # A window is k cells in a row that include the marked cell. The windows with the most marks
    # decide the class.
    for start in range(
        max(0, reach_left - k + 1), min(reach_left, reach_left + reach_right + 1 - k) + 1
    ):
        window = ((1 << k) - 1) << start
        # If only exactly k marks win, skip a window beside an own mark: the row would be too long.
        if not overline and marks & (window << 1 | window >> 1) & ~window:
            continue
        count = (marks & window).bit_count()
        if count > most:
            most, fullest = count, [window]
        elif count == most:
            fullest.append(window)
    if not fullest:
        return DEAD
    missing = k - most
    if missing == 0:
        return FIVE
    if missing >= 4:
        return ONE if missing == 4 and len(fullest) >= 2 else ONE_CLOSED
    # Only a mark in one of the fullest windows brings the side closer to k in a row.
    useful = 0
    for window in fullest:
        useful |= window & ~marks
    becomes = []
    for i in range(reach_left):
        if useful >> reach_left - 1 - i & 1:
            becomes.append(_line_class(left | 1 << i, right, k, overline, known))
    for i in range(reach_right):
        if useful >> reach_left + 1 + i & 1:
            becomes.append(_line_class(left, right | 1 << i, k, overline, known))
    if missing == 1:
        return OPEN_FOUR if len(becomes) >= 2 else FOUR
    if missing == 2:
        ways = becomes.count(OPEN_FOUR)
        return THREE_CLOSED if ways == 0 else THREE if ways == 1 else THREE_WIDE
    ways = becomes.count(THREE) + becomes.count(THREE_WIDE)
    if ways == 0:
        return TWO_CLOSED
    return TWO if ways == 1 else TWO_WAYS if ways <= 3 else TWO_WIDE


def cell_class(first: int, second: int, third: int, fourth: int) -> int:
    """Return the class of a cell from the classes of the four lines through it."""
    lines = (first, second, third, fourth)
    fours = lines.count(FOUR)
    threes = lines.count(THREE) + lines.count(THREE_WIDE)
    closed = lines.count(THREE_CLOSED)
    twos = lines.count(TWO) + lines.count(TWO_WAYS) + lines.count(TWO_WIDE)
    if FIVE in lines:
        return CELL_FIVE
    if OPEN_FOUR in lines or fours >= 2:
        return CELL_OPEN_FOUR
    if fours:
        if threes:
            return CELL_FOUR_THREE
        return CELL_FOUR_PLUS if closed + twos else CELL_FOUR
    if threes >= 2:
        return CELL_DOUBLE_THREE
    if threes:
        return CELL_THREE_PLUS if closed + twos else CELL_THREE
    if closed + twos >= 2:
        return CELL_TWOS
    if closed:
        return CELL_THREE_CLOSED
    if twos:
        return CELL_TWO
    return LOW if max(lines) else NOTHING
