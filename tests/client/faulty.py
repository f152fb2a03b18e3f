"""A server process that misbehaves: `python -m tests.client.faulty MODE TIMES`.

It prints its port, fails the first TIMES requests in the way of MODE and answers the others with
what the service answers to an empty 3×3 board. `GET /count` says how many requests came.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER: dict[str, Any] = {
    "board": ".........",
    "rows": 3,
    "columns": 3,
    "k": 3,
    "gravity": False,
    "overline": True,
    "misere": False,
    "turn": "X",
    "status": "in_progress",
    "winner": None,
    "winning_line": None,
    "move": {"index": 0, "row": 0, "column": 0},
    "board_after": "X........",
    "score": 0,
    "exact": True,
    "outcome": "draw",
    "plies": 9,
    "pv": [0, 4, 1, 2, 6, 3, 5, 7, 8],
    "reason": {"code": "holds-draw", "cells": [0], "text": "It is a draw."},
    "search": {
        "algorithm": "memoized-alpha-beta",
        "nodes": 1,
        "cutoffs": 0,
        "table_hits": 1,
        "depth": 9,
        "elapsed_ms": 0.1,
    },
}
PROBLEM = {"title": "Too many searches in progress", "status": 503, "detail": "try again later"}


class Handler(BaseHTTPRequestHandler):
    """Fails as often as asked, then answers."""

    protocol_version = "HTTP/1.1"
    mode = "ok"
    failures_left = 0
    count = 0

    def do_GET(self) -> None:
        """The number of requests so far."""
        self.answer(200, str(Handler.count).encode(), "text/plain")

    def do_POST(self) -> None:
        """An answer, or a failure."""
        Handler.count += 1
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if Handler.failures_left:
            Handler.failures_left -= 1
            getattr(self, Handler.mode)()
        else:
            self.answer(200, json.dumps(ANSWER).encode())

    def slow(self) -> None:
        """Think for too long."""
        time.sleep(5)
        self.answer(200, json.dumps(ANSWER).encode())

    def reset(self) -> None:
        """Reset the connection (RST) in place of an answer."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.close_connection = True

    def half(self) -> None:
        """Break off in the middle of the answer."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"board": ')
        self.close_connection = True

    def busy(self) -> None:
        """503, and when to come again."""
        self.answer(503, json.dumps(PROBLEM).encode(), "application/problem+json", "1")

    def past(self) -> None:
        """503, and a date by which to come again that is long over."""
        date = "Mon, 01 Jan 2001 00:00:00 GMT"
        self.answer(503, json.dumps(PROBLEM).encode(), "application/problem+json", date)

    def stream(self) -> None:
        """Break off a stream of events after the first."""
        progress = {"depth": 1, "nodes": 1, "elapsed_ms": 0.1, "answer": ANSWER}
        event = f"event: progress\ndata: {json.dumps(progress)}\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        self.close_connection = True

    def separators(self) -> None:
        """Stream an answer in whose text are characters that end lines elsewhere."""
        reason = ANSWER["reason"] | {"text": "one\u2028two\u0085three"}
        data = json.dumps(ANSWER | {"reason": reason}, ensure_ascii=False)
        self.answer(200, f"event: answer\ndata: {data}\n\n".encode(), "text/event-stream")

    def latin(self) -> None:
        """Stream what is not UTF-8."""
        self.answer(200, b'event: answer\ndata: {"board": "\xff"}\n\n', "text/event-stream")

    def gateway(self) -> None:
        """A proxy in front that cannot reach the service."""
        self.answer(502, b"<html>Bad Gateway</html>", "text/html")

    def late(self) -> None:
        """A proxy in front that waited in vain."""
        self.answer(504, b"<html>Gateway Timeout</html>", "text/html")

    def page(self) -> None:
        """A web page: some other server."""
        self.answer(200, b"<html>Welcome</html>", "text/html")

    def other(self) -> None:
        """JSON, but of some other service."""
        self.answer(200, b'{"hello": "world"}')

    def array(self) -> None:
        """JSON, but no object."""
        self.answer(200, b"[1, 2]")

    def broken(self) -> None:
        """A mistake in the service."""
        self.answer(500, b'{"detail": "the request id finds it in the log"}')

    def refuse(self) -> None:
        """A request that must change."""
        errors = [{"pointer": "/board", "detail": "no board"}, {"pointer": "/k", "detail": "no k"}]
        problem = {"title": "Invalid", "status": 422, "detail": "2 things", "errors": errors}
        self.answer(422, json.dumps(problem).encode(), "application/problem+json")

    def moved(self) -> None:
        """Somewhere else."""
        self.send_response(308)
        self.send_header("Location", "https://elsewhere.example/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer(
        self, status: int, body: bytes, kind: str = "application/json", again: str = ""
    ) -> None:
        """Send a whole answer."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if again:
            self.send_header("Retry-After", again)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


def main() -> None:
    """Serve until killed."""
    Handler.mode, Handler.failures_left = sys.argv[1], int(sys.argv[2])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
