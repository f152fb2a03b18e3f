# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disallow-untyped-decorators=False, warn-return-any=False, disallow-any-unimported=False
"""The compiled part of the general engine: any rules of the family on boards to 20×20.

Cython in pure Python mode: this one file runs compiled, without the GIL while it searches, and
uncompiled, slower, with the same node counts.

The board is kept as its windows: each k cells in a row, with the marks of either side in it. For
a side a window is *open* until it holds a mark of the other, or, where exactly k win, until a
cell next to its ends has a mark of the side itself (then it can only become part of a longer
run). A mark completes a line exactly when it fills an open window. From the windows follow, kept
up with every move: the cells where a side completes a line (its *threats*), and how many open
windows hold how many marks.

Nothing here takes for granted that an extra mark is good for its owner: with `misere`, with
gravity and where exactly k win it may not be. There are no null moves, and no stolen strategies.
What a position cannot be worth follows from the windows alone (`_outlook`):

- A side completes a line no sooner than its fullest open window can be filled; without an open
  window, never.
- Whoever would complete a line and win does; whoever would lose by it does only where no other
  cell is left. The other's only threat is answered; two cannot be.
- Potential (Erdős and Selfridge 1973), without gravity and where lines win: the sum over a side's
  open windows of 2^-(its empty cells). Below 1 with the other to move (below 1/2 with the side
  itself) the other keeps it so by marking the heaviest cells, and no window is ever filled. The
  argument lets a side only *lose* windows, so it holds where exactly k win, too.

There are two searches. `_prove` answers whether a position is worth at least so much, by a full
search to the end of the game: the table keeps two bounds of a position's true value, without any
depth. `_estimate` is principal variation search to a depth with an evaluation, for all that is
out of reach of a proof; it tries the likelier cells only, and proves nothing.
"""

from __future__ import annotations

import random
import time
from typing import Final

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.search import memory
from bestmove.search.scores import WIN as _WIN

compiled: bool = bool(cython.compiled)
"""Whether this module runs as machine code."""

if not cython.compiled:
    from time import monotonic as seconds

MAX_SIDE: Final = 20
"""The most rows, and the most columns."""

# Values; see `scores`. As C integers inside, so that no Python object is touched in a search.
WIN = cython.declare(cython.int, _WIN)
COUNTS_PLIES = cython.declare(cython.int, 25_000)  # beyond it a value counts plies
CAP = cython.declare(cython.int, 15_000)  # the largest evaluation
UNKNOWN = cython.declare(cython.int, 32_000)

# Bounds in the transposition table.
UPPER = cython.declare(cython.int, 1)
LOWER = cython.declare(cython.int, 2)
EXACT = cython.declare(cython.int, 3)

STRIDE = cython.declare(cython.int, 402)  # of the arrays that hold a list of moves for each ply
GENERATIONS = cython.declare(cython.ulonglong, 8191)
ONE = cython.declare(cython.int, 1 << 20)  # the weight of a filled window
CHECK_EVERY = cython.declare(cython.int, 128 if compiled else 64)  # nodes between looks at a clock

# The evaluation, and the order of moves.
TEMPO = cython.declare(cython.int, 15)  # what the move is worth
RESERVE = cython.declare(cython.int, 40)  # a cell where only the other would lose, with misere
FIRST = cython.declare(cython.int, 1 << 30)  # urgency of the move in the table
NARROW = cython.declare(cython.int, 8)  # moves tried by an estimate at least

_FAR: Final = 1 << 60
_SYMMETRIC_CELLS: Final = 64
"""The largest board whose images share an entry of the table."""

_NEAR_CELLS: Final = 36
"""The largest board on which an estimate looks at cells far from all marks."""

# The lengths of the kernel's arrays, which are lists when it runs uncompiled.
_ARRAYS: Final = {
    "cells": 400,
    "drop": 20,
    "own": 3200,
    "blocked": 3200,
    "rest": 1600,
    "member_at": 401,
    "member": 7200,
    "end_at": 401,
    "end": 3200,
    "around_at": 401,
    "around": 9600,
    "near": 400,
    "opened": 42,
    "threats": 800,
    "hot": 2,
    "cell_of": 7200,
    "end_of": 3200,
    "live": 400,
    "zobrist": 1024,
    "fallen": 512,
    "closed": 4096,
    "count_key": 401,
    "image": 512,
    "inverse": 512,
    "keys": 3208,
    "weight": 21,
    "urge": 21,
    "moves": 161604,
    "urges": 161604,
    "history": 800,
    "pv": 161604,
    "pv_end": 402,
}


