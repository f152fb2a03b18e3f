# The arrays are described in kernel.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.common.bits cimport trailing_zeros
from bestmove.search.engines.solver.live_lines cimport LiveLines
from bestmove.search.engines.solver.table cimport Table

cdef int ATTACKER_TURN, DEFENDER_TURN, FOREVER, NEVER, STOPPED, UNDECIDED
cdef int CELLS, LINES, PLIES, NULL_PLIES
cdef int64_t ONE, TABLE_RANK, KILLER_RANK, AHEAD_RANK
cdef uint64_t WORD

@cython.locals(one=uint64_t)
cdef uint64_t _unit(int cell) noexcept nogil
cdef uint64_t _lowest(uint64_t cells) noexcept nogil
@cython.locals(count=int)
cdef int _count(uint64_t word) noexcept nogil


@cython.final
cdef class SolverKernel(LiveLines):
    cdef Table _table
    cdef uint64_t _all
    cdef uint64_t[::1] _zone
    cdef int[::1] _best, _killer, _moves
    cdef int64_t[::1] _score, _attack_weight, _defence_weight, _open_weight
    cdef uint64_t[::1] _common
    cdef int[::1] _owner
    cdef uint64_t[::1] _allowed
    cdef int64_t[::1] _group_weight
    cdef int[::1] _paired, _group
    cdef uint64_t _seen, _taken, _answered
    cdef int64_t _unpaired

    @cython.locals(empty=uint64_t, p=uint64_t, q=uint64_t)
    cdef bint _find(self, int ply, int turn) noexcept nogil
    @cython.locals(spent=int64_t)
    cdef void _store(
        self, int ply, int turn, int win, int no_win, int move, int64_t before
    ) noexcept nogil
    cdef int _store_none(
        self, int ply, int turn, int value, int n, int move, int64_t before
    ) noexcept nogil
    @cython.locals(
        line=uint64_t, i=int, c=int, cell=int, r=uint64_t, low=uint64_t, weight=int64_t,
        total=int64_t, base=int, weights=int64_t[::1]
    )
    cdef int64_t _weigh(self, int row, int at_most, bint defender) noexcept nogil
    @cython.locals(bit=uint64_t, better=uint64_t, low=uint64_t)
    cdef uint64_t _surpassed_by(self, int cell) noexcept nogil
    @cython.locals(free=uint64_t, low=uint64_t, cell=int)
    cdef bint _augment(self, int group) noexcept nogil
    @cython.locals(lines=int, i=int, g=int)
    cdef int _split_group(self, int base, int end, int group, int groups) noexcept nogil
    @cython.locals(
        groups=int, i=int, lane=int, last=int, r=uint64_t, common=uint64_t, weight=int64_t
    )
    cdef int _group_lines(self, int base, int end, int reach) noexcept nogil
    @cython.locals(i=int, g=int, best=int)
    cdef void _pair_up(self, int base, int end, int groups) noexcept nogil
    @cython.locals(
        row=int, base=int, end=int, i=int, r=uint64_t, low=uint64_t, weight=int64_t, total=int64_t,
        most=int64_t
    )
    cdef int64_t _pairs(self, int ply, int reach) noexcept nogil
    cdef inline void _list(self, int ply, int place, int cell, int first) noexcept nogil
    @cython.locals(base=int, j=int, best=int, move=int, score=int64_t)
    cdef int _next(self, int ply, int i, int count) noexcept nogil
    @cython.locals(forks=uint64_t, bit=uint64_t, zone=uint64_t, i=int)
    cdef bint _fork(self, int row, uint64_t threat, int ply) noexcept nogil
    @cython.locals(
        row=int, one=uint64_t, threat=uint64_t, bit=uint64_t, answered=uint64_t, 
        i=int, value=int, first=int, count=int, move=int, reach=int, limited=bint, total=int64_t,
        most=int64_t, before=int64_t
    )
    cdef int _attack(self, int ply, int n) noexcept nogil
    @cython.locals(
        row=int, one=uint64_t, bit=uint64_t, zone=uint64_t, replies=uint64_t, better=uint64_t,
        i=int, value=int, longest=int, move=int, count=int, first=int, within=int,
        before=int64_t
    )
    cdef int _defend(self, int ply, int n) noexcept nogil
    @cython.locals(i=int, move=int, row=int)
    cdef int _look_ahead(self, int ply, int n, int count, int first) noexcept nogil
    @cython.locals(i=int)
    cpdef int ask(
        self, uint64_t attacker, uint64_t defender, int turn, int n, int64_t end,
        bint blocks_only=*
    )
