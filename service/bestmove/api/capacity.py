"""What the service may do at the same time: slots for all work that costs.

Whatever costs takes one of the slots that the worker processes share, for as long as it runs: a
search, and the reading of a large body. When all are taken, a request may wait, but only if a slot
is expected to come free while enough of its own budget is left to search with; one whose time
runs out all the same is refused. A wait is paid from the budget, so that under load searches get
shorter before any is refused.

A search that is asked for in several threads takes a slot for each: the first as any search does,
and of the others those that are free when it has the first, and that nobody waits for.

A stream may ask for more time than other requests. From their limit on it ends, with its answer, as
soon as a request finds no slot.

Look-ups take no slot, nor do questions whose answer is remembered.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from math import ceil
from threading import BoundedSemaphore, Condition, Lock
from typing import Any, Final, Protocol, TypeVar

from bestmove.api.metrics import Metrics
from bestmove.api.requests import Question
from bestmove.api.settings import Settings
from bestmove.api.slots import InProgress, SharedSlots, expected_end
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import BEST_LEVEL, Limits
from bestmove.search.results import Analysis, BestMove

WORTH_WAITING: Final = 0.2
"""The share of the budget that must be left when a slot comes free."""

POLL_SECONDS: Final = 0.005
"""How often a waiting request looks for a slot that another process gave back."""

MOST_REMEMBERED: Final = 1024
"""Answers kept by a process: about 5 MB if all of them are analyses of 15×15 boards."""

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
        self._most_ms = settings.max_time_ms
        self._admission = Admission(settings.slots, settings.queue, settings.searching_threads)
        self._in_progress = InProgress()
        self._streams = BoundedSemaphore(settings.threads // STREAMS_OF_THREADS)
        self._memory = Memory(MOST_REMEMBERED)

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
        try:
            with self.slot(question.limits) as limits:
                return self.searched(replace(question, limits=limits), search)
        except Overloaded:
            answer = self.from_book(question, search)
            if answer is None:
                raise
            return answer

    def answer_in_slot(self, question: Question, search: Search[Answer]) -> Answer:
        """The answer, for a caller that holds a slot where one is needed."""
        answer = self.known(question, search)
        return self.searched(question, search) if answer is None else answer

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
        budget = min(limits.time_ms, self._most_ms) / 1000
        yields = limits.time_ms > self._most_ms
        # A repeatable search that nothing slows down ends long before its deadline.
        due = min(limits.deadline, time.monotonic() + budget)
        try:
            with ExitStack() as held:
                waited = held.enter_context(self._admission.slot(budget, due, yields))
                slots = 1
                if limits.threads is not None:
                    slots += held.enter_context(
                        self._admission.more(limits.threads - 1, due, yields)
                    )
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

    def must_yield(self, arrived: float) -> bool:
        """Whether a request that arrived then (`time.monotonic()` seconds) has had all the time of
        one that is no stream, and another found no slot since."""
        return self._admission.wanted_at > arrived + self._most_ms / 1000

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
            answer = replace(answer, search=answer.search._replace(elapsed_ms=elapsed_ms))
        if self._metrics is not None:
            self._metrics.look_up(question.board.rules, answer.exact, answer.search)
        return answer

    def from_book(self, question: Question, search: Search[Answer]) -> Answer | None:
        """The book's answer, without the search that would follow its line to the end."""
        limits = question.limits
        if not analysis.is_in_book(question.board, limits):
            return None
        answer = search(question.board, replace(limits, nodes=1))
        if self._metrics is not None:
            self._metrics.look_up(question.board.rules, answer.exact, answer.search)
        # With a shorter line it is not the answer that the same request gets at other times.
        return replace(answer, search=answer.search._replace(timed_out=limits.is_repeatable))

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
        if not is_cancelled and _is_repeatable(question.limits, answer):
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
    is_usual = limits.level == BEST_LEVEL and limits.algorithm == "auto" and limits.threads is None
    if not is_usual or answer.search.timed_out:
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
    yields: bool = False
    started: float = 0.0
    slot: int = -1


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
        self._shared = SharedSlots(self.slots, self.clock)

    @property
    def running(self) -> int:
        """Searches in progress."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Requests that wait for a slot."""
        return len(self._waiting)

    @property
    def wanted_at(self) -> float:
        """When a request of any process last found no slot (`clock` seconds)."""
        return self._shared.wanted_at

    @contextmanager
    def slot(self, budget: float, due: float, yields: bool = False) -> Iterator[float]:
        """Hold a slot for a search of `budget` seconds that must be over at `due`, or `yields`
        from then on to those who want a slot; gives the seconds that it waited.

        Raises:
            Overloaded: no slot comes free in time.
        """
        ticket = _Ticket(due, yields)
        waited = self._enter(ticket, budget)
        try:
            yield waited
        finally:
            self._leave(ticket)

    @contextmanager
    def more(self, most: int, due: float, yields: bool = False) -> Iterator[int]:
        """Hold at most so many more slots, free ones that nobody waits for; gives their number."""
        slots: list[int] = []
        try:
            with self._changed:
                while len(slots) < most and not self._waiting:
                    if (slot := self._shared.take(due, yields)) is None:
                        break
                    slots.append(slot)
            yield len(slots)
        finally:
            with self._changed:
                for slot in slots:
                    self._shared.give_back(slot)
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
        slot = None
        if self.most is None or len(self._running) < self.most:
            slot = self._shared.take(ticket.due, ticket.yields)
        if slot is None:
            self._shared.want()
            return False
        ticket.slot, ticket.started = slot, self.clock()
        return True

    def _leave(self, ticket: _Ticket) -> None:
        with self._changed:
            self._running.remove(ticket)
            self._shared.give_back(ticket.slot)
            self._changed.notify_all()

    def _next_free(self, now: float) -> float:
        """When a slot comes free for one more, if all before it use up what others did lately."""
        share = self._shared.used_share
        if self.most is not None and len(self._running) >= self.most:
            ends = [
                expected_end(each.started, each.due, now, share, each.yields)
                for each in self._running
            ]
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