@cython.final
@cython.cclass
class Kernel:
    """One board's searcher: reusable, of bounded memory, for one search at a time.

    Args:
        rows: 1 to 20.
        columns: 1 to 20.
        k: marks in a row that make a line; 1 to 20.
        gravity: a mark falls to the lowest empty cell of its column.
        overline: more than k in a row are a line, too.
        misere: who completes a line loses.
        table_bits: the transposition table has 2**table_bits entries of 16 bytes.
    """

    rows: cython.int
    columns: cython.int
    size: cython.int
    k: cython.int
    gravity: cython.bint
    overline: cython.bint
    misere: cython.bint
    nearby: cython.bint  # estimates look only at cells near a mark
    # The position, kept by _make and _unmake.
    cells: cython.uchar[400]  # 0 empty, 1 X, 2 O
    drop: cython.int[20]  # with gravity, where a mark falls in a column; negative: full
    own: cython.uchar[3200]  # marks in a window, at window * 2 + side
    blocked: cython.uchar[3200]  # marks that close the window to the side
    rest: cython.ushort[1600]  # the empty cell of a window that has one: all empty ones, by xor
    near: cython.uchar[400]  # marks near a cell
    live: cython.ushort[400]  # open windows that a cell is in, or next to the ends of
    opened: cython.int[42]  # open windows with m marks, at side * 21 + m
    threats: cython.uchar[800]  # open windows that a mark fills, at cell * 2 + side
    hot: cython.int[2]  # empty cells with threats of a side
    keys: cython.ulonglong[3208]  # for each number of moves made, one for each image of the board
    made: cython.int
    empty = cython.declare(cython.int, visibility="readonly")
    # Tables, made once.
    window_count: cython.int
    member_at: cython.int[401]
    member: cython.ushort[7200]  # the windows of a cell
    end_at: cython.int[401]
    end: cython.ushort[3200]  # the windows that a cell is next to the ends of
    cell_of: cython.ushort[7200]  # the cells of a window, at window * k + i
    end_of: cython.short[3200]  # the cells next to its ends, where they matter, or -1
    around_at: cython.int[401]
    around: cython.ushort[9600]  # the cells near a cell
    zobrist: cython.ulonglong[1024]  # at (image * size + cell) * 2 + side
    fallen: cython.ulonglong[512]  # at image * size + cell
    closed: cython.ulonglong[4096]  # at (image * window_count + window) * 2 + side
    count_key: cython.ulonglong[401]  # by the number of empty cells
    symmetries: cython.int
    image: cython.uchar[512]  # where a cell goes, at image * size + cell
    inverse: cython.uchar[512]
    estimate_key: cython.ulonglong
    weight: cython.int[21]  # of an open window by its marks
    urge: cython.int[21]  # of a cell by the marks in an open window through it
    own_urge: cython.int  # how often that counts in the mover's windows, and in the other's
    foe_urge: cython.int
    # The transposition table.
    table_key: cython.ulonglong[::1]
    table_data: cython.ulonglong[::1]
    table_mask: cython.ulonglong
    generation: cython.ulonglong
    # One search.
    nodes = cython.declare(cython.longlong, visibility="readonly")
    cutoffs = cython.declare(cython.longlong, visibility="readonly")
    hits = cython.declare(cython.longlong, visibility="readonly")
    stopped = cython.declare(cython.bint, visibility="readonly")  # the last call was cut short
    out = cython.declare(cython.bint, visibility="readonly")  # the whole budget is spent
    node_limit: cython.longlong
    slice_end: cython.longlong
    clock_at: cython.longlong
    next_check: cython.longlong
    deadline: cython.double
    cancelled: cython.bint
    # What a node learns from a call.
    up: cython.int
    low: cython.int
    forced: cython.int
    table_image: cython.int
    moves: cython.short[161604]
    urges: cython.int[161604]
    history: cython.int[800]
    pv: cython.short[161604]
    pv_end: cython.int[402]

    def __init__(
        self,
        rows: int,
        columns: int,
        k: int,
        gravity: bool,
        overline: bool,
        misere: bool,
        table_bits: int,
    ) -> None:
        if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 1 <= k <= MAX_SIDE):
            raise ValueError(f"no board of the engine: {rows} rows, {columns} columns, k = {k}")
        if not 4 <= table_bits <= 28:
            raise ValueError(f"table_bits must be from 4 to 28, not {table_bits}")
        if not cython.compiled:
            for name, length in _ARRAYS.items():
                setattr(self, name, [0] * length)
        self.rows = rows
        self.columns = columns
        self.size = rows * columns
        self.k = k
        self.gravity = gravity and rows > 1
        self.overline = overline
        self.misere = misere
        self.nearby = rows * columns > _NEAR_CELLS and not self.gravity and not misere
        self._fill_windows()
        self._fill_symmetries()
        for m in range(k):
            # By the marks that are missing: each further one is worth four times as much.
            self.weight[m] = 1024 >> 2 * min(k - m, 5)
            self.urge[m] = 4096 >> 2 * min(k - m, 6)
        self.own_urge = self.foe_urge = 8
        if misere:
            # Keep out of one's own windows; close the other's where that soon leaves none.
            self.own_urge = -8
            self.foe_urge = -4 if self.gravity or k <= 3 else 8
        entries = 1 << table_bits
        self.table_key = memory.words(entries)
        self.table_data = memory.words(entries)
        self.table_mask = entries - 2
        self.generation = 0
        self.cancelled = False

    def _fill_windows(self) -> None:
        members: list[list[int]] = [[] for _ in range(self.size)]
        ends: list[list[int]] = [[] for _ in range(self.size)]
        for i in range(3200):
            self.end_of[i] = -1
        count = 0
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for cell in range(self.size):
                row, column = divmod(cell, self.columns)
                run = {
                    i: (row + down * i) * self.columns + column + right * i
                    for i in range(-1, self.k + 1)
                    if 0 <= row + down * i < self.rows and 0 <= column + right * i < self.columns
                }
                if not all(i in run for i in range(self.k)):
                    continue
                for i, place in run.items():
                    if 0 <= i < self.k:
                        self.cell_of[count * self.k + i] = place
                        members[place].append(count)
                    elif not self.overline:
                        self.end_of[count * 2 + (i > 0)] = place
                        ends[place].append(count)
                count += 1
        self.window_count = count
        at = end_at = around_at = 0
        for cell in range(self.size):
            row, column = divmod(cell, self.columns)
            for window in members[cell]:
                self.member[at] = window
                at += 1
            for window in ends[cell]:
                self.end[end_at] = window
                end_at += 1
            for r in range(max(0, row - 2), min(self.rows, row + 3)):
                for c in range(max(0, column - 2), min(self.columns, column + 3)):
                    if (r, c) != (row, column):
                        self.around[around_at] = r * self.columns + c
                        around_at += 1
            self.member_at[cell + 1] = at
            self.end_at[cell + 1] = end_at
            self.around_at[cell + 1] = around_at

    def _fill_symmetries(self) -> None:
        images: list[list[int]] = []
        for transposed in (False, True):
            for upended in (False, True):
                for mirrored in (False, True):
                    image = []
                    for cell in range(self.size):
                        row, column = divmod(cell, self.columns)
                        if upended:
                            row = self.rows - 1 - row
                        if mirrored:
                            column = self.columns - 1 - column
                        if transposed:
                            row, column = column, row
                        image.append(row * self.columns + column)
                    kept = not transposed or self.rows == self.columns
                    if self.gravity and (upended or transposed):
                        kept = False
                    if kept and image not in images:
                        images.append(image)
        if self.size > _SYMMETRIC_CELLS or self.k == 1:
            images = images[:1]
        self.symmetries = len(images)
        words = random.Random(20)
        marks = [words.getrandbits(64) for _ in range(2 * self.size)]
        falls = [words.getrandbits(64) for _ in range(self.size)]
        closes = [words.getrandbits(64) for _ in range(2 * self.window_count)]
        self.estimate_key = words.getrandbits(64)
        for i in range(self.size + 1):
            self.count_key[i] = words.getrandbits(64)
        windows = {
            frozenset(self.cell_of[window * self.k + i] for i in range(self.k)): window
            for window in range(self.window_count)
        }
        for i, image in enumerate(images):
            for cell, place in enumerate(image):
                for side in range(2):
                    self.zobrist[(i * self.size + cell) * 2 + side] = marks[place * 2 + side]
                if self.size <= _SYMMETRIC_CELLS:
                    self.image[i * self.size + cell] = place
                    self.inverse[i * self.size + place] = cell
                if self.gravity:
                    self.fallen[i * self.size + cell] = falls[place]
            for cells, window in windows.items():
                other = windows[frozenset(image[cell] for cell in cells)]
                for side in range(2):
                    at = (i * self.window_count + window) * 2 + side
                    self.closed[at] = closes[other * 2 + side]

    # The position.

    def begin(self, cells: bytes, deadline: float | None, nodes: int | None) -> None:
        """Put a position on the board, all from nothing, so that no search sees the last one.

        Raises:
            ValueError: cells of another size, or a mark that hangs in the air.
        """
        if len(cells) != self.size:
            raise ValueError(f"{len(cells)} cells, not {self.rows} × {self.columns}")
        for i in range(400):
            self.cells[i] = self.near[i] = 0
        for i in range(800):
            self.threats[i] = 0
            self.history[i] = 0
        for i in range(3200):
            self.own[i] = self.blocked[i] = 0
        for i in range(1600):
            self.rest[i] = 0
        for i in range(42):
            self.opened[i] = 0
        for i in range(8):
            self.keys[i] = 0
        self.made = 0
        for cell in range(self.size):
            self.live[cell] = 2 * (
                self.member_at[cell + 1]
                - self.member_at[cell]
                + self.end_at[cell + 1]
                - self.end_at[cell]
            )
            for i in range(self.member_at[cell], self.member_at[cell + 1]):
                self.rest[self.member[i]] ^= cell
                if self.k == 1:
                    self.threats[cell * 2] += 1
                    self.threats[cell * 2 + 1] += 1
        self.opened[0] = self.opened[21] = self.window_count
        self.hot[0] = self.hot[1] = self.size if self.k == 1 else 0
        self.empty = self.size
        for column in range(self.columns):
            self.drop[column] = self.size - self.columns + column
        for cell in range(self.size - 1, -1, -1):
            if cells[cell]:
                if self.gravity and self.drop[cell % self.columns] != cell:
                    raise ValueError(f"the mark on cell {cell} is above an empty cell")
                self._make(cell, cells[cell] - 1)
        self.generation += 1
        if self.generation > GENERATIONS:
            # Stamps have run out: only now is the table wiped.
            self._wipe()
            self.generation = 1
        self.nodes = self.cutoffs = self.hits = 0
        self.stopped = self.out = self.cancelled = False
        self.deadline = 1e300
        if deadline is not None:
            self.deadline = deadline - time.monotonic() + seconds()
        self.node_limit = nodes if nodes is not None else _FAR
        self.clock_at = CHECK_EVERY
        self.slice_end = _FAR

    @cython.cfunc
    def _wipe(self) -> cython.void:
        at: cython.ulonglong
        for at in range(self.table_mask + 2):
            self.table_data[at] = 0

    def free(self) -> list[int]:
        """The legal moves, lowest first."""
        return [
            cell
            for cell in range(self.size)
            if self.cells[cell] == 0
            and (not self.gravity or self.drop[cell % self.columns] == cell)
        ]

    def play(self, cell: int, side: int) -> bool:
        """Make a move; whether it completes a line."""
        completes = self.threats[cell * 2 + side] > 0
        self._make(cell, side)
        return completes

    def take_back(self, cell: int, side: int) -> None:
        """Undo the last move, which was this one."""
        self._unmake(cell, side)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _close(self, window: cython.int, side: cython.int, cell: cython.int) -> cython.void:
        """A mark on a cell closes an open window to a side."""
        at: cython.int = window * 2 + side
        marks: cython.int = self.own[at]
        self.opened[side * 21 + marks] -= 1
        x: cython.int
        if marks + 1 == self.k:
            x = self.rest[window]
            self.threats[x * 2 + side] -= 1
            if x != cell and self.threats[x * 2 + side] == 0:
                self.hot[side] -= 1
        i: cython.int
        keys: cython.int = self.made * 8
        for i in range(self.symmetries):
            self.keys[keys + i] ^= self.closed[(i * self.window_count + window) * 2 + side]
        for i in range(window * self.k, window * self.k + self.k):
            x = self.cell_of[i]
            self.live[x] -= 1
            if self.live[x] == 0 and self.cells[x]:
                self._toggle(x)
        if not self.overline:
            for i in range(2):
                x = self.end_of[window * 2 + i]
                if x >= 0:
                    self.live[x] -= 1
                    if self.live[x] == 0 and self.cells[x]:
                        self._toggle(x)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _reopen(self, window: cython.int, side: cython.int, cell: cython.int) -> cython.void:
        """Undo `_close`, but for the keys."""
        marks: cython.int = self.own[window * 2 + side]
        self.opened[side * 21 + marks] += 1
        x: cython.int
        if marks + 1 == self.k:
            x = self.rest[window]
            if x != cell and self.threats[x * 2 + side] == 0:
                self.hot[side] += 1
            self.threats[x * 2 + side] += 1
        i: cython.int
        for i in range(window * self.k, window * self.k + self.k):
            self.live[self.cell_of[i]] += 1
        if not self.overline:
            for i in range(2):
                x = self.end_of[window * 2 + i]
                if x >= 0:
                    self.live[x] += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _toggle(self, cell: cython.int) -> cython.void:
        """Add a cell's mark to the keys, or take it out."""
        i: cython.int
        keys: cython.int = self.made * 8
        mark: cython.int = self.cells[cell] - 1
        for i in range(self.symmetries):
            self.keys[keys + i] ^= self.zobrist[(i * self.size + cell) * 2 + mark]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make(self, cell: cython.int, side: cython.int) -> cython.void:
        foe: cython.int = 1 - side
        i: cython.int
        window: cython.int
        marks: cython.int
        last: cython.int
        if self.threats[cell * 2]:
            self.hot[0] -= 1
        if self.threats[cell * 2 + 1]:
            self.hot[1] -= 1
        self.empty -= 1
        keys: cython.int = self.made * 8
        self.made += 1
        for i in range(keys, keys + self.symmetries):
            self.keys[i + 8] = self.keys[i]
        if self.gravity:
            self.drop[cell % self.columns] = cell - self.columns
            for i in range(self.symmetries):
                self.keys[keys + 8 + i] ^= self.fallen[i * self.size + cell]
        if self.nearby:
            for i in range(self.around_at[cell], self.around_at[cell + 1]):
                self.near[self.around[i]] += 1
        for i in range(self.member_at[cell], self.member_at[cell + 1]):
            window = self.member[i]
            if self.blocked[window * 2 + foe] == 0:
                self._close(window, foe, cell)
            self.blocked[window * 2 + foe] += 1
            self.rest[window] ^= cell
            marks = self.own[window * 2 + side]
            self.own[window * 2 + side] = marks + 1
            if self.blocked[window * 2 + side] == 0:
                self.opened[side * 21 + marks] -= 1
                self.opened[side * 21 + marks + 1] += 1
                if marks + 2 == self.k:
                    last = self.rest[window] * 2 + side
                    if self.threats[last] == 0:
                        self.hot[side] += 1
                    self.threats[last] += 1
        for i in range(self.end_at[cell], self.end_at[cell + 1]):
            window = self.end[i]
            if self.blocked[window * 2 + side] == 0:
                self._close(window, side, cell)
            self.blocked[window * 2 + side] += 1
        self.cells[cell] = side + 1
        if self.live[cell]:
            self._toggle(cell)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unmake(self, cell: cython.int, side: cython.int) -> cython.void:
        foe: cython.int = 1 - side
        i: cython.int
        window: cython.int
        marks: cython.int
        last: cython.int
        self.cells[cell] = 0
        for i in range(self.end_at[cell], self.end_at[cell + 1]):
            window = self.end[i]
            self.blocked[window * 2 + side] -= 1
            if self.blocked[window * 2 + side] == 0:
                self._reopen(window, side, cell)
        for i in range(self.member_at[cell], self.member_at[cell + 1]):
            window = self.member[i]
            marks = self.own[window * 2 + side] - 1
            self.own[window * 2 + side] = marks
            if self.blocked[window * 2 + side] == 0:
                self.opened[side * 21 + marks + 1] -= 1
                self.opened[side * 21 + marks] += 1
                if marks + 2 == self.k:
                    last = self.rest[window] * 2 + side
                    self.threats[last] -= 1
                    if self.threats[last] == 0:
                        self.hot[side] -= 1
            self.rest[window] ^= cell
            self.blocked[window * 2 + foe] -= 1
            if self.blocked[window * 2 + foe] == 0:
                self._reopen(window, foe, cell)
        if self.nearby:
            for i in range(self.around_at[cell], self.around_at[cell + 1]):
                self.near[self.around[i]] -= 1
        if self.gravity:
            self.drop[cell % self.columns] = cell
        self.made -= 1
        self.empty += 1
        if self.threats[cell * 2]:
            self.hot[0] += 1
        if self.threats[cell * 2 + 1]:
            self.hot[1] += 1

    # What the windows say of a position.

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _gives_away(self, cell: cython.int, foe: cython.int) -> cython.bint:
        """With gravity: whether the other side completes a line on top of a mark there."""
        above: cython.int = cell - self.columns
        return above >= 0 and self.threats[above * 2 + foe] > 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _wins_in(self, plies: cython.int, ply: cython.int) -> cython.int:
        """The value of a win in so many plies from here; 0 where the board is full before."""
        return WIN - (ply + plies) if plies <= self.empty else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _outlook(self, side: cython.int, ply: cython.int) -> cython.void:
        """Bounds of the value of a position, in `up` and `low`: equal where it is decided.

        `forced` is the only cell that does not lose at once, or -1.
        """
        foe: cython.int = 1 - side
        i: cython.int
        cell: cython.int
        here: cython.int = 0  # where the side completes a line
        there: cython.int = 0  # where the other would
        choices: cython.int = 0
        good: cython.int = 0  # choices that do not give the other a line at once
        answer: cython.int = -1
        self.forced = -1
        if self.gravity:
            for i in range(self.columns):
                cell = self.drop[i]
                if cell >= 0:
                    choices += 1
                    if self.threats[cell * 2 + side]:
                        here += 1
                    if self.threats[cell * 2 + foe]:
                        there += 1
                        answer = cell
                    if not self._gives_away(cell, foe):
                        good += 1
        else:
            choices = good = self.empty
            here = self.hot[side]
            there = self.hot[foe]
        if self.misere:
            if here == choices:
                self.up = self.low = -(WIN - (ply + 1))
                return
        elif here:
            self.up = self.low = WIN - (ply + 1)
            return
        elif there > 1 or good == 0 or (self.gravity and there and self._gives_away(answer, foe)):
            self.up = self.low = -(WIN - (ply + 2))
            return
        # How many marks the fullest windows lack, and their potentials.
        mine: cython.int = 0
        theirs: cython.int = 0
        my_potential: cython.longlong = 0
        their_potential: cython.longlong = 0
        for i in range(self.k):
            if self.opened[side * 21 + i]:
                mine = self.k - i
                my_potential += cython.cast(cython.longlong, self.opened[side * 21 + i]) * (
                    ONE >> mine
                )
            if self.opened[foe * 21 + i]:
                theirs = self.k - i
                their_potential += cython.cast(cython.longlong, self.opened[foe * 21 + i]) * (
                    ONE >> theirs
                )
        self.up = self.low = 0
        soonest: cython.int
        if mine:
            soonest = 2 * mine - 1
            if soonest < 3:
                soonest = 3
            if self.misere:
                self.low = -self._wins_in(soonest, ply)
            elif self.gravity or 2 * my_potential >= ONE:
                self.up = self._wins_in(soonest, ply)
        if theirs:
            soonest = 2 * theirs
            if self.misere:
                self.up = self._wins_in(soonest, ply)
            elif self.gravity or their_potential >= ONE:
                if soonest < 4:
                    soonest = 4
                self.low = -self._wins_in(soonest, ply)
        if there and not self.misere:
            if not self.gravity:
                answer = 0
                while self.cells[answer] or self.threats[answer * 2 + foe] == 0:
                    answer += 1
            self.forced = answer

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, side: cython.int) -> cython.int:
        """An estimate from the open windows, for the side to move."""
        foe: cython.int = 1 - side
        value: cython.int = 0
        i: cython.int
        for i in range(self.k):
            value += self.weight[i] * (self.opened[side * 21 + i] - self.opened[foe * 21 + i])
        value += TEMPO
        if self.misere:
            value = RESERVE * (self.hot[foe] - self.hot[side]) - value
        if value > CAP:
            value = CAP
        elif value < -CAP:
            value = -CAP
        return value

    # Moves.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(
        self,
        side: cython.int,
        ply: cython.int,
        first: cython.int,
        forced: cython.int,
        proving: cython.bint,
    ) -> cython.int:
        """List the moves that do not lose at once, with their urgency; `_outlook` knows of one.

        Of the cells that are in no open window one is enough, without gravity: they are alike.
        A proof without gravity fares better by the windows alone than with the history.
        """
        foe: cython.int = 1 - side
        base: cython.int = ply * STRIDE
        n: cython.int = 0
        i: cython.int
        j: cython.int
        cell: cython.int
        window: cython.int
        urge: cython.int
        passed: cython.bint = False
        nearby: cython.bint = self.nearby and not proving
        learnt: cython.bint = self.gravity or not proving
        if forced >= 0:
            self.moves[base] = forced
            self.urges[base] = 0
            return 1
        for i in range(self.columns if self.gravity else self.size):
            cell = i
            if self.gravity:
                cell = self.drop[i]
                if cell < 0 or (not self.misere and self._gives_away(cell, foe)):
                    continue
            elif self.cells[cell] or (nearby and self.near[cell] == 0):
                continue
            if self.misere and self.threats[cell * 2 + side]:
                continue
            urge = 0
            if self.live[cell] == 0 and not self.gravity:
                if passed:
                    continue
                passed = True
            for j in range(self.member_at[cell], self.member_at[cell + 1]):
                window = self.member[j] * 2
                if self.blocked[window + side] == 0:
                    urge += self.own_urge * self.urge[self.own[window + side]]
                if self.blocked[window + foe] == 0:
                    urge += self.foe_urge * self.urge[self.own[window + foe]]
            if cell == first:
                urge = FIRST
            elif learnt:
                urge += self.history[cell * 2 + side]
            self.moves[base + n] = cell
            self.urges[base + n] = urge
            n += 1
        return n

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
    def _reward(
        self, side: cython.int, ply: cython.int, number: cython.int, bonus: cython.int
    ) -> cython.void:
        """Remember a move that cut, and that those tried before it did not."""
        base: cython.int = ply * STRIDE
        i: cython.int
        at: cython.int
        if bonus > 800:
            bonus = 800
        for i in range(number + 1):
            at = self.moves[base + i] * 2 + side
            if i == number:
                self.history[at] += bonus - ((self.history[at] * bonus) >> 13)
            else:
                self.history[at] -= bonus + ((self.history[at] * bonus) >> 13)

    # The transposition table. A datum: generation 13 bits, effort 6, move + 1 9, and two fields
    # of 16. For a proof they are the bounds of the true value, for an estimate the value, and the
    # depth and the kind of bound.

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self) -> cython.ulonglong:
        """The least of the keys of the position's images; which, is left in `table_image`.

        A key has the open windows, the marks in them or next to their ends, and the number of
        empty cells (with gravity their places): what else is on the board no longer matters.
        """
        i: cython.int
        keys: cython.int = self.made * 8
        best: cython.ulonglong = self.keys[keys]
        self.table_image = 0
        for i in range(1, self.symmetries):
            if self.keys[keys + i] < best:
                best = self.keys[keys + i]
                self.table_image = i
        return best ^ self.count_key[self.empty]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _probe(self, key: cython.ulonglong) -> cython.ulonglong:
        """The datum of a key, or 0."""
        at: cython.ulonglong = key & self.table_mask
        if self.table_key[at] == key and self.table_data[at] >> 51 == self.generation:
            return self.table_data[at]
        at += 1
        if self.table_key[at] == key and self.table_data[at] >> 51 == self.generation:
            return self.table_data[at]
        return 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _move_of(self, data: cython.ulonglong, image: cython.int) -> cython.int:
        cell: cython.int = cython.cast(cython.int, (data >> 32) & 511) - 1
        if image and cell >= 0:
            cell = self.inverse[image * self.size + cell]
        return cell

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _store(
        self,
        key: cython.ulonglong,
        image: cython.int,
        cell: cython.int,
        first: cython.int,
        second: cython.int,
        work: cython.longlong,
    ) -> cython.void:
        """The first place of a pair keeps the dearer entry, the second takes every other."""
        effort: cython.int = 0
        while work > 1 and effort < 63:
            work >>= 1
            effort += 1
        at: cython.ulonglong = key & self.table_mask
        if (
            self.table_data[at] >> 51 == self.generation
            and self.table_key[at] != key
            and (
                (self.table_data[at + 1] >> 51 == self.generation and self.table_key[at + 1] == key)
                or cython.cast(cython.int, (self.table_data[at] >> 45) & 63) > effort
            )
        ):
            at += 1
        if image and cell >= 0:
            cell = self.image[image * self.size + cell]
        data: cython.ulonglong = self.generation
        data = (data << 6) | effort
        data = (data << 13) | (cell + 1)
        data = (data << 16) | (first + 32768)
        data = (data << 16) | (second + 32768)
        self.table_key[at] = key
        self.table_data[at] = data

    # The searches.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _check(self) -> cython.void:
        """Every few thousand nodes, and where a share of nodes ends: is it time to stop?"""
        if self.nodes >= self.slice_end:
            self.stopped = True
        if self.nodes >= self.node_limit:
            self.stopped = self.out = True
        if self.nodes >= self.clock_at:
            self.clock_at = self.nodes + CHECK_EVERY
            if self.cancelled or seconds() >= self.deadline:
                self.stopped = self.out = True
        self._schedule()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _schedule(self) -> cython.void:
        """Set the node count of the next check."""
        self.next_check = self.clock_at
        if self.slice_end < self.next_check:
            self.next_check = self.slice_end
        if self.node_limit < self.next_check:
            self.next_check = self.node_limit

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _prove(self, side: cython.int, ply: cython.int, beta: cython.int) -> cython.int:
        """Whether a position is worth at least beta: a true lower bound not below it, or a true
        upper bound below it. Values count plies from ply 0; the position is not over.
        """
        began: cython.longlong = self.nodes
        self.nodes += 1
        if self.nodes >= self.next_check:
            self._check()
            if self.stopped:
                return 0
        self._outlook(side, ply)
        up: cython.int = self.up
        low: cython.int = self.low
        if up < beta or up == low:
            return up
        if low >= beta:
            return low
        forced: cython.int = self.forced
        key: cython.ulonglong = self._key()
        image: cython.int = self.table_image
        data: cython.ulonglong = self._probe(key)
        value: cython.int
        first: cython.int = -1
        if data:
            first = self._move_of(data, image)
            value = cython.cast(cython.int, data & 0xFFFF) - 32768
            if value > COUNTS_PLIES:
                value -= ply
            elif value < -COUNTS_PLIES:
                value += ply
            if value < up:
                up = value
            value = cython.cast(cython.int, (data >> 16) & 0xFFFF) - 32768
            if value > COUNTS_PLIES:
                value -= ply
            elif value < -COUNTS_PLIES:
                value += ply
            if value > low:
                low = value
            if up < beta or up == low:
                self.hits += 1
                return up
            if low >= beta:
                self.hits += 1
                return low
        base: cython.int = ply * STRIDE
        n: cython.int = self._list(side, ply, first, forced, True)
        best: cython.int = -UNKNOWN
        i: cython.int
        cell: cython.int
        for i in range(n):
            cell = self._pick(base, i, n)
            self._make(cell, side)
            value = 0
            if self.empty:
                value = -self._prove(1 - side, ply + 1, 1 - beta)
            self._unmake(cell, side)
            if self.stopped:
                return 0
            if value > best:
                best = value
                if value >= beta or first < 0:
                    first = cell
                if value >= beta:
                    self.cutoffs += 1
                    if forced < 0 and self.gravity:
                        self._reward(side, ply, i, self.empty)
                    break
        if best >= beta:
            low = best
        elif best < up:
            up = best
        else:
            best = up
        if up > COUNTS_PLIES:
            up += ply
        elif up < -COUNTS_PLIES:
            up -= ply
        if low > COUNTS_PLIES:
            low += ply
        elif low < -COUNTS_PLIES:
            low -= ply
        self._store(key, image, first, low, up, self.nodes - began)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(
        self,
        side: cython.int,
        ply: cython.int,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
    ) -> cython.int:
        """Principal variation search, fail-soft; the position is not over."""
        began: cython.longlong = self.nodes
        self.nodes += 1
        self.pv_end[ply] = ply
        if self.nodes >= self.next_check:
            self._check()
            if self.stopped:
                return 0
        self._outlook(side, ply)
        up: cython.int = self.up
        low: cython.int = self.low
        if up <= alpha or up == low:
            return up
        if low >= beta:
            return low
        forced: cython.int = self.forced
        value: cython.int
        if depth <= 0 and forced < 0:
            value = self._evaluate(side)
            if value > up:
                value = up
            if value < low:
                value = low
            return value
        key: cython.ulonglong = self._key() ^ self.estimate_key
        image: cython.int = self.table_image
        data: cython.ulonglong = self._probe(key)
        first: cython.int = -1
        bound: cython.int
        if data:
            first = self._move_of(data, image)
            value = cython.cast(cython.int, (data >> 16) & 0xFFFF) - 32768
            if value > COUNTS_PLIES:
                value -= ply
            elif value < -COUNTS_PLIES:
                value += ply
            bound = cython.cast(cython.int, data & 3)
            if (
                (cython.cast(cython.int, data & 0xFFFF) - 32768) >> 2 >= depth
                and beta - alpha == 1
                and ((value >= beta and bound & LOWER) or (value <= alpha and bound & UPPER))
            ):
                self.hits += 1
                return value
        base: cython.int = ply * STRIDE
        n: cython.int = self._list(side, ply, first, forced, False)
        if n == 0:
            n = self._list(side, ply, first, forced, True)
        limit: cython.int = n
        if not self.gravity and ply > 0 and n > NARROW + 2 * depth:
            limit = NARROW + 2 * depth if depth > 0 else NARROW
        deeper: cython.int = depth - 1 if forced < 0 else depth
        best: cython.int = -UNKNOWN
        floor: cython.int = alpha
        less: cython.int
        i: cython.int
        cell: cython.int
        for i in range(n):
            if i >= limit and best > -COUNTS_PLIES:
                break
            cell = self._pick(base, i, n)
            self._make(cell, side)
            if self.empty == 0:
                value = 0
                self.pv_end[ply + 1] = ply + 1
            elif i == 0:
                value = -self._estimate(1 - side, ply + 1, deeper, -beta, -alpha)
            else:
                less = 1 if depth > 2 and i > 3 else 0
                value = -self._estimate(1 - side, ply + 1, deeper - less, -alpha - 1, -alpha)
                if value > alpha and (less or value < beta):
                    value = -self._estimate(1 - side, ply + 1, deeper, -beta, -alpha)
            self._unmake(cell, side)
            if self.stopped:
                break
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    first = cell
                    self._take_pv(ply, cell)
                    if value >= beta:
                        self.cutoffs += 1
                        if forced < 0:
                            self._reward(side, ply, i, 4 * depth * depth)
                        break
        if self.stopped:
            return best
        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= floor:
            bound = UPPER
        value = best
        if value > COUNTS_PLIES:
            value += ply
        elif value < -COUNTS_PLIES:
            value -= ply
        self._store(key, image, first, value, depth << 2 | bound, self.nodes - began)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_pv(self, ply: cython.int, cell: cython.int) -> cython.void:
        i: cython.int
        self.pv[ply * STRIDE + ply] = cell
        for i in range(ply + 1, self.pv_end[ply + 1]):
            self.pv[ply * STRIDE + i] = self.pv[(ply + 1) * STRIDE + i]
        self.pv_end[ply] = self.pv_end[ply + 1]

    # The face.

    def cancel(self) -> None:
        """From another thread: end the search in progress."""
        self.cancelled = True

    def prove(self, side: int, ply: int, beta: int, end: int) -> int:
        """Search until `nodes` reaches `end`; `stopped` says whether that was too soon.

        Args:
            side: 0 for X, 1 for O, to move in a position that is not over.
            ply: moves played since the position that the values count from.
            beta: what the position is asked to be worth at least.
            end: a node count.

        Returns:
            A true lower bound of the value that is not below beta, or a true upper bound below it.
        """
        value: cython.int
        c_side: cython.int = side
        c_ply: cython.int = ply
        c_beta: cython.int = beta
        self._slice(end)
        with cython.nogil:
            value = self._prove(c_side, c_ply, c_beta)
        return value

    def estimate(self, side: int, ply: int, depth: int, end: int) -> int:
        """The value of a position as a search to a depth sees it; `line` has the moves to it.

        Where it is stopped, the value is that of the moves tried so far.
        """
        value: cython.int
        c_side: cython.int = side
        c_ply: cython.int = ply
        c_depth: cython.int = depth
        self._slice(end)
        with cython.nogil:
            value = self._estimate(c_side, c_ply, c_depth, -UNKNOWN, UNKNOWN)
        return value

    def line(self, ply: int) -> list[int]:
        """The principal variation of the last estimate, from a ply on."""
        return [self.pv[ply * STRIDE + i] for i in range(ply, self.pv_end[ply])]

    def ordered(self, side: int) -> list[int]:
        """The legal moves, the likeliest first: such as lose at once come last."""
        self._outlook(side, 0)
        n: cython.int = self._list(side, 0, -1, self.forced, True)
        likely = [self._pick(0, i, n) for i in range(n)]
        if not self.misere:
            wins = [cell for cell in self.free() if self.threats[cell * 2 + side]]
            likely = wins + [cell for cell in likely if cell not in wins]
        return likely + [cell for cell in self.free() if cell not in likely]

    def mirror_holds(self) -> bool:
        """Whether the side to move cannot win because the other can mirror its moves.

        So it is with `misere` where an image of the board takes each mark to one of the other
        side, and no cell to its own place. A line that the mirroring side completes would be the
        image of one that was complete before, or have a cell together with that cell's image, and
        so marks of both.
        """
        if not self.misere:
            return False
        for i in range(1, self.symmetries):
            image = [self.image[i * self.size + cell] for cell in range(self.size)]
            if all(
                place != cell
                and image[place] == cell
                and self.cells[cell] + self.cells[place] == (3 if self.cells[cell] else 0)
                for cell, place in enumerate(image)
            ):
                return True
        return False

    def grant(self, nodes: int) -> None:
        """Allow so many nodes more than were visited, unless the limit allows more anyway."""
        self.node_limit = max(self.node_limit, self.nodes + nodes)
        self.out = self.cancelled

    def proven_move(self) -> int:
        """The move that a proof has left in the table for the position, or -1."""
        key: cython.ulonglong = self._key()
        data: cython.ulonglong = self._probe(key)
        cell: cython.int = self._move_of(data, self.table_image) if data else -1
        # Positions that differ in what no longer matters share an entry.
        return cell if cell in self.free() else -1

    def evaluate(self, side: int) -> int:
        """The estimate of a position without any search, for the side to move."""
        return self._evaluate(side)

    def _slice(self, end: int) -> None:
        self.slice_end = end
        self.stopped = self.out
        self._schedule()
