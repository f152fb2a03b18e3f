"""What the worker processes know of each other's work: slots, and how much of it there is.

Both are made before the workers are forked. The system hands a connection to whichever worker asks
first, not to the one with the least to do, and a search runs without Python's lock, so that one
worker can keep every processor busy. With slots of its own, a worker would refuse what it cannot
search while the next one idles.
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
"""The share of its time that a search is expected to use before any has been seen: low, as an
expectation that is too low only lets a request wait for a while."""

WEIGHT: Final = 0.2
"""What the latest search counts for in the share that is expected: the last ten make up 90 %."""

MOST_PROCESSES: Final = 512
"""Processes that are told apart: twice the workers that there may be, for a reload."""

_SLOT: Final = struct.Struct("dd?")
_SHARE: Final = struct.Struct("d")
_WANTED: Final = struct.Struct("d")
_PROCESS: Final = struct.Struct("qqq")


def expected_end(
    started: float, due: float, now: float, share: float, yields: bool = False
) -> float:
    """When work is expected to end that started and is due then (seconds of one clock).

    It uses `share` of its time; if that is over, the same share of what is left; and work that
    overran is expected to overrun by as much again, unless it `yields` to whoever wants its slot.
    """
    end = started + share * (due - started)
    if end > now:
        return end
    if yields and now >= due:
        return now
    return now + share * (due - now) if due > now else now + (now - due)


class SharedSlots:
    """`count` slots that all worker processes share.

    A slot is a record lock on a byte of a nameless file. The kernel gives it back when the process
    that holds it dies, however it dies. Beside it, in memory that the workers share, is when its
    work started and is due to be over (`clock` seconds, 0 for a free slot), and whether it yields
    from then on to others that want a slot; and when the last one wanted one in vain.

    The locks keep processes apart, not threads: within a process, callers take turns.
    """

    def __init__(self, count: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.count = count
        self._clock = clock
        self._file = _nameless_file("bestmove-slots")
        weakref.finalize(self, os.close, self._file)
        self._times = mmap.mmap(-1, count * _SLOT.size + _SHARE.size + _WANTED.size)
        self._mine: set[int] = set()
        self._expect(FIRST_SHARE)

    def take(self, due: float, yields: bool = False) -> int | None:
        """A free slot's number, for work that is over at `due`; None when all are taken."""
        for slot in range(self.count):
            if slot in self._mine:
                continue
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
            except OSError:
                continue  # another process has it
            self._mine.add(slot)
            _SLOT.pack_into(self._times, slot * _SLOT.size, self._clock(), due, yields)
            return slot
        return None

    def give_back(self, slot: int) -> None:
        """Free a slot that this process took, and learn from how long it was taken."""
        started, due, _ = _SLOT.unpack_from(self._times, slot * _SLOT.size)
        if due > started:
            used = min(1.0, (self._clock() - started) / (due - started))
            self._expect(self.used_share + WEIGHT * (used - self.used_share))
        _SLOT.pack_into(self._times, slot * _SLOT.size, 0.0, 0.0, False)
        self._mine.remove(slot)
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, slot)

    @property
    def used_share(self) -> float:
        """The share of the time they were given that searches used lately."""
        share: float = _SHARE.unpack_from(self._times, self.count * _SLOT.size)[0]
        return share

    def want(self) -> None:
        """Tell all processes that a request finds no slot."""
        _WANTED.pack_into(self._times, self.count * _SLOT.size + _SHARE.size, self._clock())

    @property
    def wanted_at(self) -> float:
        """When a request of any process last found no slot (`clock` seconds)."""
        at: float = _WANTED.unpack_from(self._times, self.count * _SLOT.size + _SHARE.size)[0]
        return at

    def ends(self) -> list[float]:
        """When each slot is expected to be free."""
        now, share = self._clock(), self.used_share
        return [
            expected_end(started, due, now, share, yields) if due else now
            for started, due, yields in _SLOT.iter_unpack(self._times[: self.count * _SLOT.size])
        ]

    def _expect(self, share: float) -> None:
        _SHARE.pack_into(self._times, self.count * _SLOT.size, share)


class InProgress:
    """Counts work in progress over all processes, without a look at the slots that bound it.

    Each process has a record of its own in memory that all share: its id, what it has in progress,
    and the most that it ever saw in progress everywhere. A record is taken for a process's life by
    a lock on a byte of a nameless file, which the kernel frees when the process dies.
    """

    def __init__(self) -> None:
        self._file = _nameless_file("bestmove-in-progress")
        weakref.finalize(self, os.close, self._file)
        self._records = mmap.mmap(-1, MOST_PROCESSES * _PROCESS.size)
        self._lock = Lock()
        self._owner = 0
        self._at = 0
        self._count = 0
        self._most = 0

    def enter(self, threads: int = 1) -> int:
        """Count so many more; the most that this process saw in progress everywhere."""
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
        """Count so many less."""
        with self._lock:
            self._count -= threads
            self._write()

    @property
    def most(self) -> int:
        """The most that was ever in progress, in all processes together."""
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


def _nameless_file(name: str) -> int:
    if hasattr(os, "memfd_create"):  # needs no folder that can be written
        return os.memfd_create(name)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
