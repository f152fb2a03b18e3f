# search.py describes the arrays.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.bits cimport trailing_zeros
from bestmove.search.common.layer cimport layer
from bestmove.search.engines.gomoku.position cimport COUNT_BITS, SUM, SUM_BITS
from bestmove.search.engines.gomoku.threats cimport PLACE, STRIDE, ThreatSearch

cdef int WIN, PROVEN, PRESUMED, CERTAIN, WON, MAX_EVALUATION, UNKNOWN, UPPER, LOWER, EXACT, CELL_THREE
cdef int CELL_THREE_PLUS, CELL_DOUBLE_THREE, CELL_FOUR_PLUS, CELL_FOUR_THREE, CELL_OPEN_FOUR
cdef int CELL_FIVE, FIVES, OPEN_FOURS, TEMPO, OWN_FOUR, OWN_DOUBLE_THREE, OWN_THREE, FOE_OPEN_FOUR
cdef int FOE_OPEN_FOUR_OWN_FOUR, FOE_DOUBLE_THREE, FOE_FOUR, DRAFT_OFFSET, REVERSE_FUTILITY_DEPTH
cdef int FUTILITY_DEPTH, IMPROVEMENT, INTERNAL_REDUCTION_DEPTH, FEWER_MOVES, NULL_MOVE_DEPTH
cdef int LATE_MOVE_DEPTH, ROOT_LATE_MOVE_DEPTH, ROOT_FULL_MOVES, FEW_DEFENCES, TABLE_MOVE_URGENCY
cdef int KILLER_URGENCY, COUNTERMOVE_URGENCY, REFUTATION_URGENCY, REFUTED_MOVES, HISTORY_SHIFT
cdef int HISTORY_DECAY, QUIESCENCE_NODES, QUIESCENCE_PLIES, NEXT_WIN, NEXT_LOSS, FACTS_TOGETHER
cdef uint64_t FOUR_HALVES
cdef int FEW_SETS, FACTOR_SHIFT, LAST_PLY, ALL_MOVES, THREATENED

cdef enum:
    OWN_FOURS = 0x2  # facts of the situation: see `facts_of`
    OWN_DOUBLE_THREES = 0x8
    OWN_THREES = 0x10
    FOE_OPEN_FOURS = 0x40
    FOE_DOUBLE_THREES = 0x100
    FOE_FOURS = 0x200
    HIDDEN = 32

cdef int from_table(int value, int ply) noexcept nogil
cdef int to_table(int value, int ply) noexcept nogil


@cython.final
cdef class Search(ThreatSearch):
    cdef readonly int root_count, root_tried
    cdef bint root_complete
    cdef int[408] root_move
    cdef int[730] killer
    cdef int[926] history, reply
    cdef int[406] ply_move, ply_evaluation
    cdef int[1820] own_policy, foe_policy
    cdef int[338] both_policy
    cdef int factor
    cdef short[512] sum_weights
    cdef uint64_t[4] inputs
    cdef int[6144] fact_weights
    cdef int[32] biases
    cdef short[32] outputs
    cdef int[192] situation
    cdef int[408] reverse_futility, futility, null_depth, late_moves, losing_moves, bonus
    cdef int[4096] reduction

    cpdef list all_moves(self, int side)
    cpdef int most_urgent(self, int side)
    cpdef void list_root(self, int side)
    cpdef int search_root(self, int side, int depth, int alpha, int beta)
    cpdef int search_move(self, int side, int index, int depth, int alpha, int beta)
    cpdef bint search_for_win(self, int side, int depth)
    cpdef int table_move(self, int side, int least=*)
    cdef int list_candidates(self, int base) noexcept nogil
    cdef int list_everywhere(self, int base, int n) noexcept nogil
    cdef void rank_moves(self, int side, int ply, int n, int first) noexcept nogil
    cdef inline int evaluate(self, int side) noexcept nogil
    cdef inline int weighted(self, int side, int facts) noexcept nogil
    @cython.locals(facts=int)
    cdef inline int facts_of(self, int side) noexcept nogil
    @cython.locals(word=uint64_t)
    cdef int corrected(self, int side, int facts) noexcept nogil
    cdef int quiescence(self, int side, int ply, int beta) noexcept nogil
    cdef inline int reduction_of(self, int depth, int number) noexcept nogil
    cdef inline bint is_improving(self, int evaluation, int ply) noexcept nogil
    cdef inline bint has_rich_fours(self, int side) noexcept nogil
    @cython.locals(forced=bint, threatened=bint, pv_node=bint, quiet=bint, complete=bint, prunable=bint)
    cdef int pvs(self, int side, int depth, int alpha, int beta, int ply, bint null) noexcept nogil
    cdef void learn_refutation(self, int base, int first, int n, int ply) noexcept nogil
    cdef void update_history(
        self, int side, int ply, int depth, int base, int number
    ) noexcept nogil
    cdef int root(self, int side, int depth, int alpha, int beta) noexcept nogil
