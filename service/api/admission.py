"""A bound on the searches in progress: what cannot be searched in time is refused at once.

A search takes a slot of its process. When all are taken, a request may wait, but only if by the
deadlines of those before it a slot comes free while enough of its own budget is left to search
with: it gets an answer that is worth having, or a 503 without delay. A wait is paid from the
budget, so that under load searches get shorter before any is refused.
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

from service.errors import Overloaded

WORTH_WAITING: Final = 0.2
"""The share of the budget that must be left when a slot comes free."""


@dataclass(eq=False)
class _Ticket:
    due: float
    admitted: bool = False


@dataclass
class Admission:
    """The slots of one process.

    Args:
        slots: searches at the same time.
        queue: requests that may wait.
        clock: seconds that only go forward.
    """

    slots: int
    queue: int
    clock: Callable[[], float] = time.monotonic
    _running: list[_Ticket] = field(default_factory=list)
    _waiting: deque[_Ticket] = field(default_factory=deque)
    _changed: Condition = field(default_factory=Condition)

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
            if len(self._running) < self.slots and not self._waiting:
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
            while not ticket.admitted:
                left = ticket.due - self.clock()
                if left <= 0:
                    # Those before it overran. The search will answer with what it sees at once.
                    self._waiting.remove(ticket)
                    self._running.append(ticket)
                    break
                self._changed.wait(left)
            return self.clock() - started

    def _leave(self, ticket: _Ticket) -> None:
        with self._changed:
            self._running.remove(ticket)
            while self._waiting and len(self._running) < self.slots:
                admitted = self._waiting.popleft()
                admitted.admitted = True
                self._running.append(admitted)
            self._changed.notify_all()

    def _next_free(self, now: float) -> float:
        """When a slot comes free for one more, if everybody before uses up their time."""
        ends = [max(now, ticket.due) for ticket in self._running]
        ends += [now] * (self.slots - len(ends))
        heapq.heapify(ends)
        for ticket in self._waiting:
            heapq.heapreplace(ends, max(ends[0], ticket.due))
        return ends[0]
