"""A minimal HTTP/1.1 client. It is quick, so benchmarks measure mainly the service."""

import json
import random
import socket
import time
from dataclasses import dataclass
from typing import Any, Self

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """Return a loopback port on which nothing listens at the moment.

    The port is below 30,000. The system gives clients higher ports: a client that got this port
    would connect to itself. Property tests reset `random`, so `SystemRandom` chooses.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return port


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the server. The names of headers are in lower case. `seconds` is the time from
    the first byte of the request to the last byte of the answer."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    def json(self) -> Any:
        return json.loads(self.body)


def encode(
    path: str, body: object = None, *, method: str = "", headers: dict[str, str] | None = None
) -> bytes:
    """Return the bytes of a request. With a body, the default method is POST."""
    method = method or ("GET" if body is None else "POST")
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    payload = b""
    if body is not None:
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines += ["Content-Type: application/json", f"Content-Length: {len(payload)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode() + payload


class Connection:
    """A persistent connection. A request opens the connection if necessary.

    `source` is the client's loopback address, for tests of the limits per client.
    """

    def __init__(self, port: int, *, timeout: float = 30, source: str = LOOPBACK) -> None:
        self.port = port
        self.timeout = timeout
        self.source = source
        self._socket: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def get(self, path: str, **headers: str) -> Answer:
        """Send a GET. Underscores in the names of headers become hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.send(encode(path, headers=named))

    def post(self, path: str, body: object) -> Answer:
        return self.send(encode(path, body))

    def open(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection(
                (LOOPBACK, self.port), self.timeout, source_address=(self.source, 0)
            )
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket

    def send(self, request: bytes) -> Answer:
        """Send the bytes and read one whole answer.

        Raises:
            OSError: the connection could not be opened, timed out, or ended early.
        """
        started = time.perf_counter()
        try:
            opened = self.open()
            opened.sendall(request)
            answer = self._read(opened, started, request.startswith(b"HEAD "))
        except BaseException:
            self.close()
            raise
        if answer.headers.get("connection", "").lower() == "close":
            self.close()
        return answer

    def _read(self, opened: socket.socket, started: float, headless: bool) -> Answer:
        received = b""
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._more(opened)
        status_line, *lines = received[:end].decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        status = int(status_line.split(" ", 2)[1])
        body = received[end + 4 :]
        if headless or status in (204, 304):
            body = b""
        elif headers.get("transfer-encoding", "").lower() == "chunked":
            body = self._chunks(opened, body)
        elif "content-length" in headers:
            length = int(headers["content-length"])
            while len(body) < length:
                body += self._more(opened)
        else:
            while more := opened.recv(65536):
                body += more
            self.close()
        return Answer(status, headers, body, time.perf_counter() - started)

    def _chunks(self, opened: socket.socket, received: bytes) -> bytes:
        body = b""
        while True:
            while (end := received.find(b"\r\n")) < 0:
                received += self._more(opened)
            size = int(received[:end].split(b";")[0], 16)
            while len(received) < end + 2 + size + 2:
                received += self._more(opened)
            body += received[end + 2 : end + 2 + size]
            received = received[end + 2 + size + 2 :]
            if size == 0:
                return body

    @staticmethod
    def _more(opened: socket.socket) -> bytes:
        if not (more := opened.recv(65536)):
            raise ConnectionError("the connection ended before the answer")
        return more
