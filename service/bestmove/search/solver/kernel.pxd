# The clock; uncompiled, the kernel imports `time.monotonic` in its place.
from bestmove.search.clock cimport seconds
