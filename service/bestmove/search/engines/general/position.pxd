cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.clock cimport Limited


cdef enum:  # the sizes of arrays
    MOST_SIDE = 20  # the most rows, and the most columns, of a board
    CELLS = MOST_SIDE * MOST_SIDE
    WINDOWS = 4 * CELLS  # in each of four directions, at most one window begins on a cell
    MEMBERS = 18 * CELLS  # the cells of all windows together; 20×20 with k = 9 has 6,912
    NEIGHBOURS = 24  # the cells at most two rows and two columns from a cell
    IMAGES = 8  # symmetries of a square
    SYMMETRIC_CELLS = 64  # on larger boards, symmetric positions do not share table entries
    IMAGE_CELLS = IMAGES * SYMMETRIC_CELLS  # also enough for one image of CELLS cells
    IMAGE_WINDOWS = 4 * IMAGE_CELLS
    PLIES = CELLS + 2  # at most CELLS + 1 positions in a game, and one to spare
    STRIDE = PLIES  # the length of a list of moves for one ply
    MARKS = MOST_SIDE + 1  # a window has 0 to MOST_SIDE marks

cdef int WIN, CAP, TEMPO, RESERVE, FIRST
cdef int64_t ONE


cdef class Position(Limited):
    cdef int rows, columns, size, k
    cdef bint gravity, overline, misere
    cdef bint nearby  # estimates look only at cells near a mark
    # The position, which _make and _unmake update.
    cdef unsigned char[CELLS] cells  # cells[cell]: 0 empty, 1 X, 2 O
    cdef int[MOST_SIDE] drop  # drop[column]: with gravity, where the next mark lands; negative if full
    cdef unsigned char[WINDOWS * 2] own  # own[window * 2 + side]: the number of the side's marks in the window
    # blocked[window * 2 + side]: the number of marks that close the window to the side
    cdef unsigned char[WINDOWS * 2] blocked
    # rest[window]: the exclusive or of its empty cells' indices, so the index of a single empty cell
    cdef unsigned short[WINDOWS] rest
    cdef unsigned char[CELLS] near  # near[cell]: the number of marks near the cell
    # live[cell]: the number of open windows that contain the cell or end next to it. A window
    # counts twice if it is open for both sides.
    cdef unsigned short[CELLS] live
    cdef int[2 * MARKS] opened  # opened[side * MARKS + m]: the number of the side's open windows with m marks
    # threats[cell * 2 + side]: the number of open windows that the side fills by marking the cell
    cdef unsigned char[CELLS * 2] threats
    cdef int[2] hot  # hot[side]: the number of empty cells where the side has threats
    cdef uint64_t[(CELLS + 1) * IMAGES] keys  # keys[made * IMAGES + i]: the key of image i after `made` moves
    cdef int made
    cdef readonly int empty
    # Tables, filled once. A cell's entries in `member` begin at member_at[cell] and end before
    # member_at[cell + 1]. The same holds for `end` and `around`.
    # - member: the windows that contain the cell
    # - end: the windows that end next to the cell
    # - around: the cells near the cell
    cdef int window_count
    cdef int[CELLS + 1] member_at
    cdef unsigned short[MEMBERS] member
    cdef int[CELLS + 1] end_at
    cdef unsigned short[WINDOWS * 2] end
    cdef unsigned short[MEMBERS] cell_of  # cell_of[window * k + i]: cell i of the window
    # end_of[window * 2 + i]: the cells next to the window's ends; -1 at an edge, or if rows longer
    # than k are lines
    cdef short[WINDOWS * 2] end_of
    cdef int[CELLS + 1] around_at
    cdef unsigned short[NEIGHBOURS * CELLS] around
    # Random words for the keys. `fallen` is for a filled cell, with gravity.
    cdef uint64_t[IMAGE_CELLS * 2] zobrist  # zobrist[(image * size + cell) * 2 + side]
    cdef uint64_t[IMAGE_CELLS] fallen  # fallen[image * size + cell]
    cdef uint64_t[IMAGE_WINDOWS * 2] closed  # closed[(image * window_count + window) * 2 + side]
    cdef uint64_t[CELLS + 1] count_key  # count_key[empty]
    cdef int symmetries
    cdef unsigned char[IMAGE_CELLS] image  # image[i * size + cell]: the image of the cell under symmetry i
    cdef unsigned char[IMAGE_CELLS] inverse  # inverse[i * size + cell]: the cell whose image under symmetry i is `cell`
    cdef uint64_t estimate_key
    cdef int[MARKS] weight  # weight[m]: the weight of an open window with m marks
    cdef int[MARKS] urge  # urge[m]: the urgency that an open window with m marks gives to its cells
    cdef int own_urge  # the factor of `urge` for the mover's windows
    cdef int foe_urge  # the factor of `urge` for the other side's windows
    # The results of _outlook.
    cdef int up, low, forced
    cdef short[PLIES * STRIDE] moves  # moves[ply * STRIDE + i]: the moves to try
    cdef int[PLIES * STRIDE] urges  # urges[ply * STRIDE + i]: the urgency of move i
    cdef int[CELLS * 2] history  # history[cell * 2 + side]: the move's score in the history heuristic

    cdef inline void _close(self, int window, int side, int cell) noexcept nogil
    cdef inline void _reopen(self, int window, int side, int cell) noexcept nogil
    cdef inline void _toggle(self, int cell) noexcept nogil
    @cython.final
    cdef void _make(self, int cell, int side) noexcept nogil
    @cython.final
    cdef void _unmake(self, int cell, int side) noexcept nogil
    cdef inline bint _gives_away(self, int cell, int foe) noexcept nogil
    cdef inline int _wins_in(self, int plies, int ply) noexcept nogil
    cdef inline void _bound(self, int side, int ply) noexcept nogil
    @cython.final
    cdef void _outlook(self, int side, int ply) noexcept nogil
    @cython.final
    cdef int _evaluate(self, int side) noexcept nogil
    cpdef bint mirror_holds(self)
    @cython.final
    cdef bint _mirrors(self, int i)
    @cython.final
    cdef bint _has_pairs(self, int cell, int i)
    @cython.final
    cdef int _list(self, int side, int ply, int first, int forced, bint proving) noexcept nogil
