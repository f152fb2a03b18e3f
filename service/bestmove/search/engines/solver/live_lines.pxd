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

    @cython.locals(
        base=int, i=int, c=int, top=int, r=uint64_t, one=uint64_t, seen=uint64_t, two=uint64_t,
        cells=uint64_t, full=uint64_t, phi=int64_t
    )
    cdef inline void _sum_up(self, int row, int kept) noexcept nogil
    @cython.locals(
        i=int, c=int, r=uint64_t, previous=uint64_t, row=int, start=int, first=int, kept=int
    )
    cdef inline void _follow(self, int ply, int side, uint64_t bit, bint own) noexcept nogil
    @cython.locals(i=int, left=int, r=uint64_t, lone=uint64_t, once=uint64_t, twice=uint64_t)
    cdef inline int _drop_paired(self, int first, int kept) noexcept nogil
    @cython.final
    cdef void _play(self, int ply, int side, uint64_t bit) noexcept nogil
    @cython.final
    @cython.locals(
        side=int, i=int, kept=int, own=uint64_t, other=uint64_t, mask=uint64_t,
        own_on_line=uint64_t
    )
    cdef void _place(self, uint64_t attacker, uint64_t defender)
