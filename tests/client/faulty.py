"""A server process that misbehaves: `python -m tests.client.faulty MODE TIMES`.

It prints its port. The first TIMES requests fail as MODE says; the others get the service's answer
to an empty 3×3 board. `GET /count` returns the number of POSTs so far.
"""

import json
import socket
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bestmove import Board, best_move

EVENTS = {"Content-Type": "text/event-stream"}
PAGE = {"Content-Type": "text/html"}
ANSWER: dict[str, Any] = json.loads(json.dumps(best_move(Board.empty()).to_dict()))
PROBLEM = {"title": "Too many searches in progress", "status": 503, "detail": "try again later"}
REFUSAL = {
    "title": "Invalid",
    "status": 422,
    "detail": "2 things",
    "errors": [{"pointer": "/board", "detail": "no board"}, {"pointer": "/k", "detail": "no k"}],
}
SEPARATORS = ANSWER | {"reason": ANSWER["reason"] | {"text": "one\u2028two\u0085three"}}

ANSWERS: dict[str, tuple[int, bytes, dict[str, str]]] = {
    "busy": (503, json.dumps(PROBLEM).encode(), {"Retry-After": "1"}),
    "limited": (429, b'{"detail": "wait a second"}', {"Retry-After": "1"}),
    "past": (503, json.dumps(PROBLEM).encode(), {"Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT"}),
    "separators": (  # characters that some programs take for ends of lines
        200,
        f"event: answer\ndata: {json.dumps(SEPARATORS, ensure_ascii=False)}\n\n".encode(),
        EVENTS,
    ),
    "latin": (200, b'event: answer\ndata: {"board": "\xff"}\n\n', EVENTS),
    "gateway": (502, b"<html>Bad Gateway</html>", PAGE),
    "late": (504, b"<html>Gateway Timeout</html>", PAGE),
    "page": (200, b"<html>Welcome</html>", PAGE),  # some other server
    "other": (200, b'{"hello": "world"}', {}),
    "array": (200, b"[1, 2]", {}),
    "broken": (500, b'{"detail": "the request id finds it in the log"}', {}),
    "refuse": (422, json.dumps(REFUSAL).encode(), {}),
    "moved": (308, b"", {"Location": "https://elsewhere.example/"}),
}
"""For each mode, a complete but faulty answer: its status, body and headers."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mode = "ok"
    failures_left = 0
    count = 0

    def do_GET(self) -> None:
        self.answer(200, str(Handler.count).encode(), {})

    def do_POST(self) -> None:
        Handler.count += 1
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if Handler.failures_left:
            Handler.failures_left -= 1
            if Handler.mode in ANSWERS:
                self.answer(*ANSWERS[Handler.mode])
            else:
                getattr(self, Handler.mode)()
        else:
            self.answer(200, json.dumps(ANSWER).encode(), {})

    def slow(self) -> None:
        time.sleep(5)
        self.answer(200, json.dumps(ANSWER).encode(), {})

    def reset(self) -> None:
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.close_connection = True

    def half(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"board": ')
        self.close_connection = True

    def stall(self) -> None:
        """Send the beginning of the answer, and then nothing."""
        self.send_response(200)
        self.send_header("Content-Type", self.headers["Accept"])
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"event: progress")
        self.wfile.flush()
        time.sleep(5)
        self.close_connection = True

    def torn(self) -> None:
        self.send_response(503)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", "500")
        self.end_headers()
        self.wfile.write(b'{"title": ')
        self.close_connection = True

    def stream(self) -> None:
        """End the connection after the first event of a stream."""
        progress = {"depth": 1, "nodes": 1, "elapsed_ms": 0.1, "answer": ANSWER}
        event = f"event: progress\ndata: {json.dumps(progress)}\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        self.close_connection = True

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    Handler.mode, Handler.failures_left = sys.argv[1], int(sys.argv[2])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
