# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disallow-untyped-decorators=False, warn-return-any=False, disallow-any-unimported=False
"""A board that knows, after every move, what a mark on each empty cell would make.

Cython in pure Python mode: the same file runs compiled, without the GIL, and uncompiled. The class
is declared in `position.pxd`, so that the searches, which are its subclasses in other modules,
reach the arrays directly.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.search.gomoku import network, patterns, weights

compiled: bool = bool(cython.compiled)
"""Whether this module runs as machine code."""

WALL = cython.declare(cython.int, 3)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # cuts a product as C does
LINE = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFC00)  # less some of the walls before it
CLASSES_OF_SIDE = cython.declare(cython.uint, 0x0F0F0F0F)  # of four lines' classes of both
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # Fibonacci hashing

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_MEMO_BITS: Final = 16
_PAIRS: Final = patterns.LINE_CLASSES * (patterns.LINE_CLASSES + 1) // 2
_MARGIN: Final = patterns.TABULATED_REACH + 1
"""Walls before the first cell of a line: a window of the table never reaches beyond the word."""


def _random_words(count: int) -> list[int]:
    """The first words of splitmix64 from seed 0: the same in every build and run."""
    words = []
    state = 0
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        word = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK
        words.append(word ^ (word >> 31))
    return words


@cache
def _pairs() -> tuple[dict[int, int], array[int]]:
    """The numbers of pairs of line classes, in any order, and of the combinations of two pairs."""
    pairs = list(combinations_with_replacement(range(patterns.LINE_CLASSES), 2))
    numbers = {}
    for number, (a, b) in enumerate(pairs):
        numbers[a | b << 4] = numbers[b | a << 4] = number
    combinations: dict[tuple[int, ...], int] = {
        lines: number for number, lines in enumerate(patterns.COMBINATIONS)
    }
    of_pairs = (combinations[tuple(sorted(p + q))] for p in pairs for q in pairs)
    return numbers, array("H", of_pairs)


# Called for every cell that a move changes: functions, for the C compiler to put in line.


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _line_class_on_demand(position: Position, left: cython.uint, right: cython.uint) -> cython.int:
    wide: cython.ulonglong = left
    key: cython.ulonglong = (wide << 20) | right
    slot: cython.int = ((key * GOLDEN) & WORD) >> 48
    if position.memo_key[slot] != key:
        found: cython.int = 0
        with cython.gil:
            found = patterns.line_class(left, right, position.k, position.overline)
        position.memo_key[slot] = key
        position.memo_class[slot] = found
    return position.memo_class[slot]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _code(
    position: Position,
    marks: cython.ulonglong,
    shift: cython.int,
    step: cython.int,
    side: cython.int,
) -> cython.uint:
    """What a side can reach on a line from the cell at `shift`, each cell `step` bits further."""
    code: cython.uint = 0
    bit: cython.uint = 1
    mark: cython.int
    _: cython.int
    for _ in range(position.reach):
        shift += step
        mark = (marks >> shift) & 3
        if mark:
            if mark != side + 1:
                break
            code |= bit
        bit <<= 1
    return code | bit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _window_classes_on_demand(
    position: Position, marks: cython.ulonglong, shift: cython.int
) -> cython.uint:
    wide: cython.ulonglong = shift
    key: cython.ulonglong = (marks & LINE) | wide
    slot: cython.int = ((key * GOLDEN) & WORD) >> 48
    if position.memo_line[slot] != key:
        x: cython.int = _line_class_on_demand(
            position, _code(position, marks, shift, -2, 0), _code(position, marks, shift, 2, 0)
        )
        o: cython.int = _line_class_on_demand(
            position, _code(position, marks, shift, -2, 1), _code(position, marks, shift, 2, 1)
        )
        position.memo_line[slot] = key
        position.memo_classes[slot] = x | (o << 4)
    return position.memo_classes[slot]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _window_classes(position: Position, marks: cython.ulonglong, shift: cython.int) -> cython.uint:
    """The classes of a line through its cell at `shift`: X's + 16 * O's."""
    if not position.tabulated:
        return _window_classes_on_demand(position, marks, shift)
    reach: cython.int = position.reach
    mask: cython.uint = (1 << 2 * reach) - 1
    left: cython.uint = (marks >> (shift - 2 * reach)) & mask
    right: cython.uint = (marks >> (shift + 2)) & mask
    return position.window_table[(left << 2 * reach) | right]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _combination_of(position: Position, lines: cython.uint, side: cython.int) -> cython.int:
    """The number of a side's combination on a cell, from the classes of its four lines."""
    classes: cython.uint = (lines >> (4 * side)) & CLASSES_OF_SIDE
    low: cython.int = (classes | (classes >> 4)) & 0xFF
    high: cython.int = ((classes >> 16) | (classes >> 20)) & 0xFF
    return position.of_pairs[position.first_pair[low] + position.pair[high]]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _toggle(
    position: Position, cell: cython.int, side: cython.int, group: cython.int
) -> cython.void:
    """Put a cell into a side's group, or take it out when it is in."""
    one: cython.ulonglong = 1
    if group >= 0:
        position.group[(side * 4 + group) * 8 + (cell >> 6)] ^= one << (cell & 63)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _leave(position: Position, cell: cython.int) -> cython.void:
    """Take a cell that is to be marked out of the sums, the counts and the groups."""
    side: cython.int
    for side in range(2):
        of: cython.int = position.combination[cell * 2 + side]
        position.weight[side] -= position.weight_of[of]
        position.features[side] -= position.feature_of[of]
        found: cython.int = position.cell_class[cell * 2 + side]
        position.count[side * 13 + found] -= 1
        _toggle(position, cell, side, position.group_of[found])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _enter(
    position: Position, cell: cython.int, side: cython.int, was: cython.int, of: cython.int
) -> cython.void:
    """Give an empty cell, for one side, another combination; the sums are the caller's."""
    i: cython.int = cell * 2 + side
    position.combination[i] = of
    old: cython.int = position.class_of[was]
    new: cython.int = position.class_of[of]
    if old != new:
        position.cell_class[i] = new
        position.count[side * 13 + old] -= 1
        position.count[side * 13 + new] += 1
        _toggle(position, cell, side, position.group_of[old])
        _toggle(position, cell, side, position.group_of[new])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _combine(position: Position, first: cython.int) -> cython.void:
    """Bring combinations, sums, counts and groups of the cells logged since `first` up to date."""
    i: cython.int
    cell: cython.int
    was: cython.int
    of: cython.int
    classes: cython.uint
    entry: cython.ulonglong
    # In variables of its own, as one sum after the other in memory is slow.
    weight_x: cython.int = 0
    weight_o: cython.int = 0
    features_x: cython.longlong = 0
    features_o: cython.longlong = 0
    for i in range(first, position.log_top):
        entry = position.log[i]
        cell = entry & 511
        classes = position.line_classes[cell]
        was = (entry >> 20) & 2047
        of = _combination_of(position, classes, 0)
        if of != was:
            weight_x += position.weight_of[of] - position.weight_of[was]
            features_x += position.feature_of[of] - position.feature_of[was]
            _enter(position, cell, 0, was, of)
        was = (entry >> 9) & 2047
        of = _combination_of(position, classes, 1)
        if of != was:
            weight_o += position.weight_of[of] - position.weight_of[was]
            features_o += position.feature_of[of] - position.feature_of[was]
            _enter(position, cell, 1, was, of)
    position.weight[0] += weight_x
    position.weight[1] += weight_o
    position.features[0] += features_x
    position.features[1] += features_o


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _log(position: Position, cell: cython.int) -> cython.void:
    """Log what an empty cell is."""
    classes: cython.ulonglong = position.line_classes[cell]
    of_x: cython.ulonglong = position.combination[cell * 2]
    of_o: cython.ulonglong = position.combination[cell * 2 + 1]
    position.log[position.log_top] = (classes << 32) | (of_x << 20) | (of_o << 9) | cell
    position.log_top += 1


