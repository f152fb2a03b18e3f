# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disallow-untyped-decorators=False, warn-return-any=False, disallow-any-unimported=False
"""A board that knows, after every move, what a mark on each empty cell would make.

Cython in pure Python mode: the same file runs compiled, without the GIL, and uncompiled. The class
is declared in `position.pxd`, so that the searches, which are its subclasses in other modules,
reach the arrays directly.
"""

from __future__ import annotations

from array import array
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
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # Fibonacci hashing

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_MEMO_BITS: Final = 16


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
def _line_class(position: Position, left: cython.uint, right: cython.uint) -> cython.int:
    """The class of a line by its two codes."""
    if position.tabulated:
        return position.line_table[(left << position.code_bits) | right]
    return _line_class_on_demand(position, left, right)


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
def _reclassify(position: Position, i: cython.int, classes: cython.int) -> cython.void:
    """Give an empty cell, for one side, new line classes: `i` is cell * 2 + side."""
    side: cython.int = i & 1
    cell: cython.int = i >> 1
    was: cython.int = position.line_classes[i]
    position.weight[side] += position.weight_table[classes] - position.weight_table[was]
    position.features[side] += position.feature_table[classes] - position.feature_table[was]
    position.line_classes[i] = classes
    old: cython.int = position.cell_class[i]
    new: cython.int = position.class_table[classes]
    if old != new:
        position.cell_class[i] = new
        position.count[side * 13 + old] -= 1
        position.count[side * 13 + new] += 1
        _toggle(position, cell, side, position.group_of[old])
        _toggle(position, cell, side, position.group_of[new])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _recode(
    position: Position,
    cell: cython.int,
    d: cython.int,
    side: cython.int,
    way: cython.int,
    code: cython.uint,
) -> cython.void:
    """Give an empty cell a new code, log the old one, and reclassify the cell if need be."""
    i: cython.int = (cell * 4 + d) * 4 + side * 2
    at: cython.uint = i + way
    position.code_log[position.code_log_top] = (at << 19) | position.code[at]
    position.code_log_top += 1
    position.code[at] = code
    found: cython.int = _line_class(position, position.code[i], position.code[i + 1])
    j: cython.uint = cell * 2 + side
    classes: cython.int = position.line_classes[j]
    was: cython.int = (classes >> (4 * d)) & 15
    if found != was:
        position.class_log[position.class_log_top] = (j << 16) | classes
        position.class_log_top += 1
        _reclassify(position, j, classes ^ ((found ^ was) << (4 * d)))


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
        code[(cell*4 + d)*4 + side*2 + way]
                                        what `side` can reach from the cell: see `patterns`
        line_classes[cell*2 + side]     classes of the four lines, 4 bits for each direction:

                                            15  12 11   8 7    4 3    0
                                            [ d=3 ][ d=2 ][ d=1 ][ d=0 ]

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

    A marked cell's codes and classes sleep as they were: the mark is taken back before they are
    used again.

    What `unmake` needs:

        made                            moves made; move i was on made_cell[i], when the logs had
                                        made_code_log[i] and made_class_log[i] entries
        code_log[]                      31 .. 19 index of a code, 18 .. 0 the code before
        class_log[]                     31 .. 16 index of line_classes, 15 .. 0 the classes before

    Tables, made once:

        around[cell*8 + word]           the set of cells near a cell: two in every direction, and
                                        three along the lines
        group_of[class]                 the group of a class, or -1
        line_table[left << code_bits | right]
                                        class of a line by its codes, up to FULL_TABLE_BITS;
        memo_key[slot], memo_class[slot]    for longer lines the classes met so far, by hash
        class_table[line classes]       class and weight of a cell
        weight_table[line classes]
        feature_table[line classes]
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
            self.code = [0] * 7408
            self.line_classes = [0] * 926
            self.cell_class = [0] * 926
            self.count = [0] * 26
            self.weight = [0] * 2
            self.features = [0] * 2
            self.group = [0] * 64
            self.near = [0] * 3224
            self.taken = [0] * 8
            self.made_cell = [0] * 403
            self.made_code_log = [0] * 403
            self.made_class_log = [0] * 403
            self.around = [0] * 3704
            self.group_of = [0] * 13
            self.zobrist = [0] * 926
        self.rows = rows
        self.columns = columns
        self.k = k
        self.overline = overline
        self.reach = reach = patterns.reach(k, overline)
        self.code_bits = reach + 1
        self.width = columns + 1
        self.words = ((rows + 2) * self.width + 1 + 63) >> 6
        for i, step in enumerate((1, self.width, self.width + 1, self.width - 1)):
            self.step[i] = step
        # A move changes at most the codes of both sides of the cells in reach on four lines.
        changes = 2 * (min(reach, rows - 1) + 3 * min(reach, columns - 1 + rows - 1) + 3)
        self.code_log = memoryview(bytearray(16 * (rows * columns + 1) * changes)).cast("I")
        self.class_log = memoryview(bytearray(16 * (rows * columns + 1) * changes)).cast("I")
        self.tabulated = self.code_bits <= patterns.FULL_TABLE_BITS
        table = patterns.line_table(k, overline) if self.tabulated else bytearray(1)
        self.line_table = memoryview(table)
        slots = 1 if self.tabulated else 1 << _MEMO_BITS
        self.memo_key = memoryview(bytearray(8 * slots)).cast("Q")
        self.memo_class = memoryview(bytearray(slots))
        class_table, weight_table = weights.cell_tables()
        self.class_table = memoryview(class_table)
        self.weight_table = memoryview(array("i", weight_table))
        self.feature_table = memoryview(network.network().features)
        random = _random_words(929)
        for i in range(926):
            self.zobrist[i] = random[i]
        self.side_hash, self.fours_hash, self.threats_hash = random[926:]
        for i, group in enumerate(patterns.GROUP_OF_CLASS):
            self.group_of[i] = group
        self._fill_around()

    def _fill_around(self) -> None:
        offsets = [(i, j) for i in range(-2, 3) for j in range(-2, 3)]
        offsets += [(3 * i, 3 * j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        for row in range(self.rows):
            for column in range(self.columns):
                cell = self.cell_at(row * self.columns + column)
                for i, j in offsets:
                    if 0 <= row + i < self.rows and 0 <= column + j < self.columns:
                        other = cell + i * self.width + j
                        self.around[cell * 8 + (other >> 6)] |= 1 << (other & 63)

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
        c_least: cython.int = least
        cells = 0
        for index in range(self.rows * self.columns):
            of = self.cell_at(index)
            if self.board[of] == 0:
                for d in range(4):
                    if (self.line_classes[of * 2 + c_side] >> (4 * d)) & 15 >= c_least:
                        cells |= 1 << int(index)
                        break
        return cells

    def classes(self) -> list[tuple[int, int, int, int] | None]:
        """What `patterns` says of each cell: of an empty one, by index, four numbers.

        The line classes for X as in `weights.cell_tables`, those for O, and the cell's class for X
        and for O.
        """
        seen: list[tuple[int, int, int, int] | None] = []
        for index in range(self.rows * self.columns):
            cell = self.cell_at(index)
            x, o = cell * 2, cell * 2 + 1
            seen.append(
                (self.line_classes[x], self.line_classes[o], self.cell_class[x], self.cell_class[o])
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
        for i in range(463):
            self.board[i] = WALL
        for i in range(26):
            self.count[i] = 0
        for i in range(64):
            self.group[i] = 0
        for i in range(8):
            self.near[i] = 0
            self.taken[i] = 0
        for i in range(926):
            self.line_classes[i] = 0
            self.cell_class[i] = 0
        self.weight[0] = self.weight[1] = 0
        self.features[0] = self.features[1] = 0
        self.hash = 0
        self.empty = self.rows * self.columns
        self.made = self.code_log_top = self.class_log_top = 0
        for i in range(self.empty):
            self.board[self.cell_at(i)] = 0
        self.count[0] = self.count[13] = self.empty
        for i in range(self.empty):
            self.look_around(self.cell_at(i))

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_around(self, cell: cython.int) -> cython.void:
        """Write the codes and classes of a cell of the empty board."""
        d: cython.int
        side: cython.int
        way: cython.int
        for d in range(4):
            for way in range(2):
                step: cython.int = self.step[d]
                if way == 0:
                    step = -step
                x: cython.int = cell + step
                reach: cython.int = 0
                while reach < self.reach and self.board[x] == 0:
                    reach += 1
                    x += step
                for side in range(2):
                    self.code[(cell * 4 + d) * 4 + side * 2 + way] = 1 << reach
            for side in range(2):
                i: cython.int = (cell * 4 + d) * 4 + side * 2
                found: cython.int = _line_class(self, self.code[i], self.code[i + 1])
                classes: cython.int = self.line_classes[cell * 2 + side]
                _reclassify(self, cell * 2 + side, classes | found << (4 * d))

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def line_class(self, left: cython.uint, right: cython.uint) -> cython.int:
        """The class of a line by its two codes."""
        return _line_class(self, left, right)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def make(self, cell: cython.int, side: cython.int) -> cython.void:
        """Mark an empty cell and bring everything up to date."""
        i: cython.int
        d: cython.int
        way: cython.int
        x: cython.int
        step: cython.int
        _: cython.int
        one: cython.ulonglong = 1
        bit: cython.uint
        reach: cython.int = self.reach
        made: cython.int = self.made
        self.made_cell[made] = cell
        self.made_code_log[made] = self.code_log_top
        self.made_class_log[made] = self.class_log_top
        self.made = made + 1
        for i in range(2):
            found: cython.int = self.cell_class[cell * 2 + i]
            self.count[i * 13 + found] -= 1
            classes: cython.int = self.line_classes[cell * 2 + i]
            self.weight[i] -= self.weight_table[classes]
            self.features[i] -= self.feature_table[classes]
            _toggle(self, cell, i, self.group_of[found])
        own: cython.int = side + 1
        foe: cython.int = 2 - side
        self.board[cell] = own
        self.empty -= 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for i in range(self.words):
            self.near[(made + 1) * 8 + i] = self.near[made * 8 + i] | self.around[cell * 8 + i]
        for d in range(4):
            for way in range(2):
                # Cells ahead along the way see the mark behind them: their code `way` changes.
                step = self.step[d]
                if way:
                    step = -step
                # The mover's lines gain a mark ...
                x = cell
                bit = 1
                for _ in range(reach):
                    x += step
                    if self.board[x] == 0:
                        i = (x * 4 + d) * 4 + side * 2 + way
                        _recode(self, x, d, side, way, self.code[i] | bit)
                    elif self.board[x] != own:
                        break
                    bit <<= 1
                # ... and the other's end here.
                x = cell
                bit = 1
                for _ in range(reach):
                    x += step
                    if self.board[x] == 0:
                        i = (x * 4 + d) * 4 + (1 - side) * 2 + way
                        _recode(self, x, d, 1 - side, way, (self.code[i] & (bit - 1)) | bit)
                    elif self.board[x] != foe:
                        break
                    bit <<= 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def unmake(self) -> cython.void:
        """Take the last mark back."""
        i: cython.int
        entry: cython.uint
        one: cython.ulonglong = 1
        self.made -= 1
        made: cython.int = self.made
        cell: cython.int = self.made_cell[made]
        while self.class_log_top > self.made_class_log[made]:
            self.class_log_top -= 1
            entry = self.class_log[self.class_log_top]
            _reclassify(self, entry >> 16, entry & 0xFFFF)
        while self.code_log_top > self.made_code_log[made]:
            self.code_log_top -= 1
            entry = self.code_log[self.code_log_top]
            self.code[entry >> 19] = entry & 0x7FFFF
        side: cython.int = self.board[cell] - 1
        self.board[cell] = 0
        self.empty += 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for i in range(2):
            found: cython.int = self.cell_class[cell * 2 + i]
            self.count[i * 13 + found] += 1
            classes: cython.int = self.line_classes[cell * 2 + i]
            self.weight[i] += self.weight_table[classes]
            self.features[i] += self.feature_table[classes]
            _toggle(self, cell, i, self.group_of[found])
