"""Searches as soon as it is a request's turn, and remembers final answers.

Each search needs a slot, and so does each large body while it is parsed. Looked-up and remembered
answers need no slot. Waiting uses up the request's time, so searches get shorter under load.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeVar

from flask import has_request_context, request

from bestmove.answers import Analysis, BestMove
from bestmove.api import requests
from bestmove.api.memory import AnswerMemory
from bestmove.api.metrics import Metrics
from bestmove.api.problems import OVERLOADED, RequestProblem
from bestmove.api.record import record
from bestmove.api.requests import Query, Question
from bestmove.api.scheduler import Scheduler, Work
from bestmove.api.schemas import Request
from bestmove.api.settings import READING, Settings
from bestmove.api.tickets import LEAST_S
from bestmove.errors import Overloaded
from bestmove.search import analysis
from bestmove.search.engine import SEARCH_BYTES, search_bytes, searchers
from bestmove.search.limits import BEST_LEVEL, SearchLimits

T = TypeVar("T")

LARGE_BODY: Final = 2048
"""A body of at least this many bytes is parsed and checked in a slot. A smaller body takes at most
3 ms, and up to 4 ms more if its rules are new to the process. Most requests about one board are
smaller."""

PEER: Final = "bestmove.peer"
"""The WSGI environment holds the client's connection, a `Peer`, under this key."""

_WORK: Final = "bestmove.work"
"""The key of a request's latest work. A request that has had a turn is not refused any more."""

_GONE: Final = "The client closed its side of the connection: keep it open until the answer comes."


class Capacity:
    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._metrics = metrics
        self._time_ms = settings.default_time_ms
        self._most_ms = settings.max_time_ms
        self._most_bytes = settings.max_body_bytes
        self._most_threads = settings.search_threads or settings.slots
        self._scheduler = Scheduler(
            settings.slots,
            settings.queue,
            settings.most_searches,
            settings.worker_count * settings.threads,
            settings.table_bytes,
        )
        self.ends_at = self._scheduler.ends_at
        self._memory = AnswerMemory(settings.remembered_bytes)
        searchers.most = settings.table_bytes

    @contextmanager
    def slot(
        self, limits: SearchLimits, size: int = SEARCH_BYTES, *, is_timed: bool | None = None
    ) -> Iterator[Work]:
        """Hold a slot for each thread of a search.

        Args:
            limits: they must have a time and a deadline.
            size: the bytes of memory that the search needs with one thread.
            is_timed: whether the search may end early if others wait. By default, any search may
                but a repeatable or a textbook search.

        Raises:
            Overloaded: too many requests wait.
            RequestProblem: the client has left, so the search was not finished.
        """
        deadline, time_ms = limits.deadline, limits.time_ms
        assert deadline is not None
        assert time_ms is not None
        seconds = time_ms / 1000
        due = min(deadline, time.monotonic() + seconds)
        environ = request.environ if has_request_context() else {}
        if is_timed is None:
            is_timed = limits.algorithm == "auto" and not limits.is_repeatable
        if limits.threads is not None:
            limits = replace(limits, threads=min(limits.threads, self._most_threads))
        is_long = not is_timed or time_ms > self._most_ms
        work = Work(
            limits, due, is_timed, is_long, size, environ.get(PEER), environ.get("REMOTE_ADDR", "")
        )
        try:
            self._scheduler.enter(work, is_let_in=_WORK in environ)
        except Overloaded:
            self._metrics.refused()
            raise
        environ[_WORK] = work
        try:
            if work.waited:
                self._metrics.queued(work.waited)
            self._metrics.searching(work.slots)
            # Even if the search is late, it gets some time.
            least = min(seconds, LEAST_S) if limits.algorithm == "auto" else seconds
            deadline = max(deadline, time.monotonic() + least)
            work.limits = replace(work.limits, deadline=deadline)
            if not work.is_gone:
                yield work
        finally:
            self._metrics.searching(-work.slots)
            self._scheduler.leave(work)
            if work.is_gone:
                raise RequestProblem(OVERLOADED, _GONE)

    def read(
        self,
        schema: Request,
        make: Callable[[Query], T],
        large: int = LARGE_BODY,
        *,
        is_timed: bool = True,
    ) -> T:
        """Read the body of the current request, and return what `make` makes of its fields.

        A body of at least `large` bytes is read in a slot.

        Raises:
            Overloaded: too many searches in progress.
            RequestProblem: the body has faults, or the client has left.
        """
        data = requests.body(request.environ, self._most_bytes)
        if len(data) < large:
            return make(requests.query_of_body(schema, requests.parse_json(data)))
        limits = SearchLimits(self._time_ms, deadline=record().arrived + self._time_ms / 1000)
        with self.slot(limits, len(data) * READING, is_timed=is_timed) as work:
            query = requests.query_of_body(schema, requests.parse_json(data))
            return make(query._replace(work=work))

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
            RequestProblem: the client has left.
        """
        with self.slot(question.limits, search_bytes(question.board.rules)) as work:
            return self.run(question._replace(limits=work.limits), work)

    def run(
        self,
        question: Question,
        work: Work,
        progress: Callable[[BestMove | Analysis], None] | None = None,
    ) -> BestMove | Analysis:
        """Search now: the work has its slots."""
        answer = question.search(question.board, question.limits, progress, work.cancellation)
        if work.granted_ms is not None:
            answer = replace(answer, search=replace(answer.search, granted_ms=work.granted_ms))
        elif not work.cancellation.is_cancelled and is_final(question.limits, answer):
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
