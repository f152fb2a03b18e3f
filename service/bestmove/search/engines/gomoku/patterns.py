"""Classes of empty cells, and of the lines through them.

Side s marks the empty cell c. A class says what that mark makes. In each direction, the class of a
line depends on at most `reach` cells, and only on cells before the first foreign mark or the edge.
The *code* of a direction describes these cells. Its lowest bit is the cell next to c:

    cells to the right of c      . s s . o        (s own, . empty, o foreign or the edge)
    bits, the lowest first       0 1 1 0 1        1 for an own mark; the last 1 marks the end
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from typing import Final

from bestmove.search import declared

# Classes of a line, after the side marks the cell:
#
# - DEAD: no winning row is possible
# - ONE: there are several ways to win with four more marks
# - ONE_CLOSED: any other line where a win takes four or more further marks
# - TWO_CLOSED: the next mark makes at most a closed three
# - TWO: there is one cell where the next mark makes a three
# - TWO_WAYS: there are two or three cells where the next mark makes a three
# - TWO_WIDE: there are at least four cells where the next mark makes a three
# - THREE_CLOSED: the next mark makes a four, but no open four
# - THREE (broken): there is one cell where the next mark makes an open four
# - THREE_WIDE (open): there are several cells where the next mark makes an open four
# - FOUR: there is one cell where the next mark wins
# - OPEN_FOUR: there are two cells where the next mark wins
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
"""The combinations of four line classes, each in ascending order. The index of a combination is its
*number*."""

SUMMANDS: Final = (0, 2, 9, 19, 68, 171, 405, 938, 4096, 4818, 6001, 8076, 10588)
"""SUMMANDS[class of a line]. The sum of four summands identifies the combination of the classes.
Such numbers are a B4 sequence (Bose and Chowla 1962). A greedy search found these numbers."""

# Classes of a cell: what a mark there makes on the four lines together.
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

# Groups of cells, by the threat that a mark makes there.
FIVES: Final = 0
OPEN_FOURS: Final = 1
FOURS: Final = 2
THREES: Final = 3
GROUP_OF_CLASS: Final = (-1,) * 5 + (THREES,) * 3 + (FOURS,) * 3 + (OPEN_FOURS, FIVES)
"""GROUP_OF_CLASS[class of a cell]: the group, or -1."""

MAX_REACH: Final = 18

TABULATED_REACH: Final = 5
"""`line_table` is used up to this `reach`. HALF_BITS in position.pxd must be twice this number."""

_MOST_KNOWN: Final = 16_384  # entries, about 4 MB


def reach(k: int, overline: bool) -> int:
    """Return how many cells on each side of the marked cell matter for the class of a line.

    A row of k with the marked cell ends at most k - 1 cells away. If longer rows do not win, the
    next cell matters, too: an own mark there makes the row too long.
    """
    return k - 1 if overline else k


def fits(k: int, overline: bool) -> bool:
    return k >= 1 and reach(k, overline) <= MAX_REACH


def is_tabulated(k: int, overline: bool) -> bool:
    """Return True if `line_table` is small enough to be used."""
    return reach(k, overline) <= TABULATED_REACH


def line_class(left: int, right: int, k: int, overline: bool = True) -> int:
    """Return the class of a line for the side that marks a cell of the line.

    Args:
        left: the code of the cells before the marked cell, from 1 to 2**(reach + 1) - 1.
        right: the code of the cells after the marked cell, in the same range.
        k: marks in a row that win.
        overline: whether more than k in a row win, too.
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
    """Return the class of every line, at index `left << bits | right` with `bits` = reach + 1.

    The table takes 4**bits bytes.
    """
    bits = reach(k, overline) + 1
    table = bytearray(1 << 2 * bits)
    known: dict[tuple[int, int], int] = {}
    # Large codes come first, because the class of a line depends on lines with one more mark.
    for left in range((1 << bits) - 1, 0, -1):
        for right in range(left, 0, -1):
            found = _line_class(left, right, k, overline, known)
            table[left << bits | right] = table[right << bits | left] = found
    return table


@cache
def combination_numbers() -> array[int]:
    """Return a table that turns a sum of four SUMMANDS into an index of COMBINATIONS."""
    numbers = array("H", bytes(2 * (4 * SUMMANDS[-1] + 1)))
    for number, lines in enumerate(COMBINATIONS):
        numbers[sum(SUMMANDS[line] for line in lines)] = number
    return numbers


@cache
def window_table(k: int, overline: bool = True) -> tuple[array[int], array[int], bytearray]:
    """Return three tables that give both sides' classes of a line through an empty cell.

    The cell splits the line into two halves. In a half, each cell has 2 bits: 0 empty, 1 X, 2 O,
    3 a wall. The first cell along the line has the lowest bits. The *sight* of a half is the pair
    of its codes, first for X, then for O. The sights are numbered.

    Returns:
        before: for each first half, the number of its sight, multiplied by the count of sights.
        after: for each second half, the number of its sight.
        classes: X's class + 16 * O's class, at before[first half] + after[second half].
    """
    cells = reach(k, overline)
    halves = range(1 << 2 * cells)
    codes = [(half_code(half, cells, 1), half_code(half, cells, 2)) for half in halves]
    # Most look-ups are for halves with few marks. Put the entries of these halves close together.
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
    """Return the code of half a line for a side: 1 X, 2 O.

    `half` is as in `window_table`, but the cell nearest to the marked cell has the lowest bits.
    """
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
    # Put the cells of both codes into one row of bits, the leftmost cell lowest.
    marks = 1 << reach_left | (right - (1 << reach_right)) << reach_left + 1
    for i in range(reach_left):
        marks |= (left >> i & 1) << reach_left - 1 - i
    most = 0
    fullest: list[int] = []
    # A window is k cells in a row with the marked cell. The fullest windows decide the class.
    for start in range(
        max(0, reach_left - k + 1), min(reach_left, reach_left + reach_right + 1 - k) + 1
    ):
        window = ((1 << k) - 1) << start
        # If longer rows do not win, a window next to an own mark cannot win.
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
    # Only marks in the fullest windows bring the win nearer.
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
    """Return the class of a cell whose four lines have these classes."""
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
