"""The slots, and the count of the work in progress. All worker processes share both.

Both are created before the workers are forked. If each worker had its own slots, one worker could
refuse searches while another is idle. With shared slots, even one worker can keep all processors
busy, because searches run without Python's global lock.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
import tempfile
import time
import weakref
from collections.abc import Callable
from threading import Lock
from typing import Final

FIRST_SHARE: Final = 0.2
"""The value of `used_share` until the first search has ended."""

WEIGHT: Final = 0.2
"""The weight of the latest search in the moving average `used_share`. The last ten searches make up
90 % of the average."""

MOST_PROCESSES: Final = 512
"""The most processes: twice the largest number of workers, because old and new workers run together
during a reload."""

_SLOT: Final = struct.Struct("dd?")
_SHARE: Final = struct.Struct("d")
_WANTED: Final = struct.Struct("d")
_PROCESS: Final = struct.Struct("qqq")


def expected_end(
    started: float, due: float, now: float, share: float, yields: bool = False
) -> float:
    """Return the expected end of work that has the time from `started` to `due`.

    - The work is expected to use `share` of its time.
    - Once it has used more, it is expected to use `share` of the time that is left.
    - Work that is overdue by t is expected to end after another t.
    - If `yields` is true, overdue work ends for any other request, so its slot counts as free.
    """
    end = started + share * (due - started)
    if end > now:
        return end
    if yields and now >= due:
        return now
    return now + share * (due - now) if due > now else now + (now - due)


class SharedSlots:
    """`count` slots that all worker processes share.

    A slot is a record lock on a byte of an unnamed file. When a process ends or crashes, the kernel
    releases its locks.

    Shared memory stores, for each slot:

    - when its work started and when the work is due (times of `clock`, 0 for a free slot);
    - whether overdue work ends when another request needs a slot.

    It also stores `used_share` and `wanted_at`.

    The locks exclude only other processes: within a process, the caller must serialise the calls.
    """

    def __init__(self, count: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.count = count
        self._clock = clock
        self._file = _unnamed_file("bestmove-slots")
        weakref.finalize(self, os.close, self._file)
        self._times = mmap.mmap(-1, count * _SLOT.size + _SHARE.size + _WANTED.size)
        self._mine: set[int] = set()
        self._expect(FIRST_SHARE)

    def take(self, due: float, yields: bool = False) -> int | None:
        """Take a slot for work that is due at `due`. Return the slot's number, or None if all are
        taken.
        """
        for slot in range(self.count):
            if slot in self._mine:
                continue
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
            except OSError:
                continue  # another process holds this slot
            self._mine.add(slot)
            _SLOT.pack_into(self._times, slot * _SLOT.size, self._clock(), due, yields)
            return slot
        return None

    def give_back(self, slot: int) -> None:
        """Free a slot of this process, and update `used_share`."""
        started, due, _ = _SLOT.unpack_from(self._times, slot * _SLOT.size)
        if due > started:
            used = min(1.0, (self._clock() - started) / (due - started))
            self._expect(self.used_share + WEIGHT * (used - self.used_share))
        _SLOT.pack_into(self._times, slot * _SLOT.size, 0.0, 0.0, False)
        self._mine.remove(slot)
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, slot)

    @property
    def used_share(self) -> float:
        """The average share of the allowed time that recent searches used. The allowed time is
        from taking a slot to the deadline."""
        share: float = _SHARE.unpack_from(self._times, self.count * _SLOT.size)[0]
        return share

    def want(self) -> None:
        """Store that a request has just found no free slot."""
        _WANTED.pack_into(self._times, self.count * _SLOT.size + _SHARE.size, self._clock())

    @property
    def wanted_at(self) -> float:
        """The `clock` time at which a request of any process last found no slot."""
        at: float = _WANTED.unpack_from(self._times, self.count * _SLOT.size + _SHARE.size)[0]
        return at

    def ends(self) -> list[float]:
        """Return the time at which each slot is expected to be free."""
        now, share = self._clock(), self.used_share
        return [
            expected_end(started, due, now, share, yields) if due else now
            for started, due, yields in _SLOT.iter_unpack(self._times[: self.count * _SLOT.size])
        ]

    def _expect(self, share: float) -> None:
        _SHARE.pack_into(self._times, self.count * _SLOT.size, share)


class WorkInProgress:
    """Counts the work in progress in all processes, independently of the slots.

    Each process has a record in shared memory: its id, the number of its threads at work, and the
    largest total that it has seen. A lock on a byte of an unnamed file marks a record as taken.
    When the process ends, the kernel releases the lock.
    """

    def __init__(self) -> None:
        self._file = _unnamed_file("bestmove-in-progress")
        weakref.finalize(self, os.close, self._file)
        self._records = mmap.mmap(-1, MOST_PROCESSES * _PROCESS.size)
        self._lock = Lock()
        self._owner = 0
        self._at = 0
        self._count = 0
        self._most = 0

    def enter(self, threads: int = 1) -> int:
        """Count `threads` more threads. Return the largest total that this process has seen."""
        with self._lock:
            if self._owner != os.getpid():
                self._claim()
            self._count += threads
            self._write()
            now = sum(
                count
                for pid, count, _ in _PROCESS.iter_unpack(self._records[:])
                if count and (pid == self._owner or _lives(pid))
            )
            self._most = max(self._most, now)
            self._write()
            return self._most

    def leave(self, threads: int = 1) -> None:
        """Count `threads` fewer threads."""
        with self._lock:
            self._count -= threads
            self._write()

    @property
    def most(self) -> int:
        """The largest number of threads that were at work at the same time, in all processes."""
        found: int = max(most for _, _, most in _PROCESS.iter_unpack(self._records[:]))
        return found

    def _claim(self) -> None:
        for number in range(MOST_PROCESSES):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:
                continue
            self._at = number * _PROCESS.size
            break
        _, _, self._most = _PROCESS.unpack_from(self._records, self._at)
        self._owner, self._count = os.getpid(), 0

    def _write(self) -> None:
        _PROCESS.pack_into(self._records, self._at, self._owner, self._count, self._most)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _unnamed_file(name: str) -> int:
    if hasattr(os, "memfd_create"):  # a memfd needs no writable folder
        return os.memfd_create(name)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