@cython.cclass
class Position:
    """One (m,n,k)-board of up to 20×20, its marks, and what the lines of every empty cell promise.

    Cells. The caller's *index* counts the cells along the rows from 0. Inside, a *cell* is a place
    on the board with a wall around it: `width` is columns + 1, as the wall at the end of a row is
    the wall before the next, and a cell is (row + 1) * width + column + 1. Of 3×3:

         0  1  2  3        # # # #        index 4 is cell 10
         4  5  6  7        # 0 1 2
         8  9 10 11        # 3 4 5        463 places are enough for 20×20: 22 rows of 21,
        12 13 14 15        # 6 7 8        and the last row's wall
        16 17 18 19 20     # # # # #

    A side is 0 for X, 1 for O. A direction d, 0 to 3, is right, down, down right, down left; a
    way is 0 against the direction, 1 along it; step[d] is the way from a cell to the next.

    The position, kept by `make` and `unmake`:

        board[cell]                     0 empty, 1 X, 2 O, 3 wall
        line_marks[line]                the cells of a line of the board, 2 bits each as in
                                        `board`; what lies beyond its ends is wall
        line_classes[cell]              classes of the four lines, of direction d in byte d:
                                        X's in its lower half, O's in the upper
        combination[cell*2 + side]      number of the four classes in `patterns.COMBINATIONS`
        cell_class[cell*2 + side]       what the four lines make together
        count[side*13 + class]          empty cells of each class
        weight[side]                    the sum of the empty cells' weights
        features[side]                  and of their features, packed: see `network`
        group[(side*4 + g)*8 + word]    sets of empty cells, g from FIVES to THREES, as words of
                                        64 bits: cell c is bit c & 63 of word c >> 6
        near[moves*8 + word]            the set of cells near a mark after so many moves
        taken[word]                     the set of marked cells
        hash                            exclusive or of zobrist[cell*2 + side] over the marks
        empty                           empty cells left

    A marked cell's classes sleep as they were: the mark is taken back before they are used again.

    What `unmake` needs:

        made                            moves made; move i was on made_cell[i], when the log had
                                        made_log[i] entries
        log[]                           63 .. 32 line_classes of a cell before, 31 .. 20 and
                                        19 .. 9 its combinations of X and O, 8 .. 0 the cell
        made_sums[i*4 + ...]            weight and features before move i, each of X and O
        made_counts[i*26 + ...], made_groups[i*64 + ...]
                                        count and group before it

    Tables, made once:

        around[cell*8 + word]           the set of cells near a cell: two in every direction, and
                                        three along the lines
        linked[cell*8 + word]           the same with k - 1 along the lines: where fours go on
        line_of[cell*4 + d], shift_of[cell*4 + d]
                                        the line through a cell in a direction, and the place of
                                        the cell's bits in it
        group_of[class]                 the group of a class, or -1
        window_table[]                  classes of a line: see `patterns.window_table`;
                                        for longer lines, by hash, those met so far:
        memo_line[slot], memo_classes[slot] by the marks and the place of the cell,
        memo_key[slot], memo_class[slot]    and for one side by its codes
        pair[a | b << 4]                number of a pair of classes, in any order, and
        first_pair[a | b << 4]          times the pairs that there are
        of_pairs[first_pair + pair]     number of the combination of two pairs
        class_of[], weight_of[], feature_of[]
                                        class, weight and features of a cell by its combination
        zobrist[], side_hash, fours_hash, threats_hash
                                        random words for marks, the side to move, and the kinds of
                                        search that share a transposition table

    Args:
        rows: 1 to 20.
        columns: 1 to 20.
        k: marks in a row that win; 1 to 19, or 18 where more do not win.
        overline: whether more than k in a row win, too.

    Raises:
        ValueError: a size out of range.
    """

    def __init__(self, rows: int, columns: int, k: int, overline: bool = True) -> None:
        if not (1 <= rows <= 20 and 1 <= columns <= 20 and patterns.fits(k, overline)):
            raise ValueError(f"no board of the engine: {rows} rows, {columns} columns, k = {k}")
        if not cython.compiled:
            self.step = [0] * 4
            self.board = [0] * 463
            self.line_marks = [0] * 118
            self.line_of = [0] * 1852
            self.shift_of = [0] * 1852
            self.line_classes = [0] * 463
            self.combination = [0] * 926
            self.cell_class = [0] * 926
            self.count = [0] * 26
            self.weight = [0] * 2
            self.features = [0] * 2
            self.group = [0] * 64
            self.near = [0] * 3224
            self.taken = [0] * 8
            self.made_cell = [0] * 403
            self.made_log = [0] * 403
            self.made_sums = [0] * 1612
            self.made_counts = [0] * 10478
            self.made_groups = [0] * 25792
            self.pair = [0] * 256
            self.first_pair = [0] * 256
            self.around = [0] * 3704
            self.linked = [0] * 3704
            self.group_of = [0] * 13
            self.zobrist = [0] * 926
        self.rows = rows
        self.columns = columns
        self.k = k
        self.overline = overline
        self.reach = reach = patterns.reach(k, overline)
        self.width = columns + 1
        self.words = ((rows + 2) * self.width + 1 + 63) >> 6
        for i, step in enumerate((1, self.width, self.width + 1, self.width - 1)):
            self.step[i] = step
        # A move changes at most the cells in reach on four lines.
        changes = 2 * (min(reach, rows - 1) + 3 * min(reach, columns - 1 + rows - 1))
        self.log = memoryview(bytearray(8 * (rows * columns + 1) * (changes + 1))).cast("Q")
        self.tabulated = reach <= patterns.TABULATED_REACH
        table = patterns.window_table(k, overline) if self.tabulated else bytearray(1)
        self.window_table = memoryview(table)
        slots = 1 if self.tabulated else 1 << _MEMO_BITS
        self.memo_key = memoryview(bytearray(8 * slots)).cast("Q")
        self.memo_class = memoryview(bytearray(slots))
        self.memo_line = memoryview(bytearray(8 * slots)).cast("Q")
        self.memo_classes = memoryview(bytearray(slots))
        class_of, weight_of = weights.cell_tables()
        self.class_of = memoryview(class_of)
        self.weight_of = memoryview(array("i", weight_of))
        self.feature_of = memoryview(network.network().features)
        numbers, of_pairs = _pairs()
        self.of_pairs = memoryview(of_pairs)
        for i, number in numbers.items():
            self.pair[i] = number
            self.first_pair[i] = number * _PAIRS
        random = _random_words(929)
        for i in range(926):
            self.zobrist[i] = random[i]
        self.side_hash, self.fours_hash, self.threats_hash = random[926:]
        for i, group in enumerate(patterns.GROUP_OF_CLASS):
            self.group_of[i] = group
        for cell, other in self._near_each_other(3):
            self.around[cell * 8 + (other >> 6)] |= 1 << (other & 63)
        for cell, other in self._near_each_other(k - 1):
            self.linked[cell * 8 + (other >> 6)] |= 1 << (other & 63)
        self._number_lines()

    def _number_lines(self) -> None:
        """Number the lines: the rows first, then the columns and the two sorts of diagonals."""
        for row in range(self.rows):
            for column in range(self.columns):
                at = self.cell_at(row * self.columns + column) * 4
                self.line_of[at] = row
                self.line_of[at + 1] = 20 + column
                self.line_of[at + 2] = 40 + row - column + self.columns - 1
                self.line_of[at + 3] = 79 + row + column
                self.shift_of[at] = 2 * (column + _MARGIN)
                for d in range(1, 4):
                    self.shift_of[at + d] = 2 * (row + _MARGIN)

    def _near_each_other(self, reach: int) -> Iterator[tuple[int, int]]:
        """Two cells at a time, either way: two apart in every direction, `reach` on a line."""
        ways = (-1, 0, 1)
        offsets = [(i, j) for i in range(-2, 3) for j in range(-2, 3)]
        offsets += [(n * i, n * j) for n in range(3, reach + 1) for i in ways for j in ways]
        for row in range(self.rows):
            for column in range(self.columns):
                cell = self.cell_at(row * self.columns + column)
                for i, j in offsets:
                    if 0 <= row + i < self.rows and 0 <= column + j < self.columns:
                        yield cell, cell + i * self.width + j

    # For Python: moves by their index.

    def set_up(self, cells: bytes) -> None:
        """Put a position on the board, all from nothing, so that no search sees the last one.

        Args:
            cells: rows * columns bytes along the rows: 0 empty, 1 X, 2 O.

        Raises:
            ValueError: a wrong number of cells.
        """
        if len(cells) != self.rows * self.columns:
            raise ValueError(f"{len(cells)} cells, not {self.rows} × {self.columns}")
        self.clear()
        for index, mark in enumerate(cells):
            if mark:
                self.make(self.cell_at(index), mark - 1)

    def play(self, index: int, side: int) -> None:
        """Mark an empty cell for a side."""
        self.make(self.cell_at(index), side)

    def take_back(self) -> None:
        """Undo the last `play`."""
        self.unmake()

    def completes(self, index: int, side: int) -> bool:
        """Whether a side's mark on an empty cell completes a line."""
        return bool(self.cell_class[self.cell_at(index) * 2 + side] == patterns.CELL_FIVE)

    def is_drawn(self) -> bool:
        """Whether no line is alive for either side, or no cell is left."""
        return bool(self.count[0] == self.empty and self.count[13] == self.empty)

    def first_empty(self) -> int:
        """The index of the first empty cell; -1 on a full board."""
        index: cython.int
        for index in range(self.rows * self.columns):
            if self.board[self.cell_at(index)] == 0:
                return index
        return -1

    def first_of_class(self, side: int, wanted: int) -> int:
        """The first empty cell of a class of `patterns` for a side; -1 when there is none."""
        index: cython.int
        cell: cython.int
        c_side: cython.int = side
        c_wanted: cython.int = wanted
        if self.count[c_side * 13 + c_wanted]:
            for index in range(self.rows * self.columns):
                cell = self.cell_at(index)
                if self.board[cell] == 0 and self.cell_class[cell * 2 + c_side] == c_wanted:
                    return index
        return -1

    def promising(self, side: int, least: int) -> int:
        """The empty cells where one of a side's lines is of class `least` or more, as bits."""
        index: cython.int
        d: cython.int
        of: cython.int
        c_side: cython.int = side
        c_least: cython.uint = least
        cells = 0
        for index in range(self.rows * self.columns):
            of = self.cell_at(index)
            if self.board[of] == 0:
                for d in range(4):
                    if (self.line_classes[of] >> (8 * d + 4 * c_side)) & 15 >= c_least:
                        cells |= 1 << int(index)
                        break
        return cells

    def classes(self) -> list[tuple[int, int, int, int] | None]:
        """What `patterns` says of each cell: of an empty one, by index, four numbers.

        The number of the combination of its lines for X, that for O, and the cell's class for X
        and for O.
        """
        seen: list[tuple[int, int, int, int] | None] = []
        for index in range(self.rows * self.columns):
            cell = self.cell_at(index)
            x, o = cell * 2, cell * 2 + 1
            seen.append(
                (self.combination[x], self.combination[o], self.cell_class[x], self.cell_class[o])
                if self.board[cell] == 0
                else None
            )
        return seen

    # The rest is compiled.

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cell_at(self, index: cython.int) -> cython.int:
        """The cell of the walled board at a caller's index."""
        return (index // self.columns + 1) * self.width + index % self.columns + 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def index_of(self, cell: cython.int) -> cython.int:
        """The caller's index of a cell."""
        return (cell // self.width - 1) * self.columns + cell % self.width - 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Set up the empty board."""
        i: cython.int
        d: cython.int
        cell: cython.int
        at: cython.int
        found: cython.uint
        wall: cython.ulonglong = WALL
        for i in range(463):
            self.board[i] = WALL
            self.line_classes[i] = 0
        for i in range(118):
            self.line_marks[i] = WORD
        for i in range(26):
            self.count[i] = 0
        for i in range(64):
            self.group[i] = 0
        for i in range(8):
            self.near[i] = 0
            self.taken[i] = 0
        for i in range(926):
            self.combination[i] = 0
            self.cell_class[i] = 0
        self.hash = 0
        self.empty = self.rows * self.columns
        self.made = self.log_top = 0
        for i in range(self.empty):
            cell = self.cell_at(i)
            self.board[cell] = 0
            for d in range(4):
                at = cell * 4 + d
                self.line_marks[self.line_of[at]] ^= wall << self.shift_of[at]
        self.count[0] = self.count[13] = self.empty
        for i in range(self.empty):
            cell = self.cell_at(i)
            _log(self, cell)
            for d in range(4):
                at = cell * 4 + d
                found = _window_classes(self, self.line_marks[self.line_of[at]], self.shift_of[at])
                self.line_classes[cell] |= found << (8 * d)
        self.weight[0] = self.weight[1] = self.empty * self.weight_of[0]
        self.features[0] = self.features[1] = self.empty * self.feature_of[0]
        _combine(self, 0)
        self.log_top = 0

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def window_classes(self, marks: cython.ulonglong, shift: cython.int) -> cython.uint:
        """The classes of a line through its cell at `shift`: X's + 16 * O's."""
        return _window_classes(self, marks, shift)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def combination_of(self, lines: cython.uint, side: cython.int) -> cython.int:
        """The number of a side's combination on a cell, from the classes of its four lines."""
        return _combination_of(self, lines, side)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def make(self, cell: cython.int, side: cython.int) -> cython.void:
        """Mark an empty cell and bring everything up to date."""
        i: cython.longlong
        saved: cython.longlong
        d: cython.int
        way: cython.int
        x: cython.int
        at: cython.int
        step: cython.int
        bits: cython.int
        shift: cython.int
        mark: cython.int
        seen: cython.int
        _: cython.int
        one: cython.ulonglong = 1
        own: cython.ulonglong = side + 1
        marks: cython.ulonglong
        classes: cython.uint
        change: cython.uint
        made: cython.int = self.made
        self.made_cell[made] = cell
        self.made_log[made] = self.log_top
        saved = made * 4
        for i in range(2):
            self.made_sums[saved + i] = self.weight[i]
            self.made_sums[saved + 2 + i] = self.features[i]
        saved = made * 26
        for i in range(26):
            self.made_counts[saved + i] = self.count[i]
        saved = made * 64
        for i in range(64):
            self.made_groups[saved + i] = self.group[i]
        self.made = made + 1
        _leave(self, cell)
        self.board[cell] = side + 1
        self.empty -= 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for i in range(self.words):
            self.near[(made + 1) * 8 + i] = self.near[made * 8 + i] | self.around[cell * 8 + i]
        for d in range(4):
            at = cell * 4 + d
            marks = self.line_marks[self.line_of[at]] | (own << self.shift_of[at])
            self.line_marks[self.line_of[at]] = marks
            for way in range(2):
                step = self.step[d] if way else -self.step[d]
                bits = 2 if way else -2
                x = cell
                shift = self.shift_of[at]
                seen = 0
                for _ in range(self.reach):
                    x += step
                    shift += bits
                    mark = (marks >> shift) & 3
                    if mark == 0:
                        classes = self.line_classes[x]
                        change = (classes >> (8 * d)) & 255
                        change ^= _window_classes(self, marks, shift)
                        if change:
                            _log(self, x)
                            self.line_classes[x] = classes ^ (change << (8 * d))
                    else:
                        # Beyond marks of both, or a wall, neither side sees the new one.
                        seen |= mark
                        if seen == WALL:
                            break
        _combine(self, self.made_log[made])

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def unmake(self) -> cython.void:
        """Take the last mark back."""
        i: cython.longlong
        saved: cython.longlong
        d: cython.int
        at: cython.int
        x: cython.int
        of: cython.int
        entry: cython.ulonglong
        one: cython.ulonglong = 1
        wall: cython.ulonglong = WALL
        self.made -= 1
        made: cython.int = self.made
        cell: cython.int = self.made_cell[made]
        while self.log_top > self.made_log[made]:
            self.log_top -= 1
            entry = self.log[self.log_top]
            x = entry & 511
            self.line_classes[x] = entry >> 32
            of = (entry >> 20) & 2047
            self.combination[x * 2] = of
            self.cell_class[x * 2] = self.class_of[of]
            of = (entry >> 9) & 2047
            self.combination[x * 2 + 1] = of
            self.cell_class[x * 2 + 1] = self.class_of[of]
        side: cython.int = self.board[cell] - 1
        self.board[cell] = 0
        self.empty += 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for d in range(4):
            at = cell * 4 + d
            self.line_marks[self.line_of[at]] &= ~(wall << self.shift_of[at])
        saved = made * 4
        for i in range(2):
            self.weight[i] = self.made_sums[saved + i]
            self.features[i] = self.made_sums[saved + 2 + i]
        saved = made * 26
        for i in range(26):
            self.count[i] = self.made_counts[saved + i]
        saved = made * 64
        for i in range(64):
            self.group[i] = self.made_groups[saved + i]
