# The arrays are drawn in position.py.
cimport cython


cdef class Position:
    cdef readonly int rows
    cdef readonly int columns
    cdef readonly int k
    cdef readonly bint overline
    cdef int reach
    cdef int code_bits
    cdef int width
    cdef int words
    cdef int[4] step
    cdef unsigned char[463] board
    cdef unsigned int[7408] code
    cdef unsigned short[926] line_classes
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
    cdef int[403] made_code_log
    cdef int[403] made_class_log
    cdef unsigned int[::1] code_log
    cdef int code_log_top
    cdef unsigned int[::1] class_log
    cdef int class_log_top
    cdef unsigned long long[3704] around
    cdef int[13] group_of
    cdef bint tabulated
    cdef unsigned char[::1] line_table
    cdef unsigned long long[::1] memo_key
    cdef unsigned char[::1] memo_class
    cdef unsigned char[::1] class_table
    cdef int[::1] weight_table
    cdef long long[::1] feature_table
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
    cdef int line_class(self, unsigned int left, unsigned int right) noexcept nogil
    @cython.final
    cdef void look_around(self, int cell) noexcept nogil
    @cython.final
    cdef void make(self, int cell, int side) noexcept nogil
    @cython.final
    cdef void unmake(self) noexcept nogil
