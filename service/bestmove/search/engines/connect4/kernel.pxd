cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.clock cimport Limited

cdef uint64_t WORD, GOLDEN
cdef int WIN, INFINITE, PAYLOAD, BIAS, LOOK_UP, REMEMBER, THREAT, GOOD_THREAT, INWARD
cdef int64_t SLOTS

@cython.locals(n=int)
cdef int _count(uint64_t cells) noexcept nogil
@cython.locals(bound=int)
cdef int _lower_of(uint64_t entry) noexcept nogil
@cython.locals(bound=int)
cdef int _upper_of(uint64_t entry) noexcept nogil


@cython.final
cdef class DropKernel(Limited):
    cdef readonly int rows, columns, k
    cdef readonly uint64_t board, bottom
    cdef int _h, _cells
    cdef bint _is_four
    cdef int _ways
    cdef int[::1] _way
    cdef uint64_t _lower, _odd
    cdef uint64_t[::1] _column
    cdef int[::1] _inward
    cdef uint64_t[::1] _line
    cdef int[::1] _length
    cdef int _mirrored, _key_bits
    cdef uint64_t _key_mask
    cdef int _least_bits, _most_bits, _bits
    cdef int64_t _filled
    cdef uint64_t[::1] _table
    # The lists of moves; that of n empty cells starts at 32 * n.
    cdef uint64_t[2048] _ordered, _replied
    cdef int[2048] _urgency

    @cython.locals(i=int64_t)
    cpdef void begin(self, object deadline, object nodes)
    @cython.locals(p=uint64_t, r=uint64_t)
    cdef inline uint64_t _fours(self, uint64_t own, int h) noexcept nogil
    @cython.locals(i=int, j=int, e=int, s=int, before=uint64_t, after=uint64_t, r=uint64_t)
    cdef uint64_t _completing(self, uint64_t own) noexcept nogil
    @cython.locals(r=uint64_t)
    cdef inline uint64_t _threats(self, uint64_t own, uint64_t mask) noexcept nogil
    @cython.locals(i=int, j=int, m=uint64_t, h=int)
    cdef inline bint _has_line(self, uint64_t own) noexcept nogil
    @cython.locals(possible=uint64_t, forced=uint64_t)
    cdef inline uint64_t _replies(self, uint64_t mask, uint64_t threats) noexcept nogil
    @cython.locals(i=int, r=uint64_t, column=uint64_t)
    cdef uint64_t _mirror(self, uint64_t cells) noexcept nogil
    @cython.locals(
        i=int64_t, one=uint64_t, tag_bits=int, hashed=uint64_t, tag=uint64_t, first=int64_t
    )
    cdef inline uint64_t _entry(self, uint64_t key) noexcept nogil
    @cython.locals(
        i=int64_t, at=int64_t, least=uint64_t, weight=uint64_t, one=uint64_t, tag_bits=int,
        hashed=uint64_t, tag=uint64_t, first=int64_t, bounds=uint64_t
    )
    cdef void _store(self, uint64_t key, int lower, int upper, int64_t cost) noexcept nogil
    @cython.locals(
        b=int64_t, i=int64_t, j=int64_t, e=int, entry=uint64_t, tag=uint64_t, moved=uint64_t[4],
        one=uint64_t, buckets=int64_t, wider=int, tag_bits=int
    )
    cdef void _grow(self) noexcept nogil
    @cython.locals(
        i=int, j=int, n=int, urgency=int, move=uint64_t, threats=uint64_t, reply=uint64_t
    )
    cdef inline int _list(
        self, uint64_t own, uint64_t mask, uint64_t moves, int base
    ) noexcept nogil
    @cython.locals(
        i=int, n=int, base=int, result=int, lower=int, upper=int, other=uint64_t, reply=uint64_t,
        empty=uint64_t, odd=uint64_t, key=uint64_t, image=uint64_t, entry=uint64_t, start=int64_t,
        best=int
    )
    cdef int _at_least(
        self, uint64_t own, uint64_t mask, uint64_t moves, int left, int beta
    ) noexcept nogil
    @cython.locals(left=int, moves=uint64_t)
    cpdef int at_least(self, uint64_t own, uint64_t mask, int beta)
    @cython.locals(i=int, threats=uint64_t, worth=int)
    cdef int _worth(self, uint64_t own, uint64_t mask, uint64_t good) noexcept nogil
    @cython.locals(
        i=int, j=int, n=int, base=int, value=int, good=uint64_t, other=uint64_t, best=int
    )
    cdef int _estimate(
        self, uint64_t own, uint64_t mask, uint64_t moves, int left, int depth, int alpha, int beta
    ) noexcept nogil
    @cython.locals(left=int, value=int, moves=uint64_t)
    cpdef tuple estimate(self, uint64_t own, uint64_t mask, int depth, int alpha, int beta)
