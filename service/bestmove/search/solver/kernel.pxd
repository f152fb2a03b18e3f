# The arrays are drawn in kernel.py; uncompiled, it imports `time.monotonic` as its clock.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from bestmove.search.clock cimport seconds

cdef int ATTACKER_TURN, DEFENDER_TURN, FOREVER, NEVER, STOPPED, UNDECIDED
cdef int CELLS, LINES, PLIES, NULL_PLIES, SYMMETRIC_PLIES
cdef int64_t ENDLESS, ONE, TABLE_RANK, KILLER_RANK, AHEAD_RANK, CLOCK_EVERY
cdef uint64_t WORD, GOLDEN, PRIME, DE_BRUIJN

cdef int _win_of(uint64_t info) noexcept nogil
cdef int _no_win_of(uint64_t info) noexcept nogil
@cython.locals(stored=int)
cdef int _move_of(uint64_t info) noexcept nogil
@cython.locals(stored=uint64_t, move_bits=uint64_t)
cdef uint64_t _with_move(uint64_t info, int move) noexcept nogil
cdef int _turn_of(uint64_t info) noexcept nogil
cdef int _effort_of(uint64_t info) noexcept nogil
cdef uint64_t _generation_of(uint64_t info) noexcept nogil
@cython.locals(stored=uint64_t)
cdef uint64_t _packed(
    uint64_t win, uint64_t no_win, int move, uint64_t turn, uint64_t effort, uint64_t generation
) noexcept nogil
@cython.locals(one=uint64_t)
cdef uint64_t _unit(int cell) noexcept nogil
cdef uint64_t _lowest(uint64_t cells) noexcept nogil
cdef int64_t _weight_of(int left) noexcept nogil
@cython.locals(count=int)
cdef int _count(uint64_t word) noexcept nogil


@cython.final
cdef class Kernel:
    cdef readonly int64_t nodes
    cdef readonly int64_t cutoffs
    cdef readonly int64_t table_hits
    cdef readonly bint out
    cdef int size
    cdef uint64_t _all
    cdef int _line_count
    cdef int _table_shift
    cdef uint64_t _generation
    cdef bint _blocks_only
    cdef int64_t _poll_at
    cdef int64_t _clock_at
    cdef int64_t _slice_end
    cdef int64_t _node_limit
    cdef double _deadline
    cdef bint _stop
    cdef bint _cancelled
    cdef uint64_t[::1] _mask
    cdef int[::1] _lane
    cdef uint64_t[::1] _rest
    cdef int[::1] _left
    cdef int[::1] _line_of
    cdef int[::1] _live
    cdef uint64_t[::1] _winning
    cdef uint64_t[::1] _forking
    cdef uint64_t[::1] _cells
    cdef uint64_t[::1] _full
    cdef int64_t[::1] _potential
    cdef int[::1] _longest
    cdef uint64_t[::1] _attacker
    cdef uint64_t[::1] _defender
    cdef uint64_t[::1] _key_p
    cdef uint64_t[::1] _key_q
    cdef int64_t[::1] _slot
    cdef int[::1] _symmetry
    cdef uint64_t[::1] _zone
    cdef int[::1] _best
    cdef int[::1] _killer
    cdef int[::1] _moves
    cdef int64_t[::1] _score
    cdef int64_t[::1] _attack_weight
    cdef int64_t[::1] _defence_weight
    cdef int64_t[::1] _open_weight
    cdef uint64_t[::1] _common
    cdef int[::1] _owner
    cdef uint64_t[::1] _allowed
    cdef int64_t[::1] _group_weight
    cdef int[::1] _paired
    cdef int[::1] _group
    cdef uint64_t _seen
    cdef uint64_t _taken
    cdef uint64_t _answered
    cdef int64_t _unpaired
    cdef int _symmetry_count
    cdef int[::1] _inverse
    cdef int[::1] _place_of
    cdef uint64_t[::1] _images
    cdef int[::1] _cell_of
    cdef uint64_t[::1] _table

    cdef int _bit(self, uint64_t one) noexcept nogil
    @cython.locals(
        base=int, i=int, c=int, top=int, r=uint64_t, one=uint64_t, seen=uint64_t, two=uint64_t,
        cells=uint64_t, full=uint64_t, phi=int64_t
    )
    cdef void _sum_up(self, int row, int kept) noexcept nogil
    @cython.locals(
        i=int, c=int, r=uint64_t, previous=uint64_t, row=int, start=int, first=int, kept=int
    )
    cdef void _follow(self, int ply, int side, uint64_t bit, bint own) noexcept nogil
    @cython.locals(i=int, left=int, r=uint64_t, lone=uint64_t, once=uint64_t, twice=uint64_t)
    cdef int _drop_paired(self, int first, int kept) noexcept nogil
    cdef void _play(self, int ply, int side, uint64_t bit) noexcept nogil
    @cython.locals(side=int, i=int, kept=int, own=uint64_t, other=uint64_t, mask=uint64_t)
    cdef void _place(self, uint64_t attacker, uint64_t defender)
    @cython.locals(at=int, image=uint64_t)
    cdef uint64_t _image(self, uint64_t cells, int symmetry) noexcept nogil
    @cython.locals(
        h=uint64_t, info=uint64_t, i=int, at=int64_t, _=int, image_p=uint64_t, image_q=uint64_t,
        empty=uint64_t, raw_p=uint64_t, raw_q=uint64_t, p=uint64_t, q=uint64_t
    )
    cdef uint64_t _probe(self, int ply, int turn) noexcept nogil
    cdef inline bint _is_entry(self, int64_t at, uint64_t info, int ply, int turn) noexcept nogil
    @cython.locals(
        first=int64_t, at=int64_t, chosen=int64_t, info=uint64_t, zone=uint64_t, spent=int64_t,
        effort=int, _=int
    )
    cdef void _store(
        self, int ply, int turn, int win, int no_win, int move, int64_t before
    ) noexcept nogil
    cdef int _store_none(
        self, int ply, int turn, int value, int n, int move, int64_t before
    ) noexcept nogil
    cdef void _poll(self) noexcept nogil
    cdef void _schedule(self) noexcept nogil
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
        row=int, one=uint64_t, threat=uint64_t, bit=uint64_t, answered=uint64_t, info=uint64_t,
        i=int, value=int, first=int, count=int, move=int, reach=int, limited=bint, total=int64_t,
        most=int64_t, before=int64_t
    )
    cdef int _attack(self, int ply, int n) noexcept nogil
    @cython.locals(
        row=int, one=uint64_t, bit=uint64_t, zone=uint64_t, replies=uint64_t, better=uint64_t,
        info=uint64_t, i=int, value=int, longest=int, move=int, count=int, first=int, within=int,
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
