cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.bits cimport trailing_zeros
from bestmove.search.common.clock cimport Limited


cdef enum:  # the sizes of arrays; position.py describes the arrays
    MOST_SIDE = 20  # the rows, or the columns, of the largest board
    MOST_CELLS = MOST_SIDE * MOST_SIDE
    PLACES = (MOST_SIDE + 2) * (MOST_SIDE + 1) + 1  # the largest board and its wall
    DIRECTIONS = 4
    BOARD_LINES = 2 * MOST_SIDE + 2 * (2 * MOST_SIDE - 1)  # rows and columns, both diagonals
    WORDS = (PLACES + 63) >> 6  # the 64-bit words of a set of places
    MOVES = MOST_CELLS + 1  # a position has 0 to MOST_CELLS moves
    LINE_CLASSES = 13  # see patterns.py
    COMBINATIONS = 1820  # of four LINE_CLASSES, with repetition: 16 * 15 * 14 * 13 / 24
    CLASS_SUMS = 4 * 10588 + 1  # from 0 to four times the largest of `patterns.SUMMANDS`
    CELL_CLASSES = 13  # see patterns.py
    GROUPS = 4  # groups of cells for each side: see patterns.py
    FEATURE_WORDS = 4  # two for each side: see network.py
    SUMS = FEATURE_WORDS + 1  # the last is the sum of the weights
    WINDOWS = 120 * 120  # for `patterns.window_table`: a half of five cells has 120 sights

cdef enum:
    SUM_BITS = 16  # a sum of four SUMMANDS has so many bits
    SUM = 0xFFFF
    THREATS = 0xF000F000  # a cell is a threat only if its `line_sums` has one of these bits
    COUNT_BITS = 10  # a count of cells has so many bits
    COUNT = 0x3FF
    HALF_BITS = 10  # five cells before a cell, or after it, have so many bits
    HALF = 0x3FF

cdef int WALL, NOTHING, CELL_THREE
cdef uint64_t WORD, LINE, GOLDEN


cdef class Position(Limited):
    cdef readonly int rows, columns, k
    cdef readonly bint overline
    cdef int reach, width, words
    cdef int[DIRECTIONS] step
    cdef unsigned char[PLACES] board
    cdef uint64_t[BOARD_LINES] line_marks
    cdef unsigned char[PLACES * DIRECTIONS] line_of, shift_of, line_classes
    cdef unsigned int[PLACES] line_sums
    cdef int64_t[SUMS] sums
    cdef int[2 * CELL_CLASSES] count
    cdef uint64_t[(2 * GROUPS + 1) * WORDS] group
    cdef uint64_t[MOVES * WORDS] near
    cdef uint64_t[WORDS] taken
    cdef uint64_t hash
    cdef readonly int empty
    cdef int made
    cdef int[MOVES] made_cell, made_log, made_threats
    cdef int64_t[MOVES * SUMS] made_sums
    cdef unsigned int[::1] threat_log
    cdef int threats
    cdef unsigned char[2 * CELL_CLASSES] group_of
    cdef unsigned char[COMBINATIONS] threat_of
    cdef unsigned int[::1] log_sums, log_lines
    cdef int log_top
    cdef uint64_t[PLACES * WORDS] around, linked
    cdef uint64_t[PLACES * DIRECTIONS] in_reach
    cdef bint tabulated
    cdef unsigned short[HALF + 1] before, after
    cdef unsigned char[WINDOWS] window_table
    cdef uint64_t[::1] memo_key
    cdef unsigned char[::1] memo_class
    cdef uint64_t[::1] memo_line
    cdef unsigned char[::1] memo_classes
    cdef unsigned int[16 * 16] summands
    cdef unsigned short[CLASS_SUMS] number_of
    cdef unsigned char[COMBINATIONS] class_of
    cdef int64_t[COMBINATIONS * 4] worth_of
    cdef uint64_t[PLACES * 2] zobrist
    cdef uint64_t side_hash, fours_hash, threats_hash

    @cython.locals(before=ushort[::1], after=ushort[::1], table=uchar[::1])
    cpdef void _copy_window_table(self)
    @cython.locals(class_of=uchar[::1], weight_of=int[::1], features=int64_t[::1])
    cpdef void _copy_cell_tables(self)
    @cython.locals(one=uint64_t, cell=int, d=int, line=int, place=int, near=int, first=int, last=int)
    cdef void _number_lines(self, object geometry)
    @cython.locals(row=int, column=int, down=int, right=int, n=int)
    cdef void _find_near(self)
    @cython.locals(one=uint64_t, cell=int, other=int)
    cdef void _link(self, int row, int column, int down, int right, bint around, bint linked)
    cpdef int first_empty(self)
    cpdef int first_of_class(self, int side, int wanted)
    @cython.locals(one=uint64_t, found=uint64_t)
    cpdef object promising(self, int side, unsigned int least)

    @cython.final
    @cython.locals(wide=uint64_t, key=uint64_t, slot=int)
    cdef int _line_class_on_demand(self, unsigned int left, unsigned int right) noexcept nogil
    @cython.final
    cdef int _line_class(self, unsigned int left, unsigned int right) noexcept with gil
    cdef inline unsigned int _code(
        self, uint64_t marks, int shift, int step, int side
    ) noexcept nogil
    @cython.final
    @cython.locals(wide=uint64_t, slot=int)
    cdef unsigned int _classes_on_demand(self, uint64_t marks, int shift) noexcept nogil
    cdef inline unsigned int window_classes(self, uint64_t marks, int shift) noexcept nogil
    @cython.locals(at=uint)
    cdef inline unsigned int _tabulated_classes(self, uint64_t marks, int shift) noexcept nogil
    @cython.locals(one=uint64_t)
    cdef inline void _toggle(self, int cell, int of) noexcept nogil
    cdef inline void _threaten(self, int cell, int was, int of) noexcept nogil
    cdef inline int class_at(self, int cell, int side) noexcept nogil
    @cython.final
    cdef bint is_dead(self) noexcept nogil
    @cython.final
    cdef int cell_at(self, int index) noexcept nogil
    @cython.final
    cdef int index_of(self, int cell) noexcept nogil
    @cython.final
    @cython.locals(wall=uint64_t)
    cdef void clear(self) noexcept nogil
    @cython.locals(one=uint64_t)
    cdef inline void _mark(self, int cell, int side) noexcept nogil
    cdef inline void _compare_threats(
        self, int cell, unsigned int before, unsigned int after
    ) noexcept nogil
    @cython.locals(own=uint64_t)
    cdef inline void _renew_line(
        self, int cell, int d, int side, bint tabulated, bint summing
    ) noexcept nogil
    @cython.final
    cdef void make(self, int cell, int side) noexcept nogil
    @cython.final
    cdef void make_threat(self, int cell, int side) noexcept nogil
    @cython.final
    @cython.locals(one=uint64_t, wall=uint64_t)
    cdef void unmake(self) noexcept nogil
