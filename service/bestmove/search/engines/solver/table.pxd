# table.py describes the arrays; 68 is PLIES.
cimport cython
from libc.stdint cimport int64_t, uint64_t

cdef int CELLS, SYMMETRIC_PLIES
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
    cdef uint64_t[68] _key_p, _key_q
    cdef int64_t[68] _slot
    cdef int[68] _symmetry
    cdef int _symmetry_count
    cdef int[8] _inverse
    cdef int[512] _place_of
    cdef uint64_t[16384] _images

    cdef uint64_t _image(self, uint64_t cells, int symmetry) noexcept nogil
    cdef bint find(self, int ply, uint64_t p, uint64_t q, int turn) noexcept nogil
    cdef inline bint _is_entry(self, int64_t at, uint64_t info, int ply, int turn) noexcept nogil
    cdef void store(
        self, int ply, int turn, int win, int no_win, int move, uint64_t zone, int64_t spent
    ) noexcept nogil
