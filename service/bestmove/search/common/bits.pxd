# Kernels that are not compiled use bits.py.
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static CYTHON_INLINE int bestmove_trailing_zeros(unsigned __int64 word) {
        unsigned long place;
        _BitScanForward64(&place, word);
        return (int) place;
    }
    #else
    #define bestmove_trailing_zeros(word) __builtin_ctzll(word)
    #endif
    """
    int trailing_zeros "bestmove_trailing_zeros" (uint64_t word) noexcept nogil
