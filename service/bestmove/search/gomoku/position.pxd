# The arrays are drawn in position.py.
cimport cython


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
    cdef unsigned short[926] combination
    cdef unsigned char[926] cell_class
    cdef int[26] count
    cdef int[2] weight
    cdef long long[2] features
    cdef unsigned long long[64] group
    cdef unsigned long long[3224] near
    cdef unsigned long long[8] taken
    cdef unsigned long long hash
    cdef readonly int empty
    cdef int made
    cdef int[403] made_cell
    cdef int[403] made_log
    cdef long long[1612] made_sums
    cdef int[10478] made_counts
    cdef unsigned long long[25792] made_groups
    cdef unsigned long long[::1] log
    cdef int log_top
    cdef unsigned long long[3704] around
    cdef unsigned long long[3704] linked
    cdef int[13] group_of
    cdef bint tabulated
    cdef unsigned char[::1] window_table
    cdef unsigned long long[::1] memo_key
    cdef unsigned char[::1] memo_class
    cdef unsigned long long[::1] memo_line
    cdef unsigned char[::1] memo_classes
    cdef unsigned short[256] pair
    cdef unsigned short[256] first_pair
    cdef unsigned short[::1] of_pairs
    cdef unsigned char[::1] class_of
    cdef int[::1] weight_of
    cdef long long[::1] feature_of
    cdef unsigned long long[926] zobrist
    cdef unsigned long long side_hash
    cdef unsigned long long fours_hash
    cdef unsigned long long threats_hash

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
