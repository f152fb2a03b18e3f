"""Collects requests as their bytes arrive, on sockets that never block.

This module only finds where a request ends. A thread then gets the whole request for gunicorn's
parser. If the end is unclear, the parser gets the bytes that have arrived, and refuses them. The
connection is then closed.
"""

from __future__ import annotations

import re
import select
import socket
from typing import Any, Final

from gunicorn.http import errors as http  # type: ignore[import-untyped]
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.parser import RequestParser  # type: ignore[import-untyped]

MOST_HEAD: Final = 64 * 1024
"""The most bytes of a request line and headers together: eight times the limit for one header."""

MOST_CHUNKS: Final = 16 * 1024
"""The most chunks of a body. A body of 1 MiB, the default limit, may have chunks of 64 bytes."""

_LONGEST_SIZE_LINE: Final = 256
_PIECE: Final = 8192

_CLOSED: Final[int] = getattr(select, "POLLRDHUP", 0)
"""The poll event of a half-closed connection. `poll` reports a fully closed connection anyway."""

_BARE_LINE_FEED: Final = re.compile(rb"(?<!\r)\n")
_FRAMING: Final = re.compile(
    # The pattern must not backtrack: n blanks would take n³ steps.
    rb"\r\n(content-length|transfer-encoding|expect):([^\r\n]*+)(?=\r\n)",
    re.IGNORECASE,
)
_LENGTH: Final = re.compile(rb"[0-9]{1,12}\Z")
_CHUNK_SIZE: Final = re.compile(rb"[0-9A-Fa-f]{1,8}(?=[ \t;\r])")


class Arrival:
    """Finds the end of the request that is arriving on a connection.

    Args:
        most_body: the most bytes of a body. A larger body is not received to its end.

    Attributes:
        data: arrived bytes that have not been taken.
        unframeable: whether the request's end is unclear, or its body too large. The request is
            then the last on the connection.
        expects_continue: whether the client waits for `100 Continue` before it sends the body.
    """

    def __init__(self, most_body: int) -> None:
        self.data = bytearray()
        self._most_body = most_body
        self._reset()

    def _reset(self) -> None:
        self.unframeable = False
        self.expects_continue = False
        self._searched = 0
        self._head_end = 0
        # Offsets in `data`: of the request's end (0 until it is known), and of the next chunk.
        self._end = self._at = 0
        self._chunks = 0
        # `_body` is the body's length in bytes. Of a chunked body, `_body` counts the bytes that
        # have arrived, and `_payload` the bytes in complete chunks.
        self._payload = self._body = 0

    def add(self, more: bytes) -> bool:
        """Add bytes that have arrived. Return True if the request can now go to a thread."""
        self.data += more
        if not self._head_end and not self._has_head():
            return self.unframeable
        if not self._end and not self.unframeable:
            self._find_end_of_chunks()
        if self._body > self._most_body:  # the application will refuse the body unread
            self.unframeable = True
        return self.unframeable or (self._end > 0 and len(self.data) >= self._end)

    @property
    def has_head(self) -> bool:
        return self._head_end > 0

    @property
    def is_single(self) -> bool:
        return self._end == len(self.data)

    def take(self) -> bytes:
        end = self._end or len(self.data)
        request = bytes(memoryview(self.data)[:end])
        del self.data[:end]
        return request

    def next(self) -> bool:
        """Begin the next request. Return True if all of it has already arrived."""
        self._reset()
        return self.add(b"")

    def _has_head(self) -> bool:
        data = self.data
        if self._searched == 0 and data[:2] == b"\r\n":
            del data[:2]  # an empty line may precede a request (RFC 9112, 2.2)
        end = data.find(b"\r\n\r\n", max(0, self._searched - 3))
        if end < 0:
            bare = _BARE_LINE_FEED.search(data, self._searched)
            self.unframeable = bare is not None or len(data) > MOST_HEAD
            self._searched = len(data)
            return False
        self._head_end = end + 4
        self._read_framing(bytes(memoryview(data)[: self._head_end]))
        return True

    def _read_framing(self, head: bytes) -> None:
        lengths: list[bytes] = []
        codings: list[bytes] = []
        expects = not head[: head.find(b"\r\n")].endswith(b" HTTP/1.0")
        for name, text in _FRAMING.findall(head):
            value = text.strip(b" \t").lower()
            if len(name) == len("expect"):
                self.expects_continue = expects and value == b"100-continue"
            else:
                (lengths if name[0] in b"cC" else codings).append(value)
        if not lengths and not codings:
            self._end = self._head_end
        elif codings == [b"chunked"] and not lengths:
            self._at = self._head_end
        elif not codings and len(lengths) == 1 and _LENGTH.match(lengths[0]):
            self._body = int(lengths[0])
            self._end = self._head_end + self._body
        else:
            self.unframeable = True

    def _find_end_of_chunks(self) -> None:
        data = self.data
        while not self._end:
            line_end = data.find(b"\r\n", self._at, self._at + _LONGEST_SIZE_LINE)
            if line_end < 0:
                self.unframeable = len(data) >= self._at + _LONGEST_SIZE_LINE
                return
            digits = _CHUNK_SIZE.match(data, self._at)
            if digits is None:
                self.unframeable = True
                return
            size, start = int(digits.group(), 16), line_end + 2
            if size == 0:
                self._find_end_of_trailers(line_end)
                return
            self._body = self._payload + min(size, len(data) - start)
            if len(data) < start + size + 2:
                return
            self._at = start + size + 2
            self._payload += size
            self._chunks += 1
            if self._chunks > MOST_CHUNKS:
                self.unframeable = True
                return

    def _find_end_of_trailers(self, line_end: int) -> None:
        end = self.data.find(b"\r\n\r\n", line_end)
        if end >= 0:
            self._end = end + 4
        else:
            self.unframeable = len(self.data) > line_end + MOST_HEAD


