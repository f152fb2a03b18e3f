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

The slots of a process are bounded by its memory, too: each may come to need the tables of one
search, or what a large body is read into.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Final, Protocol, TypeVar

from bestmove.api.admission import Admission
from bestmove.api.memory import Memory
from bestmove.api.metrics import Metrics
from bestmove.api.requests import Question
from bestmove.api.settings import Settings
from bestmove.api.slots import InProgress
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import BEST_LEVEL, Limits
from bestmove.search.pool import searchers
from bestmove.search.results import Analysis, BestMove

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
