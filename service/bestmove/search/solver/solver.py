# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: disallow-untyped-decorators=False, warn-return-any=False, disallow-any-unimported=False
"""The exact value of a position on a small board: boards of up to 64 cells, any k.

The file is Cython in pure Python mode: compiled it is fast and holds no GIL while it searches,
uncompiled it is the same search, node for node.

One question is asked in turn for both sides: can this side, the attacker, complete a line within
n plies, whatever the other side, the defender, does? n grows by two until the answer is a win
(then no shorter one exists), or "never". If neither side ever wins, the position is a draw.
A position is held as the lines that a side can still complete (its live lines), each as the set
of its empty cells. What ends or narrows the search, with the reason why it may:

- Monotony: an extra mark never hurts its owner, for any line it could spoil is the opponent's.
  So passing is never better than moving, and a cell in no live line is a pass.
- A line whose empty cells include another's of the same side is dropped: it is completed later
  and blocked by the same moves.
- A cell that is in all live lines of another serves whoever takes it at least as well as the
  other does (Maker-Breaker domination): the other need not be tried.
- Against a defender who only blocks, a line with two cells in no other line is dropped, too: one
  of the two is the answer to the other.
- A defender who holds by blocking alone holds all the more when he may win as well.
- Potential (Erdős and Selfridge 1973): the sum over the attacker's live lines of 2^-(its empty
  cells). Below 1 with the defender to move, the defender who always takes the cell of greatest
  weight keeps it below 1, and a completed line alone would weigh 1: the attacker never wins.
- Pairs (Hales and Jewett 1963): where the lines can be given pairs of empty cells, no cell in
  two pairs, the defender answers one cell of a pair with the other, and no line with a pair is
  completed. What is left without a pair is judged by the potential.
- Null move and zones (Thomsen's lambda search 2000, Wu and Lin's relevance zones 2010): if the
  attacker cannot win after the defender passes, the defender holds. If he can, the win needs
  only the cells of its zone; a move outside leaves it standing. The zone also has the empty cells
  of every line that the defender could complete before the win, so that moves outside cannot win
  for him by the way.
- Strategy stealing (Nash 1949), see `_mirrors`.
- Symmetry: the images of a position on the board share an entry of the table.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import replace
from mmap import mmap

import cython  # type: ignore[import-untyped]

from bestmove.search.results import Found
from bestmove.search.scores import WIN

compiled: bool = bool(cython.compiled)
"""Whether this module runs as machine code."""

MAX_CELLS: int = 64
"""The largest board; a set of cells is one 64-bit word."""

_CLOCK_EVERY: int = 4096 if compiled else 64
"""Nodes from one look at the clock to the next, some milliseconds in either build."""

# Constants in C; they have no name in Python when compiled.
_LINES = cython.declare(cython.int, 256)
_PLIES = cython.declare(cython.int, 68)
_FOREVER = cython.declare(cython.int, 127)
_NEVER = cython.declare(cython.int, -1)
_STOPPED = cython.declare(cython.int, -2)
_ATTACKER_TURN = cython.declare(cython.int, 0)
_DEFENDER_TURN = cython.declare(cython.int, 1)
_SYMMETRIC_PLIES = cython.declare(cython.int, 8)
_ENDLESS = cython.declare(cython.longlong, 1 << 60)
_SHORTER = cython.declare(cython.longlong, 20000)


@cython.cclass
class Solver:
    """An exact solver for one board size. Reusable, never shared by two solves at once.

    Its memory is allocated once: 2**table_bits entries of 32 bytes, and about 1 MB.

    Args:
        rows: rows of the board, 1 to 64.
        columns: columns, 1 to 64; rows times columns at most MAX_CELLS.
        k: marks in a line that win, at least 1.
        table_bits: the transposition table has 2**table_bits entries, 4 to 28.

    Raises:
        ValueError: a size out of these bounds.
    """

    rows: cython.int
    columns: cython.int
    k: cython.int
    size: cython.int
    _all: cython.ulonglong
    _m64: cython.ulonglong
    _mul_p: cython.ulonglong
    _mul_q: cython.ulonglong
    _debruijn: cython.ulonglong
    _one_weight: cython.longlong
    _line_count: cython.int
    _table_shift: cython.int
    _generation: cython.ulonglong
    _maker: cython.bint
    _null_limit: cython.int
    nodes = cython.declare(cython.longlong, visibility="readonly")
    cutoffs: cython.longlong
    table_hits: cython.longlong
    _poll_at: cython.longlong
    _poll_every: cython.longlong
    _clock_at: cython.longlong
    _slice_end: cython.longlong
    _node_limit: cython.longlong
    _deadline: cython.double
    _stop: cython.bint
    _out: cython.bint
    _cancelled: cython.bint
    _mask: cython.ulonglong[::1]
    _res: cython.ulonglong[::1]
    _cnt: cython.int[::1]
    _lid: cython.int[::1]
    _num: cython.int[::1]
    _one: cython.ulonglong[::1]
    _two: cython.ulonglong[::1]
    _cells: cython.ulonglong[::1]
    _full: cython.ulonglong[::1]
    _phi: cython.longlong[::1]
    _top: cython.int[::1]
    _zone: cython.ulonglong[::1]
    _best: cython.int[::1]
    _killer: cython.int[::1]
    _att: cython.ulonglong[::1]
    _def: cython.ulonglong[::1]
    _key_p: cython.ulonglong[::1]
    _key_q: cython.ulonglong[::1]
    _slot: cython.longlong[::1]
    _moves: cython.int[::1]
    _score: cython.longlong[::1]
    _wa: cython.longlong[::1]
    _wd: cython.longlong[::1]
    _common: cython.ulonglong[::1]
    _index: cython.int[::1]
    _table: cython.ulonglong[::1]
    _allowed: cython.ulonglong[::1]
    _worth: cython.longlong[::1]
    _wp: cython.longlong[::1]
    _paired: cython.int[::1]
    _group: cython.int[::1]
    _owner: cython.int[::1]
    _lane: cython.int[::1]
    _seen: cython.ulonglong
    _answered: cython.ulonglong
    _unpaired: cython.longlong
    _taken: cython.ulonglong
    _looks_ahead: cython.bint
    _symmetry_count: cython.int
    _symmetry: cython.int[::1]
    _inverse: cython.int[::1]
    _place_of: cython.int[::1]
    _images: cython.ulonglong[::1]
    _symmetries: list[list[int]]

    def __init__(self, rows: int, columns: int, k: int, table_bits: int = 20) -> None:
        if rows < 1 or columns < 1 or rows * columns > MAX_CELLS:
            raise ValueError(f"{rows}×{columns} is no board of 1 to {MAX_CELLS} cells")
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        if not 4 <= table_bits <= 28:
            raise ValueError(f"table_bits must be 4 to 28, not {table_bits}")
        self.rows = rows
        self.columns = columns
        self.k = k
        self.size = rows * columns
        self._m64 = 0xFFFFFFFFFFFFFFFF
        self._all = self._m64 >> (64 - rows * columns)
        self._mul_p = 0x9E3779B97F4A7C15
        self._mul_q = 0xC2B2AE3D27D4EB4F
        self._debruijn = 0x03F79D71B4CB0A89
        self._one_weight = 1 << 20
        self._generation = 0
        self._maker = False
        self._null_limit = 3
        self.nodes = self.cutoffs = self.table_hits = 0
        self._cancelled = False
        lines, lanes = _lines(rows, columns, k)
        self._looks_ahead = False
        self._allowed = array("Q", bytes(8 * _LINES))
        self._worth = array("q", bytes(8 * _LINES))
        self._wp = array("q", bytes(8 * 64))
        self._paired = array("i", bytes(4 * _LINES))
        self._owner = array("i", bytes(4 * 64))
        self._group = array("i", bytes(4 * 256))
        self._lane = array("i", lanes or [0])
        self._line_count = len(lines)
        self._mask = array("Q", lines or [0])
        both = _PLIES * 2
        self._res = array("Q", bytes(8 * both * _LINES))
        self._cnt = array("i", bytes(4 * both * _LINES))
        self._lid = array("i", bytes(4 * both * _LINES))
        self._num = array("i", bytes(4 * both))
        self._one = array("Q", bytes(8 * both))
        self._two = array("Q", bytes(8 * both))
        self._cells = array("Q", bytes(8 * both))
        self._full = array("Q", bytes(8 * both))
        self._phi = array("q", bytes(8 * both))
        self._top = array("i", bytes(4 * both))
        self._zone = array("Q", bytes(8 * _PLIES))
        self._best = array("i", bytes(4 * _PLIES))
        self._killer = array("i", bytes(4 * _PLIES))
        self._att = array("Q", bytes(8 * _PLIES))
        self._def = array("Q", bytes(8 * _PLIES))
        self._key_p = array("Q", bytes(8 * _PLIES))
        self._key_q = array("Q", bytes(8 * _PLIES))
        self._slot = array("q", bytes(8 * _PLIES))
        self._moves = array("i", bytes(4 * 64 * _PLIES))
        self._score = array("q", bytes(8 * 64 * _PLIES))
        self._wa = array("q", bytes(8 * 64))
        self._wd = array("q", bytes(8 * 64))
        self._common = array("Q", bytes(8 * 64))
        index = [0] * 64
        for i in range(64):
            index[((0x03F79D71B4CB0A89 << i) & 0xFFFFFFFFFFFFFFFF) >> 58] = i
        self._index = array("i", index)
        self._table_shift = 64 - (table_bits - 1)
        self._table = memoryview(mmap(-1, 32 << table_bits)).cast("Q")
        symmetries = _symmetries(rows, columns)
        self._symmetries = symmetries
        self._symmetry_count = len(symmetries)
        self._symmetry = array("i", bytes(4 * _PLIES))
        self._inverse = array("i", [symmetries.index(_inverse(image)) for image in symmetries])
        places = array("i", bytes(4 * 64 * 8))
        images = array("Q", bytes(8 * 2048 * 8))
        for i, image in enumerate(symmetries):
            for cell, place in enumerate(image):
                places[64 * i + cell] = place
                low = 2048 * i + 256 * (cell // 8)
                bit = 1 << cell % 8
                for rest in range(bit):
                    images[low + bit + rest] = images[low + rest] | (1 << place)
        self._place_of = places
        self._images = images

    # -- live lines ------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bit(self, one: cython.ulonglong) -> cython.int:
        """The index of the single bit of `one`."""
        return self._index[((one * self._debruijn) & self._m64) >> 58]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sum_up(self, row: cython.int, kept: cython.int) -> cython.void:
        """Sum up the `kept` live lines of one side at one ply (`row` = 2 ply + side)."""
        base: cython.int = row * _LINES
        i: cython.int
        c: cython.int
        top: cython.int = 0
        r: cython.ulonglong
        one: cython.ulonglong = 0
        seen: cython.ulonglong = 0
        two: cython.ulonglong = 0
        cells: cython.ulonglong = 0
        full: cython.ulonglong = 0
        phi: cython.longlong = 0
        for i in range(base, base + kept):
            r = self._res[i]
            c = self._cnt[i]
            cells |= r
            full |= self._mask[self._lid[i]]
            phi += self._one_weight >> c
            if c > top:
                top = c
            if c == 1:
                one |= r
            elif c == 2:
                # Two lines meet here. Their other cells differ, for of two lines with the same
                # empty cells one has been dropped.
                two |= r & seen
                seen |= r
        self._num[row] = kept
        self._one[row] = one
        self._two[row] = two
        self._cells[row] = cells
        self._full[row] = full
        self._phi[row] = phi
        self._top[row] = top

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _follow(
        self, ply: cython.int, side: cython.int, bit: cython.ulonglong, own: cython.bint
    ) -> cython.void:
        """The live lines of `side` one ply on, after its own mark, or the other's, on `bit`."""
        i: cython.int
        c: cython.int
        r: cython.ulonglong
        previous: cython.ulonglong
        row: cython.int = 2 * ply + side
        start: cython.int = row * _LINES
        first: cython.int = (row + 2) * _LINES
        kept: cython.int = first
        for i in range(start, start + self._num[row]):
            r = self._res[i]
            c = self._cnt[i]
            if r & bit:
                if not own:
                    continue
                r ^= bit
                c -= 1
            if kept > first:
                previous = self._res[kept - 1]
                if previous & r == previous:
                    continue
                if previous & r == r:
                    kept -= 1
            self._res[kept] = r
            self._cnt[kept] = c
            self._lid[kept] = self._lid[i]
            kept += 1
        kept -= first
        if self._maker and side == 0:
            kept = self._drop_paired(first, kept)
        self._sum_up(row + 2, kept)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drop_paired(self, first: cython.int, kept: cython.int) -> cython.int:
        """Drop the attacker's lines that have two cells in no other line; how many are left.

        The defender answers one of the two with the other, and nothing else changes. Only where
        he has no lines of his own that these cells could matter to.
        """
        i: cython.int
        left: cython.int
        r: cython.ulonglong
        lone: cython.ulonglong
        once: cython.ulonglong
        twice: cython.ulonglong
        while True:
            once = twice = 0
            for i in range(first, first + kept):
                twice |= once & self._res[i]
                once |= self._res[i]
            once &= ~twice
            left = 0
            for i in range(first, first + kept):
                r = self._res[i]
                lone = r & once
                if lone & (lone - 1):
                    continue
                if first + left != i:
                    self._res[first + left] = r
                    self._cnt[first + left] = self._cnt[i]
                    self._lid[first + left] = self._lid[i]
                left += 1
            if left == kept:
                return kept
            kept = left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, ply: cython.int, side: cython.int, bit: cython.ulonglong) -> cython.void:
        """Put a mark of `side` on `bit` (0: a pass): everything that ply + 1 needs."""
        self._follow(ply, 0, bit, side == 0)
        self._follow(ply, 1, bit, side == 1)
        self._att[ply + 1] = self._att[ply] | (bit if side == 0 else 0)
        self._def[ply + 1] = self._def[ply] | (bit if side == 1 else 0)

    @cython.cfunc
    def _place(self, attacker: cython.ulonglong, defender: cython.ulonglong) -> cython.void:
        """Set up ply 0."""
        side: cython.int
        i: cython.int
        kept: cython.int
        own: cython.ulonglong
        other: cython.ulonglong
        mask: cython.ulonglong
        for side in range(2):
            own = attacker if side == 0 else defender
            other = defender if side == 0 else attacker
            kept = side * _LINES
            if side == 0 or not self._maker:
                for i in range(self._line_count):
                    mask = self._mask[i]
                    if not mask & other:
                        self._res[kept] = mask & ~own
                        self._cnt[kept] = _count(mask & ~own)
                        self._lid[kept] = i
                        kept += 1
            self._num[side] = kept - side * _LINES
        self._att[0] = attacker
        self._def[0] = defender
        # A pass does the dropping and the sums; what it finds is moved back to ply 0.
        self._play(0, 0, 0)
        for side in range(2):
            for i in range(self._num[2 + side]):
                self._res[side * _LINES + i] = self._res[(2 + side) * _LINES + i]
                self._cnt[side * _LINES + i] = self._cnt[(2 + side) * _LINES + i]
                self._lid[side * _LINES + i] = self._lid[(2 + side) * _LINES + i]
            self._sum_up(side, self._num[2 + side])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _image(self, cells: cython.ulonglong, symmetry: cython.int) -> cython.ulonglong:
        """Where a symmetry takes a set of cells, by bytes."""
        at: cython.int = symmetry * 2048
        image: cython.ulonglong = 0
        while cells:
            image |= self._images[at + (cells & 255)]
            cells >>= 8
            at += 256
        return image

    # -- transposition table ---------------------------------------------------------------
    #
    # Four words an entry: the attacker's side of the key, the defender's, the zone of a win, and
    # from bit 0: plies of the win (7 bits, 0 none), plies within which there is none (7),
    # best move + 1 (7), turn (1), whether the defender only blocks (1), effort (6), 3 spare,
    # generation (32).

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _probe(self, ply: cython.int, turn: cython.int) -> cython.ulonglong:
        """The last word of the entry for this position, 0 if there is none."""
        p: cython.ulonglong
        q: cython.ulonglong
        h: cython.ulonglong
        info: cython.ulonglong
        i: cython.int
        move: cython.int
        at: cython.longlong
        _: cython.int
        raw_p: cython.ulonglong
        raw_q: cython.ulonglong
        image_p: cython.ulonglong
        image_q: cython.ulonglong
        turn |= self._maker << 1
        # Only cells of live lines matter; each is one of three, or in no line.
        empty: cython.ulonglong = self._cells[2 * ply] | self._cells[2 * ply + 1]
        p = (self._att[ply] & self._full[2 * ply]) | empty
        q = (self._def[ply] & self._full[2 * ply + 1]) | empty
        self._symmetry[ply] = 0
        if ply <= _SYMMETRIC_PLIES:
            # Of all the images of a position, the one of the lowest key.
            raw_p = p
            raw_q = q
            for i in range(1, self._symmetry_count):
                image_p = self._image(raw_p, i)
                image_q = self._image(raw_q, i)
                if image_p < p or (image_p == p and image_q < q):
                    p = image_p
                    q = image_q
                    self._symmetry[ply] = i
        self._key_p[ply] = p
        self._key_q[ply] = q
        h = ((p + turn + 1) * self._mul_p) & self._m64
        h ^= h >> 29
        h = ((h + q) * self._mul_q) & self._m64
        h ^= h >> 32
        h = (h * self._mul_p) & self._m64
        at = cython.cast(cython.longlong, (h >> self._table_shift) << 3)
        self._slot[ply] = at
        for _ in range(2):
            info = self._table[at + 3]
            if (
                self._table[at] == p
                and self._table[at + 1] == q
                and info >> 32 == self._generation
                and cython.cast(cython.int, (info >> 21) & 3) == turn
            ):
                self._zone[ply] = self._table[at + 2]
                self.table_hits += 1
                if self._symmetry[ply]:
                    i = self._inverse[self._symmetry[ply]]
                    self._zone[ply] = self._image(self._zone[ply], i)
                    move = cython.cast(cython.int, (info >> 14) & 127)
                    if move:
                        info ^= cython.cast(cython.ulonglong, move) << 14
                        move = self._place_of[64 * i + move - 1] + 1
                        info |= cython.cast(cython.ulonglong, move) << 14
                return info
            at += 4
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _store(
        self,
        ply: cython.int,
        turn: cython.int,
        win: cython.int,
        fail: cython.int,
        move: cython.int,
        before: cython.longlong,
    ) -> cython.void:
        """Remember a result; `before` is the node count when the node was entered."""
        p: cython.ulonglong = self._key_p[ply]
        q: cython.ulonglong = self._key_q[ply]
        first: cython.longlong = self._slot[ply]
        at: cython.longlong = first
        info: cython.ulonglong
        word: cython.ulonglong
        zone: cython.ulonglong = self._zone[ply]
        spent: cython.longlong = self.nodes - before
        effort: cython.int = 0
        old: cython.int
        _: cython.int
        chosen: cython.longlong = -1
        while spent > 0:
            spent >>= 1
            effort += 1
        turn |= self._maker << 1
        if self._symmetry[ply]:
            zone = self._image(zone, self._symmetry[ply])
            if move >= 0:
                move = self._place_of[64 * self._symmetry[ply] + move]
        for _ in range(2):
            info = self._table[at + 3]
            if info >> 32 != self._generation:
                if chosen < 0:
                    chosen = at
            elif (
                self._table[at] == p
                and self._table[at + 1] == q
                and cython.cast(cython.int, (info >> 21) & 3) == turn
            ):
                chosen = at
                old = cython.cast(cython.int, info & 127)
                if win == 0 and old > 0:
                    win = old
                    zone = self._table[at + 2]
                    if move < 0:
                        move = cython.cast(cython.int, (info >> 14) & 127) - 1
                old = cython.cast(cython.int, (info >> 7) & 127)
                if old > fail:
                    fail = old
                old = cython.cast(cython.int, (info >> 23) & 63)
                if old > effort:
                    effort = old
                break
            at += 4
        if chosen < 0:
            # The first place of a pair keeps the dearer entry, the second takes every other.
            old = cython.cast(cython.int, (self._table[first + 3] >> 23) & 63)
            chosen = first if effort >= old else first + 4
        word = cython.cast(cython.ulonglong, win)
        word |= cython.cast(cython.ulonglong, fail) << 7
        word |= cython.cast(cython.ulonglong, move + 1) << 14
        word |= cython.cast(cython.ulonglong, turn) << 21
        word |= cython.cast(cython.ulonglong, effort) << 23
        word |= self._generation << 32
        self._table[chosen] = p
        self._table[chosen + 1] = q
        self._table[chosen + 2] = zone
        self._table[chosen + 3] = word

    # -- the search ------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _poll(self) -> cython.void:
        """Every few thousand nodes, and where a share of nodes ends: is it time to stop?"""
        if self.nodes >= self._slice_end:
            self._stop = True
        if self.nodes >= self._node_limit:
            self._stop = self._out = True
        if self.nodes >= self._clock_at:
            self._clock_at = self.nodes + self._poll_every
            with cython.gil:
                if self._cancelled or time.monotonic() >= self._deadline:
                    self._stop = self._out = True
        self._schedule()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _schedule(self) -> cython.void:
        """Set the node count of the next poll."""
        self._poll_at = self._clock_at
        if self._slice_end < self._poll_at:
            self._poll_at = self._slice_end
        if self._node_limit < self._poll_at:
            self._poll_at = self._node_limit

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh(
        self, row: cython.int, at_most: cython.int, defender: cython.bint
    ) -> cython.longlong:
        """Sum the weights of a side's lines of up to `at_most` empty cells, per cell and in all.

        Also, per cell, the cells common to all lines through it; the attacker comes first.
        """
        line: cython.ulonglong
        i: cython.int
        c: cython.int
        cell: cython.int
        r: cython.ulonglong
        low: cython.ulonglong
        weight: cython.longlong
        total: cython.longlong = 0
        base: cython.int = row * _LINES
        weights: cython.longlong[::1] = self._wd if defender else self._wa
        for i in range(64):
            weights[i] = 0
            if not defender:
                self._common[i] = self._m64
        for i in range(base, base + self._num[row]):
            c = self._cnt[i]
            weight = self._one_weight >> c if c <= at_most else 0
            total += weight
            line = r = self._res[i]
            while r:
                low = r & (~r + 1)
                r ^= low
                cell = self._bit(low)
                weights[cell] += weight
                self._common[cell] &= line
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _surpassed_by(self, cell: cython.int) -> cython.ulonglong:
        """A cell that is in every live line of this one and is to be preferred, or 0.

        Whatever a mark on this cell does for its owner, one there does, too; of cells in the same
        lines the lowest stays.
        """
        bit: cython.ulonglong = unit_bit(cell)
        better: cython.ulonglong = self._common[cell] & ~bit
        low: cython.ulonglong
        while better:
            low = better & (~better + 1)
            better ^= low
            if low < bit or not self._common[self._bit(low)] & bit:
                return low
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _augment(self, group: cython.int) -> cython.bint:
        """Give the group one more cell of its own, moving others' cells where that helps."""
        free: cython.ulonglong = self._allowed[group] & ~self._seen
        low: cython.ulonglong
        cell: cython.int
        # A cell that nobody has, if there is one.
        low = free & ~self._taken
        if low:
            low &= ~low + 1
            self._taken |= low
            self._owner[self._bit(low)] = group
            return True
        while free:
            low = free & (~free + 1)
            self._seen |= low
            cell = self._bit(low)
            if self._owner[cell] != group and self._augment(self._owner[cell]):
                self._owner[cell] = group
                return True
            free = self._allowed[group] & ~self._seen
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _split_group(
        self, base: cython.int, end: cython.int, group: cython.int, groups: cython.int
    ) -> cython.int:
        """Halve a group that found no pair, for its halves have more to choose from.

        Returns the number of groups; a single line stays as it is.
        """
        lines: cython.int = 0
        i: cython.int
        g: cython.int
        for i in range(end - base):
            if self._group[i] == group:
                lines += 1
        if lines < 2:
            return groups
        lines >>= 1
        self._allowed[group] = self._allowed[groups] = self._all
        self._worth[group] = self._worth[groups] = 0
        self._paired[group] = self._paired[groups] = 0
        g = group
        for i in range(end - base):
            if self._group[i] == group:
                if lines == 0:
                    g = groups
                lines -= 1
                self._group[i] = g
                self._allowed[g] &= self._res[base + i]
                self._worth[g] += self._one_weight >> self._cnt[base + i]
        return groups + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pairs(self, ply: cython.int, reach: cython.int) -> cython.longlong:
        """Whether the defender, to move second, holds by pairs of cells and the potential.

        Pairs (Hales and Jewett 1963): cells of which the defender takes one as soon as the
        attacker takes the other. A line with a pair of its own is never completed. The lines
        without a pair are a game apart, in which the attacker counts as having every cell of the
        pairs; the potential decides that.
        """
        row: cython.int = 2 * ply
        base: cython.int = row * _LINES
        end: cython.int = base + self._num[row]
        groups: cython.int = 0
        i: cython.int
        c: cython.int
        g: cython.int
        best: cython.int
        lane: cython.int
        last: cython.int = -1
        r: cython.ulonglong
        common: cython.ulonglong = 0
        low: cython.ulonglong
        weight: cython.longlong
        total: cython.longlong
        most: cython.longlong
        # Neighbours on one row, column or diagonal share a pair where they share two empty cells.
        for i in range(base, end):
            if self._cnt[i] > reach:
                self._group[i - base] = -1
                continue
            r = self._res[i]
            lane = self._lane[self._lid[i]]
            weight = self._one_weight >> self._cnt[i]
            if lane == last and (common & r) & ((common & r) - 1):
                common &= r
                self._allowed[groups - 1] = common
                self._worth[groups - 1] += weight
            else:
                common = r
                self._allowed[groups] = r
                self._worth[groups] = weight
                groups += 1
            last = lane
            self._group[i - base] = groups - 1
        self._taken = 0
        # The heaviest group first: none loses its pair to a lighter one (a transversal matroid).
        for g in range(groups):
            self._paired[g] = 0
        while True:
            best = -1
            for g in range(groups):
                if self._paired[g] == 0 and (best < 0 or self._worth[g] > self._worth[best]):
                    best = g
            if best < 0:
                break
            self._paired[best] = 1
            self._seen = 0
            if self._augment(best):
                self._seen = 0
                if self._augment(best):
                    self._paired[best] = 2
                else:
                    # One cell is no pair.
                    for i in range(self.size):
                        if self._taken >> i & 1 and self._owner[i] == best:
                            self._taken ^= unit_bit(i)
            if self._paired[best] == 1:
                groups = self._split_group(base, end, best, groups)
        # What is left must be below 1 after any move of the attacker.
        total = 0
        for i in range(64):
            self._wp[i] = 0
        for i in range(base, end):
            if self._cnt[i] > reach or self._paired[self._group[i - base]] == 2:
                continue
            r = self._res[i] & ~self._taken
            c = 0
            low = r
            while low:
                low &= low - 1
                c += 1
            weight = self._one_weight >> c
            total += weight
            while r:
                low = r & (~r + 1)
                r ^= low
                self._wp[self._bit(low)] += weight
        most = 0
        for i in range(self.size):
            if self._wp[i] > most:
                most = self._wp[i]
        # A move to none of the pairs that leaves the rest below 1 is answered there.
        self._answered = 0
        for i in range(self.size):
            if total + self._wp[i] < self._one_weight:
                self._answered |= unit_bit(i)
        self._answered &= ~self._taken
        self._unpaired = total
        return total + most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _next(self, ply: cython.int, i: cython.int, count: cython.int) -> cython.int:
        """Bring the best of the moves i .. count − 1 to i; the lowest cell among equals."""
        base: cython.int = ply * 64
        j: cython.int
        best: cython.int = base + i
        move: cython.int
        score: cython.longlong
        for j in range(base + i + 1, base + count):
            if self._score[j] > self._score[best] or (
                self._score[j] == self._score[best] and self._moves[j] < self._moves[best]
            ):
                best = j
        move = self._moves[best]
        score = self._score[best]
        self._moves[best] = self._moves[base + i]
        self._score[best] = self._score[base + i]
        self._moves[base + i] = move
        self._score[base + i] = score
        return move

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _attack(self, ply: cython.int, n: cython.int) -> cython.int:
        """Attacker to move: the plies of a win within n, or 0, or _NEVER, or _STOPPED.

        A win leaves its first move in `_best[ply]` and its zone in `_zone[ply]`.
        """
        row: cython.int = 2 * ply
        one: cython.ulonglong = self._one[row]
        threat: cython.ulonglong = self._one[row + 1]
        bit: cython.ulonglong
        two: cython.ulonglong
        answered: cython.ulonglong
        info: cython.ulonglong
        zone: cython.ulonglong
        i: cython.int
        value: cython.int
        found: cython.int
        count: cython.int
        move: cython.int
        reach: cython.int
        limited: cython.bint
        total: cython.longlong
        most: cython.longlong
        before: cython.longlong = self.nodes
        rest: cython.longlong
        unit: cython.longlong = 1
        self.nodes += 1
        if self.nodes >= self._poll_at:
            self._poll()
        if self._stop:
            return _STOPPED
        if one:
            one &= ~one + 1
            self._zone[ply] = one
            self._best[ply] = self._bit(one)
            return 1
        # No live line, or two cells to stop at once: he never gets there.
        if self._num[row] == 0 or threat & (threat - 1):
            return _NEVER
        if n < 3:
            return 0
        # A cell that two lines need, each lacking one cell more: only one of them can be blocked.
        # The defender has no line that lacks a single cell, but for one that this move blocks.
        two = self._two[row]
        if threat:
            two &= threat
        while two:
            bit = two & (~two + 1)
            two ^= bit
            zone = 0
            for i in range(row * _LINES, row * _LINES + self._num[row]):
                if self._cnt[i] == 2 and self._res[i] & bit:
                    if zone and zone != self._res[i]:
                        self._zone[ply] = zone | self._res[i]
                        self._best[ply] = self._bit(bit)
                        return 3
                    zone = self._res[i]
        if n < 5:
            return 0
        if threat:
            # Forced: anything else loses at once.
            self._play(ply, 0, threat)
            value = self._defend(ply + 1, n - 1)
            if value > 0:
                self._best[ply] = self._bit(threat)
                self._zone[ply] = self._zone[ply + 1] | threat
                return value + 1
            return value
        # Within n plies the attacker makes (n + 1) / 2 marks: lines that lack more do not count.
        reach = (n + 1) >> 1
        limited = self._top[row] > reach
        total = self._weigh(row, reach, False)
        most = 0
        for i in range(self.size):
            if self._wa[i] > most:
                most = self._wa[i]
        if total + most < self._one_weight:
            return 0 if limited else _NEVER
        info = self._probe(ply, _ATTACKER_TURN)
        found = -1
        if info:
            value = cython.cast(cython.int, info & 127)
            found = cython.cast(cython.int, (info >> 14) & 127) - 1
            if 0 < value <= n:
                self._best[ply] = found
                return value
            value = cython.cast(cython.int, (info >> 7) & 127)
            if value >= n:
                return _NEVER if value == _FOREVER else 0
            if value == _FOREVER:
                return _NEVER
        rest = self._pairs(ply, reach)
        answered = self._answered
        if rest < self._one_weight:
            value = 0 if limited else _NEVER
            self._store(ply, _ATTACKER_TURN, 0, _FOREVER if value == _NEVER else n, -1, before)
            return value
        # Cells in a line of either side that can be completed in time; the rest are passes.
        self._weigh(row + 1, (n - 1) >> 1, True)
        count = 0
        for i in range(self.size):
            if self._wa[i] or self._wd[i]:
                # The potential after this move is below 1: the defender holds.
                if total + self._wa[i] < self._one_weight or answered >> i & 1:
                    continue
                if self._surpassed_by(i):
                    continue
                self._moves[ply * 64 + count] = i
                self._score[ply * 64 + count] = 2 * self._wa[i] + self._wd[i]
                if i == found:
                    self._score[ply * 64 + count] = unit << 40
                count += 1
        value = _NEVER
        for i in range(count):
            move = self._next(ply, i, count)
            bit = unit_bit(move)
            self._play(ply, 0, bit)
            found = self._defend(ply + 1, n - 1)
            if found == _STOPPED:
                return _STOPPED
            if found > 0:
                self.cutoffs += 1
                self._best[ply] = move
                self._zone[ply] = self._zone[ply + 1] | bit
                self._store(ply, _ATTACKER_TURN, found + 1, 0, move, before)
                return found + 1
            if found == 0:
                limited = True
        value = 0 if limited else _NEVER
        self._store(ply, _ATTACKER_TURN, 0, _FOREVER if value == _NEVER else n, -1, before)
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _defend(self, ply: cython.int, n: cython.int) -> cython.int:
        """Defender to move: as `_attack`; where he holds, his move is in `_best[ply]`.

        `_best[ply]` is −1 where any move holds.
        """
        row: cython.int = 2 * ply
        one: cython.ulonglong = self._one[row]
        bit: cython.ulonglong
        zone: cython.ulonglong
        replies: cython.ulonglong
        better: cython.ulonglong
        info: cython.ulonglong
        i: cython.int
        value: cython.int
        longest: cython.int
        move: cython.int
        count: cython.int
        found: cython.int
        within: cython.int
        before: cython.longlong = self.nodes
        rest: cython.longlong
        unit: cython.longlong = 1
        self.nodes += 1
        if self.nodes >= self._poll_at:
            self._poll()
        if self._stop:
            return _STOPPED
        self._best[ply] = -1
        if self._one[row + 1]:
            self._best[ply] = self._bit(self._one[row + 1] & (~self._one[row + 1] + 1))
            return _NEVER
        if self._num[row] == 0:
            return _NEVER
        if n < 2:
            return 0
        if one & (one - 1):
            bit = one & (~one + 1)
            one ^= bit
            self._zone[ply] = bit | (one & (~one + 1))
            self._best[ply] = self._bit(bit)
            return 2
        if one:
            # Forced; any other move loses at once, and needs no more than this cell.
            self._play(ply, 1, one)
            value = self._attack(ply + 1, n - 1)
            self._best[ply] = self._bit(one)
            if value > 0:
                self._zone[ply] = self._zone[ply + 1] | one
                return value + 1
            return value
        if n < 4:
            return 0
        if self._phi[row] < self._one_weight:
            self._weigh(row, _FOREVER, False)
            found = 0
            for i in range(self.size):
                if self._wa[i] > self._wa[found]:
                    found = i
            self._best[ply] = found
            return _NEVER
        info = self._probe(ply, _DEFENDER_TURN)
        found = -1
        if info:
            value = cython.cast(cython.int, info & 127)
            found = cython.cast(cython.int, (info >> 14) & 127) - 1
            self._best[ply] = found
            if 0 < value <= n:
                return value
            value = cython.cast(cython.int, (info >> 7) & 127)
            if value == _FOREVER:
                return _NEVER
            if value >= n:
                return 0
        # What does the attacker threaten?
        longest = 0
        replies = self._cells[row] | self._cells[row + 1]
        zone = replies
        within = n - 1
        if within > self._null_limit:
            within = self._null_limit
        self._play(ply, 1, 0)
        value = self._attack(ply + 1, within)
        if value == _STOPPED:
            return _STOPPED
        if value == _NEVER or (value == 0 and within == n - 1):
            self._best[ply] = -1
            self._store(ply, _DEFENDER_TURN, 0, _FOREVER if value == _NEVER else n, -1, before)
            return value
        if value > 0:
            # A move that touches neither the win nor a line that can be completed first is a pass.
            longest = value + 1
            zone = self._zone[ply + 1]
            for i in range((row + 1) * _LINES, (row + 1) * _LINES + self._num[row + 1]):
                if self._cnt[i] <= longest >> 1:
                    zone |= self._res[i]
            replies &= zone
        self._weigh(row, n >> 1, False)
        self._weigh(row + 1, _FOREVER, True)
        count = 0
        while replies:
            bit = replies & (~replies + 1)
            replies ^= bit
            i = self._bit(bit)
            better = self._surpassed_by(i)
            if better:
                # Refuted as the better one is, with the two cells exchanged.
                zone |= bit | better
                continue
            self._moves[ply * 64 + count] = i
            self._score[ply * 64 + count] = 2 * self._wa[i] + self._wd[i]
            if i == found:
                self._score[ply * 64 + count] = unit << 40
            elif i == self._killer[ply]:
                self._score[ply * 64 + count] += unit << 35
            count += 1
        if self._looks_ahead and count > 1:
            # Where pairs end it at once, that is it; else the nearest to that comes first.
            for i in range(count):
                move = self._next(ply, i, count)
                self._play(ply, 1, unit_bit(move))
                self.nodes += 1
                if self._one[row + 2] or self._two[row + 2]:
                    continue
                rest = self._pairs(ply + 1, n >> 1)
                if rest < self._one_weight:
                    self.cutoffs += 1
                    self._killer[ply] = move
                    value = 0 if self._top[row + 2] > n >> 1 else _NEVER
                    self._best[ply] = move
                    self._store(
                        ply, _DEFENDER_TURN, 0, _FOREVER if value == _NEVER else n, move, before
                    )
                    return value
                if move != found:
                    self._score[ply * 64 + i] = (unit << 30) - self._unpaired
        for i in range(count):
            move = self._next(ply, i, count)
            bit = unit_bit(move)
            self._play(ply, 1, bit)
            value = self._attack(ply + 1, n - 1)
            if value == _STOPPED:
                return _STOPPED
            if value <= 0:
                self.cutoffs += 1
                self._best[ply] = move
                self._store(
                    ply, _DEFENDER_TURN, 0, _FOREVER if value == _NEVER else n, move, before
                )
                return value
            if value + 1 > longest:
                longest = value + 1
            zone |= self._zone[ply + 1]
        self._zone[ply] = zone
        self._best[ply] = -1
        self._store(ply, _DEFENDER_TURN, longest, 0, -1, before)
        return longest

    # -- what is asked of the search ---------------------------------------------------------

    @cython.cfunc
    def _ask(
        self,
        attacker: cython.ulonglong,
        defender: cython.ulonglong,
        turn: cython.int,
        n: cython.int,
        end: cython.longlong,
        blocks_only: cython.bint,
    ) -> cython.int:
        """Search from the root until `self.nodes` reaches `end`."""
        value: cython.int
        for i in range(_PLIES):
            self._killer[i] = -1
        self._maker = blocks_only
        self._looks_ahead = blocks_only
        self._place(attacker, defender)
        self._slice_end = end
        self._stop = self._out or self.nodes >= end
        self._schedule()
        with cython.nogil:
            value = self._attack(0, n) if turn == _ATTACKER_TURN else self._defend(0, n)
        return value

    def cancel(self) -> None:
        """Stop the solve that is running, from another thread; it answers None soon."""
        self._cancelled = True

    def _begin(self, deadline: float | None, nodes: int | None) -> None:
        self._generation = (self._generation + 1) & 0xFFFFFFFF
        if self._generation == 0:
            for i in range(len(self._table)):
                self._table[i] = 0
            self._generation = 1
        self.nodes = self.cutoffs = self.table_hits = 0
        self._node_limit = _ENDLESS if nodes is None else min(nodes, _ENDLESS)
        self._deadline = 1e300 if deadline is None else deadline
        self._poll_every = _CLOCK_EVERY
        self._clock_at = self._poll_every
        self._cancelled = False
        self._out = False

    def solve(
        self,
        cells: bytes | Sequence[int],
        to_move: int,
        *,
        deadline: float | None = None,
        nodes: int | None = None,
    ) -> Found | None:
        """The value of a position for the side to move, or None where the budget ran out.

        Args:
            cells: rows × columns of 0 (empty), 1 (X), 2 (O); nobody has a line, a cell is empty.
            to_move: 1 or 2.
            deadline: a time of `time.monotonic`, in seconds.
            nodes: the most nodes to visit; without a deadline the answer is always the same.

        Raises:
            ValueError: `cells` is of another size.
        """
        own, other = self._split(cells, to_move)
        self._begin(deadline, nodes)
        return self._value(own, other, _ENDLESS)

    def solve_moves(
        self,
        cells: bytes | Sequence[int],
        to_move: int,
        *,
        deadline: float | None = None,
        nodes: int | None = None,
    ) -> list[Found | None]:
        """For every legal move, in the order of the cells, its value for the side that makes it.

        The arguments are those of `solve`. Each pv starts with the move; None where the budget
        ran out before a proof.
        """
        own, other = self._split(cells, to_move)
        self._begin(deadline, nodes)
        # Of moves that a symmetry of the position takes into each other, one is searched.
        images = [
            image
            for image in self._symmetries
            if _moved(own, image) == own and _moved(other, image) == other
        ]
        free = [move for move in range(self.size) if not (own | other) >> move & 1]
        alike = {move: min((image[move], i) for i, image in enumerate(images)) for move in free}
        found: dict[int, Found | None] = {first: None for first, _ in alike.values()}
        # Small shares for all first: the hard moves wait for the easy ones.
        share = 2000
        while not self._out and None in found.values():
            for move, known in found.items():
                if known is None and not self._out:
                    found[move] = self._after(own, other, move, self.nodes + share)
            share *= 4
        results: list[Found | None] = []
        for move in free:
            first, i = alike[move]
            known = found[first]
            if known is not None and first != move:
                back = _inverse(images[i])
                known = replace(known, pv=tuple(back[cell] for cell in known.pv))
            results.append(known)
        return results

    def _split(self, cells: bytes | Sequence[int], to_move: int) -> tuple[int, int]:
        if len(cells) != self.size:
            raise ValueError(f"{len(cells)} cells given, the board has {self.size}")
        own = other = 0
        for i, mark in enumerate(cells):
            if mark == to_move:
                own |= 1 << i
            elif mark:
                other |= 1 << i
        return own, other

    def _found(self, value: int, pv: list[int]) -> Found:
        return Found(
            value,
            True,
            tuple(pv),
            depth=len(pv),
            nodes=self.nodes,
            cutoffs=self.cutoffs,
            table_hits=self.table_hits,
        )

    def _after(self, own: int, other: int, move: int, end: int) -> Found | None:
        """The value of a move, for the side that makes it."""
        own |= 1 << move
        if self._has_line(own):
            return self._found(WIN - 1, [move])
        if own | other == self._all:
            return self._found(0, [move])
        reply = self._value(other, own, end)
        if reply is None:
            return None
        if reply.value == 0:
            return self._found(0, [move, *reply.pv])
        plies = WIN - abs(reply.value) + 1
        value = WIN - plies if reply.value < 0 else plies - WIN
        return self._found(value, [move, *reply.pv])

    def _has_line(self, marks: int) -> bool:
        return any(marks & mask == mask for mask in self._mask[: self._line_count])

    def _value(self, own: int, other: int, end: int) -> Found | None:
        """The value of a position for the side to move, by node count `end`.

        Every search in question gets slices of nodes, the one that has spent least first, so
        that none waits for a hopeless one.
        """
        sides = [_Side(own, other, _ATTACKER_TURN), _Side(other, own, _DEFENDER_TURN)]
        sides[1].never = self._mirrors(own, other)
        started = self.nodes
        while not (sides[0].never and sides[1].never):
            open_ones = [
                task
                for side in sides
                if not side.never
                for task in side.tasks
                if not task.closed and (side.wins_in == 0 or task.n < side.wins_in)
            ]
            won = [side for side in sides if side.wins_in]
            if won:
                # A win is known. Is there a shorter one, at about the same price?
                open_ones = [task for task in open_ones if task.side is won[0]]
                spent = won[0].tasks[0].spent
                if not open_ones or spent > _SHORTER + 2 * (self.nodes - started - spent):
                    return self._win(own, other, won[0].turn, won[0].wins_in)
            task = min(open_ones, key=lambda task: task.spent)
            self._work(task, min(end, self.nodes + max(1000, task.spent)))
            if self._out or self.nodes >= end:
                if won:
                    return self._win(own, other, won[0].turn, won[0].wins_in)
                if not (sides[0].never and sides[1].never):
                    return None
        return self._draw(own, other, sides[1], end)

    def _work(self, task: _Task, end: int) -> None:
        """Go on with one search until it has an answer or `self.nodes` reaches `end`."""
        side = task.side
        before = self.nodes
        value = self._ask(side.attacker, side.defender, side.turn, task.n, end, task.blocks_only)
        task.spent += self.nodes - before
        if value == _STOPPED:
            return
        if value > 0:
            # A defender who only blocks loses: that says nothing about one who also attacks.
            task.closed = True
            if not task.blocks_only:
                side.wins_in = value
        elif value == _NEVER or task.n >= self.size:
            side.never = True
            side.holds = self._best[0] if side.turn == _DEFENDER_TURN else -1
            side.any_holds = side.turn == _DEFENDER_TURN and side.holds < 0
        else:
            task.n += 2

    def _mirrors(self, own: int, other: int) -> bool:
        """Whether strategy stealing shows that the opponent of the side to move cannot win.

        Suppose he could, moving second. Then he could also after a pass of the first, moving
        first. But some symmetry of the board turns that position into one where the side to move
        has at least his marks and he at most the side's: it would win itself.
        """
        for image in self._symmetries:
            if not _moved(other, image) & ~own and not other & ~_moved(own, image):
                return True
        return False

    def _win(self, own: int, other: int, turn: int, plies: int) -> Found | None:
        """A win by the attacker, told with its line: that may take a quarter more nodes."""
        self._node_limit = max(self._node_limit, self.nodes + 5000 + self.nodes // 4)
        self._out = self._cancelled
        if turn == _ATTACKER_TURN:
            line = self._line(own, other, turn, plies)
        else:
            line = self._line(other, own, turn, plies)
        if line is None:
            return None
        value = WIN - len(line)
        return self._found(value if turn == _ATTACKER_TURN else -value, line)

    def _line(self, attacker: int, defender: int, turn: int, n: int) -> list[int] | None:
        """A line of play from a position won within n plies: the defender resists longest.

        Its length is a proven bound: no defence lasts longer against the moves found.
        """
        if turn == _ATTACKER_TURN:
            value = self._ask(attacker, defender, turn, n, _ENDLESS, False)
            if value <= 0:
                return None
            move = self._lowest(attacker, defender, self._best[0], value)
            if value == 1:
                return [move]
            rest = self._line(attacker | 1 << move, defender, _DEFENDER_TURN, value - 1)
            return None if rest is None else [move, *rest]
        lasts: dict[int, int] = {}
        free = self._all & ~(attacker | defender)
        for move in range(self.size):
            if free >> move & 1:
                marks = defender | 1 << move
                value = self._ask(attacker, marks, _ATTACKER_TURN, n - 1, _ENDLESS, False)
                if value <= 0:
                    return None
                lasts[move] = value
        while True:
            move = min(lasts, key=lambda cell: (-lasts[cell], cell))
            rest = self._line(attacker, defender | 1 << move, _ATTACKER_TURN, lasts[move])
            if rest is None:
                return None
            if len(rest) == lasts[move]:
                return [move, *rest]
            lasts[move] = len(rest)

    def _lowest(self, attacker: int, defender: int, best: int, n: int) -> int:
        """The lowest move that wins as fast as `best`, as far as a small share of nodes shows."""
        end = self.nodes + 2000 + self.nodes // 8
        for move in range(best):
            if (attacker | defender) >> move & 1:
                continue
            marks = attacker | 1 << move
            if n == 1:
                if self._has_line(marks):
                    return move
            elif self._ask(marks, defender, _DEFENDER_TURN, n - 1, end, False) > 0:
                return move
        return best

    def _draw(self, own: int, other: int, side: _Side, end: int) -> Found | None:
        """A drawn position: a move that keeps the draw, the lowest that a share of nodes proves.

        `side` is the opponent, proven not to win.
        """
        free = [move for move in range(self.size) if not (own | other) >> move & 1]
        share = min(end, self.nodes + 2000 + self.nodes // 4)
        for move in free:
            if move == side.holds or side.any_holds:
                return self._found(0, [move])
            if self._never(other, own | 1 << move, share):
                return self._found(0, [move])
        if side.holds >= 0:
            return self._found(0, [side.holds])
        # Strategy stealing names no move: find one, the heaviest cells first.
        self._place(own, other)
        self._weigh(0, _FOREVER, False)
        weights = list(self._wa)
        for move in sorted(free, key=lambda cell: (-weights[cell], cell)):
            if self._never(other, own | 1 << move, end):
                return self._found(0, [move])
        return None

    def _never(self, attacker: int, defender: int, end: int) -> bool:
        """Whether the attacker, to move, is proven never to win; False also where unproven."""
        side = _Side(attacker, defender, _ATTACKER_TURN)
        while self.nodes < end and not self._out and not side.never and not side.wins_in:
            task = min(
                (task for task in side.tasks if not task.closed), key=lambda task: task.spent
            )
            self._work(task, min(end, self.nodes + max(1000, task.spent)))
        return side.never


def worth_solving(rows: int, columns: int, k: int, empty_cells: int) -> int:
    """How many nodes a solve is worth within a search of one second; 0: do not try.

    A rule of thumb from random positions: up to 49 cells, and on larger boards with another k
    than 5, nearly all are proven in 150,000 nodes, a fifth of a second; five in a row on 8×8
    seldom before a dozen moves, but then what is proven is mostly proven in 20,000.
    """
    cells = rows * columns
    if cells > MAX_CELLS:
        return 0
    worth = 300_000
    if cells > 49 and k == 5:
        worth = 100_000 if empty_cells <= cells - 12 else 40_000
    return worth if compiled else worth // 100


class _Side:
    """Does this side win? What is known about it so far."""

    def __init__(self, attacker: int, defender: int, turn: int) -> None:
        self.attacker = attacker
        self.defender = defender
        self.turn = turn
        self.never = False
        self.wins_in = 0
        self.holds = -1
        self.any_holds = False
        # The first finds the shortest win; the second soon finds any, and "never" sooner; the
        # third asks whether the defender holds even if he only blocks, a far smaller search.
        self.tasks = [
            _Task(self, 1 + turn, False),
            _Task(self, _FOREVER - turn, False),
            _Task(self, _FOREVER - turn, True),
        ]


class _Task:
    """One search about one side: within n plies, and what it has cost."""

    def __init__(self, side: _Side, n: int, blocks_only: bool) -> None:
        self.side = side
        self.n = n
        self.blocks_only = blocks_only
        self.spent = 0
        self.closed = False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def unit_bit(cell: cython.int) -> cython.ulonglong:
    return cython.cast(cython.ulonglong, 1) << cell


@cython.cfunc
def _count(word: cython.ulonglong) -> cython.int:
    """The number of bits set."""
    count: cython.int = 0
    while word:
        word &= word - 1
        count += 1
    return count


def _lines(rows: int, columns: int, k: int) -> tuple[list[int], list[int]]:
    """Every line of k cells, neighbours next to each other, and the lane of each.

    A lane is a whole row, column or diagonal.
    """
    lines = []
    lanes = []
    lane = -1
    steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
    for down, right in steps[: 4 if k > 1 else 1]:
        starts = [
            (row * right - column * down, row, column)
            for row in range(rows)
            for column in range(columns)
            if 0 <= row + down * (k - 1) < rows and 0 <= column + right * (k - 1) < columns
        ]
        before = None
        for which, row, column in sorted(starts):
            if which != before:
                lane += 1
                before = which
            lines.append(
                sum(1 << (row + down * i) * columns + column + right * i for i in range(k))
            )
            lanes.append(lane)
    return lines, lanes


def _symmetries(rows: int, columns: int) -> list[list[int]]:
    """The 8 or 4 symmetries of the board; each says where cell i goes."""
    images = []
    for transpose in range(2 if rows == columns else 1):
        for flip_rows in (False, True):
            for flip_columns in (False, True):
                image = []
                for i in range(rows * columns):
                    row, column = divmod(i, columns)
                    if flip_rows:
                        row = rows - 1 - row
                    if flip_columns:
                        column = columns - 1 - column
                    if transpose:
                        row, column = column, row
                    image.append(row * columns + column)
                if image not in images:
                    images.append(image)
    return images


def _moved(marks: int, image: list[int]) -> int:
    moved = 0
    for i, to in enumerate(image):
        if marks >> i & 1:
            moved |= 1 << to
    return moved


def _inverse(image: list[int]) -> list[int]:
    inverse = [0] * len(image)
    for i, to in enumerate(image):
        inverse[to] = i
    return inverse
