# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=True
# mypy: warn-return-any=False, disable-error-code="attr-defined,name-defined"
# ruff: noqa: F821
"""A board that knows what a mark on each empty cell would make, such as a four.

Plain Python; `position.pxd` declares the types in C.
"""

from __future__ import annotations

from typing import Final

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.game import Rules
from bestmove.game.geometry import Geometry
from bestmove.search import declared
from bestmove.search.common.clock import Limited
from bestmove.search.common.clock import compiled as _clock_compiled
from bestmove.search.engines.gomoku import network, patterns, weights
from bestmove.search.engines.gomoku.patterns import CELL_THREE, NOTHING

compiled: bool = declared.is_compiled(__file__, _clock_compiled)

if not cython.compiled:
    from bestmove.search.common.bits import trailing_zeros

# Plain Python reads the constants of position.pxd here.
if not compiled:
    globals().update(declared.constants(__file__))

WALL = 3
WORD = 0xFFFFFFFFFFFFFFFF
LINE = 0xFFFFFFFFFFFFFC00
"""A mask of all bits but the lowest ten. In `line_marks`, these ten bits are always walls. In a key
of `memo_line`, they hold a cell's `shift_of`."""
GOLDEN = 0x9E3779B97F4A7C15  # Fibonacci hashing

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_MEMO_BITS: Final = 16
_NO_GROUP: Final = 2 * GROUPS
_MARGIN: Final = HALF_BITS // 2 + 1
"""The number of walls before a line's first cell."""


def _random_words(count: int) -> list[int]:
    """Return the first `count` random words of splitmix64 with seed 0."""
    words = []
    state = 0
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        word = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK
        words.append(word ^ (word >> 31))
    return words


