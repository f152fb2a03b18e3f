"""What the service may do at the same time: slots for all work that costs.

A search takes one of the slots that the worker processes share. When all are taken, a request may
wait, but only if by the deadlines of those before it a slot comes free while enough of its own
budget is left to search with: it gets an answer that is worth having, or a 503 without delay. A
wait is paid from the budget, so that under load searches get shorter before any is refused.

Look-ups take no slot, nor do questions whose answer is remembered.
"""

from __future__ import annotations

import fcntl
import heapq
import mmap
import os
import struct
import tempfile
import time
import weakref
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import ceil
from threading import Condition, Lock
from typing import Any, Final, TypeVar

from bestmove.api.metrics import Metrics
from bestmove.api.requests import Question
from bestmove.api.settings import Settings
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import BEST_LEVEL, Limits
from bestmove.search.results import Analysis, BestMove

WORTH_WAITING: Final = 0.2
"""The share of the budget that must be left when a slot comes free."""

POLL_SECONDS: Final = 0.005
"""How often a waiting request looks for a slot that another process gave back."""

MOST_REMEMBERED: Final = 1024
"""Answers kept by a process: about 5 MB if all of them are analyses of 15×15 boards."""

Answer = TypeVar("Answer", BestMove, Analysis)
Search = Callable[[Board, Limits], Answer]

_DUE: Final = struct.Struct("d")


class Capacity:
    """Runs the searches of one process, each within a slot, and counts them."""

    def __init__(self, settings: Settings, metrics: Metrics | None) -> None:
        self._metrics = metrics
        self._admission = Admission(
            settings.slots, settings.search_queue, settings.searching_threads
        )
        self._memory = Memory(MOST_REMEMBERED)

    def answer(self, question: Question, search: Search[Answer]) -> Answer:
        """The answer: looked up, remembered, or searched for once there is a slot.

        Raises:
            Overloaded: too many searches in progress.
        """
        answer = self._known(question, search)
        if answer is None:
            with self.slot(question.limits):
                answer = self._searched(question, search)
        return answer

    def answer_in_slot(self, question: Question, search: Search[Answer]) -> Answer:
        """The answer, for a caller that holds a slot where one is needed."""
        answer = self._known(question, search)
        return self._searched(question, search) if answer is None else answer

    @contextmanager
    def slot(self, limits: Limits) -> Iterator[None]:
        """Hold a slot; `limits` has a time and a deadline.

        Raises:
            Overloaded: too many searches in progress.
        """
        assert limits.time_ms is not None
        assert limits.deadline is not None
        metrics = self._metrics
        # A repeatable search that nothing slows down ends long before its deadline.
        due = min(limits.deadline, time.monotonic() + limits.time_ms / 1000)
        try:
            with self._admission.slot(limits.time_ms / 1000, due) as waited:
                if metrics is None:
                    yield
                    return
                if waited:
                    metrics.queued(waited)
                metrics.in_progress.inc()
                try:
                    yield
                finally:
                    metrics.in_progress.dec()
        except Overloaded:
            if metrics is not None:
                metrics.refused()
            raise

    def _known(self, question: Question, search: Search[Answer]) -> Answer | None:
        """The answer that takes no search: looked up, or remembered; with the time it took now."""
        answer: Answer | None
        if analysis.is_cheap(question.board, question.limits):
            answer = search(question.board, question.limits)
        else:
            started = time.perf_counter()
            answer = self._memory.get(_key(question, search))
            if answer is None:
                return None
            elapsed_ms = (time.perf_counter() - started) * 1000
            answer = replace(answer, search=answer.search._replace(elapsed_ms=elapsed_ms))
        if self._metrics is not None:
            self._metrics.look_up(question.board.rules, answer.exact, answer.search)
        return answer

    def _searched(self, question: Question, search: Search[Answer]) -> Answer:
        answer = search(question.board, question.limits)
        if _is_repeatable(question.limits, answer):
            self._memory.add(_key(question, search), answer)
        if self._metrics is not None:
            self._metrics.search(question.board.rules, answer.exact, answer.search)
        return answer


def _key(question: Question, search: Search[Answer]) -> Hashable:
    """The question, whenever it was asked."""
    return search, question.board, replace(question.limits, deadline=None)


def _is_repeatable(limits: Limits, answer: BestMove | Analysis) -> bool:
    """Whether the same question gets the same answer again, whatever the clock says.

    The textbook's searches are left out: they are asked for to see what they cost.
    """
    if limits.level < BEST_LEVEL or limits.algorithm != "auto" or answer.search.timed_out:
        return False
    complete = isinstance(answer, BestMove) or answer.complete
    reached = limits.depth is not None and answer.search.depth >= limits.depth
    return answer.exact or (complete and reached)


class Memory:
    """What was found lately, by what was asked; the oldest goes first when it is full."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: dict[Hashable, Any] = {}
        self._lock = Lock()
        self.get = self._entries.get

    def add(self, key: Hashable, value: object) -> None:
        """Remember."""
        with self._lock:
            while len(self._entries) >= self._most:
                del self._entries[next(iter(self._entries))]
            self._entries[key] = value


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


class SharedSlots:
    """`count` slots that all worker processes share, made before the workers are forked.

    The system hands a connection to whichever worker asks first, not to the one with the least to
    do, and a search runs without Python's lock, so that one worker can keep every processor busy.
    With slots of its own, a worker would refuse what it cannot search while the next one idles.

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
