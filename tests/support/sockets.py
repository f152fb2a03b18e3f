"""Bytes on connections of their own, for tests of what HTTP says of them."""

import http.client
import socket
import time
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

from tests.support.connection import encode

PATIENCE = 60
"""Seconds to wait for what must come."""


def connected(url: str, data: bytes = b"", receive_buffer: int = 0) -> socket.socket:
    """A connection to the server at `url`, over which `data` was sent."""
    sock = socket.socket()
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.settimeout(PATIENCE)
    parts = urlsplit(url)
    sock.connect((parts.hostname, parts.port))
    sock.sendall(data)
    return sock


def read_until(sock: socket.socket, wanted: bytes) -> bytes:
    """What arrives up to some bytes, and what came with them."""
    text = b""
    while wanted not in text:
        more = sock.recv(65536)
        assert more, text
        text += more
    return text


def read_all(sock: socket.socket) -> bytes:
    """What arrives until the other side closes."""
    return b"".join(iter(lambda: sock.recv(65536), b""))


def raw(url: str, data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of what comes back for `data`."""
    with connected(url, data) as sock:
        response = http.client.HTTPResponse(sock)
        response.begin()
        headers = {name.title(): value for name, value in response.getheaders()}
        return response.status, headers, response.read()


def post(url: str, path: str, body: object) -> int:
    """The status of a POST of JSON."""
    return raw(url, encode(path, body))[0]


def get(url: str) -> str:
    """The body of a GET that must go well."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        text: str = response.read().decode()
        return text


def metric(url: str, name: str = "bestmove_searches_in_progress") -> float:
    """What a counter without labels stands at."""
    (value,) = [
        line.split()[-1]
        for line in get(f"{url}/metrics").splitlines()
        if line.startswith(f"{name} ")
    ]
    return float(value)


def eventually(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for what another thread or process is about to do."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
