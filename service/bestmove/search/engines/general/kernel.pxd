cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.engines.general.position cimport STRIDE, Position

cdef int COUNTS_PLIES, UNKNOWN, UPPER, LOWER, EXACT, NARROW
cdef uint64_t GENERATIONS

cdef int from_table(int value, int ply) noexcept nogil
cdef int to_table(int value, int ply) noexcept nogil
cdef int _effort_of(uint64_t data) noexcept nogil
@cython.locals(field=int)
cdef int _first_of(uint64_t data) noexcept nogil
@cython.locals(field=int)
cdef int _second_of(uint64_t data) noexcept nogil


@cython.final
cdef class GeneralKernel(Position):
    # The transposition table.
    cdef uint64_t[::1] table_key, table_data
    cdef uint64_t table_mask, generation
    cdef int table_image
    cdef short[161604] pv
    cdef int[402] pv_end

    @cython.locals(at=uint64_t)
    cdef void _wipe(self)
    @cython.locals(j=int, best=int, cell=int, urge=int)
    cdef inline int _pick(self, int base, int i, int n) noexcept nogil
    @cython.locals(base=int, i=int, at=int)
    cdef void _reward(self, int side, int ply, int number, int bonus) noexcept nogil
    @cython.locals(i=int, keys=int, best=uint64_t)
    cdef inline uint64_t _key(self) noexcept nogil
    @cython.locals(at=uint64_t)
    cdef inline uint64_t _probe(self, uint64_t key) noexcept nogil
    @cython.locals(cell=int)
    cdef inline int _move_of(self, uint64_t data, int image) noexcept nogil
    @cython.locals(effort=int, at=uint64_t, data=uint64_t)
    cdef void _store(
        self, uint64_t key, int image, int cell, int first, int second, int64_t work
    ) noexcept nogil
    @cython.locals(
        began=int64_t, up=int, low=int, forced=int, key=uint64_t, image=int, data=uint64_t,
        value=int, first=int, base=int, n=int, best=int, i=int, cell=int
    )
    cdef int _prove(self, int side, int ply, int beta) noexcept nogil
    @cython.locals(
        began=int64_t, up=int, low=int, forced=int, value=int, key=uint64_t, image=int,
        data=uint64_t, first=int, bound=int, base=int, n=int, limit=int, deeper=int, best=int,
        floor=int, less=int, i=int, cell=int
    )
    cdef int _estimate(self, int side, int ply, int depth, int alpha, int beta) noexcept nogil
    @cython.locals(i=int)
    cdef void _take_pv(self, int ply, int cell) noexcept nogil
    cpdef int prove(self, int side, int ply, int beta, int64_t end)
    cpdef int estimate(self, int side, int ply, int depth, int64_t end)
    @cython.locals(n=int)
    cpdef list ordered(self, int side)
    @cython.locals(key=uint64_t, data=uint64_t, cell=int)
    cpdef int proven_move(self)
