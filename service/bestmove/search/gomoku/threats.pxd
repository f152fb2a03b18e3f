# The arrays are drawn in threats.py.
cimport cython

from bestmove.search.clock cimport seconds
from bestmove.search.gomoku.position cimport NUMBER, NUMBER_BITS, Position
from bestmove.search.gomoku.table cimport Table


cdef class ThreatSearch(Position):
    cdef readonly Table table
    cdef public long long nodes
    cdef public long long node_limit
    cdef public double deadline
    cdef double clock_offset
    cdef public bint timed
    cdef public bint stopped
    cdef public bint cancelled
    cdef public long long next_check
    cdef long long fours_limit
    cdef long long threats_limit
    cdef unsigned long long proof
    cdef readonly unsigned long long disproof
    cdef int[165240] moves
    cdef int[165240] urgency
    cdef int[463] stamp
    cdef short[165240] pv
    cdef int[406] pv_end
    cdef int[64] bit_number
    cdef int[13] own_urgency

    @cython.final
    cdef int lowest(self, unsigned long long word) noexcept nogil
    @cython.final
    cdef int first_of(self, int side, int group) noexcept nogil
    @cython.final
    cdef void check_limits(self) noexcept nogil
    @cython.final
    cdef int static_win(self, int side, int ply) noexcept nogil
    @cython.final
    cdef int fours(self, int side) noexcept nogil
    @cython.final
    cdef unsigned long long key(self, int side) noexcept nogil
    @cython.final
    cdef void take_pv(self, int ply, int cell) noexcept nogil
    @cython.final
    cdef int pick(self, int base, int i, int n) noexcept nogil
    @cython.final
    cdef int list_defences(self, int side, int base) noexcept nogil
    @cython.final
    cdef int list_attacks(self, int side, int base) noexcept nogil
    @cython.final
    cdef int last_mark(self, int side, int ply) noexcept nogil
    @cython.final
    cdef int vcf(self, int side, int ply, int left, bint near) noexcept nogil
    @cython.final
    cdef unsigned long long threats_key(self, int side, int attacker) noexcept nogil
    @cython.final
    cdef void vct(
        self,
        int side,
        int attacker,
        int ply,
        unsigned long long most_proof,
        unsigned long long most_disproof,
    ) noexcept nogil
