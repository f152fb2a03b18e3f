# The arrays are described in live_lines.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.clock cimport Limited

cdef int CELLS, LINES, PLIES
cdef int64_t ONE


cdef class LiveLines(Limited):
    cdef int size, _line_count
    cdef bint _blocks_only
    cdef uint64_t[::1] _mask
    cdef int[::1] _lane
    cdef uint64_t[::1] _rest
    cdef int[::1] _left, _line_of, _live
    cdef uint64_t[::1] _winning, _forking, _cells, _full
    cdef int64_t[::1] _potential
    cdef int[::1] _longest
    cdef uint64_t[::1] _attacker, _defender
    cdef int _k
    cdef int64_t[65] _weight

    cdef inline void _sum_up(self, int row, int kept) noexcept nogil
    cdef inline void _follow(self, int ply, int side, uint64_t bit, bint own) noexcept nogil
    cdef inline int _drop_paired(self, int first, int kept) noexcept nogil
    @cython.final
    cdef void _play(self, int ply, int side, uint64_t bit) noexcept nogil
    @cython.final
    cdef void _place(self, uint64_t attacker, uint64_t defender)