class WholeRequest(Request):  # type: ignore[misc]
    """A request that has arrived completely. gunicorn must not send 100 Continue for it."""

    _policy_expect_continue = False


class WholeRequestParser(RequestParser):  # type: ignore[misc]
    mesg_class = WholeRequest


class PatientSocket(socket.socket):
    """A socket that never blocks. Data that cannot be sent at once is buffered.

    Attributes:
        unsent: the buffer.
        received: when the request's last byte arrived, in seconds of `time.monotonic()`.
    """

    __slots__ = ("received", "unsent")

    def __init__(self, accepted: socket.socket) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, accepted.detach())
        self.setblocking(False)
        self.unsent = bytearray()
        self.received = 0.0

    def sendall(self, data: Any, flags: int = 0) -> None:
        del flags
        self.unsent += data
        self.flush()

    def is_gone(self) -> bool:
        """Return True if the other side has closed the connection, or its sending half."""
        ends = select.poll()
        ends.register(self, _CLOSED)
        return bool(ends.poll(0))

    def is_behind(self) -> bool:
        return not self.flush()

    def flush(self) -> bool:
        """Send as much as possible without blocking. Return True if all data has been sent.

        Raises:
            OSError: the connection is lost.
        """
        try:
            while self.unsent:
                del self.unsent[: self.send(self.unsent)]
        except BlockingIOError:
            return False
        return True


class Connection:
    """A client's connection, with the attributes that gunicorn's worker uses."""

    def __init__(
        self, sock: PatientSocket, client: Any, server: Any, cfg: Any, most_body: int
    ) -> None:
        self.sock = sock
        self.client = client
        self.server = server
        self.arrival = Arrival(most_body)
        self.data = b""
        """The bytes of the request that is being answered."""
        self.parser: Any = None
        self.timeout = 0.0
        """When the connection's current state must end, in seconds of `time.monotonic()`."""
        self.registration: object | None = None
        """Identifies the event for which the connection waits; None if there is none."""
        self.keeps_alive = False
        self.held = 0
        """Bytes of received and unsent data, when the worker last counted them."""
        self._cfg = cfg

    def next_request(self) -> Any:
        """Parse the request that has arrived. Raise the parser's errors."""
        is_endless = len(self.arrival.data) > MOST_HEAD and not self.arrival.has_head
        self.data = self.arrival.take()
        # The parser copies a piece once for each chunk in it.
        starts = range(0, len(self.data), _PIECE)
        pieces = (self.data[start : start + _PIECE] for start in starts)
        self.parser = WholeRequestParser(self._cfg, pieces, self.client)
        if is_endless:
            raise http.LimitRequestHeaders("max buffer headers")
        request = next(self.parser)
        if self.arrival.unframeable:
            request.force_close()
        return request

    def is_read(self) -> bool:
        return bool(self.parser.finish_body()) and not self.parser.unreader.read()