class Position(Limited):
    """A board of up to 20×20 cells, with its marks and the classes of its lines and cells.

    A cell has two numbers:

    - *index*: row * columns + column, for callers
    - *cell*: (row + 1) * width + column + 1, for the arrays

    Walls surround the rows. A row shares a wall with the next row, so `width` is columns + 1. The
    3×3 board:

        cells                  indices; # is a wall

         0  1  2  3            # # # #
         4  5  6  7            # 0 1 2
         8  9 10 11            # 3 4 5
        12 13 14 15            # 6 7 8
        16 17 18 19 20         # # # # #

    Side 0 is X, and side 1 is O. Direction d is 0 (right), 1 (down), 2 (down right) or 3 (down
    left). The next cell in direction d is cell + step[d]. In a set of cells, bit c & 63 of word
    c >> 6 says whether the set has cell c.

    The position, which `make` and `unmake` update:

        board[cell]                     0 empty, 1 X, 2 O, 3 wall
        line_marks[line]                a line's cells, 2 bits each as in `board`; walls at both
                                        ends
        line_classes[cell*4 + d]        the classes of the line in direction d through an empty
                                        cell: X's in the low 4 bits, O's above them
        line_sums[cell]                 the sum of `patterns.SUMMANDS` for X's four classes; from
                                        bit SUM_BITS on, the sum for O's
        sums[side*2], sums[side*2 + 1]  the packed features of the empty cells: see `network`
        sums[4]                         from bit COUNT_BITS on: X's weights minus O's weights; below
                                        that bit: the number of empty cells without a live line for
                                        X, plus the number without a live line for O
        count[side*CELL_CLASSES + class]
                                        the number of empty cells with this class for the side;
                                        classes below CELL_THREE and marked cells count as NOTHING
        group[(side*GROUPS + g)*WORDS + word]
                                        the set of empty cells in the side's group g
        near[moves*WORDS + word]        the set of cells near a mark after `moves` moves
        taken[word]                     the set of marked cells
        hash                            exclusive or of zobrist[cell*2 + side] over all marks

    A marked cell keeps the classes from before the mark, because `unmake` does not restore them.

    What `unmake` needs:

        made                            the number of moves made
        made_cell[i]                    the cell of move i, counted from 0
        made_log[i], made_threats[i], made_sums[i*SUMS + j]
                                        log_top, `threats` and sums[j] before move i
        log_lines[0 .. log_top - 1]     updated entries of line_classes: the index in bits 10 to 0,
                                        the old classes in bits 18 to 11
        log_sums[i]                     line_sums[cell] before the change that log_lines[i] records
        threat_log[0 .. threats - 1]    cells that `count` now counts in another entry: the cell in
                                        bits 18 to 10, the old entry's index in bits 9 to 5, the new
                                        entry's index in bits 4 to 0

    Tables, made once:

        around[cell*WORDS + word]       the set of cells near a cell: within two rows and columns,
                                        or three cells away along a line
        linked[cell*WORDS + word]       the set of cells where `vcf` may go on after a mark on a
                                        cell: within two rows and columns, or up to k - 1 cells away
                                        along a line
        line_of[cell*4 + d]             the line in direction d through a cell
        shift_of[cell*4 + d]            the place of the cell's two bits in this line's `line_marks`
        in_reach[cell*4 + d]            a mask for this line's `line_marks`: the lower bit of each
                                        other cell within `patterns.reach`
        before[half], after[half], window_table[i]
                                        the tables of `patterns.window_table`, if `tabulated`; a
                                        half has HALF_BITS bits even if `reach` is smaller
        memo_line[slot], memo_classes[slot]
                                        if not `tabulated`: a hash table from a line's marks and a
                                        cell's shift_of to the line's classes at the cell
        memo_key[slot], memo_class[slot]
                                        if not `tabulated`: a hash table from a side's codes of a
                                        line's two halves (see `patterns`) to the line's class
        summands[classes]               what an entry of `line_classes` adds to `line_sums`
        number_of[sum]                  the number of the combination of classes with this sum: see
                                        `patterns.COMBINATIONS`
        class_of[number]                the class of a cell with this combination
        threat_of[number]               the same class if it is CELL_THREE or above; else NOTHING
        worth_of[number*4 + i]          what a cell with this combination adds to `sums`: two words
                                        of features, the weight for X, the weight for O
        group_of[side*CELL_CLASSES + class]
                                        side*GROUPS + the class's group; or _NO_GROUP
        zobrist[cell*2 + side]          a random word for each mark
        side_hash                       the random word for O to move
        fours_hash, threats_hash        random words that give each kind of search its own keys in
                                        the transposition table

    Args:
        rows: 1 to 20.
        columns: 1 to 20.
        k: marks in a row that win; at most the greater of rows and columns, at most 19, without
            `overline` at most 18.
        overline: whether more than k in a row win, too.

    Raises:
        ValueError: a size out of range.
    """

    def __init__(self, rows: int, columns: int, k: int, overline: bool = True) -> None:
        if not (
            1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE and patterns.fits(k, overline)
        ):
            raise ValueError(
                f"the engine does not fit this board: {rows} rows, {columns} columns, k = {k}"
            )
        if not compiled:
            declared.make_arrays(self, __file__)
        self.rows = rows
        self.columns = columns
        self.k = k
        self.log_top = 0
        self.overline = overline
        self.reach = reach = patterns.reach(k, overline)
        self.width = columns + 1
        self.words = ((rows + 2) * self.width + 1 + 63) >> 6
        self.step = [1, self.width, self.width + 1, self.width - 1]
        # A move changes classes only on its four lines, at most `reach` cells away.
        changes = 2 * (min(reach, rows - 1) + 3 * min(reach, columns - 1 + rows - 1))
        entries = (rows * columns + 1) * (changes + 1)
        self.log_sums = memoryview(bytearray(4 * entries)).cast("I")
        self.log_lines = memoryview(bytearray(4 * entries)).cast("I")
        self.tabulated = patterns.is_tabulated(k, overline)
        slots = 1 if self.tabulated else 1 << _MEMO_BITS
        self.memo_key = memoryview(bytearray(8 * slots)).cast("Q")
        self.memo_class = memoryview(bytearray(slots))
        self.memo_line = memoryview(bytearray(8 * slots)).cast("Q")
        self.memo_classes = memoryview(bytearray(slots))
        if self.tabulated:
            self._copy_window_table()
        self._copy_cell_tables()
        for i, group in enumerate(patterns.GROUP_OF_CLASS):
            self.group_of[i] = group if group >= 0 else _NO_GROUP
            self.group_of[CELL_CLASSES + i] = GROUPS + group if group >= 0 else _NO_GROUP
        # For each marked or changed cell, a move logs at most two changes of threats: X's and O's.
        self.threat_log = memoryview(bytearray(2 * 4 * entries)).cast("I")
        *words, self.side_hash, self.fours_hash, self.threats_hash = _random_words(2 * PLACES + 3)
        self.zobrist = words
        self._find_near()
        self._number_lines(Rules.of(rows, columns, k, overline=overline).geometry)

    def _copy_window_table(self) -> None:
        halves_before, halves_after, classes = patterns.window_table(self.k, self.overline)
        before = memoryview(halves_before)
        after = memoryview(halves_after)
        table = memoryview(classes)
        mask = (1 << 2 * self.reach) - 1
        unseen = HALF_BITS - 2 * self.reach
        for i in range(HALF + 1):
            self.before[i] = before[i >> unseen]
            self.after[i] = after[i & mask]
        assert len(table) <= WINDOWS
        for i in range(len(table)):
            self.window_table[i] = table[i]

    def _copy_cell_tables(self) -> None:
        classes, weight = weights.cell_tables()
        class_of = memoryview(classes)
        weight_of = memoryview(weight)
        features = memoryview(network.network().features)
        for x, summand_x in enumerate(patterns.SUMMANDS):
            for o, summand_o in enumerate(patterns.SUMMANDS):
                self.summands[x | o << 4] = summand_x | summand_o << SUM_BITS
        self.number_of = patterns.combination_numbers()
        assert len(class_of) == COMBINATIONS
        for i in range(len(class_of)):
            self.class_of[i] = class_of[i]
            self.threat_of[i] = class_of[i] if class_of[i] >= CELL_THREE else NOTHING
            self.worth_of[i * 4] = features[i * 2]
            self.worth_of[i * 4 + 1] = features[i * 2 + 1]
            # Multiply, because C leaves the shift of a negative number undefined.
            self.worth_of[i * 4 + 2] = weight_of[i] * (COUNT + 1) + (class_of[i] == NOTHING)
            self.worth_of[i * 4 + 3] = -weight_of[i] * (COUNT + 1) + (class_of[i] == NOTHING)

    def _number_lines(self, geometry: Geometry) -> None:
        one = 1
        assert len(geometry.lanes) <= BOARD_LINES
        for d, lane_of in enumerate(geometry.lane_of):
            for line in set(lane_of.values()):
                cells = [self.cell_at(index) for index in geometry.lanes[line]]
                for place, cell in enumerate(cells):
                    self.line_of[cell * 4 + d] = line
                    self.shift_of[cell * 4 + d] = 2 * (place + _MARGIN)
                    first, last = (
                        max(0, place - self.reach),
                        min(len(cells), place + self.reach + 1),
                    )
                    for near in range(first, last):
                        if near != place:
                            self.in_reach[cell * 4 + d] |= one << 2 * (near + _MARGIN)

    def _find_near(self) -> None:
        for row in range(self.rows):
            for column in range(self.columns):
                for down in range(-2, 3):
                    for right in range(-2, 3):
                        self._link(row, column, down, right, True, True)
                for down in range(-1, 2):
                    for right in range(-1, 2):
                        for n in range(3, max(4, self.k)):
                            self._link(row, column, n * down, n * right, n == 3, n < self.k)

    def _link(
        self, row: int, column: int, down: int, right: int, around: bool, linked: bool
    ) -> None:
        if 0 <= row + down < self.rows and 0 <= column + right < self.columns:
            one = 1
            cell = (row + 1) * self.width + column + 1
            other = cell + down * self.width + right
            if around:
                self.around[cell * WORDS + (other >> 6)] |= one << (other & 63)
            if linked:
                self.linked[cell * WORDS + (other >> 6)] |= one << (other & 63)

    def set_up(self, cells: bytes) -> None:
        """Replace the position.

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
        self.make(self.cell_at(index), side)

    def take_back(self) -> None:
        self.unmake()

    def completes(self, index: int, side: int) -> bool:
        return bool(self.class_at(self.cell_at(index), side) == patterns.CELL_FIVE)

    def is_drawn(self) -> bool:
        """Return True if neither side has a live line, or if the board is full."""
        return bool(self.is_dead())

    def first_empty(self) -> int:
        for index in range(self.rows * self.columns):
            if self.board[self.cell_at(index)] == 0:
                return index
        return -1

    def first_of_class(self, side: int, wanted: int) -> int:
        """Return the index of a side's first cell of class `wanted`; -1 if there is none.

        Args:
            wanted: CELL_THREE or above.
        """
        if self.count[side * CELL_CLASSES + wanted]:
            for row in range(self.rows):
                for column in range(self.columns):
                    cell = (row + 1) * self.width + column + 1
                    if self.board[cell] == 0 and self.class_at(cell, side) == wanted:
                        return row * self.columns + column
        return -1

    def promising(self, side: int, least: int) -> int:
        """Return the empty cells where the side has a line of class `least` or above.

        Bit i of the result stands for the cell of index i.
        """
        shift = 4 * side
        one = 1
        cells = 0
        for row in range(self.rows):
            found = 0
            for column in range(self.columns):
                cell = (row + 1) * self.width + column + 1
                for d in range(4):
                    classes = self.line_classes[cell * 4 + d]
                    if self.board[cell] == 0 and (classes >> shift) & 15 >= least:
                        found |= one << column
            cells |= int(found) << int(row * self.columns)
        return cells

    def classes(self) -> list[tuple[int, int, int, int] | None]:
        """Return four numbers for each empty cell, and None for each marked cell, in index order.

        The numbers: X's combination, O's combination (see `patterns`), X's class, O's class.
        """
        seen: list[tuple[int, int, int, int] | None] = []
        for index in range(self.rows * self.columns):
            cell = self.cell_at(index)
            sums: int = self.line_sums[cell]
            x, o = self.number_of[sums & SUM], self.number_of[sums >> SUM_BITS]
            of_sides = x, o, self.class_of[x], self.class_of[o]
            seen.append(of_sides if self.board[cell] == 0 else None)
        return seen

    def _line_class_on_demand(self, left: int, right: int) -> int:
        wide = left
        key = (wide << 20) | right
        slot = ((key * GOLDEN) & WORD) >> 48
        if self.memo_key[slot] != key:
            self.memo_key[slot] = key
            self.memo_class[slot] = self._line_class(left, right)
        return self.memo_class[slot]

    def _line_class(self, left: int, right: int) -> int:
        """Call `patterns.line_class`, which needs the GIL."""
        return patterns.line_class(left, right, self.k, self.overline)

    def _code(self, marks: int, shift: int, step: int, side: int) -> int:
        """Return a side's code for half a line; `patterns` explains the codes.

        The half begins next to the cell at bit `shift`. If `step` is 2, the half is after this
        cell; if `step` is -2, it is before this cell.
        """
        code = 0
        bit = 1
        for _ in range(self.reach):
            shift += step
            mark = (marks >> shift) & 3
            if mark:
                if mark != side + 1:
                    break
                code |= bit
            bit <<= 1
        return code | bit

    def _classes_on_demand(self, marks: int, shift: int) -> int:
        wide = shift
        key = (marks & LINE) | wide
        slot = ((key * GOLDEN) & WORD) >> 48
        if self.memo_line[slot] != key:
            x = self._line_class_on_demand(
                self._code(marks, shift, -2, 0), self._code(marks, shift, 2, 0)
            )
            o = self._line_class_on_demand(
                self._code(marks, shift, -2, 1), self._code(marks, shift, 2, 1)
            )
            self.memo_line[slot] = key
            self.memo_classes[slot] = x | (o << 4)
        return self.memo_classes[slot]

    def window_classes(self, marks: int, shift: int) -> int:
        """Return the line's class for the cell at bit `shift`: X's class + 16 * O's class."""
        if self.tabulated:
            return self._tabulated_classes(marks, shift)
        return self._classes_on_demand(marks, shift)

    def _tabulated_classes(self, marks: int, shift: int) -> int:
        window = marks >> (shift - HALF_BITS)
        at = self.before[window & HALF]
        at += self.after[(window >> (HALF_BITS + 2)) & HALF]
        return self.window_table[at]

    def _toggle(self, cell: int, of: int) -> None:
        one = 1
        at = self.group_of[of] * WORDS + (cell >> 6)
        self.group[at] ^= one << (cell & 63)

    def _threaten(self, cell: int, was: int, of: int) -> None:
        self.count[was] -= 1
        self.count[of] += 1
        self._toggle(cell, was)
        self._toggle(cell, of)
        self.threat_log[self.threats] = (cell << 10) | (was << 5) | of
        self.threats += 1

    def class_at(self, cell: int, side: int) -> int:
        assert self.board[cell] == 0
        return self.class_of[self.number_of[(self.line_sums[cell] >> (SUM_BITS * side)) & SUM]]

    def is_dead(self) -> bool:
        return self.sums[4] & COUNT == 2 * self.empty

    def cell_at(self, index: int) -> int:
        return (index // self.columns + 1) * self.width + index % self.columns + 1

    def index_of(self, cell: int) -> int:
        return (cell // self.width - 1) * self.columns + cell % self.width - 1

    def clear(self) -> None:
        wall = WALL
        for i in range(PLACES):
            self.board[i] = WALL
            self.line_sums[i] = 0
        for i in range(BOARD_LINES):
            self.line_marks[i] = WORD
        for i in range((2 * GROUPS + 1) * WORDS):
            self.group[i] = 0
        for i in range(WORDS):
            self.near[i] = 0
            self.taken[i] = 0
        self.hash = 0
        self.empty = self.rows * self.columns
        self.made = self.log_top = self.threats = 0
        for i in range(2 * CELL_CLASSES):
            self.count[i] = 0
        self.count[0] = self.count[CELL_CLASSES] = self.empty
        for i in range(SUMS):
            self.sums[i] = 0
        for i in range(self.empty):
            cell = self.cell_at(i)
            self.board[cell] = 0
            for d in range(4):
                at = cell * 4 + d
                self.line_marks[self.line_of[at]] ^= wall << self.shift_of[at]
        for i in range(self.empty):
            cell = self.cell_at(i)
            for d in range(4):
                at = cell * 4 + d
                found = self.window_classes(self.line_marks[self.line_of[at]], self.shift_of[at])
                self.line_classes[at] = found
                self.line_sums[cell] += self.summands[found]
            x = 4 * self.number_of[self.line_sums[cell] & SUM]
            o = 4 * self.number_of[self.line_sums[cell] >> SUM_BITS]
            self.sums[0] += self.worth_of[x]
            self.sums[1] += self.worth_of[x + 1]
            self.sums[2] += self.worth_of[o]
            self.sums[3] += self.worth_of[o + 1]
            self.sums[4] += self.worth_of[x + 2] + self.worth_of[o + 3]
            self._compare_threats(cell, 0, self.line_sums[cell])
        self.threats = 0

    def _mark(self, cell: int, side: int) -> None:
        assert self.board[cell] == 0
        one = 1
        own = side + 1
        made = self.made
        self.made_cell[made] = cell
        self.made_log[made] = self.log_top
        self.made_threats[made] = self.threats
        for i in range(SUMS):
            self.made_sums[made * SUMS + i] = self.sums[i]
        self.made = made + 1
        self.board[cell] = own
        self.empty -= 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for i in range(self.words):
            self.near[(made + 1) * WORDS + i] = (
                self.near[made * WORDS + i] | self.around[cell * WORDS + i]
            )
        # A marked cell is no longer a threat.
        if self.line_sums[cell] & THREATS:
            self._compare_threats(cell, self.line_sums[cell], 0)

    def _compare_threats(self, cell: int, before: int, after: int) -> None:
        was = self.threat_of[self.number_of[before & SUM]]
        of = self.threat_of[self.number_of[after & SUM]]
        if was != of:
            self._threaten(cell, was, of)
        was = self.threat_of[self.number_of[before >> SUM_BITS]]
        of = self.threat_of[self.number_of[after >> SUM_BITS]]
        if was != of:
            self._threaten(cell, CELL_CLASSES + was, CELL_CLASSES + of)

    def _renew_line(self, cell: int, d: int, side: int, tabulated: bool, summing: bool) -> None:
        own = side + 1
        at = cell * 4 + d
        marks = self.line_marks[self.line_of[at]] | (own << self.shift_of[at])
        self.line_marks[self.line_of[at]] = marks
        step = 2 * self.step[d]
        first = at - self.shift_of[at] * step
        top = self.log_top
        # Add in local variables, because additions in memory are slow.
        first_x = 0
        other_x = 0
        first_o = 0
        other_o = 0
        balance = 0
        # Update every empty cell within reach, because nearly all change.
        unmarked = self.in_reach[at] & ~(marks | (marks >> 1))
        while unmarked:
            shift = trailing_zeros(unmarked)
            unmarked &= unmarked - 1
            line = first + shift * step
            was = self.line_classes[line]
            if tabulated:
                found = self._tabulated_classes(marks, shift)
            else:
                found = self._classes_on_demand(marks, shift)
            self.line_classes[line] = found
            before = self.line_sums[line >> 2]
            after = before - self.summands[was] + self.summands[found]
            self.line_sums[line >> 2] = after
            self.log_sums[top] = before
            self.log_lines[top] = (was << 11) | line
            top += 1
            if summing:
                x = 4 * self.number_of[before & SUM]
                o = 4 * self.number_of[before >> SUM_BITS]
                first_x -= self.worth_of[x]
                other_x -= self.worth_of[x + 1]
                first_o -= self.worth_of[o]
                other_o -= self.worth_of[o + 1]
                balance -= self.worth_of[x + 2] + self.worth_of[o + 3]
                x = 4 * self.number_of[after & SUM]
                o = 4 * self.number_of[after >> SUM_BITS]
                first_x += self.worth_of[x]
                other_x += self.worth_of[x + 1]
                first_o += self.worth_of[o]
                other_o += self.worth_of[o + 1]
                balance += self.worth_of[x + 2] + self.worth_of[o + 3]
            if (before | after) & THREATS:
                self._compare_threats(line >> 2, before, after)
        self.log_top = top
        if summing:
            self.sums[0] += first_x
            self.sums[1] += other_x
            self.sums[2] += first_o
            self.sums[3] += other_o
            self.sums[4] += balance

    def make(self, cell: int, side: int) -> None:
        self._mark(cell, side)
        # `sums` covers only the empty cells, so subtract the marked cell.
        x = 4 * self.number_of[self.line_sums[cell] & SUM]
        o = 4 * self.number_of[self.line_sums[cell] >> SUM_BITS]
        self.sums[0] -= self.worth_of[x]
        self.sums[1] -= self.worth_of[x + 1]
        self.sums[2] -= self.worth_of[o]
        self.sums[3] -= self.worth_of[o + 1]
        self.sums[4] -= self.worth_of[x + 2] + self.worth_of[o + 3]
        for d in range(4):
            if self.tabulated:
                self._renew_line(cell, d, side, True, True)
            else:
                self._renew_line(cell, d, side, False, True)

    def make_threat(self, cell: int, side: int) -> None:
        """Make a move without updating `sums`: searches for threats do not use `sums`."""
        self._mark(cell, side)
        for d in range(4):
            if self.tabulated:
                self._renew_line(cell, d, side, True, False)
            else:
                self._renew_line(cell, d, side, False, False)

    def unmake(self) -> None:
        one = 1
        wall = WALL
        assert self.made > 0
        self.made -= 1
        made = self.made
        cell = self.made_cell[made]
        # A move logs each cell only once, so the log may be read in any order.
        for i in range(self.made_log[made], self.log_top):
            logged = self.log_lines[i]
            line = logged & 2047
            self.line_classes[line] = logged >> 11
            self.line_sums[line >> 2] = self.log_sums[i]
        self.log_top = self.made_log[made]
        for i in range(self.made_threats[made], self.threats):
            logged = self.threat_log[i]
            x = logged >> 10
            was = (logged >> 5) & 31
            of = logged & 31
            self.count[was] += 1
            self.count[of] -= 1
            self._toggle(x, was)
            self._toggle(x, of)
        self.threats = self.made_threats[made]
        side = self.board[cell] - 1
        self.board[cell] = 0
        self.empty += 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for d in range(4):
            at = cell * 4 + d
            self.line_marks[self.line_of[at]] &= ~(wall << self.shift_of[at])
        for i in range(SUMS):
            self.sums[i] = self.made_sums[made * SUMS + i]
