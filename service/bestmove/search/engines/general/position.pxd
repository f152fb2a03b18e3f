cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.clock cimport Limited


cdef enum:
    STRIDE = 402  # the length of a list of moves for one ply

cdef int WIN, CAP, TEMPO, RESERVE, FIRST
cdef int64_t ONE


cdef class Position(Limited):
    cdef int rows, columns, size, k
    cdef bint gravity, overline, misere
    cdef bint nearby  # estimates look only at cells near a mark
    # The position, which _make and _unmake update.
    cdef unsigned char[400] cells  # 0 empty, 1 X, 2 O
    cdef int[20] drop  # with gravity, where a mark falls in a column; negative: full
    cdef unsigned char[3200] own  # how many marks a side has in a window, at window * 2 + side
    cdef unsigned char[3200] blocked  # how many marks close the window to the side
    cdef unsigned short[1600] rest  # xor of its empty cells' indices: if one is left, its index
    cdef unsigned char[400] near  # how many marks are near a cell
    cdef unsigned short[400] live  # how many open windows contain a cell or end next to it
    cdef int[42] opened  # how many open windows have m marks, at side * 21 + m
    cdef unsigned char[800] threats  # how many open windows a mark fills, at cell * 2 + side
    cdef int[2] hot  # how many empty cells have threats of a side
    cdef uint64_t[3208] keys  # keys of the board's images, at made * 8 + image
    cdef int made
    cdef readonly int empty
    # Tables, made once.
    cdef int window_count
    cdef int[401] member_at
    cdef unsigned short[7200] member  # the windows of a cell
    cdef int[401] end_at
    cdef unsigned short[3200] end  # the windows that end next to a cell
    cdef unsigned short[7200] cell_of  # the cells of a window, at window * k + i
    cdef short[3200] end_of  # the cells next to a window's ends if exactly k win, or -1
    cdef int[401] around_at
    cdef unsigned short[9600] around  # the cells near a cell
    cdef uint64_t[1024] zobrist  # at (image * size + cell) * 2 + side
    cdef uint64_t[512] fallen  # at image * size + cell
    cdef uint64_t[4096] closed  # at (image * window_count + window) * 2 + side
    cdef uint64_t[401] count_key  # by the number of empty cells
    cdef int symmetries
    cdef unsigned char[512] image  # to which cell a symmetry takes a cell, at image * size + cell
    cdef unsigned char[512] inverse
    cdef uint64_t estimate_key
    cdef int[21] weight  # the weight of an open window, by the number of its marks
    cdef int[21] urge  # the urgency of a cell, by the number of marks in an open window through it
    cdef int own_urge  # factors for windows of the mover and of the other side
    cdef int foe_urge
    # The results of _outlook.
    cdef int up, low, forced
    # For each ply at ply * STRIDE: moves and their urgency. history: how well a move has done.
    cdef short[161604] moves
    cdef int[161604] urges
    cdef int[800] history

    cdef inline void _close(self, int window, int side, int cell) noexcept nogil
    cdef inline void _reopen(self, int window, int side, int cell) noexcept nogil
    cdef inline void _toggle(self, int cell) noexcept nogil
    @cython.final
    cdef void _make(self, int cell, int side) noexcept nogil
    @cython.final
    cdef void _unmake(self, int cell, int side) noexcept nogil
    cdef inline bint _gives_away(self, int cell, int foe) noexcept nogil
    cdef inline int _wins_in(self, int plies, int ply) noexcept nogil
    @cython.final
    cdef void _outlook(self, int side, int ply) noexcept nogil
    @cython.final
    cdef int _evaluate(self, int side) noexcept nogil
    @cython.final
    cdef int _list(self, int side, int ply, int first, int forced, bint proving) noexcept nogil
