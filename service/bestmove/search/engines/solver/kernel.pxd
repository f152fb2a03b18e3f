# kernel.py describes the arrays.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.bits cimport trailing_zeros
from bestmove.search.engines.solver.live_lines cimport CELLS, LINES, PLIES, LiveLines
from bestmove.search.engines.solver.table cimport Table

cdef int ATTACKER_TURN, DEFENDER_TURN, FOREVER, NEVER, STOPPED, UNDECIDED
cdef int NULL_PLIES
cdef int64_t ONE, TABLE_RANK, KILLER_RANK, AHEAD_RANK
cdef uint64_t WORD
ctypedef int64_t* Weights

@cython.locals(one=uint64_t)
cdef uint64_t _unit(int cell) noexcept nogil
cdef uint64_t _lowest(uint64_t cells) noexcept nogil
cdef int _count(uint64_t word) noexcept nogil


@cython.final
cdef class SolverKernel(LiveLines):
    cdef Table _table
    cdef uint64_t _all
    cdef uint64_t[PLIES] _zone
    cdef int[PLIES] _best, _killer
    cdef int[PLIES * CELLS] _moves
    cdef int64_t[PLIES * CELLS] _score
    cdef int64_t[CELLS] _attack_weight, _defence_weight, _open_weight
    cdef uint64_t[CELLS] _common
    cdef int[CELLS] _owner
    cdef uint64_t[LINES] _allowed
    cdef int64_t[LINES] _group_weight
    cdef int[LINES] _paired, _group
    cdef uint64_t _seen, _taken, _answered
    cdef int64_t _unpaired

    cdef bint _find(self, int ply, int turn) noexcept nogil
    cdef void _store(
        self, int ply, int turn, int win, int no_win, int move, int64_t before
    ) noexcept nogil
    cdef int _store_none(
        self, int ply, int turn, int value, int n, int move, int64_t before
    ) noexcept nogil
    @cython.locals(weights=Weights)
    cdef int64_t _weigh(self, int row, int at_most, bint defender) noexcept nogil
    cdef uint64_t _surpassed_by(self, int cell) noexcept nogil
    cdef bint _augment(self, int group) noexcept nogil
    cdef int _split_group(self, int base, int end, int group, int groups) noexcept nogil
    cdef int _group_lines(self, int base, int end, int reach) noexcept nogil
    cdef void _pair_up(self, int base, int end, int groups) noexcept nogil
    cdef int64_t _pairs(self, int ply, int reach) noexcept nogil
    cdef inline void _list(self, int ply, int place, int cell, int first) noexcept nogil
    cdef int _next(self, int ply, int i, int count) noexcept nogil
    cdef bint _fork(self, int row, uint64_t threat, int ply) noexcept nogil
    @cython.locals(limited=bint)
    cdef int _attack(self, int ply, int n) noexcept nogil
    cdef int _defend(self, int ply, int n) noexcept nogil
    cdef int _look_ahead(self, int ply, int n, int count, int first) noexcept nogil
    cpdef int ask(
        self, uint64_t attacker, uint64_t defender, int turn, int n, int64_t end,
        bint blocks_only=*
    )
