cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.engines.general.position cimport IMAGES, PLIES, STRIDE, Position

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
    cdef short[PLIES * STRIDE] pv
    cdef int[PLIES] pv_end

    cdef void _wipe(self)
    cdef inline int _pick(self, int base, int i, int n) noexcept nogil
    cdef void _reward(self, int side, int ply, int number, int bonus) noexcept nogil
    cdef inline uint64_t _key(self) noexcept nogil
    cdef inline uint64_t _probe(self, uint64_t key) noexcept nogil
    @cython.locals(cell=int)
    cdef inline int _move_of(self, uint64_t data, int image) noexcept nogil
    cdef void _store(
        self, uint64_t key, int image, int cell, int first, int second, int64_t work
    ) noexcept nogil
    cdef int _prove(self, int side, int ply, int beta) noexcept nogil
    cdef int _estimate(self, int side, int ply, int depth, int alpha, int beta) noexcept nogil
    cdef void _take_pv(self, int ply, int cell) noexcept nogil
    cpdef int prove(self, int side, int ply, int beta, int64_t end)
    cpdef int estimate(self, int side, int ply, int depth, int64_t end)
    cpdef list ordered(self, int side, int most=*)
    cpdef int proven_move(self)
