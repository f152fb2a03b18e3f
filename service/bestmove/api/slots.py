"""The slots for searches. All worker processes share them.

Create the slots before the workers are forked. If each worker had its own slots, one worker could
refuse searches while another is idle.
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
from typing import Final

FIRST_SHARE: Final = 0.2
"""The value of `used_share` until the first search has ended."""

WEIGHT: Final = 0.2
"""The weight of the latest search in the moving average `used_share`."""

_SLOT: Final = struct.Struct("dd?")
_SHARE: Final = struct.Struct("d")
_WANTED: Final = struct.Struct("d")


def expected_end(
    started: float, due: float, now: float, share: float, yields: bool = False
) -> float:
    """Return when work that may run from `started` to `due` is expected to end.

    - Work is expected to use `share` of its time. Work that has used more is expected to use
      `share` of the time that remains before `due`.
    - Overdue work with `yields` stops when another request needs a slot. The result is `now`.
    - Other work that is overdue by t seconds is expected to end after another t seconds.
    """
    end = started + share * (due - started)
    if end > now:
        return end
    if yields and now >= due:
        return now
    return now + share * (due - now) if due > now else now + (now - due)


class SharedSlots:
    """`count` slots that all worker processes share.

    A slot is a record lock on a byte of an unnamed file. If a process crashes, the kernel releases
    its locks. The locks do not exclude threads of the same process, so the caller must serialise
    the calls.

    Shared memory stores the arguments `started`, `due` and `yields` of `expected_end` for each
    slot. In a free slot, both times are 0.
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
        """Take a slot for work that is due at `due`. Return the slot's number; None if all are
        taken."""
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
        started, due, _ = _SLOT.unpack_from(self._times, slot * _SLOT.size)
        if due > started:
            used = min(1.0, (self._clock() - started) / (due - started))
            self._expect(self.used_share + WEIGHT * (used - self.used_share))
        _SLOT.pack_into(self._times, slot * _SLOT.size, 0.0, 0.0, False)
        self._mine.remove(slot)
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, slot)

    @property
    def used_share(self) -> float:
        """The moving average of (time used / time allowed) over all searches.

        The time allowed runs from taking a slot to the deadline.
        """
        share: float = _SHARE.unpack_from(self._times, self.count * _SLOT.size)[0]
        return share

    def want(self) -> None:
        _WANTED.pack_into(self._times, self.count * _SLOT.size + _SHARE.size, self._clock())

    @property
    def wanted_at(self) -> float:
        """When a request of any process last failed to get a slot, as a time of `clock`."""
        at: float = _WANTED.unpack_from(self._times, self.count * _SLOT.size + _SHARE.size)[0]
        return at

    def ends(self) -> list[float]:
        now, share = self._clock(), self.used_share
        return [
            expected_end(started, due, now, share, yields) if due else now
            for started, due, yields in _SLOT.iter_unpack(self._times[: self.count * _SLOT.size])
        ]

    def _expect(self, share: float) -> None:
        _SHARE.pack_into(self._times, self.count * _SLOT.size, share)


def _unnamed_file(name: str) -> int:
    if hasattr(os, "memfd_create"):  # a memfd needs no writable folder
        return os.memfd_create(name)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
