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
    @cython.locals(i=uint64_t, data=uint64_t, first=uint64_t)
    cdef inline uint64_t probe(self, uint64_t key) noexcept nogil
    @cython.locals(i=uint64_t, old=uint64_t, first=uint64_t, chosen=uint64_t, least=int, rank=int)
    cdef inline void put(self, uint64_t key, uint64_t data) noexcept nogil
    @cython.locals(data=uint64_t)
    cdef bint find(self, uint64_t key) noexcept nogil
    @cython.locals(data=uint64_t)
    cdef void store(
        self, uint64_t key, int value, int evaluation, int move, int draft, int bound
    ) noexcept nogil
    @cython.locals(data=uint64_t)
    cdef bint find_numbers(self, uint64_t key) noexcept nogil
    @cython.locals(rank=int, data=uint64_t)
    cdef void store_numbers(
        self, uint64_t key, uint64_t proof, uint64_t disproof, int64_t work
    ) noexcept nogil
