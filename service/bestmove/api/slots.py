"""Search slots that all worker processes of a service share.

The system hands a connection to whichever worker asks first, not to the one with the least to do,
and a search runs without Python's lock, so that one worker can keep every CPU busy. With slots of
their own, a worker would refuse what it cannot search while the one beside it idles.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
import tempfile
import weakref
from typing import Final

_DUE: Final = struct.Struct("d")


class SharedSlots:
    """`count` slots, made before the workers are forked.

    A slot is a record lock on a byte of a nameless file. The kernel gives it back when the process
    that holds it dies, however it dies. Beside it, in memory that the workers share, is when its
    search is due to be over (`time.monotonic()` seconds, 0 for a free slot).

    The locks keep processes apart, not threads: within a process, callers take turns.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._file = _nameless_file()
        weakref.finalize(self, os.close, self._file)
        self._dues = mmap.mmap(-1, count * _DUE.size)
        self._mine: set[int] = set()

    def take(self, due: float) -> int | None:
        """A free slot's number, for a search that is over at `due`; None when all are taken."""
        for slot in range(self.count):
            if slot in self._mine:
                continue
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
            except OSError:
                continue  # another process has it
            self._mine.add(slot)
            _DUE.pack_into(self._dues, slot * _DUE.size, due)
            return slot
        return None

    def give_back(self, slot: int) -> None:
        """Free a slot that this process took."""
        _DUE.pack_into(self._dues, slot * _DUE.size, 0.0)
        self._mine.remove(slot)
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, slot)

    def dues(self) -> list[float]:
        """When each slot's search is due to be over; in the past for a free one."""
        return [due for (due,) in _DUE.iter_unpack(self._dues[:])]


def _nameless_file() -> int:
    if hasattr(os, "memfd_create"):  # needs no folder that can be written
        return os.memfd_create("bestmove-slots")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
