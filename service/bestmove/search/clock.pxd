# The clock of all kernels, read without Python's lock. Uncompiled they take `time.monotonic`.
#
# Its seconds count from a moment of its own: `time.monotonic` is another clock on some systems.

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
