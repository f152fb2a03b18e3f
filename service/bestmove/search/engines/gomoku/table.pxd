cimport cython
from libc.stdint cimport int64_t, uint64_t

cdef int SETTLED_RANK
cdef uint64_t NUMBER_MASK


@cython.final
cdef class Table:
    cdef uint64_t[::1] keys, entries
    cdef uint64_t mask, generation, oldest
    cdef int value, evaluation, move, draft, bound
    cdef uint64_t proof, disproof

    cpdef void share(self, Table other)
    cdef inline uint64_t probe(self, uint64_t key) noexcept nogil
    @cython.locals(least=int, rank=int)
    cdef inline void put(self, uint64_t key, uint64_t data) noexcept nogil
    cdef bint find(self, uint64_t key) noexcept nogil
    cdef void store(
        self, uint64_t key, int value, int evaluation, int move, int draft, int bound
    ) noexcept nogil
    cdef bint find_numbers(self, uint64_t key) noexcept nogil
    cdef void store_numbers(
        self, uint64_t key, uint64_t proof, uint64_t disproof, int64_t work
    ) noexcept nogil
