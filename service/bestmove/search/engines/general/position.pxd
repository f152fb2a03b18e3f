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
    cdef unsigned char[400] cells  # cells[cell]: 0 empty, 1 X, 2 O
    cdef int[20] drop  # drop[column]: with gravity, the cell where a mark falls; negative: full
    cdef unsigned char[3200] own  # own[window * 2 + side]: the side's marks in the window
    # blocked[window * 2 + side]: the number of marks that close the window to the side
    cdef unsigned char[3200] blocked
    # rest[window]: the exclusive or of its empty cells' indices: of a single empty cell, its index
    cdef unsigned short[1600] rest
    cdef unsigned char[400] near  # near[cell]: the number of marks near the cell
    # live[cell]: the number of open windows, of X and of O, that contain the cell or end next to it
    cdef unsigned short[400] live
    cdef int[42] opened  # opened[side * 21 + m]: the number of the side's open windows with m marks
    # threats[cell * 2 + side]: the number of open windows that the side fills by marking the cell
    cdef unsigned char[800] threats
    cdef int[2] hot  # hot[side]: the number of empty cells where the side has threats
    cdef uint64_t[3208] keys  # keys[made * 8 + i]: the key of image i after `made` moves
    cdef int made
    cdef readonly int empty
    # Tables, made once. The cells or windows that belong to a cell are listed from x[x_at[cell]] to
    # x[x_at[cell + 1] - 1]: in `member` its windows, in `end` the windows that end next to it, in
    # `around` the cells near it.
    cdef int window_count
    cdef int[401] member_at
    cdef unsigned short[7200] member
    cdef int[401] end_at
    cdef unsigned short[3200] end
    cdef unsigned short[7200] cell_of  # cell_of[window * k + i]: cell i of the window
    # end_of[window * 2 + i]: the cells next to the window's ends if exactly k win; -1 for none
    cdef short[3200] end_of
    cdef int[401] around_at
    cdef unsigned short[9600] around
    # Random words for the keys: for a mark, a filled cell (with gravity), a window that is closed
    # to a side, and the number of empty cells.
    cdef uint64_t[1024] zobrist  # zobrist[(image * size + cell) * 2 + side]
    cdef uint64_t[512] fallen  # fallen[image * size + cell]
    cdef uint64_t[4096] closed  # closed[(image * window_count + window) * 2 + side]
    cdef uint64_t[401] count_key  # count_key[empty]
    cdef int symmetries
    cdef unsigned char[512] image  # image[i * size + cell]: the image of the cell under symmetry i
    cdef unsigned char[512] inverse  # inverse[i * size + cell]: the cell whose image it is
    cdef uint64_t estimate_key
    cdef int[21] weight  # weight[m]: the weight of an open window with m marks
    cdef int[21] urge  # urge[m]: the urgency that an open window with m marks gives to its cells
    cdef int own_urge  # the factor of `urge` for the mover's windows
    cdef int foe_urge  # the factor of `urge` for the other side's windows
    # The results of _outlook.
    cdef int up, low, forced
    cdef short[161604] moves  # moves[ply * STRIDE + i]: the moves to try
    cdef int[161604] urges  # urges[ply * STRIDE + i]: the urgency of each
    cdef int[800] history  # history[cell * 2 + side]: how well the move has done so far

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
