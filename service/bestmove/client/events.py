"""Parses server-sent events, independently of the HTTP library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Generic, TypeVar

from bestmove.answers import Progress
from bestmove.client.wire import HEADERS, Call, Reply, parsed
from bestmove.errors import InvalidAnswer, ServiceUnreachable

EVENTS: Final = "text/event-stream"
EVENT_HEADERS: Final = HEADERS | {"Accept": EVENTS}

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")

T = TypeVar("T")


class Events(Generic[T]):
    """Parses the events that answer a call.

    Raises:
        InvalidAnswer: the reply is not a stream of events.
    """

    def __init__(self, url: str, call: Call[T], headers: Mapping[str, str]) -> None:
        self._url = url
        self._call = call
        self._name = b""
        self._rest = b""
        self._after_cr = False
        if not headers.get("Content-Type", "").startswith(EVENTS):
            raise InvalidAnswer(f"the answer of {url} is not a stream of events")

    def feed(self, data: bytes) -> Iterator[Progress[T] | T]:
        """Take the next bytes of the stream. Yield each progress or answer that is now complete.

        Raises:
            ServiceError: the search failed, or the stream is invalid.
        """
        if self._after_cr:  # the two bytes of a CRLF may arrive separately
            data = data.removeprefix(b"\n")
        self._after_cr = data.endswith(b"\r")
        first, *others = _LINE_END.split(data)
        *lines, self._rest = self._rest + first, *others
        yield from (item for line in lines if (item := self._read(line)) is not None)

    def _read(self, line: bytes) -> Progress[T] | T | None:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if not line:
            self._name = b""  # an event ends
        if field == b"event":
            self._name = value
        if field != b"data":
            return None
        if self._name == b"answer":
            return self._call.answer(self._url, Reply(200, "", {}, value))
        document = parsed(value)
        if not isinstance(document, dict):
            raise InvalidAnswer(f"{self._url}: an event is not a JSON object: {value!r}")
        try:
            if self._name == b"problem":
                status = int(document["status"])
                failed = Reply(status, str(document.get("title")), {}, value)
                return self._call.answer(self._url, failed)
            if self._name != b"progress":
                return None
            depth, nodes = int(document["depth"]), int(document["nodes"])
            elapsed_ms = float(document["elapsed_ms"])
            answer = self._call.read_from(self._url, document["answer"])
            return Progress(depth, nodes, elapsed_ms, answer)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidAnswer(f"{self._url}: an event lacks a field: {value!r}") from error

    def broken_off(self) -> ServiceUnreachable:
        return ServiceUnreachable(f"{self._url}: the answer ended too early")
