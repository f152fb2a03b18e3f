"""A bound on the searches in progress: what cannot be searched in time is refused at once.

A search takes one of the slots that the service's processes share. When all are taken, a request
may wait, but only if by the deadlines of those before it a slot comes free while enough of its own
budget is left to search with: it gets an answer that is worth having, or a 503 without delay. A
wait is paid from the budget, so that under load searches get shorter before any is refused.
"""

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

from bestmove.api.slots import SharedSlots
from bestmove.errors import Overloaded

WORTH_WAITING: Final = 0.2
"""The share of the budget that must be left when a slot comes free."""

POLL_SECONDS: Final = 0.005
"""How often who waits looks for a slot that another process gave back."""


@dataclass(eq=False)
class _Ticket:
    due: float
    slot: int | None = None


@dataclass
class Admission:
    """Admits searches to one process.

    Args:
        slots: searches at the same time, over all the processes forked after this is made.
        queue: requests that may wait in this process.
        most: searches at the same time in this process; its threads allow no more.
        clock: seconds that only go forward, the same for all processes.
    """

    slots: int
    queue: int
    most: int | None = None
    clock: Callable[[], float] = time.monotonic
    _shared: SharedSlots = field(init=False)
    _running: list[_Ticket] = field(default_factory=list)
    _waiting: deque[_Ticket] = field(default_factory=deque)
    _changed: Condition = field(default_factory=Condition)

    def __post_init__(self) -> None:
        self._shared = SharedSlots(self.slots)

    @property
    def running(self) -> int:
        """Searches in progress."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Requests that wait for a slot."""
        return len(self._waiting)

    @contextmanager
    def slot(self, budget: float, due: float) -> Iterator[float]:
        """Hold a slot for a search of `budget` seconds that must be over at `due`; gives the
        seconds that it waited.

        Raises:
            Overloaded: no slot comes free in time.
        """
        ticket = _Ticket(due)
        waited = self._enter(ticket, budget)
        try:
            yield waited
        finally:
            self._leave(ticket)

    def _enter(self, ticket: _Ticket, budget: float) -> float:
        with self._changed:
            if not self._waiting and self._take(ticket):
                self._running.append(ticket)
                return 0.0
            started = self.clock()
            free_at = self._next_free(started)
            hopeless = ticket.due - free_at < budget * WORTH_WAITING
            if len(self._waiting) >= self.queue or hopeless:
                raise Overloaded(
                    "All searches that the service allows are in progress: try again later. "
                    "3×3 boards and finished games are still answered.",
                    max(1, ceil(free_at - started)),
                )
            self._waiting.append(ticket)
            while not (self._waiting[0] is ticket and self._take(ticket)):
                left = ticket.due - self.clock()
                if left <= 0:
                    # Those before it overran. The search will answer with what it sees at once.
                    break
                self._changed.wait(min(left, POLL_SECONDS))
            self._waiting.remove(ticket)
            self._running.append(ticket)
            self._changed.notify_all()
            return self.clock() - started

    def _take(self, ticket: _Ticket) -> bool:
        if self.most is None or len(self._running) < self.most:
            ticket.slot = self._shared.take(ticket.due)
        return ticket.slot is not None

    def _leave(self, ticket: _Ticket) -> None:
        with self._changed:
            self._running.remove(ticket)
            if ticket.slot is not None:
                self._shared.give_back(ticket.slot)
            self._changed.notify_all()

    def _next_free(self, now: float) -> float:
        """When a slot comes free for one more, if everybody before uses up their time."""
        if self.most is not None and len(self._running) >= self.most:
            ends = [max(now, ticket.due) for ticket in self._running]
        else:
            ends = [max(now, due) for due in self._shared.dues()]
        heapq.heapify(ends)
        for ticket in self._waiting:
            heapq.heapreplace(ends, max(ends[0], ticket.due))
        return ends[0]
