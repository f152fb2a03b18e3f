"""The memory of the searches' tables, and how the C library keeps the rest."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import sys
from typing import Final

WORD_BYTES: Final = 8

_MALLOPT: Final = {-8: 1, -3: 128 * 1024, -1: 128 * 1024}
"""glibc's M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD."""


def words(count: int) -> memoryview:
    """So many words of 64 bits, all 0, which take time and memory only once they are written to.

    A table is read and written at random: in huge pages, where Linux has them, a search visits a
    sixth more nodes a second, as fewer addresses must be looked up.
    """
    size = count * WORD_BYTES
    if sys.platform != "linux":
        return memoryview(mmap.mmap(-1, size)).cast("Q")
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(OSError):  # a kernel without them
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory).cast("Q")


def return_what_is_freed() -> None:
    """Let this process give memory back once it is freed, where the C library can be told.

    Left alone, glibc has an arena for each thread, and keeps in each as much as was ever freed at
    once.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # another system, another library
        library = ctypes.CDLL(None)
        for parameter, value in _MALLOPT.items():
            library.mallopt(parameter, value)
