"""Sends events (server-sent events): the answer so far after each depth, then the final answer.

The search runs in its own thread, while the request's thread sends what it has found.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from flask import Request, Response

from bestmove.answers import Analysis, BestMove
from bestmove.api import problems, responses
from bestmove.api.capacity import Capacity
from bestmove.api.record import RequestRecord
from bestmove.api.requests import Question
from bestmove.api.responses import EVENTS
from bestmove.api.scheduler import Work
from bestmove.errors import BestMoveError
from bestmove.search.engine import search_bytes

_LAST: Final = "id: last\n"

HEARTBEAT_S: Final = 10
"""Seconds between comment lines, which keep proxies from closing a silent connection."""

_HEARTBEAT: Final = b":\n\n"
_HEADERS: Final = (
    responses.VARY,
    responses.NO_STORE,
    ("X-Accel-Buffering", "no"),  # nginx then forwards each event immediately
    ("Content-Type", EVENTS),
)

_log: Final = logging.getLogger(__name__)


def answer(
    capacity: Capacity,
    question: Question,
    found: BestMove | Analysis | None,
    record: RequestRecord,
    *,
    ends: bool = False,
) -> Response:
    """Return the events that answer a question.

    Args:
        found: the answer, if no search is needed: the only event is then `answer`.
        ends: whether the final event has an id, which a client sends when it reconnects.

    Raises:
        Overloaded: too many searches or streams in progress.
    """
    last = _LAST if ends else ""
    if found is not None:
        record.engine_ms = found.search.elapsed_ms
        data = _event("answer", responses.to_json(found.to_dict()), last)
        length = ("Content-Length", str(len(data)))
        return responses.Complete([data], headers=[*_HEADERS, length], direct_passthrough=True)
    with ExitStack() as held:
        work = held.enter_context(
            capacity.slot(question.limits, search_bytes(question.board.rules))
        )
        asked = question._replace(limits=work.limits)
        record.is_stream = True
        stream = _Stream(capacity, asked, record, work, held.pop_all(), last)
    return responses.Complete(stream, headers=[*_HEADERS], direct_passthrough=True)


def is_over(request: Request) -> bool:
    """Return True if the client has the final event and reconnects.

    Browsers send the event's id in a header, polyfills in the query.
    """
    return "HTTP_LAST_EVENT_ID" in request.environ or bool(request.args.get("lastEventId"))


def over() -> Response:
    """Return a 204, which makes an `EventSource` stop."""
    response = Response(status=204, headers=[responses.VARY, responses.NO_STORE])
    del response.headers["Content-Type"]
    return response


def end_all() -> None:
    """End all streams of this process. Each sends its answer so far."""
    for stream in list(_running):
        stream.end()


@dataclass(eq=False)
class _Stream:
    """The body of a response: the events, sent while the search finds them.

    Attributes:
        work: the search, which may be cancelled.
        held: what the stream holds until its end: its slots.
        id_line: the id line of the final event; empty if that event has no id.
    """

    capacity: Capacity
    question: Question
    record: RequestRecord
    work: Work
    held: ExitStack
    id_line: str

    def __post_init__(self) -> None:
        self._found: SimpleQueue[BestMove | Analysis | None] = SimpleQueue()
        self._last = b""
        self._thread = Thread(target=self._search, name="stream", daemon=True)
        self._events = self._follow()
        _running.add(self)

    def __iter__(self) -> Iterator[bytes]:
        return self._events

    def end(self) -> None:
        self.work.cancellation.cancel()

    def close(self) -> None:
        self.end()
        if self._thread.ident is not None:
            self._thread.join()
        with suppress(problems.RequestProblem):  # the client has left
            self.held.close()
        _running.discard(self)

    def _follow(self) -> Iterator[bytes]:
        self._thread.start()
        try:
            yield b""  # sends the headers
            yield from self._watch()
        finally:
            self.close()

    def _watch(self) -> Iterator[bytes]:
        beat = time.monotonic() + HEARTBEAT_S
        peer = self.work.peer
        while not self.work.is_gone:
            try:
                so_far = self._found.get(timeout=max(0.0, beat - time.monotonic()))
            except Empty:
                beat += HEARTBEAT_S
                yield _HEARTBEAT
                continue
            if so_far is None:
                if not self.work.is_gone:
                    yield self._last
                return
            # Leave this event out if earlier events are still unsent.
            if peer is None or not peer.is_behind():
                yield _progress(so_far)

    def _search(self) -> None:
        try:
            found = self.capacity.run(self.question, self.work, self._found.put)
            self.record.engine_ms = found.search.elapsed_ms
            self._end("answer", responses.to_json(found.to_dict()))
        except BestMoveError as error:
            self._fail(problems.from_error(error))
        except Exception as error:
            request_id = self.record.request_id
            _log.exception("request %s: %s", request_id, type(error).__name__)
            self._fail(problems.internal_error())
        finally:
            self._found.put(None)

    def _fail(self, problem: problems.RequestProblem) -> None:
        self._end("problem", responses.to_json(problem.document(self.record.request_id)))

    def _end(self, name: str, data: str) -> None:
        self._last = _event(name, data, self.id_line)


_running: Final[set[_Stream]] = set()


def _progress(so_far: BestMove | Analysis) -> bytes:
    stats = so_far.search.to_dict()
    fields = {name: stats[name] for name in ("depth", "nodes", "elapsed_ms")}
    return _event("progress", responses.to_json(fields | {"answer": so_far.to_dict()}))


def _event(name: str, data: str, before: str = "") -> bytes:
    return f"{before}event: {name}\ndata: {data}\n\n".encode()
