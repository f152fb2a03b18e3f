"""What the service may do at the same time: slots for all work that costs.

Whatever costs takes one of the slots that the worker processes share, for as long as it runs: a
search, and the reading of a large body. When all are taken, a request may wait, but only if a slot
is expected to come free while enough of its own budget is left to search with; one whose time
runs out all the same is refused. A wait is paid from the budget, so that under load searches get
shorter before any is refused.

A search that is asked for in several threads takes a slot for each: the first as any search does,
and of the others those that are free when it has the first, and that nobody waits for.

Look-ups take no slot, nor do questions whose answer is remembered.

The slots of a process are bounded by its memory, too: each may come to need the tables of one
search, or what a large body is read into.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from math import ceil
from threading import BoundedSemaphore, Condition
from typing import Final, Protocol, TypeVar

from bestmove.api.memory import Memory
from bestmove.api.metrics import Metrics
from bestmove.api.requests import Question
from bestmove.api.settings import Settings
from bestmove.api.slots import InProgress, SharedSlots, expected_end
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.cancellation import BESIDE_BYTES, Cancellation
from bestmove.search.limits import BEST_LEVEL, Limits
from bestmove.search.pool import searchers
from bestmove.search.results import Analysis, BestMove

WORTH_WAITING: Final = 0.2
"""The share of the budget that must be left when a slot comes free."""

POLL_SECONDS: Final = 0.005
"""How often a waiting request looks for a slot that another process gave back."""

LARGE_BODY: Final = 2048
"""Bytes from which on a body is read and validated in a slot: what is below takes 1 or 2 ms, 3 ms
at the most (boards of one cell), and every request about one board is."""

STREAMS_OF_THREADS: Final = 2
"""Of so many threads of a process one may hold a stream, so that other requests find some."""

Answer = TypeVar("Answer", BestMove, Analysis)
_Answer_co = TypeVar("_Answer_co", BestMove, Analysis, covariant=True)


class Search(Protocol[_Answer_co]):
    """`best_move` or `analyze` of the library."""

    def __call__(
        self,
        board: Board,
        limits: Limits,
        progress: Callable[[_Answer_co], None] | None = None,
        cancellation: Cancellation | None = None,
        /,
    ) -> _Answer_co: ...


class Capacity:
    """Runs the searches of one process, each within a slot, and counts them."""

    def __init__(self, settings: Settings, metrics: Metrics | None) -> None:
        self._metrics = metrics
        self._time_ms = settings.default_time_ms
        self._admission = Admission(
            settings.slots,
            settings.queue,
            settings.searching_threads,
            settings.table_bytes,
            settings.search_bytes,
        )
        self._in_progress = InProgress()
        self._streams = BoundedSemaphore(settings.threads // STREAMS_OF_THREADS)
        self._memory = Memory(settings.remembered_bytes)
        searchers.most = settings.table_bytes

    @property
    def waiting(self) -> int:
        """Requests of this process that wait for a slot."""
        return self._admission.waiting

    def answer(self, question: Question, search: Search[Answer]) -> Answer:
        """The answer: looked up, remembered, or searched for once there is a slot.

        Raises:
            Overloaded: too many searches in progress.
        """
        answer = self.known(question, search)
        if answer is not None:
            return answer
        with self.slot(question.limits) as limits:
            return self.searched(replace(question, limits=limits), search)

    @contextmanager
    def slot(self, limits: Limits) -> Iterator[Limits]:
        """Hold a slot, or one for each thread as far as they are free; gives the limits with that
        many threads. They have a time and a deadline.

        Raises:
            Overloaded: too many searches in progress.
        """
        assert limits.time_ms is not None
        assert limits.deadline is not None
        metrics = self._metrics
        # A repeatable search that nothing slows down ends long before its deadline.
        due = min(limits.deadline, time.monotonic() + limits.time_ms / 1000)
        try:
            with ExitStack() as held:
                waited = held.enter_context(self._admission.slot(limits.time_ms / 1000, due))
                slots = 1
                if limits.threads is not None:
                    slots += held.enter_context(self._admission.more(limits.threads - 1, due))
                    limits = replace(limits, threads=slots)
                if metrics is not None:
                    if waited:
                        metrics.queued(waited)
                    metrics.in_progress.inc(slots)
                    held.callback(metrics.in_progress.dec, slots)
                yield limits
        except Overloaded:
            if metrics is not None:
                metrics.refused()
            raise

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """Have a thread for a stream, which keeps it for as long as its client likes.

        Raises:
            Overloaded: too many streams in progress.
        """
        if not self._streams.acquire(blocking=False):
            if self._metrics is not None:
                self._metrics.refused()
            raise Overloaded("All streams that the service allows are open: try again later.", 1)
        try:
            yield
        finally:
            self._streams.release()

    @contextmanager
    def reading(self, size: int, arrived: float, large: int = LARGE_BODY) -> Iterator[None]:
        """Parse and validate a body of `size` bytes, in a slot if it is `large`.

        Args:
            size: bytes.
            arrived: `time.monotonic()` seconds at which the request came.
            large: bytes from which on a slot is held.

        Raises:
            Overloaded: too many searches in progress.
        """
        if size < large:
            yield
            return
        with self.slot(self.to_read(arrived)), self.working():
            yield

    def to_read(self, arrived: float) -> Limits:
        """What the reading of a large body may wait for its slot: the time of a usual search."""
        return Limits(self._time_ms, deadline=arrived + self._time_ms / 1000)

    @contextmanager
    def working(self, threads: int = 1) -> Iterator[None]:
        """Count costly work while it runs, by a counter that knows nothing of the slots."""
        most = self._in_progress.enter(threads)
        if self._metrics is not None:
            self._metrics.most_in_progress.set(most)
        try:
            yield
        finally:
            self._in_progress.leave(threads)

    def known(self, question: Question, search: Search[Answer]) -> Answer | None:
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
            stats = answer.search._replace(elapsed_ms=elapsed_ms)
            answer = replace(answer, board=question.board, search=stats)
        if self._metrics is not None:
            self._metrics.look_up(question.board.rules, answer.exact, answer.search)
        return answer

    def searched(
        self,
        question: Question,
        search: Search[Answer],
        progress: Callable[[Answer], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> Answer:
        """The answer of a search, for a caller that holds its slots; the rest as of the library."""
        with self.working(question.limits.threads or 1):
            watching = () if cancellation is None else (progress, cancellation)
            answer = search(question.board, question.limits, *watching)
        is_cancelled = cancellation is not None and cancellation.is_cancelled
        if not is_cancelled and is_final(question.limits, answer):
            self._memory.add(_key(question, search), replace(answer, board=_NO_BOARD))
        if self._metrics is not None:
            self._metrics.search(question.board.rules, answer.exact, answer.search)
        return answer


_NO_BOARD: Final = Board.empty(1, 1)
"""In place of the board of a remembered answer, which is its question's. A board and its rules hold
what was found out about them, of any size."""


def _key(question: Question, search: Search[Answer]) -> Hashable:
    """The question, whenever it was asked."""
    board, limits = question.board, replace(question.limits, deadline=None)
    return search, f"{board.cells} {board.first} {board.rules!r} {limits!r}"


def is_final(limits: Limits, answer: BestMove | Analysis) -> bool:
    """Whether the same question gets the same answer again, whatever the clock says.

    The textbook's searches are left out: they are asked for to see what they cost.
    """
    is_usual = limits.level == BEST_LEVEL and limits.algorithm == "auto" and limits.threads is None
    if not is_usual or answer.search.timed_out:
        return False
    complete = isinstance(answer, BestMove) or answer.complete
    reached = limits.depth is not None and answer.search.depth >= limits.depth
    return answer.exact or (complete and reached)


@dataclass(eq=False)
class _Ticket:
    due: float
    started: float = 0.0
    slot: int = -1


@dataclass
class Admission:
    """Admits searches to one process.

    Args:
        slots: searches at the same time, over all the processes forked after this is made.
        queue: requests that may wait in this process.
        most: searches at the same time in this process; its threads allow no more.
        memory: bytes for the searches of this process; None bounds nothing.
        each: bytes that a search may take.
        clock: seconds that only go forward, the same for all processes.
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

    @contextmanager
    def more(self, most: int, due: float) -> Iterator[int]:
        """Hold at most so many more slots for threads that help a search, free ones that nobody
        waits for; gives their number."""
        slots: list[int] = []
        try:
            with self._changed:
                while len(slots) < most and not self._waiting:
                    if not self._has_memory(len(self._running), self._helping + 1):
                        break
                    if (slot := self._shared.take(due)) is None:
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
                    if left <= 0:  # those before it took longer than expected
                        raise _overloaded(self._next_free(self.clock()) - self.clock())
                    self._changed.wait(min(left, POLL_SECONDS))
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            self._running.append(ticket)
            return self.clock() - started

    def _take(self, ticket: _Ticket) -> bool:
        if self._is_full():
            return False
        slot = self._shared.take(ticket.due)
        if slot is None:
            return False
        ticket.slot, ticket.started = slot, self.clock()
        return True

    def _is_full(self) -> bool:
        """Whether this process can search no more, whatever slots are free."""
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
        """When a slot comes free for one more, if all before it use up what others did lately."""
        share = self._shared.used_share
        if self._is_full():
            ends = [expected_end(each.started, each.due, now, share) for each in self._running]
        else:
            ends = self._shared.ends()
        heapq.heapify(ends)
        for ticket in self._waiting:
            free = ends[0]
            heapq.heapreplace(ends, free + share * max(0.0, ticket.due - free))
        return ends[0]


def _overloaded(seconds: float) -> Overloaded:
    return Overloaded(
        "All searches that the service allows are in progress: try again later. "
        "3×3 boards and finished games are still answered.",
        max(1, ceil(seconds)),
    )
