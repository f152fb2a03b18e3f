"""Requests as they arrive, byte by byte, and sockets that are never waited for.

What a request means is for gunicorn's parser to say. Here it is only found where it ends, so that
a thread gets it whole; what is framed in any way but the plain ones is handed over as it is, for
gunicorn to refuse, and its connection is not used again.
"""

from __future__ import annotations

import re
import select
import socket
from typing import Any, Final

from gunicorn.http import errors as http  # type: ignore[import-untyped]
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.parser import RequestParser  # type: ignore[import-untyped]
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]

MOST_HEAD: Final = 64 * 1024
"""Bytes of a request line and headers: eight times the longest header."""

MOST_CHUNKS: Final = 16 * 1024
"""Chunks of a body: one for each 64 bytes of the largest."""

_LONGEST_SIZE_LINE: Final = 256
_LEAST_READ: Final = 8192

_CLOSED: Final[int] = getattr(select, "POLLRDHUP", 0)
"""Asks to be told of half a close; of a whole one poll tells unasked."""

_BARE_LINE_FEED: Final = re.compile(rb"(?<!\r)\n")
_FRAMING: Final = re.compile(
    rb"\r\n(content-length|transfer-encoding|expect):[ \t]*([^\r\n]*?)[ \t]*(?=\r\n)", re.IGNORECASE
)
_LENGTH: Final = re.compile(rb"[0-9]{1,12}\Z")
_CHUNK_SIZE: Final = re.compile(rb"[0-9A-Fa-f]{1,8}(?=[ \t;\r])")


class Arrival:
    """The bytes of a connection, up to the end of the request that is arriving.

    Args:
        most_body: bytes of a body beyond which the rest of it is not waited for.

    Attributes:
        data: what has arrived and was not taken.
        unframeable: whether the end cannot be told, or will not be waited for: nothing that follows
            on the connection can be understood.
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
        self._end = 0  # of the request; 0 as long as it is not known
        self._at = 0  # the next chunk
        self._chunks = 0
        self._payload = 0  # bytes of the chunks before it
        self._body = 0  # bytes of the body: those declared, or those of chunks that are here

    def add(self, more: bytes) -> bool:
        """Whether the request can be handed over, now that these bytes are here, too."""
        self.data += more
        if not self._head_end and not self._has_head():
            return self.unframeable
        if not self._end and not self.unframeable:
            self._find_end_of_chunks()
        if self._body > self._most_body:  # the application refuses it, and need not have the rest
            self.unframeable = True
        return self.unframeable or (self._end > 0 and len(self.data) >= self._end)

    @property
    def has_head(self) -> bool:
        """Whether the request line and all headers are here."""
        return self._head_end > 0

    def take(self) -> bytes:
        """The request's bytes; what follows them stays, as the beginning of the next."""
        end = self._end or len(self.data)
        request = bytes(memoryview(self.data)[:end])
        del self.data[:end]
        return request

    def next(self) -> bool:
        """Begin with the next request; whether all of it is here."""
        self._reset()
        return self.add(b"")

    def _has_head(self) -> bool:
        data = self.data
        if self._searched == 0 and data[:2] == b"\r\n":
            del data[:2]  # one empty line may go before a request (RFC 9112, 2.2)
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
        for name, value in _FRAMING.findall(head):
            if len(name) == len("expect"):
                self.expects_continue = expects and value.lower() == b"100-continue"
            else:
                (lengths if name[0] in b"cC" else codings).append(value.lower())
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


class Received(Unreader):  # type: ignore[misc]
    """A source of bytes that are all here: after the last there are none, and nobody waits.

    Attributes:
        data: all of them.
    """

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data
        self._left = memoryview(data)

    def chunk(self, size_hint: int | None = None) -> bytes:
        """The next bytes."""
        size = max(_LEAST_READ, size_hint or 0)
        found = bytes(self._left[:size])
        self._left = self._left[size:]
        return found

    @property
    def is_empty(self) -> bool:
        """Whether all of it was read."""
        return not self._left and not self.buf.getvalue()


class WholeRequest(Request):  # type: ignore[misc]
    """A request of which all bytes are here, the body too: what it expects was judged before."""

    _policy_expect_continue = False


class WholeRequestParser(RequestParser):  # type: ignore[misc]
    """Reads such a request."""

    mesg_class = WholeRequest


class PatientSocket(socket.socket):
    """A socket that keeps what it cannot send at once, instead of waiting.

    Attributes:
        unsent: what is to be sent by `flush`, once the other side takes more.
        received: `time.monotonic()` seconds at which a whole request was there.
    """

    __slots__ = ("received", "unsent")

    def __init__(self, accepted: socket.socket) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, accepted.detach())
        self.setblocking(False)
        self.unsent = bytearray()
        self.received = 0.0

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send what goes at once, keep the rest."""
        sent = 0
        if not self.unsent:
            try:
                sent = self.send(data, flags)
            except BlockingIOError:
                sent = 0
            if sent == len(data):
                return
        self.unsent += memoryview(data)[sent:]

    def is_gone(self) -> bool:
        """Whether the other side has closed the connection, or its half of it."""
        ends = select.poll()
        ends.register(self, _CLOSED)
        return bool(ends.poll(0))

    def is_behind(self) -> bool:
        """Whether the other side has not yet taken all; sends more of it.

        Raises:
            OSError: the connection is lost.
        """
        return not self.flush()

    def flush(self) -> bool:
        """Send more of what was kept; whether nothing is left.

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
    """A client's connection, with what gunicorn's worker wants to know of one."""

    def __init__(
        self, sock: PatientSocket, client: Any, server: Any, cfg: Any, most_body: int
    ) -> None:
        self.sock = sock
        self.client = client
        self.server = server
        self.arrival = Arrival(most_body)
        self.parser: Any = None
        self.timeout = 0.0
        """`time.monotonic()` seconds at which whatever it is waited for must have come."""
        self.keeps = False
        """Whether another request may follow the one that is being answered."""
        self.held = 0
        """Bytes that are kept for it."""
        self._cfg = cfg

    def next_request(self) -> Any:
        """The request that has arrived; from gunicorn's parser, with its errors."""
        is_endless = len(self.arrival.data) > MOST_HEAD and not self.arrival.has_head
        self.parser = WholeRequestParser(self._cfg, iter(()), self.client)
        self.parser.unreader = Received(self.arrival.take())
        if is_endless:
            raise http.LimitRequestHeaders("max buffer headers")
        request = next(self.parser)
        if self.arrival.unframeable:
            request.force_close()
        return request

    def is_read(self) -> bool:
        """Whether the request was read to where it was found to end."""
        return bool(self.parser.finish_body()) and self.parser.unreader.is_empty

    def close(self) -> None:
        """Close at once."""
        self.sock.close()
