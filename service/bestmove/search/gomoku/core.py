# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disallow-untyped-decorators=False, warn-return-any=False, disallow-any-unimported=False
"""The compiled engine: any (m,n,k)-board to 19×19, threats first, then a deepening search.

Cython in pure Python mode: this one file runs compiled, without the GIL while it searches, and
uncompiled, slower, with the same node counts. From the bottom up:

- A walled board. For every empty cell, line and side two codes say what the side can reach along
  the line; `patterns` says what they promise. All of it, with counts of the classes per side, is
  kept incrementally by `_make` and `_unmake`.
- `_instant`: results that the counts give away without search, up to a win in five plies.
- `_vcf`: victory by continuous fours, at the root and as the quiescence search.
- `_pvs`: principal variation search with a transposition table.
- `Engine.search`: the root, deepening.

Two kinds of win are kept apart. A *proven* value (`WIN - n`) comes only from lines in which every
defence was tried. A node that is not forced tries no more than the cells near the marks, so that
a loss found there is a *presumed* one (`PRESUMED - n`): an estimate as good as certain.
"""

from __future__ import annotations

import math
import time
from array import array
from typing import Final

import cython  # type: ignore[import-untyped]

from bestmove.search.gomoku import patterns
from bestmove.search.results import Found
from bestmove.search.scores import WIN as _WIN

compiled: bool = bool(cython.compiled)
"""Whether this module runs as machine code."""

# Values; see `scores`. As C integers inside, so that no Python object is touched in a search.
WIN = cython.declare(cython.int, _WIN)
PROVEN = cython.declare(cython.int, _WIN - 361)
PRESUMED = cython.declare(cython.int, 20_000)
CERTAIN = cython.declare(cython.int, 19_000)  # beyond it a value counts plies
CAP = cython.declare(cython.int, 15_000)  # the largest evaluation
UNKNOWN = cython.declare(cython.int, 32_000)

# Bounds in the transposition table.
UPPER = cython.declare(cython.int, 1)
LOWER = cython.declare(cython.int, 2)
EXACT = cython.declare(cython.int, 3)

# Classes of a cell, see `patterns`.
THREE = cython.declare(cython.int, patterns.CELL_THREE)
DOUBLE_THREE = cython.declare(cython.int, patterns.CELL_DOUBLE_THREE)
FOUR = cython.declare(cython.int, patterns.CELL_FOUR)
FOUR_PLUS = cython.declare(cython.int, patterns.CELL_FOUR_PLUS)
FOUR_THREE = cython.declare(cython.int, patterns.CELL_FOUR_THREE)
OPEN_FOUR = cython.declare(cython.int, patterns.CELL_OPEN_FOUR)
FIVE = cython.declare(cython.int, patterns.CELL_FIVE)
LINE_FOUR = cython.declare(cython.int, patterns.FOUR)

# Sets of cells kept for each side, by what a mark there makes.
FIVES = cython.declare(cython.int, 0)
OPEN_FOURS = cython.declare(cython.int, 1)
FOURS = cython.declare(cython.int, 2)
THREES = cython.declare(cython.int, 3)

STRIDE = cython.declare(cython.int, 368)  # of the arrays that hold a list of moves for each ply
LAST_PLY = cython.declare(cython.int, 360)  # null moves can make a line longer than the board
GENERATIONS = cython.declare(cython.ulonglong, 8191)
TEMPO = cython.declare(cython.int, 199)  # what the move is worth, fitted like the cells' worth
# Tuned by games of the engine against itself at equal nodes.
QUIET_VCF = cython.declare(cython.int, 60)  # nodes of one search for continuous fours in the tree
FEW = cython.declare(cython.int, 3)  # answers to a threat that are searched a ply deeper
LEARNT = cython.declare(cython.int, 150)  # urgency of a cell that refuted an earlier move

NUMBERS = cython.declare(cython.ulonglong, (1 << 20) - 1)  # infinity of (dis)proof numbers
CHECK_EVERY = cython.declare(cython.int, 1024)  # nodes between two looks at the clock
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # cuts a product as C does
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
DE_BRUIJN = cython.declare(cython.ulonglong, 0x03F79D71B4CB0A89)

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_FAR: Final = 1 << 60

# The lengths of the engine's arrays, which are lists when it runs uncompiled.
_ARRAYS: Final = {
    "step": 4,
    "board": 421,
    "code": 6736,
    "key": 842,
    "kind": 842,
    "count": 26,
    "worth": 2,
    "sets": 56,
    "near": 2548,
    "taken": 7,
    "around": 2947,
    "level": 13,
    "made_cell": 364,
    "made_log": 364,
    "made_keylog": 364,
    "zobrist": 842,
    "tz": 64,
    "reduction": 4096,
    "own_urge": 13,
    "foe_urge": 13,
    "moves": 134320,
    "urges": 134320,
    "stamp": 421,
    "killer": 730,
    "history": 842,
    "reply": 842,
    "pv": 134320,
    "pv_end": 366,
    "ply_move": 366,
    "ply_worth": 366,
    "root_move": 368,
    "root_value": 368,
}


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


