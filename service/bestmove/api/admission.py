"""Gives searches a slot, lets them wait for one, or refuses them."""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from threading import Condition
from typing import Final

from bestmove.api.slots import SharedSlots, expected_end
from bestmove.errors import Overloaded
from bestmove.search.engine import BESIDE_BYTES

WORTH_WAITING: Final = 0.2
"""If waiting would leave a search less than this share of its time, the search is refused."""

POLL_SECONDS: Final = 0.005
"""Seconds between two checks for slots that other processes have freed."""


@dataclass(eq=False)
class _Ticket:
    due: float
    yields: bool = False
    started: float = 0.0
    slot: int = -1


@dataclass
class Admission:
    """Assigns slots to the searches of one process.

    Args:
        slots: the most searches of all processes at the same time.
        queue: the most waiting requests of this process.
        most: the most searches of this process at the same time; None sets no limit.
        memory: bytes for the searches of this process; None sets no limit.
        each: the most bytes that one search uses.
        clock: returns monotonic seconds that agree in all processes.
    """

    slots: int
    queue: int
    most: int | None = None
    memory: int | None = None
    each: int = 0
    clock: Callable[[], float] = time.monotonic
    _shared: SharedSlots = field(init=False)
    _running: list[_Ticket] = field(default_factory=list)
    _waiting: deque[_Ticket] = field(default_factory=deque)
    _helping: int = 0
    _changed: Condition = field(default_factory=Condition)

    def __post_init__(self) -> None:
        self._shared = SharedSlots(self.slots, self.clock)

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def wanted_at(self) -> float:
        return self._shared.wanted_at

    @contextmanager
    def slot(self, budget: float, due: float, yields: bool = False) -> Iterator[float]:
        """Hold a slot for a search. Yield the seconds that the search waited.

        Args:
            budget: seconds for the search.
            due: the deadline, as a time of `clock`.
            yields: whether the search may run on after `due` until another request needs a slot.

        Raises:
            Overloaded: no slot becomes free in time.
        """
        ticket = _Ticket(due, yields)
        waited = self._enter(ticket, budget)
        try:
            yield waited
        finally:
            self._leave(ticket)

    @contextmanager
    def more(self, most: int, due: float, yields: bool = False) -> Iterator[int]:
        """Take at most `most` free slots for helping threads. Yield the number of slots taken.

        While a request waits, helping threads get no slot.
        """
        slots: list[int] = []
        try:
            with self._changed:
                while len(slots) < most and not self._waiting:
                    if not self._has_memory(len(self._running), self._helping + 1):
                        break
                    if (slot := self._shared.take(due, yields)) is None:
                        break
                    slots.append(slot)
                    self._helping += 1
            yield len(slots)
        finally:
            with self._changed:
                for slot in slots:
                    self._shared.give_back(slot)
                self._helping -= len(slots)
                self._changed.notify_all()

    def _enter(self, ticket: _Ticket, budget: float) -> float:
        with self._changed:
            if not self._waiting and self._take(ticket):
                self._running.append(ticket)
                return 0.0
            started = self.clock()
            free_at = self._next_free(started)
            hopeless = ticket.due - free_at < budget * WORTH_WAITING
            if len(self._waiting) >= self.queue or hopeless:
                raise _overloaded(free_at - started)
            self._waiting.append(ticket)
            try:
                while not (self._waiting[0] is ticket and self._take(ticket)):
                    left = ticket.due - self.clock()
                    if left <= 0:  # searches have taken longer than expected
                        raise _overloaded(self._next_free(self.clock()) - self.clock())
                    self._changed.wait(min(left, POLL_SECONDS))
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            self._running.append(ticket)
            return self.clock() - started

    def _take(self, ticket: _Ticket) -> bool:
        slot = None if self._is_full() else self._shared.take(ticket.due, ticket.yields)
        if slot is None:
            self._shared.want()
            return False
        ticket.slot, ticket.started = slot, self.clock()
        return True

    def _is_full(self) -> bool:
        """Return True if this process can take no further search, even if slots are free."""
        running = len(self._running)
        if self.most is not None and running >= self.most:
            return True
        return not self._has_memory(running + 1, self._helping)

    def _has_memory(self, searches: int, helping: int) -> bool:
        needed = searches * self.each + helping * BESIDE_BYTES
        return self.memory is None or needed <= self.memory

    def _leave(self, ticket: _Ticket) -> None:
        with self._changed:
            self._running.remove(ticket)
            self._shared.give_back(ticket.slot)
            self._changed.notify_all()

    def _next_free(self, now: float) -> float:
        """Return when one more request is expected to get a slot, as a time of `clock`."""
        share = self._shared.used_share
        if self._is_full():
            ends = [
                expected_end(each.started, each.due, now, share, each.yields)
                for each in self._running
            ]
        else:
            ends = self._shared.ends()
        heapq.heapify(ends)
        for ticket in self._waiting:  # each takes the slot that becomes free first
            free = ends[0]
            heapq.heapreplace(ends, free + share * max(0.0, ticket.due - free))
        return ends[0]


def _overloaded(seconds: float) -> Overloaded:
    return Overloaded(
        "All search slots are taken: try again later. "
        "3×3 boards and finished games are still answered.",
        max(1, ceil(seconds)),
    )
