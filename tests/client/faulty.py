"""A server that misbehaves."""

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from bestmove import Board, best_move

FOREVER = 1000
EVENTS = {"Content-Type": "text/event-stream"}
CHUNKED = EVENTS | {"Transfer-Encoding": "chunked"}
PAGE = {"Content-Type": "text/html"}
ANSWER: dict[str, Any] = json.loads(json.dumps(best_move(Board.empty()).to_dict()))
PROBLEM = b'{"title": "Too many searches", "status": 503, "detail": "try again later"}'
REFUSAL = {
    "title": "Invalid",
    "status": 422,
    "detail": "2 things",
    "errors": [{"pointer": "/board", "detail": "no board"}, {"pointer": "/k", "detail": "no k"}],
}
SEPARATORS = ANSWER | {"reason": ANSWER["reason"] | {"text": "one\u2028two\u0085three"}}
"""An answer with characters that some programs take for ends of lines."""

PROGRESS = {"depth": 1, "nodes": 1, "elapsed_ms": 0.1, "answer": ANSWER}


def event(name: str, data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


@dataclass(frozen=True)
class Fault:
    """An answer. The server closes the connection after a body shorter than `length`.

    Args:
        status: 0 sends nothing, but resets the connection unless the server stalls.
        length: what the answer's Content-Length says, if it is not the length of the body.
        stalls: whether the connection stays open, but nothing more is sent.
    """

    status: int = 0
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    stalls: bool = False


FAULTS = {
    "reset": Fault(),
    "slow": Fault(stalls=True),
    "stall": Fault(200, b"event: progress", EVENTS, length=1000, stalls=True),
    "half": Fault(200, b'{"board": ', length=1000),
    "torn": Fault(503, b'{"title": ', length=500),
    "stream": Fault(200, chunk(event("progress", PROGRESS)), CHUNKED),  # without its last chunk
    "busy": Fault(503, PROBLEM, {"Retry-After": "1"}),
    "past": Fault(503, PROBLEM, {"Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT"}),
    "separators": Fault(200, event("answer", SEPARATORS), EVENTS),
    "latin": Fault(200, b'event: answer\ndata: {"board": "\xff"}\n\n', EVENTS),
    "escapes": Fault(422, b'{"title": "a\\u001b[31m", "detail": "b\\u001b]0;c\\u0007"}'),
    "gateway": Fault(502, b"<html>Bad Gateway</html>", PAGE),
    "late": Fault(504, b"<html>Gateway Timeout</html>", PAGE),
    "page": Fault(200, b"<html>Welcome</html>", PAGE),  # some other server
    "other": Fault(200, b'{"hello": "world"}'),
    "array": Fault(200, b"[1, 2]"),
    "broken": Fault(500, b'{"detail": "the request id finds it in the log"}'),
    "refuse": Fault(422, json.dumps(REFUSAL).encode()),
    "moved": Fault(308, b"", {"Location": "https://elsewhere.example/"}),
}


class Faulty(ThreadingHTTPServer):
    """Fails the first `times` requests as `mode` says, and answers the others like the service.

    `asked` counts the requests. The answer is that about an empty 3×3 board.
    """

    def __init__(self, mode: str, times: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.mode, self.failures_left, self.asked = mode, times, 0
        self.closing = Event()

    def next_answer(self) -> Fault:
        self.asked += 1
        self.failures_left -= 1
        good = Fault(200, json.dumps(ANSWER).encode())
        return FAULTS[self.mode] if self.failures_left >= 0 else good

    def handle_error(self, *_: object) -> None:
        """Keep silent if a client has left."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Faulty

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        told = self.server.next_answer()
        if told.status:
            self.send_response(told.status)
            headers = {"Content-Type": "application/json", **told.headers}
            if told.headers != CHUNKED:
                headers["Content-Length"] = str(told.length or len(told.body))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(told.body)
            self.wfile.flush()
            self.close_connection = told.headers == CHUNKED or told.length is not None
        if told.stalls:
            self.server.closing.wait()
        elif not told.status:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def faulty(mode: str, times: int = FOREVER) -> Iterator[Faulty]:
    with Faulty(mode, times) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()
