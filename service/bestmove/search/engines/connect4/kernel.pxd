cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.clock cimport Limited

cdef enum:  # the sizes of arrays
    BITS = 64  # bits in a word
    COUNTS = BITS + 1  # a set has 0 to BITS cells
    MOST_COLUMNS = BITS >> 1  # a column has at least two bits

cdef uint64_t WORD, GOLDEN, SIGN
cdef int WIN, INFINITE, PAYLOAD, BIAS, LOOK_UP, REMEMBER, THREAT, GOOD_THREAT, INWARD
cdef int64_t SLOTS, ENTRY
cdef int UNLISTED

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
    cdef bint _is_four, _is_exact
    cdef int _ways
    cdef int[::1] _way
    cdef uint64_t[COUNTS] _after
    cdef uint64_t _lower, _odd
    cdef uint64_t[::1] _column, _row
    cdef int[::1] _inward
    cdef uint64_t[COUNTS * BITS] _line
    cdef int[COUNTS] _length
    cdef int _mirrored, _key_bits
    cdef uint64_t _key_mask
    cdef int _least_bits, _most_bits, _bits
    cdef int64_t _filled
    cdef uint64_t[::1] _table
    cdef int _listed_left
    cdef const unsigned char[::1] _listed
    cdef int64_t _listed_count
    # Lists of moves: the list for a position with n empty cells starts at MOST_COLUMNS * n.
    cdef uint64_t[BITS * MOST_COLUMNS] _ordered, _replied
    cdef int[BITS * MOST_COLUMNS] _urgency

    cpdef void begin(self, object deadline, object nodes)
    cdef inline uint64_t _fours(self, uint64_t own, int h) noexcept nogil
    @cython.locals(s=int, after=uint64_t, before=uint64_t, shifted=uint64_t, further=uint64_t)
    cdef uint64_t _completing(self, uint64_t own) noexcept nogil
    cdef inline uint64_t _threats(self, uint64_t own, uint64_t mask) noexcept nogil
    cdef inline bint _has_row(self, uint64_t own) noexcept nogil
    cdef inline uint64_t _replies(self, uint64_t mask, uint64_t threats) noexcept nogil
    cdef uint64_t _mirror(self, uint64_t cells) noexcept nogil
    @cython.locals(one=uint64_t)
    cdef inline uint64_t _entry(self, uint64_t key) noexcept nogil
    @cython.locals(one=uint64_t)
    cdef void _store(self, uint64_t key, int lower, int upper, int64_t cost) noexcept nogil
    @cython.locals(b=int64_t, buckets=int64_t, one=uint64_t, moved=uint64_t[4])
    cdef void _grow(self) noexcept nogil
    cpdef void use_list(self, object listed, int discs)
    @cython.locals(code=uint64_t, bit=uint64_t)
    cdef uint64_t _code(self, uint64_t own, uint64_t mask, bint is_image) noexcept nogil
    @cython.locals(low=int64_t, high=int64_t, middle=int64_t, wanted=uint64_t, code=uint64_t)
    cpdef int listed(self, uint64_t own, uint64_t mask) noexcept nogil
    cdef inline int _list(
        self, uint64_t own, uint64_t mask, uint64_t moves, int base
    ) noexcept nogil
    cdef inline uint64_t _attainable(self, uint64_t own, uint64_t mask, int beta) noexcept nogil
    cdef int _at_least(
        self, uint64_t own, uint64_t mask, uint64_t moves, int left, int beta
    ) noexcept nogil
    cpdef int at_least(self, uint64_t own, uint64_t mask, int beta)
    @cython.locals(bound=int, left=int, n=int, base=int)
    cpdef uint64_t first_worth(self, uint64_t own, uint64_t mask, int score, bint best_first)
    @cython.locals(left=int)
    cpdef list line(self, uint64_t own, uint64_t mask, uint64_t move, int score)
    cdef int _worth(self, uint64_t own, uint64_t mask, uint64_t good) noexcept nogil
    cdef int _estimate(
        self, uint64_t own, uint64_t mask, uint64_t moves, int left, int depth, int alpha, int beta
    ) noexcept nogil
    cpdef tuple estimate(self, uint64_t own, uint64_t mask, int depth, int alpha, int beta)
