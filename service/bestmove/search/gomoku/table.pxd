cimport cython


@cython.final
cdef class Table:
    cdef unsigned long long[::1] keys
    cdef unsigned long long[::1] entries
    cdef unsigned long long mask
    cdef unsigned long long generation
    cdef unsigned long long oldest
    cdef int value
    cdef int evaluation
    cdef int move
    cdef int draft
    cdef int bound
    cdef unsigned long long proof
    cdef unsigned long long disproof

    cdef unsigned long long probe(self, unsigned long long key) noexcept nogil
    cdef void put(self, unsigned long long key, unsigned long long data) noexcept nogil
    cdef bint find(self, unsigned long long key) noexcept nogil
    cdef void store(
        self, unsigned long long key, int value, int evaluation, int move, int draft, int bound
    ) noexcept nogil
    cdef bint find_numbers(self, unsigned long long key) noexcept nogil
    cdef void store_numbers(
        self,
        unsigned long long key,
        unsigned long long proof,
        unsigned long long disproof,
        long long work,
    ) noexcept nogil
