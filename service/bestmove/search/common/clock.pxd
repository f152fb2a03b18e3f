# `seconds` reads the clock in C, without the GIL. Uncompiled kernels use `time.monotonic` instead.
# The two clocks may count from different moments.
cimport cython
from libc.stdint cimport int64_t

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static CYTHON_INLINE double bestmove_seconds(void) {
        LARGE_INTEGER ticks, per_second;
        QueryPerformanceCounter(&ticks);
        QueryPerformanceFrequency(&per_second);
        return (double) ticks.QuadPart / (double) per_second.QuadPart;
    }
    #else
    #include <time.h>
    static CYTHON_INLINE double bestmove_seconds(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
    }
    #endif
    """
    double seconds "bestmove_seconds" () noexcept nogil

cdef int LOOK_SHIFT
cdef double LOOK_SECONDS


cdef class Limited:
    cdef public int64_t nodes, node_limit, next_check
    cdef public double deadline
    cdef public bint timed, stopped, cancelled
    cdef readonly bint out
    cdef readonly int64_t cutoffs, table_hits, most_nodes
    cdef int64_t slice_end
    cdef double began, due, clock_offset

    cdef void check(self) noexcept nogil