@cython.final
@cython.cclass
class Engine:
    """One (m,n,k)-board's searcher: reusable, of bounded memory, for one search at a time.

    Args:
        rows: 1 to 19.
        columns: 1 to 19.
        k: marks in a row, or more, that win; 1 to 19.
        table_bits: the transposition table has 2**table_bits entries of 16 bytes.
    """

    rows: cython.int
    columns: cython.int
    k: cython.int
    width: cython.int  # of the walled board
    words: cython.int  # 64-bit words of a set of cells
    step: cython.int[4]
    # The position, kept by _make and _unmake.
    board: cython.uchar[421]  # 0 empty, 1 X, 2 O, 3 wall
    code: cython.uint[6736]  # at (cell * 4 + direction) * 4 + side * 2 + way
    key: cython.ushort[842]  # the classes of four lines, at cell * 2 + side
    kind: cython.uchar[842]  # the class of the cell, at cell * 2 + side
    count: cython.int[26]  # empty cells of each class, at side * 13 + class
    worth: cython.int[2]
    sets: cython.ulonglong[56]  # at (side * 4 + FIVES ... THREES) * 7 + word
    near: cython.ulonglong[2548]  # the cells near a mark, 7 words for each number of moves made
    taken: cython.ulonglong[7]
    hash: cython.ulonglong
    empty: cython.int
    log: cython.uint[::1]  # (index of a code, code) before each change
    log_top: cython.int
    keylog: cython.uint[::1]
    keylog_top: cython.int
    made: cython.int
    made_cell: cython.int[364]
    made_log: cython.int[364]
    made_keylog: cython.int[364]
    # Tables, made once.
    around: cython.ulonglong[2947]  # the cells near a cell, 7 words each
    level: cython.int[13]
    tabulated: cython.bint
    lines: cython.uchar[::1]
    memo_key: cython.ulonglong[::1]
    memo_class: cython.uchar[::1]
    kinds: cython.uchar[::1]
    worths: cython.int[::1]
    zobrist: cython.ulonglong[842]
    side_hash: cython.ulonglong
    vcf_hash: cython.ulonglong
    threat_hash: cython.ulonglong
    tz: cython.int[64]
    reduction: cython.int[4096]
    own_urge: cython.int[13]
    foe_urge: cython.int[13]
    # The transposition table.
    table_key: cython.ulonglong[::1]
    table_data: cython.ulonglong[::1]
    table_mask: cython.ulonglong
    generation: cython.ulonglong
    # One search.
    nodes: cython.longlong
    cutoffs: cython.longlong
    hits: cython.longlong
    node_limit: cython.longlong
    next_check: cython.longlong
    vcf_limit: cython.longlong
    threat_limit: cython.longlong
    proof: cython.ulonglong
    disproof: cython.ulonglong
    deadline: cython.double
    timed: cython.bint
    stopped: cython.bint
    cancelled: cython.bint
    moves: cython.int[134320]
    urges: cython.int[134320]
    stamp: cython.int[421]
    killer: cython.int[730]
    history: cython.int[842]
    reply: cython.int[842]
    pv: cython.short[134320]
    pv_end: cython.int[366]
    ply_move: cython.int[366]
    ply_worth: cython.int[366]
    root_move: cython.int[368]
    root_value: cython.int[368]
    root_count: cython.int
    root_complete: cython.bint
    root_tried: cython.int
    refuted: cython.bint

    def __init__(self, rows: int, columns: int, k: int, table_bits: int = 20) -> None:
        if not (1 <= rows <= 19 and 1 <= columns <= 19 and 1 <= k <= 19):
            raise ValueError(f"no board of the engine: {rows} rows, {columns} columns, k = {k}")
        if not 4 <= table_bits <= 28:
            raise ValueError(f"table_bits must be from 4 to 28, not {table_bits}")
        if not cython.compiled:
            for name, length in _ARRAYS.items():
                setattr(self, name, [0] * length)
        self.rows = rows
        self.columns = columns
        self.k = k
        self.width = columns + 1
        self.words = ((rows + 2) * self.width + 1 + 63) >> 6
        for i, step in enumerate((1, self.width, self.width + 1, self.width - 1)):
            self.step[i] = step
        reach = k - 1
        changes = 2 * (min(reach, rows - 1) + 3 * min(reach, columns - 1 + rows - 1) + 3)
        self.log = memoryview(bytearray(16 * (rows * columns + 1) * changes)).cast("I")
        self.keylog = memoryview(bytearray(16 * (rows * columns + 1) * changes)).cast("I")
        self.tabulated = k <= patterns.FULL_TABLE_K
        self.lines = memoryview(patterns.line_table(k) if self.tabulated else bytearray(1))
        slots = 1 if self.tabulated else 1 << 16
        self.memo_key = memoryview(bytearray(8 * slots)).cast("Q")
        self.memo_class = memoryview(bytearray(slots))
        kinds, worths = patterns.cell_tables()
        self.kinds = memoryview(kinds)
        self.worths = memoryview(array("i", worths))
        self._fill_tables()
        entries = 1 << table_bits
        self.table_key = memoryview(bytearray(8 * entries)).cast("Q")
        self.table_data = memoryview(bytearray(8 * entries)).cast("Q")
        self.table_mask = entries - 4
        self.generation = 0
        self.stopped = False
        self.cancelled = False

    def _fill_tables(self) -> None:
        random = _random_words(845)
        for i in range(842):
            self.zobrist[i] = random[i]
        self.side_hash = random[842]
        self.vcf_hash = random[843]
        self.threat_hash = random[844]
        for i in range(64):
            self.tz[((0x03F79D71B4CB0A89 << i) & _MASK) >> 58] = i
        for i in range(13):
            self.level[i] = 4
        self.level[FIVE] = FIVES
        self.level[OPEN_FOUR] = OPEN_FOURS
        for i in range(FOUR, FOUR_THREE + 1):
            self.level[i] = FOURS
        for i in range(THREE, DOUBLE_THREE + 1):
            self.level[i] = THREES
        for depth in range(1, 64):
            for number in range(1, 64):
                self.reduction[depth * 64 + number] = int(
                    0.6 + math.log(depth) * math.log(number) / 1.5
                )
        own = (0, 0, 4, 14, 16, 60, 85, 160, 50, 80, 400, 1000, 4000)
        foe = (0, 0, 2, 8, 10, 40, 55, 100, 35, 50, 200, 500, 2000)
        for i in range(13):
            self.own_urge[i] = own[i]
            self.foe_urge[i] = foe[i]
        offsets = [(i, j) for i in range(-2, 3) for j in range(-2, 3)]
        offsets += [(3 * i, 3 * j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        for row in range(self.rows):
            for column in range(self.columns):
                cell = self._cell(row * self.columns + column)
                for i, j in offsets:
                    if 0 <= row + i < self.rows and 0 <= column + j < self.columns:
                        other = cell + i * self.width + j
                        self.around[cell * 7 + (other >> 6)] |= 1 << (other & 63)

    # Between the caller's indices and the walled board's.

    def _cell(self, index: int) -> int:
        return (index // self.columns + 1) * self.width + index % self.columns + 1

    def _index(self, cell: int) -> int:
        return (cell // self.width - 1) * self.columns + cell % self.width - 1

    # The position.

    def _set_up(self, cells: bytes) -> None:
        """Put a position on the board, all from nothing, so that no search sees the last one."""
        if len(cells) != self.rows * self.columns:
            raise ValueError(f"{len(cells)} cells, not {self.rows} × {self.columns}")
        for i in range(421):
            self.board[i] = 3
            self.stamp[i] = 0
        for i in range(26):
            self.count[i] = 0
        for i in range(56):
            self.sets[i] = 0
        for i in range(7):
            self.near[i] = 0
            self.taken[i] = 0
        for i in range(842):
            self.key[i] = 0
            self.kind[i] = 0
            self.history[i] = 0
            self.reply[i] = 0
        for i in range(730):
            self.killer[i] = 0
        self.worth[0] = self.worth[1] = 0
        self.hash = 0
        self.empty = self.rows * self.columns
        self.made = self.log_top = self.keylog_top = 0
        for index in range(self.empty):
            self.board[self._cell(index)] = 0
        self.count[0] = self.count[13] = self.empty
        for index in range(self.empty):
            self._look_around(self._cell(index))
        for index, mark in enumerate(cells):
            if mark:
                self._make(self._cell(index), mark - 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_around(self, cell: cython.int) -> cython.void:
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
                while reach < self.k - 1 and self.board[x] == 0:
                    reach += 1
                    x += step
                for side in range(2):
                    self.code[(cell * 4 + d) * 4 + side * 2 + way] = 1 << reach
            for side in range(2):
                i: cython.int = (cell * 4 + d) * 4 + side * 2
                found: cython.int = self._line(self.code[i], self.code[i + 1])
                key: cython.int = self.key[cell * 2 + side]
                self._rekey(cell * 2 + side, key | found << (4 * d))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _line(self, left: cython.uint, right: cython.uint) -> cython.int:
        if self.tabulated:
            return self.lines[(left << self.k) | right]
        return self._line_on_demand(left, right)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _line_on_demand(self, left: cython.uint, right: cython.uint) -> cython.int:
        wide: cython.ulonglong = left
        key: cython.ulonglong = (wide << 20) | right
        slot: cython.int = ((key * GOLDEN) & WORD) >> 48
        if self.memo_key[slot] != key:
            found: cython.int = 0
            with cython.gil:
                found = patterns.line_class(left, right, self.k)
            self.memo_key[slot] = key
            self.memo_class[slot] = found
        return self.memo_class[slot]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _rekey(self, i: cython.int, key: cython.int) -> cython.void:
        """Give a cell, for one side, new line classes: `i` is cell * 2 + side."""
        side: cython.int = i & 1
        cell: cython.int = i >> 1
        self.worth[side] += self.worths[key] - self.worths[self.key[i]]
        self.key[i] = key
        old: cython.int = self.kind[i]
        new: cython.int = self.kinds[key]
        if old != new:
            self.kind[i] = new
            self.count[side * 13 + old] -= 1
            self.count[side * 13 + new] += 1
            self._enlist(cell, side, self.level[old])
            self._enlist(cell, side, self.level[new])

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _enlist(self, cell: cython.int, side: cython.int, level: cython.int) -> cython.void:
        """Put a cell into a side's set, or take it out when it is in."""
        one: cython.ulonglong = 1
        if level < 4:
            self.sets[(side * 4 + level) * 7 + (cell >> 6)] ^= one << (cell & 63)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _recode(
        self, cell: cython.int, d: cython.int, side: cython.int, way: cython.int, code: cython.uint
    ) -> cython.void:
        i: cython.int = (cell * 4 + d) * 4 + side * 2
        at: cython.uint = i + way
        self.log[self.log_top] = (at << 19) | self.code[at]
        self.log_top += 1
        self.code[at] = code
        found: cython.int = self._line(self.code[i], self.code[i + 1])
        j: cython.uint = cell * 2 + side
        key: cython.int = self.key[j]
        was: cython.int = (key >> (4 * d)) & 15
        if found != was:
            self.keylog[self.keylog_top] = (j << 16) | key
            self.keylog_top += 1
            self._rekey(j, key ^ ((found ^ was) << (4 * d)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make(self, cell: cython.int, side: cython.int) -> cython.void:
        """Mark an empty cell and bring everything up to date."""
        i: cython.int
        d: cython.int
        way: cython.int
        x: cython.int
        step: cython.int
        _: cython.int
        one: cython.ulonglong = 1
        bit: cython.uint
        reach: cython.int = self.k - 1
        made: cython.int = self.made
        self.made_cell[made] = cell
        self.made_log[made] = self.log_top
        self.made_keylog[made] = self.keylog_top
        self.made = made + 1
        for i in range(2):
            kind: cython.int = self.kind[cell * 2 + i]
            self.count[i * 13 + kind] -= 1
            self.worth[i] -= self.worths[self.key[cell * 2 + i]]
            self._enlist(cell, i, self.level[kind])
        own: cython.int = side + 1
        foe: cython.int = 2 - side
        self.board[cell] = own
        self.empty -= 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for i in range(self.words):
            self.near[(made + 1) * 7 + i] = self.near[made * 7 + i] | self.around[cell * 7 + i]
        for d in range(4):
            for way in range(2):
                # Cells ahead see the mark behind them: in their way 0.
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
                        self._recode(x, d, side, way, self.code[i] | bit)
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
                        self._recode(x, d, 1 - side, way, (self.code[i] & (bit - 1)) | bit)
                    elif self.board[x] != foe:
                        break
                    bit <<= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unmake(self) -> cython.void:
        """Take the last mark back."""
        i: cython.int
        entry: cython.uint
        one: cython.ulonglong = 1
        self.made -= 1
        made: cython.int = self.made
        cell: cython.int = self.made_cell[made]
        while self.keylog_top > self.made_keylog[made]:
            self.keylog_top -= 1
            entry = self.keylog[self.keylog_top]
            self._rekey(entry >> 16, entry & 0xFFFF)
        while self.log_top > self.made_log[made]:
            self.log_top -= 1
            entry = self.log[self.log_top]
            self.code[entry >> 19] = entry & 0x7FFFF
        side: cython.int = self.board[cell] - 1
        self.board[cell] = 0
        self.empty += 1
        self.hash ^= self.zobrist[cell * 2 + side]
        self.taken[cell >> 6] ^= one << (cell & 63)
        for i in range(2):
            kind: cython.int = self.kind[cell * 2 + i]
            self.count[i * 13 + kind] += 1
            self.worth[i] += self.worths[self.key[cell * 2 + i]]
            self._enlist(cell, i, self.level[kind])

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _lowest(self, word: cython.ulonglong) -> cython.int:
        """The place of the lowest bit that is set, by a de Bruijn sequence."""
        return self.tz[(((word & -word) * DE_BRUIJN) & WORD) >> 58]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _first_of(self, side: cython.int, level: cython.int) -> cython.int:
        """The lowest cell of a side's set; 0, a wall, when it is empty."""
        i: cython.int
        for i in range(self.words):
            if self.sets[(side * 4 + level) * 7 + i]:
                return (i << 6) + self._lowest(self.sets[(side * 4 + level) * 7 + i])
        return 0

    # The transposition table: four entries to a bucket; data from the top: generation 13 bits,
    # bound 2, depth 8, move 9, evaluation 16, value 16.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _probe(self, key: cython.ulonglong) -> cython.ulonglong:
        """The data stored for a position in this search, or 0."""
        i: cython.ulonglong
        first: cython.ulonglong = key & self.table_mask
        for i in range(first, first + 4):
            if self.table_key[i] == key and self.table_data[i] >> 51 == self.generation:
                return self.table_data[i]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _store(
        self,
        key: cython.ulonglong,
        value: cython.int,
        evaluation: cython.int,
        move: cython.int,
        depth: cython.int,
        bound: cython.int,
    ) -> cython.void:
        i: cython.ulonglong
        first: cython.ulonglong = key & self.table_mask
        chosen: cython.ulonglong = first
        least: cython.int = 1000
        rank: cython.int
        for i in range(first, first + 4):
            if self.table_data[i] >> 51 != self.generation:
                rank = -1
            elif self.table_key[i] == key:
                chosen = i
                break
            else:
                rank = (self.table_data[i] >> 41) & 255
            if rank < least:
                least = rank
                chosen = i
        data: cython.ulonglong = self.generation
        data = (data << 2) | bound
        data = (data << 8) | depth
        data = (data << 9) | move
        data = (data << 16) | (evaluation + 32768)
        data = (data << 16) | (value + 32768)
        self.table_key[chosen] = key
        self.table_data[chosen] = data

    # Searching.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _check(self) -> cython.void:
        """Look at the limits; called every so many nodes."""
        if self.cancelled or self.nodes >= self.node_limit:
            self.stopped = True
        if self.timed:
            with cython.gil:
                if time.monotonic() >= self.deadline:
                    self.stopped = True
        self.next_check = self.nodes + CHECK_EVERY
        if self.node_limit < self.next_check:
            self.next_check = self.node_limit

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _instant(self, side: cython.int, ply: cython.int) -> cython.int:
        """The value when the counts give it away, proven; UNKNOWN otherwise."""
        own: cython.int = side * 13
        foe: cython.int = 13 - own
        if self.count[own + FIVE]:
            return WIN - (ply + 1)
        if self.count[foe + FIVE] > 1:
            # Two cells complete a line: only one can be taken, and no line of ours is ready.
            return -(WIN - (ply + 2))
        if self.count[foe + FIVE] == 0:
            if self.count[own + OPEN_FOUR]:
                # Two cells will complete it, and the other side, with no four, has no line yet.
                return WIN - (ply + 3)
            if (
                self.count[own + FOUR_THREE]
                and self._fours(1 - side) + self.count[foe + OPEN_FOUR] == 0
            ):
                # The four is answered by a mark that makes no four, on another line than the
                # three, which then becomes an open four.
                return WIN - (ply + 5)
        if self.count[0] == self.empty and self.count[13] == self.empty:
            return 0  # no line is alive (or no cell is left)
        return UNKNOWN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_pv(self, ply: cython.int, cell: cython.int) -> cython.void:
        """The line from `ply` is `cell` and then the line from the next ply."""
        i: cython.int
        self.pv[ply * STRIDE + ply] = cell
        for i in range(ply + 1, self.pv_end[ply + 1]):
            self.pv[ply * STRIDE + i] = self.pv[(ply + 1) * STRIDE + i]
        self.pv_end[ply] = self.pv_end[ply + 1]
        if self.pv_end[ply] <= ply:
            self.pv_end[ply] = ply + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _vcf(self, side: cython.int, ply: cython.int, left: cython.int) -> cython.int:
        """Victory by continuous fours: the plies to it, or 0 when there is none in `left` plies.

        Each of the attacker's moves makes a four and so leaves one reply; the proof is complete.
        """
        self.nodes += 1
        if self.nodes >= self.next_check:
            self._check()
        self.pv_end[ply] = ply
        if self.stopped:
            return 0
        foe: cython.int = 1 - side
        value: cython.int = self._instant(side, ply)
        if value != UNKNOWN:
            return WIN - value - ply if value >= PROVEN else 0
        if left < 7 or self.nodes >= self.vcf_limit:
            return 0
        i: cython.int
        word: cython.ulonglong
        cell: cython.int
        must: cython.int = 0
        if self.count[foe * 13 + FIVE]:
            must = self._first_of(foe, FIVES)
            value = self.kind[must * 2 + side]
            if value == OPEN_FOUR:
                self.pv[ply * STRIDE + ply] = must
                self.pv_end[ply] = ply + 1
                return 3
            if value < FOUR:
                return 0
        key: cython.ulonglong = self.hash ^ self.vcf_hash
        if side:
            key ^= self.side_hash
        data: cython.ulonglong = self._probe(key)
        if data:
            value = (data >> 41) & 255
            if value >= left:
                return 0
        found: cython.int = 0
        n: cython.int = 0
        base: cython.int = ply * STRIDE
        if must:
            self.moves[base] = must
            self.urges[base] = 0
            n = 1
        else:
            for i in range(self.words):
                word = self.sets[(side * 4 + FOURS) * 7 + i]
                while word:
                    cell = (i << 6) + self._lowest(word)
                    word &= word - 1
                    self.moves[base + n] = cell
                    self.urges[base + n] = (
                        self.worths[self.key[cell * 2 + side]]
                        + self.own_urge[self.kind[cell * 2 + side]]
                    )
                    n += 1
        while n:
            cell = self._pick(base, 0, n)
            n -= 1
            self.moves[base] = self.moves[base + n]
            self.urges[base] = self.urges[base + n]
            self._make(cell, side)
            must = self._first_of(side, FIVES)
            self._make(must, foe)
            found = self._vcf(side, ply + 2, left - 2)
            self._unmake()
            self._unmake()
            if self.stopped:
                return 0
            if found:
                self.pv_end[ply + 1] = self.pv_end[ply + 2]
                for i in range(ply + 2, self.pv_end[ply + 2]):
                    self.pv[(ply + 1) * STRIDE + i] = self.pv[(ply + 2) * STRIDE + i]
                if self.pv_end[ply + 1] < ply + 2:
                    self.pv_end[ply + 1] = ply + 2
                self.pv[(ply + 1) * STRIDE + ply + 1] = must
                self._take_pv(ply, cell)
                return found + 2
        if self.nodes < self.vcf_limit:
            self._store(key, 0, 0, 0, left if left < 255 else 255, EXACT)
        return 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _pick(self, base: cython.int, i: cython.int, n: cython.int) -> cython.int:
        """Bring the most urgent of moves i to n - 1 to place i; the first of equals."""
        j: cython.int
        best: cython.int = i
        for j in range(i + 1, n):
            if self.urges[base + j] > self.urges[base + best]:
                best = j
        cell: cython.int = self.moves[base + best]
        urge: cython.int = self.urges[base + best]
        self.moves[base + best] = self.moves[base + i]
        self.urges[base + best] = self.urges[base + i]
        self.moves[base + i] = cell
        self.urges[base + i] = urge
        return cell

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _defences(self, side: cython.int, base: cython.int) -> cython.int:
        """List every move that does not lose at once to an open four (or two fours).

        The other side has a cell whose marking leaves two cells to complete a line, and no line
        is one mark short yet. A move that neither makes a four nor spoils every such cell is
        answered there and lost; a cell is spoilt only by a mark on one of its lines of fours.
        """
        foe: cython.int = 1 - side
        i: cython.int
        d: cython.int
        way: cython.int
        n: cython.int = 0
        threats: cython.int = 0
        x: cython.int
        m: cython.int
        step: cython.int
        _: cython.int
        at: cython.int
        bit: cython.uint
        cut: cython.uint
        key: cython.int
        found: cython.int
        word: cython.ulonglong
        for i in range(self.words):
            word = self.sets[(foe * 4 + OPEN_FOURS) * 7 + i]
            while word:
                x = (i << 6) + self._lowest(word)
                word &= word - 1
                threats += 1
                if self.stamp[x] == threats - 1:
                    self.stamp[x] = threats
                    if threats == 1:
                        self.moves[base + n] = x
                        n += 1
                key = self.key[x * 2 + foe]
                for d in range(4):
                    if (key >> (4 * d)) & 15 < LINE_FOUR:
                        continue
                    at = (x * 4 + d) * 4 + foe * 2
                    for way in range(2):
                        step = self.step[d]
                        if way == 0:
                            step = -step
                        m = x
                        bit = 1
                        for _ in range(self.k - 1):
                            m += step
                            if self.board[m] == 0:
                                if self.stamp[m] == threats - 1:
                                    cut = (self.code[at + way] & (bit - 1)) | bit
                                    found = self._line(cut, self.code[at + 1 - way])
                                    found ^= (key >> (4 * d)) & 15
                                    if self.kinds[key ^ (found << (4 * d))] < OPEN_FOUR:
                                        self.stamp[m] = threats
                                        if threats == 1:
                                            self.moves[base + n] = m
                                            n += 1
                            elif self.board[m] != foe + 1:
                                break
                            bit <<= 1
        kept: cython.int = 0
        for i in range(n):
            m = self.moves[base + i]
            if self.stamp[m] == threats:
                self.moves[base + kept] = m
                kept += 1
            else:
                self.stamp[m] = 0
        for i in range(self.words):
            word = self.sets[(side * 4 + FOURS) * 7 + i]
            while word:
                m = (i << 6) + self._lowest(word)
                word &= word - 1
                if self.stamp[m] == 0:
                    self.moves[base + kept] = m
                    kept += 1
        for i in range(kept):
            self.stamp[self.moves[base + i]] = 0
        return kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _candidates(self, base: cython.int) -> cython.int:
        """List the cells near the marks on which a line of either side is alive."""
        i: cython.int
        n: cython.int = 0
        cell: cython.int
        word: cython.ulonglong
        for i in range(self.words):
            word = self.near[self.made * 7 + i] & ~self.taken[i]
            while word:
                cell = (i << 6) + self._lowest(word)
                word &= word - 1
                if self.kind[cell * 2] or self.kind[cell * 2 + 1]:
                    self.moves[base + n] = cell
                    n += 1
        if n == 0:
            n = self._everywhere(base, 0)
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _everywhere(self, base: cython.int, n: cython.int) -> cython.int:
        """Add every empty cell that the n moves listed leave out."""
        row: cython.int
        column: cython.int
        cell: cython.int
        i: cython.int
        for i in range(n):
            self.stamp[self.moves[base + i]] = 1
        listed: cython.int = n
        for row in range(1, self.rows + 1):
            for column in range(1, self.columns + 1):
                cell = row * self.width + column
                if self.board[cell] == 0 and self.stamp[cell] == 0:
                    self.moves[base + n] = cell
                    n += 1
        for i in range(listed):
            self.stamp[self.moves[base + i]] = 0
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh(
        self,
        side: cython.int,
        ply: cython.int,
        n: cython.int,
        first: cython.int,
    ) -> cython.void:
        """Say how urgent each listed move is; `first` is the table's move or 0."""
        i: cython.int
        cell: cython.int
        urge: cython.int
        a: cython.int
        b: cython.int
        base: cython.int = ply * STRIDE
        answer: cython.int = 0
        if ply > 0 and self.ply_move[ply - 1]:
            answer = self.reply[self.ply_move[ply - 1] * 2 + side]
        for i in range(n):
            cell = self.moves[base + i]
            a = cell * 2 + side
            b = a ^ 1
            urge = self.worths[self.key[a]] + self.worths[self.key[b]]
            urge += self.own_urge[self.kind[a]] + self.foe_urge[self.kind[b]]
            urge += self.history[a] >> 6
            if cell == first:
                urge += 100000
            elif cell == self.killer[ply * 2] or cell == self.killer[ply * 2 + 1]:
                urge += 40
            if cell == answer:
                urge += 30
            self.urges[base + i] = urge

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, side: cython.int) -> cython.int:
        """An estimate for the side to move."""
        own: cython.int = side * 13
        foe: cython.int = 13 - own
        fours: cython.int = self._fours(side)
        # Fitted with the worth of the cells; see `patterns`.
        value: cython.int = self.worth[side] - self.worth[1 - side] + TEMPO
        if fours:
            value += 28
        if self.count[own + DOUBLE_THREE]:
            value += 113
        if self.count[own + THREE] + self.count[own + THREE + 1]:
            value += 52
        if self.count[foe + OPEN_FOUR]:
            value -= 50 if fours else 24
        else:
            if self.count[foe + DOUBLE_THREE]:
                value += 102
            if self._fours(1 - side):
                value -= 13
        if value > CAP:
            return CAP
        return -CAP if value < -CAP else value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _quiet(self, side: cython.int, ply: cython.int, beta: cython.int) -> cython.int:
        """The value of a leaf: an estimate, or a win by continuous fours where that is too low."""
        found: cython.int
        value: cython.int = self._evaluate(side)
        if value < beta and self._has_rich_fours(side):
            self.vcf_limit = self.nodes + QUIET_VCF
            found = self._vcf(side, ply, 40)
            if found:
                return WIN - (ply + found)
        return value

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _reduced(self, depth: cython.int, number: cython.int) -> cython.int:
        """Plies that a late move is searched less deep; past the table it is as at its edge."""
        return self.reduction[min(depth, 63) * 64 + min(number, 63)]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _fours(self, side: cython.int) -> cython.int:
        """The cells where a mark makes one four, alone or with something else."""
        own: cython.int = side * 13
        return self.count[own + FOUR] + self.count[own + FOUR_PLUS] + self.count[own + FOUR_THREE]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _has_rich_fours(self, side: cython.int) -> cython.bint:
        """Whether a four makes something besides: without one, fours seldom go on to a win."""
        own: cython.int = side * 13
        return self.count[own + FOUR_PLUS] + self.count[own + FOUR_THREE] > 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pvs(
        self,
        side: cython.int,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        ply: cython.int,
        null: cython.bint,
    ) -> cython.int:
        """Principal variation search, fail-soft: the value of the position for the side to move.

        `null` says whether a null move may be tried.
        """
        self.nodes += 1
        if self.nodes >= self.next_check:
            self._check()
        self.pv_end[ply] = ply
        if self.stopped:
            return 0
        value: cython.int = self._instant(side, ply)
        if value != UNKNOWN:
            return value
        foe: cython.int = 1 - side
        forced: cython.bint = self.count[foe * 13 + FIVE] > 0
        threatened: cython.bint = self.count[foe * 13 + OPEN_FOUR] > 0
        if depth <= 0 and not forced:
            return self._quiet(side, ply, beta)
        if ply > LAST_PLY:
            return self._evaluate(side)
        # No value outside what is left to gain or lose needs a search.
        if WIN - (ply + 5) <= alpha:
            return WIN - (ply + 5)
        if -(WIN - (ply + 4)) >= beta:
            return -(WIN - (ply + 4))
        pv_node: cython.bint = beta - alpha > 1
        key: cython.ulonglong = self.hash
        if side:
            key ^= self.side_hash
        data: cython.ulonglong = self._probe(key)
        first: cython.int = 0
        bound: cython.int
        reached: cython.int
        evaluation: cython.int
        if data:
            self.hits += 1
            first = (data >> 32) & 511
            bound = (data >> 49) & 3
            reached = (data >> 41) & 255
            value = (data & 0xFFFF) - 32768
            if value > CERTAIN:
                value -= ply
            elif value < -CERTAIN:
                value += ply
            evaluation = ((data >> 16) & 0xFFFF) - 32768
            if value >= PROVEN and bound & LOWER:
                return value
            if value <= -PROVEN and bound & UPPER:
                return value
            if not pv_node and reached >= depth + 8:
                if bound == EXACT:
                    return value
                if bound == LOWER and value >= beta:
                    return value
                if bound == UPPER and value <= alpha:
                    return value
        else:
            evaluation = self._evaluate(side)
        self.ply_worth[ply] = evaluation
        base: cython.int = ply * STRIDE
        n: cython.int
        found: cython.int
        complete: cython.bint = forced or threatened
        limit: cython.int = 400  # moves to try
        lost: cython.int = 400  # and when all so far lose to threats
        if forced:
            self.moves[base] = self._first_of(foe, FIVES)
            self.urges[base] = 0
            n = 1
        else:
            promising: cython.bint = not pv_node and not threatened and -CAP < beta < CAP
            if promising and depth <= 5 and evaluation - 40 * depth >= beta:
                return evaluation
            # A win by fours ends it; looked for once a position, which is then in the table.
            if data == 0 and self._has_rich_fours(side):
                self.vcf_limit = self.nodes + QUIET_VCF
                found = self._vcf(side, ply, 40)
                if found:
                    return WIN - (ply + found)
                self.pv_end[ply] = ply
                if self.stopped:
                    return 0
            if threatened:
                n = self._defences(side, base)
                if n == 0:
                    return -(WIN - (ply + 4))
            else:
                if promising:
                    if depth <= 3 and evaluation + 50 + 50 * depth <= alpha:
                        return evaluation
                    if null and depth >= 3 and evaluation >= beta:
                        self.ply_move[ply] = 0
                        value = -self._pvs(
                            foe, depth - 4 - (depth >> 2), -beta, 1 - beta, ply + 1, False
                        )
                        if self.stopped:
                            return 0
                        if value >= beta:
                            return value if value < CERTAIN else beta
                        self.pv_end[ply] = ply
                n = self._candidates(base)
                lost = 12 + 2 * depth
                if pv_node:
                    lost *= 2
                else:
                    limit = 5 + 2 * depth + depth * depth // 5
            self._weigh(side, ply, n, first)
        best: cython.int = -UNKNOWN
        best_cell: cython.int = 0
        floor: cython.int = alpha
        i: cython.int
        cell: cython.int
        kind: cython.int
        less: cython.int
        deeper: cython.int = depth if forced or (threatened and n <= FEW) else depth - 1
        for i in range(n):
            cell = self._pick(base, i, n)
            if i >= (limit if best > -CERTAIN else lost):
                break
            kind = self.kind[cell * 2 + side]
            self.ply_move[ply] = cell
            self._make(cell, side)
            if i == 0:
                value = -self._pvs(foe, deeper, -beta, -alpha, ply + 1, True)
            else:
                less = 0
                if depth >= 2 and i >= 1 and not complete:
                    less = self._reduced(depth, i)
                    if kind >= THREE:
                        less = less // 2
                    if pv_node and less > 0:
                        less -= 1
                    if less > deeper:
                        less = deeper
                value = -self._pvs(foe, deeper - less, -alpha - 1, -alpha, ply + 1, True)
                if value > alpha and less > 0:
                    value = -self._pvs(foe, deeper, -alpha - 1, -alpha, ply + 1, True)
                if alpha < value < beta:
                    value = -self._pvs(foe, deeper, -beta, -alpha, ply + 1, True)
            self._unmake()
            if self.stopped:
                return 0
            if value <= -CERTAIN and i < 3 and not complete:
                self._learn(base, i + 1, n, ply + 1)
            if value > best:
                best = value
                best_cell = cell
                if value > alpha:
                    alpha = value
                    if pv_node or value >= PROVEN:
                        self._take_pv(ply, cell)
                    if value >= beta:
                        self.cutoffs += 1
                        if not forced:
                            self._reward(side, ply, depth, base, i)
                        break
        if not complete and best <= -PROVEN:
            # Not every cell was tried: as good as lost, but not proven.
            best = -(PRESUMED - (WIN + best))
        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= floor:
            bound = UPPER
        value = best
        if value > CERTAIN:
            value += ply
        elif value < -CERTAIN:
            value -= ply
        self._store(key, value, evaluation, best_cell, depth + 8, bound)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _learn(
        self, base: cython.int, first: cython.int, n: cython.int, ply: cython.int
    ) -> cython.void:
        """Try the cells of the line that refuted a move before the moves that are left."""
        i: cython.int
        j: cython.int
        cell: cython.int
        for i in range(ply, self.pv_end[ply]):
            cell = self.pv[ply * STRIDE + i]
            for j in range(first, n):
                if self.moves[base + j] == cell:
                    self.urges[base + j] += LEARNT
                    break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reward(
        self,
        side: cython.int,
        ply: cython.int,
        depth: cython.int,
        base: cython.int,
        number: cython.int,
    ) -> cython.void:
        """Remember a move that cut, and that those tried before it did not."""
        i: cython.int
        cell: cython.int = self.moves[base + number]
        bonus: cython.int = depth * depth * 4 + 4
        if depth < 0:
            bonus = 4
        if bonus > 800:
            bonus = 800
        if self.killer[ply * 2] != cell:
            self.killer[ply * 2 + 1] = self.killer[ply * 2]
            self.killer[ply * 2] = cell
        if ply > 0 and self.ply_move[ply - 1]:
            self.reply[self.ply_move[ply - 1] * 2 + side] = cell
        for i in range(number + 1):
            cell = self.moves[base + i] * 2 + side
            if i == number:
                self.history[cell] += bonus - ((self.history[cell] * bonus) >> 13)
            else:
                self.history[cell] -= bonus + ((self.history[cell] * bonus) >> 13)

    # Victory by continuous threats: depth-first proof-number search (Nagai 2002). The attacker
    # makes fours and threes only; the defender tries every move that does not lose at once, so a
    # proof holds. Numbers live in the transposition table: rank 8 bits, proof 20, disproof 20.

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _threat_key(self, side: cython.int, attacker: cython.int) -> cython.ulonglong:
        key: cython.ulonglong = self.hash ^ self.threat_hash
        if side:
            key ^= self.side_hash
        if attacker:
            key ^= self.vcf_hash
        return key

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _store_numbers(
        self,
        key: cython.ulonglong,
        proof: cython.ulonglong,
        disproof: cython.ulonglong,
        work: cython.longlong,
    ) -> cython.void:
        rank: cython.int = 0
        while work > 1 and rank < 40:
            work >>= 1
            rank += 1
        if proof == 0 or disproof == 0:
            rank += 4
        i: cython.ulonglong
        first: cython.ulonglong = key & self.table_mask
        chosen: cython.ulonglong = first
        least: cython.int = 1000
        held: cython.int
        for i in range(first, first + 4):
            if self.table_data[i] >> 51 != self.generation:
                held = -1
            elif self.table_key[i] == key:
                chosen = i
                break
            else:
                held = (self.table_data[i] >> 41) & 255
            if held < least:
                least = held
                chosen = i
        data: cython.ulonglong = self.generation
        data = (data << 10) | rank
        data = (data << 20) | proof
        data = (data << 20) | disproof
        self.table_key[chosen] = key
        self.table_data[chosen] = data << 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _attacks(self, side: cython.int, base: cython.int) -> cython.int:
        """List the attacker's moves: fours and threes, such as answer the foe's threat if any."""
        foe: cython.int = 1 - side
        i: cython.int
        n: cython.int = 0
        kept: cython.int = 0
        level: cython.int
        word: cython.ulonglong
        kind: cython.int
        if self.count[foe * 13 + FIVE]:
            self.moves[base] = self._first_of(foe, FIVES)
            return 1
        if self.count[foe * 13 + OPEN_FOUR]:
            n = self._defences(side, base)
            for i in range(n):
                kind = self.kind[self.moves[base + i] * 2 + side]
                if kind >= THREE:
                    self.moves[base + kept] = self.moves[base + i]
                    kept += 1
            return kept
        for level in range(FOURS, THREES + 1):
            for i in range(self.words):
                word = self.sets[(side * 4 + level) * 7 + i]
                while word:
                    self.moves[base + n] = (i << 6) + self._lowest(word)
                    word &= word - 1
                    n += 1
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _threats(
        self,
        side: cython.int,
        attacker: cython.int,
        ply: cython.int,
        most_proof: cython.ulonglong,
        most_disproof: cython.ulonglong,
    ) -> cython.void:
        """Search until a number reaches its limit; leaves them in self.proof, self.disproof."""
        began: cython.longlong = self.nodes
        self.nodes += 1
        if self.nodes >= self.next_check:
            self._check()
        key: cython.ulonglong = self._threat_key(side, attacker)
        value: cython.int = self._instant(side, ply)
        n: cython.int = 0
        base: cython.int = ply * STRIDE
        won: cython.bint = False
        over: cython.bint = value != UNKNOWN
        if over:
            won = value >= PROVEN if side == attacker else value <= -PROVEN
        elif side == attacker:
            n = self._attacks(side, base)
            over = n == 0
        elif self.count[attacker * 13 + FIVE]:
            self.moves[base] = self._first_of(attacker, FIVES)
            n = 1
        elif self.count[attacker * 13 + OPEN_FOUR]:
            n = self._defences(side, base)
            over = won = n == 0
        else:
            over = True  # no threat to answer: the attack has ended
        if over:
            self.proof = 0 if won else NUMBERS
            self.disproof = NUMBERS if won else 0
            self._store_numbers(key, self.proof, self.disproof, 1)
            return
        i: cython.int
        best: cython.int
        cell: cython.int
        child: cython.ulonglong
        data: cython.ulonglong
        ours: cython.ulonglong  # the number that one child sets: the mover's goal
        theirs: cython.ulonglong  # the number that all children add up to
        least: cython.ulonglong
        second: cython.ulonglong
        total: cython.ulonglong
        chosen: cython.ulonglong
        limit_ours: cython.ulonglong
        limit_theirs: cython.ulonglong
        attacking: cython.bint = side == attacker
        most_ours: cython.ulonglong = most_proof if attacking else most_disproof
        most_theirs: cython.ulonglong = most_disproof if attacking else most_proof
        while True:
            least = NUMBERS
            second = NUMBERS
            total = 0
            chosen = 0
            best = 0
            for i in range(n):
                cell = self.moves[base + i]
                child = key ^ self.zobrist[cell * 2 + side] ^ self.side_hash
                data = self._probe(child)
                if data:
                    ours = (data >> 21) & NUMBERS
                    theirs = (data >> 1) & NUMBERS
                    if not attacking:
                        ours = (data >> 1) & NUMBERS
                        theirs = (data >> 21) & NUMBERS
                else:
                    ours = 1
                    theirs = 1
                    if attacking and self.kind[cell * 2 + side] < FOUR:
                        ours = 3
                if ours < least:
                    second = least
                    least = ours
                    chosen = theirs
                    best = i
                elif ours < second:
                    second = ours
                total += theirs
            if total >= NUMBERS:
                total = NUMBERS - 1  # large, but not settled
            if least == 0:
                total = NUMBERS
            elif total == 0:
                least = NUMBERS
            if (
                least >= most_ours
                or total >= most_theirs
                or self.stopped
                or self.nodes >= self.threat_limit
            ):
                break
            limit_ours = second + (second >> 2) + 1
            if limit_ours > most_ours:
                limit_ours = most_ours
            limit_theirs = most_theirs - total + chosen
            cell = self.moves[base + best]
            self._make(cell, side)
            if attacking:
                self._threats(1 - side, attacker, ply + 1, limit_ours, limit_theirs)
            else:
                self._threats(1 - side, attacker, ply + 1, limit_theirs, limit_ours)
            self._unmake()
        self.proof = least if attacking else total
        self.disproof = total if attacking else least
        self._store_numbers(key, self.proof, self.disproof, self.nodes - began)

    # The root.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _root(
        self, side: cython.int, depth: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """Search every root move; the best so far is in the line from ply 0."""
        i: cython.int
        j: cython.int
        n: cython.int = self.root_count
        cell: cython.int
        value: cython.int
        less: cython.int
        best: cython.int = -UNKNOWN
        self.nodes += 1
        self.pv_end[0] = 0
        self.root_tried = 0
        deeper: cython.int = depth - 1 if n > 1 else depth
        i = 0
        while i < n:
            cell = self.root_move[i]
            self.ply_move[0] = cell
            self._make(cell, side)
            if best == -UNKNOWN:
                value = -self._pvs(1 - side, deeper, -beta, -alpha, 1, True)
            else:
                less = 0
                if depth >= 3 and i >= 4 and not self.root_complete:
                    less = self._reduced(depth, i)
                    if less > 0:
                        less -= 1
                    if self.kind[cell * 2 + side] >= THREE:
                        less = 0
                    if less > deeper:
                        less = deeper
                value = -self._pvs(1 - side, deeper - less, -alpha - 1, -alpha, 1, True)
                if value > alpha and less > 0:
                    value = -self._pvs(1 - side, deeper, -alpha - 1, -alpha, 1, True)
                if alpha < value < beta:
                    value = -self._pvs(1 - side, deeper, -beta, -alpha, 1, True)
            self._unmake()
            if self.stopped:
                return best
            if value > best:
                best = value
                if value > alpha or i == 0:
                    self._take_pv(0, cell)
                    for j in range(i, 0, -1):
                        self.root_move[j] = self.root_move[j - 1]
                    self.root_move[0] = cell
                if value > alpha:
                    alpha = value
                if value >= beta:
                    self.cutoffs += 1
                    return best
            i += 1
            self.root_tried = i
            if i == n and not self.root_complete and best <= -PROVEN:
                # Everything near the marks loses: a proof must try the rest of the board too.
                for j in range(n):
                    self.moves[j] = self.root_move[j]
                n = self._everywhere(0, n)
                for j in range(self.root_count, n):
                    self.root_move[j] = self.moves[j]
                self.root_count = n
                self.root_complete = True
        return best

    # The face.

    def cancel(self) -> None:
        """From another thread: end the search in progress, which returns what it has."""
        self.cancelled = True

    def search(
        self,
        cells: bytes,
        to_move: int,
        *,
        deadline: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Found:
        """The best move found for the side to move, in a position that is not over.

        Args:
            cells: rows * columns bytes along the rows: 0 empty, 1 X, 2 O.
            to_move: 1 for X, 2 for O.
            deadline: when to stop, by `time.monotonic()`; without one, or when it does not
                strike, the same arguments give the same answer whatever was searched before.
            nodes: at most about so many calls of the search.
            depth: at most so many plies, threats apart.
        """
        started = time.monotonic()
        self._begin(cells, deadline, nodes)
        side = to_move - 1
        found = self._without_search(side)
        if found is None:
            found = self._deepen(side, depth, started)
        return found

    def forced_win(
        self, cells: bytes, to_move: int, *, deadline: float | None = None, nodes: int | None = None
    ) -> Found | None:
        """A proven win by continuous threats for the side to move, or None when none was found."""
        self._begin(cells, deadline, nodes)
        found = self._without_search(to_move - 1)
        if found is None:
            found = self._root_vcf(to_move - 1, 20_000)
        if found is None:
            found = self._root_threats(to_move - 1, 1 << 40)
        return found if found is not None and found.value >= PROVEN else None

    def classes(self, cells: bytes) -> list[tuple[int, int, int, int] | None]:
        """What `patterns` says of each cell: of an empty one, by index, four numbers.

        The line classes for X as in `patterns.cell_tables`, those for O, and the cell's class for
        X and for O.
        """
        self._set_up(cells)
        seen: list[tuple[int, int, int, int] | None] = []
        for index, mark in enumerate(cells):
            at = self._cell(index) * 2
            seen.append(
                None if mark else (self.key[at], self.key[at + 1], self.kind[at], self.kind[at + 1])
            )
        return seen

    def evaluate_moves(
        self,
        cells: bytes,
        to_move: int,
        *,
        deadline: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> tuple[list[Found], bool]:
        """Every legal move with its own value for the side to move, best first, ties by index.

        The moves are all searched to one depth, then to the next. The second result says whether
        all were searched to the depth of the first; the arguments are those of `search`.
        """
        self._begin(cells, deadline, nodes)
        side: cython.int = to_move - 1
        n: cython.int = self._everywhere(0, 0)
        self._weigh(side, 0, n, 0)
        order = [self._pick(0, i, n) for i in range(n)]
        found = {cell: self._found(-self._evaluate(1 - side), [cell]) for cell in order}
        reached = dict.fromkeys(order, 0)
        value: cython.int
        plies: cython.int
        foe: cython.int = 1 - side
        for plies in range(1, min(depth if depth is not None else 99, self.empty) + 1):
            for cell in order:
                if found[cell].exact:
                    continue
                if self.kind[cell * 2 + side] == FIVE:
                    found[cell] = self._found(WIN - 1, [cell], plies)
                    continue
                self.ply_move[0] = cell
                self._make(cell, side)
                dead = self.count[0] == self.empty and self.count[13] == self.empty
                with cython.nogil:
                    value = -self._pvs(foe, plies - 1, -UNKNOWN, UNKNOWN, 1, True)
                self._unmake()
                if self.stopped:
                    break
                self._take_pv(0, cell)
                found[cell] = self._better(found[cell], side, value, self._principal(), plies)
                if dead:
                    found[cell] = self._found(0, [cell], plies, exact=True)
                reached[cell] = plies
            order.sort(key=lambda cell: (-found[cell].value, cell))
            if self.stopped or all(one.exact for one in found.values()):
                break
        open_depths = {reached[cell] for cell in order if not found[cell].exact}
        return [found[cell] for cell in order], len(open_depths) <= 1 and 0 not in open_depths

    def _begin(self, cells: bytes, deadline: float | None, nodes: int | None) -> None:
        self._set_up(cells)
        if self.empty == 0:
            raise ValueError("the board is full")
        self.generation += 1
        if self.generation > GENERATIONS:
            # Stamps have run out: only now is the table wiped.
            for i in range(len(self.table_data)):
                self.table_data[i] = 0
            self.generation = 1
        self.nodes = self.cutoffs = self.hits = 0
        self.cancelled = self.stopped = False
        self.timed = deadline is not None
        self.deadline = deadline if deadline is not None else 0.0
        self.node_limit = nodes if nodes is not None else _FAR
        self.next_check = min(CHECK_EVERY, self.node_limit)

    def _found(self, value: int, cells: list[int], depth: int = 0, exact: bool = False) -> Found:
        return Found(
            value=value,
            exact=exact or abs(value) >= PROVEN,
            pv=tuple(self._index(cell) for cell in cells),
            depth=depth,
            nodes=self.nodes,
            cutoffs=self.cutoffs,
            table_hits=self.hits,
        )

    def _without_search(self, side: int) -> Found | None:
        """The answer when the counts give it away, or the board is empty."""
        value: cython.int = self._instant(side, 0)
        if value == UNKNOWN:
            if self.empty < self.rows * self.columns:
                return None
            centre = self.rows // 2 * self.columns + self.columns // 2
            return self._found(self._evaluate(side), [self._cell(centre)])
        self.nodes += 1
        if value == 0:
            for index in range(self.rows * self.columns):
                if self.board[self._cell(index)] == 0:
                    return self._found(0, [self._cell(index)], exact=True)
        return self._proven(side, value, [])

    def _proven(self, side: int, value: int, line: list[int], depth: int = 0) -> Found | None:
        """A proven value with its line played to the end; the line's length is the distance.

        None when the line cannot be completed, which is only so when the limits are reached.
        """
        whole = self._complete(side, side if value > 0 else 1 - side, line)
        if not whole:
            return None
        return self._found(WIN - len(whole) if value > 0 else len(whole) - WIN, whole, depth)

    def _complete(self, side: int, winner: int, line: list[int]) -> list[int]:
        """Play a line of a proven result on to the winning move; [] when it cannot be done."""
        whole = list(line)
        made = 0
        won = False
        turn = side
        for cell in whole:
            won = self.kind[cell * 2 + turn] == FIVE
            self._make(cell, turn)
            made += 1
            turn = 1 - turn
        while not won and self.empty:
            cells = self._winning(turn) if turn == winner else [self._resisting(turn)]
            if not cells:
                break
            for cell in cells:
                won = self.kind[cell * 2 + turn] == FIVE
                self._make(cell, turn)
                made += 1
                turn = 1 - turn
                whole.append(cell)
        for _ in range(made):
            self._unmake()
        return whole if won else []

    def _winning(self, side: int) -> list[int]:
        """What the winner plays next in a proven win, from the counts, the table or fours."""
        cell: cython.int
        foe = 1 - side
        if self.count[side * 13 + FIVE]:
            return [self._first_of(side, FIVES)]
        if self.count[foe * 13 + FIVE] == 0:
            if self.count[side * 13 + OPEN_FOUR]:
                return [self._first_of(side, OPEN_FOURS)]
            if self._instant(side, 0) == WIN - 5:
                for cell in range(421):
                    if self.board[cell] == 0 and self.kind[cell * 2 + side] == FOUR_THREE:
                        return [cell]
        data = self._probe(self.hash ^ (self.side_hash if side else 0))
        if data:
            value = (data & 0xFFFF) - 32768
            move = (data >> 32) & 511
            if value >= PROVEN and (data >> 49) & LOWER and move and self.board[move] == 0:
                return [move]
        limit, deadline, stopped = self.node_limit, self.deadline, self.stopped
        self.node_limit, self.stopped = _FAR, False
        self.deadline = max(deadline, min(deadline + 0.03, time.monotonic() + 0.01))
        self.vcf_limit = self.nodes + 5_000
        line: list[int] = []
        if self._vcf(side, 0, 200):
            line = self._principal()
        else:
            cell = self._threat_move(side, 50_000)
            if cell:
                line = [cell]
        self.node_limit, self.deadline, self.stopped = limit, deadline, stopped
        self.next_check = self.nodes
        return line

    def _threat_move(self, side: int, budget: int) -> int:
        """The first move of a proven win by threats, or 0 when none is proven within the budget."""
        c_side: cython.int = side
        self.threat_limit = self.nodes + budget
        self.vcf_limit = self.threat_limit
        with cython.nogil:
            self._threats(c_side, c_side, 0, NUMBERS, NUMBERS)
        if self.proof:
            return 0
        key = self._threat_key(side, side)
        n: cython.int = self._attacks(side, 0)
        for i in range(n):
            cell = self.moves[i]
            data = self._probe(key ^ self.zobrist[cell * 2 + side] ^ self.side_hash)
            if data and (data >> 21) & NUMBERS == 0:
                return cell
        return 0

    def _threat_win(self, side: int, budget: int) -> list[int]:
        """The line of a win by continuous threats for the side to move; [] when none is found."""
        cell = self._threat_move(side, budget)
        if not cell:
            self.refuted = self.disproof == 0
            return []
        return self._complete(side, side, [cell])

    def _resisting(self, side: int) -> int:
        """What the loser plays in a lost position: the move that holds longest, as far as known."""
        foe = 1 - side
        if self.count[foe * 13 + FIVE]:
            return self._first_of(foe, FIVES)
        data = self._probe(self.hash ^ (self.side_hash if side else 0))
        move = (data >> 32) & 511
        if data and move and self.board[move] == 0:
            return move
        n: cython.int
        if self.count[foe * 13 + OPEN_FOUR]:
            n = self._defences(side, 0)
            if n == 0:
                return self._first_of(foe, OPEN_FOURS)
        else:
            n = self._everywhere(0, 0)
        self._weigh(side, 0, n, 0)
        return self._pick(0, 0, n)

    def _root_vcf(self, side: int, budget: int) -> Found | None:
        """Victory by continuous fours at the root, the shortest first."""
        self.vcf_limit = min(self.nodes + budget, _FAR)
        value: cython.int
        c_side: cython.int = side
        plies: cython.int
        for plies in (8, 12, 16, 24, 40, 80, 361):
            with cython.nogil:
                value = self._vcf(c_side, 0, plies)
            if value:
                return self._proven(side, WIN - value, self._principal())
            if self.stopped or self.nodes >= self.vcf_limit:
                break
        return None

    def _root_threats(self, side: int, budget: int) -> Found | None:
        line = self._threat_win(side, budget)
        return self._found(WIN - len(line), line) if line else None

    def _principal(self) -> list[int]:
        return [self.pv[i] for i in range(self.pv_end[0])]

    def _list_root(self, side: int) -> None:
        """The root's moves: under a threat those that answer it, else the cells near the marks."""
        n: cython.int
        foe = 1 - side
        self.root_complete = True
        if self.count[foe * 13 + FIVE]:
            self.moves[0] = self._first_of(foe, FIVES)
            n = 1
        elif self.count[foe * 13 + OPEN_FOUR]:
            n = self._defences(side, 0)
        else:
            n = self._candidates(0)
            self.root_complete = False
        if n == 0:
            # Nothing answers the open four: any move loses; stand on the cell itself.
            self.moves[0] = self._first_of(foe, OPEN_FOURS)
            n = 1
        self._weigh(side, 0, n, 0)
        for i in range(n):
            self.root_move[i] = self._pick(0, i, n)
        self.root_count = n

    def _deepen(self, side: int, depth: int | None, started: float) -> Found:
        found = self._root_vcf(side, 20_000)
        if found is not None:
            return found
        self._list_root(side)
        best = self._found(self._evaluate(side), [self.root_move[0]])
        value: cython.int = 0
        alpha: cython.int
        beta: cython.int
        plies: cython.int
        deepest = min(depth if depth is not None else 99, 99)
        c_side: cython.int = side
        refutations = 0
        sure = False  # there is no win by threats
        plies = 0
        while plies < deepest:
            plies += 1
            if not sure:
                self.refuted = False
                found = self._root_threats(side, max(1_000, self.nodes >> 2))
                sure = self.refuted
                if found is not None:
                    best = found
                    break
                if self.stopped:
                    break
            delta = 40
            alpha, beta = -UNKNOWN, UNKNOWN
            if plies >= 4 and abs(best.value) < CAP:
                alpha, beta = best.value - delta, best.value + delta
            while True:
                with cython.nogil:
                    value = self._root(c_side, plies, alpha, beta)
                if self.stopped:
                    break
                line = self._principal()
                if value <= alpha:
                    delta *= 4
                    alpha = value - delta if delta < 2000 and abs(value) < CAP else -UNKNOWN
                elif value >= beta:
                    delta *= 4
                    beta = value + delta if delta < 2000 and abs(value) < CAP else UNKNOWN
                else:
                    break
                best = self._better(best, side, value, line, plies)
            if self.stopped:
                if value > alpha and value > -CERTAIN:
                    best = self._better(best, side, value, self._principal(), plies)
                elif -UNKNOWN < value <= -CERTAIN and self.root_tried < self.root_count:
                    # What was tried loses, which proves nothing of the rest: take the next.
                    best = self._found(self._evaluate(side), [self.root_move[self.root_tried]])
                break
            if (
                plies >= 4
                and abs(value) < PROVEN
                and refutations < self.root_count
                and self._is_refuted(side, line[0])
            ):
                # The table knows now: the same depth again finds another move.
                refutations += 1
                plies -= 1
                continue
            best = self._better(best, side, value, line, plies)
            if best.exact or plies > self.empty:
                break
            if self.root_count == 1 and plies >= 4:
                break
            if self.timed and depth is None:
                now = time.monotonic()
                if now - started > 0.6 * (self.deadline - started):
                    break
        return Found(
            best.value,
            best.exact,
            best.pv,
            best.depth,
            self.nodes,
            self.cutoffs,
            self.hits,
        )

    def _is_refuted(self, side: int, cell: int) -> bool:
        """Whether the other side wins by threats after a move; the table then says so."""
        self._make(cell, side)
        foe = 1 - side
        line = (
            self._threat_win(foe, max(1_000, self.nodes >> 3))
            if self._instant(foe, 0) == UNKNOWN
            else []
        )
        if line:
            key = self.hash ^ (self.side_hash if foe else 0)
            self._store(key, WIN - len(line), 0, line[0], 255, LOWER)
        self._unmake()
        return bool(line)

    def _better(self, best: Found, side: int, value: int, line: list[int], plies: int) -> Found:
        if not line:
            return best
        if abs(value) >= PROVEN:
            stopped = self.stopped
            proven = self._proven(side, value, line, plies)
            self.stopped = stopped
            if proven is not None:
                return proven
            value = PRESUMED - 1 if value > 0 else 1 - PRESUMED
        return self._found(value, line, plies)
