# table.py describes the arrays.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.engines.solver.live_lines cimport CELLS, PLIES

cdef enum:  # the sizes of arrays
    SYMMETRIES = 8  # of a square
    BYTE = 256  # the values of a byte
    SET_BYTES = CELLS >> 3  # the bytes of a set of cells

cdef int SYMMETRIC_PLIES
cdef uint64_t WORD, GOLDEN, PRIME

cdef int _win_of(uint64_t info) noexcept nogil
cdef int _no_win_of(uint64_t info) noexcept nogil
@cython.locals(stored=int)
cdef int _move_of(uint64_t info) noexcept nogil
cdef int _turn_of(uint64_t info) noexcept nogil
cdef int _effort_of(uint64_t info) noexcept nogil
cdef uint64_t _generation_of(uint64_t info) noexcept nogil
cdef uint64_t _packed(
    uint64_t win, uint64_t no_win, int move, uint64_t turn, uint64_t effort, uint64_t generation
) noexcept nogil


@cython.final
cdef class Table:
    cdef int win, no_win, move
    cdef uint64_t zone
    cdef uint64_t[::1] _entries
    cdef int _shift
    cdef uint64_t _generation
    cdef uint64_t[PLIES] _key_p, _key_q
    cdef int64_t[PLIES] _slot
    cdef int[PLIES] _symmetry
    cdef int _symmetry_count
    cdef int[SYMMETRIES] _inverse
    cdef int[SYMMETRIES * CELLS] _place_of
    cdef uint64_t[SYMMETRIES * SET_BYTES * BYTE] _images

    cdef uint64_t _image(self, uint64_t cells, int symmetry) noexcept nogil
    cdef bint find(self, int ply, uint64_t p, uint64_t q, int turn) noexcept nogil
    cdef inline bint _is_entry(self, int64_t at, uint64_t info, int ply, int turn) noexcept nogil
    cdef void store(
        self, int ply, int turn, int win, int no_win, int move, uint64_t zone, int64_t spent
    ) noexcept nogil
