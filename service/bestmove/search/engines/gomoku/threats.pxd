cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.bits cimport trailing_zeros
from bestmove.search.engines.gomoku.position cimport (
    CELL_CLASSES, COMBINATIONS, GROUPS, MOST_CELLS, PLACES, SUM, SUM_BITS, WORDS, Position
)
from bestmove.search.engines.gomoku.table cimport Table

cdef enum:  # the sizes of arrays; threats.py describes the arrays
    # No search goes deeper, although null moves could make a variation longer.
    LAST_PLY = MOST_CELLS
    # A search of fours goes two plies at a time, so it may reach ply LAST_PLY + 2.
    PLIES = LAST_PLY + 5
    STRIDE = (PLIES + 7) & ~7  # the length of a ply's row: a multiple of 8

cdef enum:
    PLACE = 511  # a mask: the low bits of `urgency` hold the place of a move in its list

cdef int WIN, PROVEN, UNKNOWN, EXACT, FIVES, OPEN_FOURS, FOURS, THREES
cdef int CELL_THREE, CELL_FOUR, CELL_FOUR_PLUS, CELL_FOUR_THREE, CELL_OPEN_FOUR, CELL_FIVE
cdef int VCF_PLIES, THREE_PROOF, THRESHOLD_SHIFT
cdef unsigned int FOUR
cdef uint64_t NUMBERS


cdef class ThreatSearch(Position):
    cdef readonly Table table
    cdef int64_t fours_limit, threats_limit
    cdef uint64_t proof
    cdef readonly uint64_t disproof
    cdef int[PLIES * STRIDE] moves, urgency
    cdef int[PLACES] stamp
    cdef short[PLIES * STRIDE] pv
    cdef int[PLIES + 1] pv_end
    cdef int[COMBINATIONS] own_urgency

    cpdef int fours_win(self, int side, int plies, int64_t most_nodes)
    cpdef int threats_win(self, int side, int64_t most_nodes)
    cdef inline int first_of(self, int side, int group) noexcept nogil
    cdef inline int static_threat(self, int side, int ply) noexcept nogil
    cdef inline int static_win(self, int side, int ply) noexcept nogil
    cdef inline int fours(self, int side) noexcept nogil
    cdef inline uint64_t key(self, int side) noexcept nogil
    cdef inline void take_pv(self, int ply, int cell) noexcept nogil
    cdef inline void rank(self, int base, int i, int urgency) noexcept nogil
    cdef inline int pick(self, int64_t base, int64_t i, int64_t n) noexcept nogil
    @cython.final
    @cython.locals(mark=uint64_t)
    cdef int list_defences(self, int side, int base) noexcept nogil
    @cython.final
    cdef int list_attacks(self, int side, int base) noexcept nogil
    cdef inline int last_mark(self, int side, int ply) noexcept nogil
    @cython.final
    cdef int vcf(self, int side, int ply, int left, bint near) noexcept nogil
    cdef inline uint64_t threats_key(self, int side, int attacker) noexcept nogil
    @cython.locals(attacking=bint, over=bint, won=bint)
    @cython.final
    cdef void vct(
        self, int side, int attacker, int ply, uint64_t most_proof, uint64_t most_disproof
    ) noexcept nogil
