# The arrays are drawn in position.py.
cimport cython


cdef enum:
    NUMBER_BITS = 11  # of a combination's number
    NUMBER = 0x7FF
    COMBINATION = 0x3FFFFF  # two of them
    COUNT_BITS = 9  # of a count of cells
    COUNT = 0x1FF
    HALF_BITS = 10  # of the cells before or after one, 2 each
    HALF = 0x3FF
    LINE_OF_BOTH = 0x000F000F  # one line's classes for both sides


cdef class Position:
    cdef readonly int rows
    cdef readonly int columns
    cdef readonly int k
    cdef readonly bint overline
    cdef int reach
    cdef int width
    cdef int words
    cdef int[4] step
    cdef unsigned char[463] board
    cdef unsigned long long[118] line_marks
    cdef unsigned char[1852] line_of
    cdef unsigned char[1852] shift_of
    cdef unsigned int[463] line_classes
    cdef unsigned int[463] combination
    cdef long long[4] sums
    cdef int[26] count
    cdef unsigned long long[72] group
    cdef unsigned long long[3224] near
    cdef unsigned long long[8] taken
    cdef unsigned long long hash
    cdef readonly int empty
    cdef int made
    cdef int[403] made_cell
    cdef int[403] made_log
    cdef int[403] made_threats
    cdef long long[1612] made_sums
    cdef unsigned int[::1] threat_log
    cdef int threats
    cdef unsigned char[26] group_of
    cdef unsigned char[1820] threat_of
    cdef int[1852] first_seen
    cdef int[1852] after_seen
    cdef unsigned short[::1] seen
    cdef unsigned long long[::1] log
    cdef int log_top
    cdef unsigned long long[3704] around
    cdef unsigned long long[3704] linked
    cdef bint tabulated
    cdef unsigned short[1024] before
    cdef unsigned short[1024] after
    cdef unsigned char[16384] window_table
    cdef unsigned long long[::1] memo_key
    cdef unsigned char[::1] memo_class
    cdef unsigned long long[::1] memo_line
    cdef unsigned char[::1] memo_classes
    cdef unsigned short[256] pair
    cdef unsigned short[256] first_pair
    cdef unsigned short[8281] of_pairs
    cdef unsigned char[1820] class_of
    cdef int[1820] weight_of
    cdef long long[3640] worth
    cdef unsigned long long[926] zobrist
    cdef unsigned long long side_hash
    cdef unsigned long long fours_hash
    cdef unsigned long long threats_hash

    @cython.final
    cdef int class_at(self, int cell, int side) noexcept nogil
    @cython.final
    cdef bint is_dead(self) noexcept nogil
    @cython.final
    cdef int cell_at(self, int index) noexcept nogil
    @cython.final
    cdef int index_of(self, int cell) noexcept nogil
    @cython.final
    cdef void clear(self) noexcept nogil
    @cython.final
    cdef unsigned int window_classes(self, unsigned long long marks, int shift) noexcept nogil
    @cython.final
    cdef int combination_of(self, unsigned int lines, int side) noexcept nogil
    @cython.final
    cdef void make(self, int cell, int side) noexcept nogil
    @cython.final
    cdef void unmake(self) noexcept nogil
