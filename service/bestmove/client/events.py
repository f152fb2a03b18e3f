"""Reads server-sent events from bytes, independently of the HTTP library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from bestmove.client.wire import HEADERS, Call, Reply
from bestmove.errors import InvalidAnswer, ServiceUnreachable

EVENTS: Final = "text/event-stream"
EVENT_HEADERS: Final = HEADERS | {"Accept": EVENTS}

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Progress(Generic[T_co]):
    """The answer so far, after a depth of the search.

    Attributes:
        depth: plies.
        nodes: visited so far.
        elapsed_ms: milliseconds of the search so far.
        answer: the answer so far, in the same form as the final one.
    """

    depth: int
    nodes: int
    elapsed_ms: float
    answer: T_co


class Events(Generic[T]):
    """Reads the events that answer a call.

    Args:
        url: the address, for errors.
        call: the question.
        headers: of the reply.

    Raises:
        InvalidAnswer: the reply is not a stream of events.
    """

    def __init__(self, url: str, call: Call[T], headers: Mapping[str, str]) -> None:
        self._url = url
        self._call = call
        self._name = b""
        self._rest = b""
        if not headers.get("Content-Type", "").startswith(EVENTS):
            raise InvalidAnswer(f"{url} answered with something that is not a stream of events")

    def feed(self, data: bytes) -> Iterator[Progress[T] | T]:
        """Add bytes of the stream; yields the items that they complete: progress, finally the
        answer.

        Raises:
            ServiceError: the search failed, or the bytes are not a valid stream.
        """
        first, *others = _LINE_END.split(data)
        *lines, self._rest = self._rest + first, *others
        for line in lines:
            item = self._read(line)
            if item is not None:
                yield item

    def _read(self, line: bytes) -> Progress[T] | T | None:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"event":
            self._name = value
        if field != b"data":
            return None
        if self._name == b"answer":
            return self._call.answer(self._url, Reply(200, "", {}, value))
        document = self._document(value)
        try:
            if self._name == b"problem":
                status = int(document["status"])
                failed = Reply(status, str(document.get("title")), {}, value)
                return self._call.answer(self._url, failed)
            if self._name != b"progress":
                return None
            depth, nodes = int(document["depth"]), int(document["nodes"])
            elapsed_ms = float(document["elapsed_ms"])
            return Progress(depth, nodes, elapsed_ms, self._call.read(document["answer"]))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidAnswer(f"{self._url}: an event without its fields: {value!r}") from error

    def broken_off(self) -> ServiceUnreachable:
        """The error of a stream that ends without an answer."""
        return ServiceUnreachable(f"{self._url}: the answer broke off")

    def _document(self, value: bytes) -> dict[str, Any]:
        try:
            document = json.loads(value)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise InvalidAnswer(f"{self._url}: an event that is not a JSON object: {value!r}")
        return document
