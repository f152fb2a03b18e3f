"""Sends raw bytes over sockets, for tests of HTTP."""

import http.client
import re
import socket
import time
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

from tests.support.connection import encode

PATIENCE = 60
"""The seconds after which a test gives up waiting."""


def connected(url: str, data: bytes = b"", receive_buffer: int = 0) -> socket.socket:
    sock = socket.socket()
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.settimeout(PATIENCE)
    parts = urlsplit(url)
    sock.connect((parts.hostname, parts.port))
    sock.sendall(data)
    return sock


def read_until(sock: socket.socket, wanted: bytes) -> bytes:
    text = b""
    while wanted not in text:
        more = sock.recv(65536)
        assert more, text
        text += more
    return text


def read_all(sock: socket.socket) -> bytes:
    return b"".join(iter(lambda: sock.recv(65536), b""))


def raw(url: str, data: bytes) -> tuple[int, dict[str, str], bytes]:
    with connected(url, data) as sock:
        response = http.client.HTTPResponse(sock)
        response.begin()
        headers = {name.title(): value for name, value in response.getheaders()}
        return response.status, headers, response.read()


def post(url: str, path: str, body: object) -> int:
    return raw(url, encode(path, body))[0]


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        text: str = response.read().decode()
        return text


def metric(url: str, name: str = "bestmove_searches_in_progress") -> float:
    (value,) = re.findall(rf"(?m)^{name} (.+)$", get(f"{url}/metrics"))
    return float(value)


def eventually(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
