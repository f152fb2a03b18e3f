"""Limits how much expensive work the service does at the same time.

- All worker processes share the slots. Each search holds a slot, and so does each reading of a
  large body. Looked-up and remembered answers need no slot.
- When all slots are taken, a request waits for a slot. If none is expected to be free in time, or
  too many requests wait, the request is refused. Waiting uses up the request's time, so under load
  the searches are shorter.
- A search with several threads takes its first slot like any search. For each further thread it
  takes a slot only if one is free and no request waits.
- A stream may run longer than `max_time_ms`, the limit of other requests. The extra time
  ends as soon as another request finds no slot.
- A process takes no more slots than its memory allows, because each slot needs memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Final

from bestmove.answers import Analysis, AnswerT, BestMove
from bestmove.api.admission import Admission
from bestmove.api.memory import AnswerMemory
from bestmove.api.metrics import Metrics
from bestmove.api.requests import Question
from bestmove.api.settings import Settings
from bestmove.api.slots import WorkInProgress
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import searchers
from bestmove.search.limits import BEST_LEVEL, SearchLimits

LARGE_BODY: Final = 2048
"""A body of at least this many bytes is parsed and validated in a slot. A smaller body takes at
most 3 ms; every request about one board is smaller."""

STREAMS_OF_THREADS: Final = 2
"""At most 1 / STREAMS_OF_THREADS of the threads serve streams; the others serve other requests."""

SearchFunction = Callable[..., AnswerT]
"""The type of the library's functions `best_move` and `analyze`."""


class Capacity:
    """Runs the searches of one process, each in a slot, and counts them."""

    def __init__(self, settings: Settings, metrics: Metrics | None) -> None:
        self._metrics = metrics
        self._time_ms = settings.default_time_ms
        self._most_ms = settings.max_time_ms
        self._most_threads = settings.search_threads or settings.slots
        self._admission = Admission(
            settings.slots,
            settings.queue,
            settings.most_searches,
            settings.table_bytes,
            settings.search_bytes,
        )
        self._in_progress = WorkInProgress()
        self._streams = BoundedSemaphore(settings.threads // STREAMS_OF_THREADS)
        self._memory = AnswerMemory(settings.remembered_bytes)
        searchers.most = settings.table_bytes

    @property
    def waiting(self) -> int:
        return self._admission.waiting

    def answer(self, question: Question, search: SearchFunction[AnswerT]) -> AnswerT:
        """Return a looked-up or remembered answer, or else search in a slot.

        Raises:
            Overloaded: too many searches in progress.
        """
        answer = self.answer_without_search(question, search)
        if answer is not None:
            return answer
        with self.slot(question.limits) as limits:
            return self.run_search(question._replace(limits=limits), search)

    @contextmanager
    def slot(self, limits: SearchLimits) -> Iterator[SearchLimits]:
        """Hold a slot for each thread of a search. Yield the limits, with `threads` reduced to the
        number of slots held.

        The search waits only for its first slot. Further slots must be free, and allowed by the
        settings.

        Args:
            limits: limits that have a time and a deadline.

        Raises:
            Overloaded: too many searches in progress.
        """
        assert limits.time_ms is not None
        assert limits.deadline is not None
        metrics = self._metrics
        budget = min(limits.time_ms, self._most_ms) / 1000
        yields = limits.time_ms > self._most_ms
        # A repeatable search has a late deadline, but normally ends within its budget.
        due = min(limits.deadline, time.monotonic() + budget)
        try:
            with ExitStack() as held:
                waited = held.enter_context(self._admission.slot(budget, due, yields))
                slots = 1
                if limits.threads is not None:
                    helpers = min(limits.threads, self._most_threads) - 1
                    slots += held.enter_context(self._admission.more(helpers, due, yields))
                    limits = replace(limits, threads=slots)
                if metrics is not None:
                    if waited:
                        metrics.queued(waited)
                    metrics.searching(slots)
                    held.callback(metrics.searching, -slots)
                yield limits
        except Overloaded:
            if metrics is not None:
                metrics.refused()
            raise

    def must_yield(self, arrived: float) -> bool:
        """Return True if a stream must end now for another request.

        After its first `max_time_ms`, a stream ends as soon as another request finds no slot.

        Args:
            arrived: `time.monotonic()` seconds at which the stream's request arrived.
        """
        return self._admission.wanted_at > arrived + self._most_ms / 1000

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """Count an open stream. The number is limited, because a stream holds a thread until the
        client closes it.

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

    def reading(
        self, size: int, arrived: float, large: int = LARGE_BODY
    ) -> AbstractContextManager[None]:
        """Hold a slot while a body is parsed and validated, if the body is large.

        Args:
            size: the bytes of the body.
            arrived: `time.monotonic()` seconds at which the request arrived.
            large: the bytes of the smallest body that needs a slot.

        Raises:
            Overloaded: too many searches in progress.
        """
        return nullcontext() if size < large else self._reading_in_slot(arrived)

    @contextmanager
    def _reading_in_slot(self, arrived: float) -> Iterator[None]:
        limits = SearchLimits(self._time_ms, deadline=arrived + self._time_ms / 1000)
        with self.slot(limits), self.working():
            yield

    @contextmanager
    def working(self, threads: int = 1) -> Iterator[None]:
        """While the block runs, count `threads` threads as work in progress."""
        most = self._in_progress.enter(threads)
        if self._metrics is not None:
            self._metrics.most_searching(most)
        try:
            yield
        finally:
            self._in_progress.leave(threads)

    def answer_without_search(
        self, question: Question, search: SearchFunction[AnswerT]
    ) -> AnswerT | None:
        """Return a looked-up or remembered answer; None if there is none."""
        answer: AnswerT | None
        if analysis.is_cheap(question.board, question.limits):
            answer = search(question.board, question.limits)
        else:
            started = time.perf_counter()
            answer = self._memory.get(_key(question, search))
            if answer is None:
                return None
            elapsed_ms = round((time.perf_counter() - started) * 1000, 3)
            stats = replace(answer.search, elapsed_ms=elapsed_ms)
            answer = replace(answer, board=question.board, search=stats)
        if self._metrics is not None:
            self._metrics.look_up(question.board.rules, answer.exact, answer.search)
        return answer

    def run_search(
        self,
        question: Question,
        search: SearchFunction[AnswerT],
        progress: Callable[[AnswerT], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> AnswerT:
        """Search for the answer; the caller already holds the slots."""
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
"""Remembered answers are stored with this board, because a real board may hold much cached data.
`answer_without_search` inserts the board of the question."""


def _key(question: Question, search: SearchFunction[AnswerT]) -> Hashable:
    board, limits = question.board, replace(question.limits, deadline=None)
    return search, f"{board.cells} {board.first} {board.rules!r} {limits!r}"


def is_final(limits: SearchLimits, answer: BestMove | Analysis) -> bool:
    """Return True if the same question always gets this answer, so that it can be remembered.

    False for a textbook search, because the user wants to see its cost each time.
    """
    is_usual = limits.level == BEST_LEVEL and limits.algorithm == "auto" and limits.threads is None
    if not is_usual or answer.search.timed_out:
        return False
    complete = isinstance(answer, BestMove) or answer.complete
    reached = limits.depth is not None and answer.search.depth >= limits.depth
    return answer.exact or (complete and reached)
