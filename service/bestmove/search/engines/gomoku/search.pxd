cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.bits cimport trailing_zeros
from bestmove.search.common.layer cimport layer
from bestmove.search.engines.gomoku.position cimport (
    CELL_CLASSES, COMBINATIONS, COUNT_BITS, FEATURE_WORDS, PLACES, SUM, SUM_BITS, WORDS
)
from bestmove.search.engines.gomoku.threats cimport LAST_PLY, PLACE, PLIES, STRIDE, ThreatSearch

cdef enum:  # the sizes of arrays; search.py describes the arrays
    DEPTHS = LAST_PLY + 1
    REDUCTIONS = 64  # `reduction` has this many depths and moves; greater ones count as the last
    FEATURES = 8  # of a cell for one side: see network.py
    WORD_FEATURES = 4  # features in a 64-bit word
    HIDDEN = 32  # neurons
    SITUATIONS = 13  # facts of the situation
    FACTS_TOGETHER = 7  # see network.py
    FEW_SETS = 1 << FACTS_TOGETHER
    FACT_SETS = FEW_SETS + (1 << (SITUATIONS - FACTS_TOGETHER))

cdef int WIN, PROVEN, PRESUMED, CERTAIN, WON, MAX_EVALUATION, UNKNOWN, UPPER, LOWER, EXACT, CELL_THREE
cdef int CELL_THREE_PLUS, CELL_DOUBLE_THREE, CELL_FOUR_PLUS, CELL_FOUR_THREE, CELL_OPEN_FOUR
cdef int CELL_FIVE, FIVES, OPEN_FOURS, TEMPO, OWN_FOUR, OWN_DOUBLE_THREE, OWN_THREE, FOE_OPEN_FOUR
cdef int FOE_OPEN_FOUR_OWN_FOUR, FOE_DOUBLE_THREE, FOE_FOUR, DRAFT_OFFSET, REVERSE_FUTILITY_DEPTH
cdef int FUTILITY_DEPTH, IMPROVEMENT, INTERNAL_REDUCTION_DEPTH, FEWER_MOVES, NULL_MOVE_DEPTH
cdef int LATE_MOVE_DEPTH, ROOT_LATE_MOVE_DEPTH, ROOT_FULL_MOVES, FEW_DEFENCES, TABLE_MOVE_URGENCY
cdef int PROOF_FOURS_NODES, KILLER_URGENCY, COUNTERMOVE_URGENCY, REFUTATION_URGENCY, REFUTED_MOVES, HISTORY_SHIFT
cdef int HISTORY_DECAY, QUIESCENCE_NODES, QUIESCENCE_PLIES, NEXT_WIN, NEXT_LOSS
cdef uint64_t FOUR_HALVES
cdef int FACTOR_SHIFT, ALL_MOVES, THREATENED

cdef enum:
    OWN_FOURS = 0x2  # facts of the situation: see `facts_of`
    OWN_DOUBLE_THREES = 0x8
    OWN_THREES = 0x10
    FOE_OPEN_FOURS = 0x40
    FOE_DOUBLE_THREES = 0x100
    FOE_FOURS = 0x200

cdef int from_table(int value, int ply) noexcept nogil
cdef int to_table(int value, int ply) noexcept nogil


@cython.final
cdef class Search(ThreatSearch):
    cdef readonly int root_count, root_tried
    cdef bint root_complete
    cdef int[STRIDE] root_move
    cdef int[PLIES * 2] killer
    cdef int[PLACES * 2] history, reply
    cdef int[PLIES + 1] ply_move, ply_evaluation
    cdef int[COMBINATIONS] own_policy, foe_policy
    cdef int[2 * CELL_CLASSES * CELL_CLASSES] both_policy
    cdef int factor
    cdef short[2 * FEATURES * HIDDEN] sum_weights
    cdef uint64_t[FEATURE_WORDS] inputs
    cdef int[FACT_SETS * HIDDEN] fact_weights
    cdef int[HIDDEN] biases
    cdef short[HIDDEN] outputs
    cdef int[FACT_SETS] situation
    cdef int[DEPTHS] reverse_futility, futility, null_depth, late_moves, losing_moves, bonus
    cdef int[REDUCTIONS * REDUCTIONS] reduction

    cpdef list all_moves(self, int side)
    cpdef int most_urgent(self, int side)
    cpdef void list_root(self, int side)
    cpdef int search_root(self, int side, int depth, int alpha, int beta)
    cpdef int search_move(self, int side, int index, int depth, int alpha, int beta)
    cpdef int prove_move(self, int side, int index, int depth)
    cpdef list proof_moves(self, int side, int winner, int plies)
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
    cdef inline int fours_value(self, int side, int ply) noexcept nogil
    cdef inline int table_value(self, int depth, int alpha, int beta, int ply) noexcept nogil
    @cython.locals(forced=bint, threatened=bint, pv_node=bint, quiet=bint, complete=bint, prunable=bint)
    cdef int pvs(self, int side, int depth, int alpha, int beta, int ply, bint null) noexcept nogil
    @cython.locals(pv_node=bint)
    cdef inline int search_moves(
        self, int side, int depth, int alpha, int beta, int ply, int n, int limit, int losing_limit,
        bint forced, bint complete, uint64_t key, int evaluation
    ) noexcept nogil
    cdef inline int search_late(
        self, int side, int depth, int less, int alpha, int beta, int ply
    ) noexcept nogil
    cdef void learn_refutation(self, int base, int first, int n, int ply) noexcept nogil
    cdef void update_history(
        self, int side, int ply, int depth, int base, int number
    ) noexcept nogil
    cdef int root(self, int side, int depth, int alpha, int beta) noexcept nogil
    cdef inline uint64_t proof_key(self, int side, int winner) noexcept nogil
    @cython.locals(attacks=bint, forced=bint, threatened=bint, complete=bint)
    cdef int prove(self, int side, int winner, int depth, int ply) noexcept nogil
