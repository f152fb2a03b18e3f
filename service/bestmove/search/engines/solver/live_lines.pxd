# live_lines.py describes the arrays.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.clock cimport Limited

cdef enum:  # the sizes of arrays
    CELLS = 64  # the most cells of a board: a set of cells is one 64-bit word
    LINES = 256  # a board of up to 64 cells has at most 210 lines, on 8×8 with k = 2
    # One ply for each cell, one for a pass or a move tried ahead, one for the position after the
    # last move, and two spare plies.
    PLIES = CELLS + 4
    ROWS = 2 * PLIES  # one for each side at each ply

cdef int64_t ONE


cdef class LiveLines(Limited):
    cdef int size, _line_count
    cdef bint _blocks_only
    cdef uint64_t[LINES] _mask
    cdef int[LINES] _lane
    cdef uint64_t[ROWS * LINES] _rest
    cdef int[ROWS * LINES] _left, _line_of
    cdef uint64_t[ROWS] _winning, _forking, _cells, _full
    cdef int64_t[ROWS] _potential
    cdef int[ROWS] _live, _longest
    cdef uint64_t[PLIES] _attacker, _defender
    cdef int _k
    cdef int64_t[CELLS + 1] _weight

    cdef inline void _sum_up(self, int row, int kept) noexcept nogil
    cdef inline void _follow(self, int ply, int side, uint64_t bit, bint own) noexcept nogil
    cdef inline int _drop_paired(self, int first, int kept) noexcept nogil
    @cython.final
    cdef void _play(self, int ply, int side, uint64_t bit) noexcept nogil
    @cython.final
    cdef void _place(self, uint64_t attacker, uint64_t defender)
