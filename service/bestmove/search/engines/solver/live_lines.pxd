# live_lines.py describes the arrays. In their lengths, 68 is PLIES and 256 LINES.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.clock cimport Limited

cdef int CELLS, LINES
cdef int64_t ONE


cdef class LiveLines(Limited):
    cdef int size, _line_count
    cdef bint _blocks_only
    cdef uint64_t[256] _mask
    cdef int[256] _lane
    cdef uint64_t[34816] _rest
    cdef int[34816] _left, _line_of
    cdef uint64_t[136] _winning, _forking, _cells, _full
    cdef int64_t[136] _potential
    cdef int[136] _live, _longest
    cdef uint64_t[68] _attacker, _defender
    cdef int _k
    cdef int64_t[65] _weight

    cdef inline void _sum_up(self, int row, int kept) noexcept nogil
    cdef inline void _follow(self, int ply, int side, uint64_t bit, bint own) noexcept nogil
    cdef inline int _drop_paired(self, int first, int kept) noexcept nogil
    @cython.final
    cdef void _play(self, int ply, int side, uint64_t bit) noexcept nogil
    @cython.final
    cdef void _place(self, uint64_t attacker, uint64_t defender)
