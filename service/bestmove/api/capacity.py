"""Limits how much expensive work the service does at the same time.

- Each search needs a slot, and so does each large body while it is parsed. All worker processes
  share the slots. Looked-up and remembered answers need no slot.
- If all slots are taken, a request waits. The request is refused if too many requests wait, or if
  no slot is expected to become free in time. Waiting uses up the request's time, so searches get
  shorter under load.
- A search with several threads waits only for its first slot. The other threads run only if slots
  are free and no request waits.
- A stream may run longer than `max_time_ms`, but then ends as soon as another request finds no
  slot.
- A process takes no more slots than its memory allows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from threading import BoundedSemaphore
from typing import Final, TypeVar

from flask import request

from bestmove.answers import Analysis, BestMove
from bestmove.api import requests
from bestmove.api.admission import Admission
from bestmove.api.memory import AnswerMemory
from bestmove.api.metrics import Metrics
from bestmove.api.record import record
from bestmove.api.requests import Query, Question
from bestmove.api.schemas import Request
from bestmove.api.settings import Settings
from bestmove.errors import Overloaded
from bestmove.search import analysis
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import searchers
from bestmove.search.limits import BEST_LEVEL, SearchLimits

T = TypeVar("T")

LARGE_BODY: Final = 2048
"""A body of at least this many bytes is parsed and checked in a slot. A smaller body takes at most
3 ms, and up to 4 ms more if its rules are new to the process. Most requests about one board are
smaller."""

STREAMS_OF_THREADS: Final = 2
"""In each worker, `threads // STREAMS_OF_THREADS` streams may be open at the same time."""


class Capacity:
    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._metrics = metrics
        self._time_ms = settings.default_time_ms
        self._most_ms = settings.max_time_ms
        self._most_bytes = settings.max_body_bytes
        self._most_threads = settings.search_threads or settings.slots
        self._admission = Admission(
            settings.slots,
            settings.queue,
            settings.most_searches,
            settings.table_bytes,
            settings.search_bytes,
        )
        self._streams = BoundedSemaphore(settings.threads // STREAMS_OF_THREADS)
        self._memory = AnswerMemory(settings.remembered_bytes)
        searchers.most = settings.table_bytes

    @property
    def waiting(self) -> int:
        return self._admission.waiting

    @contextmanager
    def slot(self, limits: SearchLimits) -> Iterator[SearchLimits]:
        """Hold a slot for each thread of a search.

        Yield the limits. If `threads` is not None, it becomes the number of slots held. The caller
        must give limits with a time and a deadline.

        Raises:
            Overloaded: too many searches in progress.
        """
        assert limits.time_ms is not None
        assert limits.deadline is not None
        budget = min(limits.time_ms, self._most_ms) / 1000
        yields = limits.time_ms > self._most_ms
        # A repeatable search may run until its deadline, but normally ends within `budget`.
        due = min(limits.deadline, time.monotonic() + budget)
        try:
            with ExitStack() as held:
                waited = held.enter_context(self._admission.slot(budget, due, yields))
                slots = 1
                if limits.threads is not None:
                    helpers = min(limits.threads, self._most_threads) - 1
                    slots += held.enter_context(self._admission.more(helpers, due, yields))
                    limits = replace(limits, threads=slots)
                if waited:
                    self._metrics.queued(waited)
                self._metrics.searching(slots)
                held.callback(self._metrics.searching, -slots)
                yield limits
        except Overloaded:
            self._metrics.refused()
            raise

    def must_yield(self, arrived: float) -> bool:
        """Return True if a stream that arrived at `arrived` must end to make room for another
        request."""
        return self._admission.wanted_at > arrived + self._most_ms / 1000

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """Count an open stream. The number is limited, because each stream holds a thread.

        Raises:
            Overloaded: too many streams in progress.
        """
        if not self._streams.acquire(blocking=False):
            self._metrics.refused()
            raise Overloaded("All streams that the service allows are open: try again later.", 1)
        try:
            yield
        finally:
            self._streams.release()

    def read(self, schema: Request, make: Callable[[Query], T], large: int = LARGE_BODY) -> T:
        """Read the body of the current request, and return what `make` makes of its fields.

        A body of at least `large` bytes is read in a slot.

        Raises:
            Overloaded: too many searches in progress.
            RequestProblem: the body has faults.
        """
        data = requests.body(request.environ, self._most_bytes)
        with nullcontext() if len(data) < large else self._slot_for_reading():
            return make(requests.query_of_body(schema, requests.parse_json(data)))

    def _slot_for_reading(self) -> AbstractContextManager[object]:
        deadline = record().arrived + self._time_ms / 1000
        return self.slot(SearchLimits(self._time_ms, deadline=deadline))

    def look_up(self, question: Question) -> BestMove | Analysis | None:
        """Return a looked-up or remembered answer; None if a search is necessary."""
        if analysis.is_cheap(question.board, question.limits):
            answer = question.search(question.board, question.limits)
        else:
            started = time.perf_counter()
            found: BestMove | Analysis | None = self._memory.get(_key(question))
            if found is None:
                return None
            elapsed_ms = round((time.perf_counter() - started) * 1000, 3)
            stats = replace(found.search, elapsed_ms=elapsed_ms, cached=True)
            answer = replace(found, search=stats)
        self._metrics.look_up(question.board.rules, answer.exact, answer.search)
        return answer

    def search(self, question: Question) -> BestMove | Analysis:
        """Search as soon as a slot is free.

        Raises:
            Overloaded: too many searches in progress.
        """
        with self.slot(question.limits) as limits:
            return self.run(question._replace(limits=limits))

    def run(
        self,
        question: Question,
        progress: Callable[[BestMove | Analysis], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> BestMove | Analysis:
        """Search now. The caller must hold the slots."""
        watching = () if cancellation is None else (progress, cancellation)
        answer = question.search(question.board, question.limits, *watching)
        is_cancelled = cancellation is not None and cancellation.is_cancelled
        if not is_cancelled and is_final(question.limits, answer):
            self._memory.add(_key(question), answer)
        self._metrics.search(question.board.rules, answer.exact, answer.search)
        return answer


def _key(question: Question) -> Hashable:
    # A text, because `Rules` may hold much computed data.
    return question.search, repr(question.key)


def is_final(limits: SearchLimits, answer: BestMove | Analysis) -> bool:
    """Return True if the answer may be remembered: the same question always gets this answer.

    Textbook searches are not remembered, because the user wants to see the cost each time.
    """
    is_usual = limits.level == BEST_LEVEL and limits.algorithm == "auto" and limits.threads is None
    if not is_usual or answer.search.timed_out:
        return False
    complete = isinstance(answer, BestMove) or answer.complete
    reached = limits.depth is not None and answer.search.depth >= limits.depth
    return answer.exact or (complete and reached)
