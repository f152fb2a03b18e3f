"""The service under gunicorn: details of HTTP, bytes that are not HTTP, and memory."""

import json
import re
import select
import socket
import struct
from contextlib import ExitStack
from pathlib import Path

import pytest

from bestmove.api.settings import Settings
from tests.api.http import SECURITY_HEADERS
from tests.support.connection import Connection, encode
from tests.support.replicas import COMMAND, replica
from tests.support.servers import running_process, running_service
from tests.support.sockets import connected, get, post, raw, read_all, read_until

SHORT_ARRIVALS = [*COMMAND[:-1], "python:tests.support.short_arrivals"]
"""The command that starts gunicorn with a short time limit for the arrival of a request."""


def test_its_workers_are_small(tmp_path: Path) -> None:
    with replica(tmp_path, workers=2) as service:
        for _ in range(20):
            with Connection(service.port) as connection:
                assert connection.post("/best-move", {"board": "X...O...."}).status == 200
        assert max(service.resident()[1:]) < 70 * 2**20


PAGE = "https://page.example"
CORS = {
    "Access-Control-Allow-Origin": PAGE,
    "Access-Control-Expose-Headers": "ETag, Retry-After, Server-Timing, X-Request-ID",
    "Vary": "Origin",
}
ORIGIN = b"Host: a\r\noRIGIN: " + PAGE.encode() + b"\r\n"
POST = b"POST /play HTTP/1.1\r\nHost: a\r\n"
BYTES = {
    "not HTTP": (b"HELLO\r\n\r\n", 400),
    "an unknown version": (b"GET / HTTP/9.9\r\n" + ORIGIN + b"\r\n", 400),
    "a header without a colon": (b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n", 400),
    "a header with a space": (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    "a folded header": (b"GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
    "a line that is too long": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + ORIGIN + b"\r\n", 414),
    "too many headers": (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100 + b"\r\n", 431),
    "a header that is too long": (
        b"GET / HTTP/1.1\r\n" + ORIGIN + b"X: " + b"y" * 20_000 + b"\r\n\r\n",
        431,
    ),
    "a body over the limit": (
        b"POST /play HTTP/1.1\r\n" + ORIGIN + b"Content-Length: 5001\r\n\r\n",
        413,
    ),
    "two lengths": (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
    "a length that is not a number": (POST + b"Content-Length: x\r\n\r\n", 400),
    "an unknown coding": (POST + b"Transfer-Encoding: zip\r\n\r\n", 501),
    "a chunk without a size": (POST + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
    "a strange host": (b"GET /nothing HTTP/1.1\r\nHost: \xff\x00<>\r\n\r\n", 400),
    "an odd host": (b"GET /nothing HTTP/1.1\r\nHost: a b/c\r\n\r\n", 404),
    "a target with NUL": (b"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    "a target that is not UTF-8": (b"GET /%ff%fe?board=%ff HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    "a whole URL": (b"GET http://a/nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404),
}


@pytest.fixture(scope="module")
def url() -> object:
    settings = {"cors_origins": PAGE, "max_time_ms": "2000", "max_body_bytes": "5000"}
    with running_service(1, **settings) as address:
        yield address


@pytest.mark.parametrize(("data", "status"), BYTES.values(), ids=BYTES.keys())
def test_bytes_that_are_not_a_request_get_a_problem_too(url: str, data: bytes, status: int) -> None:
    got, headers, body = raw(url, data)
    assert got == status
    assert headers["Content-Type"] == "application/problem+json"
    assert json.loads(body)["status"] == status
    assert "Traceback" not in body.decode()
    for name, value in SECURITY_HEADERS.items():
        assert headers[name] == value
    assert headers["X-Request-Id"] in json.loads(body)["instance"]
    if ORIGIN in data:
        assert {name: headers.get(name) for name in CORS} == CORS
        _, headers, _ = raw(url, data.replace(b"page.", b"else."))
        assert "Access-Control-Allow-Origin" not in headers
    assert post(url, "/best-move", {"board": "X...O...."}) == 200


def test_a_body_in_chunks_is_read_up_to_the_limit(url: str) -> None:
    head = (
        b"POST /best-move HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    body = b'{"board": "X...O...."}'
    chunks = b"".join(b"1\r\n" + body[at : at + 1] + b"\r\n" for at in range(len(body)))
    assert raw(url, head + chunks + b"0\r\n\r\n")[0] == 200
    chunk = b"1000\r\n" + b" " * 4096 + b"\r\n"
    assert raw(url, head + chunk * 3 + b"0\r\n\r\n")[0] == 413


@pytest.mark.parametrize("part", [b"{", b'{"board": "X...O...."}'])
def test_a_body_that_ends_early_is_refused(url: str, part: bytes) -> None:
    with connected(url) as sock:
        sock.sendall(
            b"POST /best-move HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n" + part
        )
        sock.shutdown(socket.SHUT_WR)
        answer = sock.recv(10_000)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400")
    assert post(url, "/best-move", {"board": "X...O...."}) == 200


def test_clients_that_stop_in_the_middle_or_never_read_hold_no_thread() -> None:
    starts = [b"", b"P", b"POST /play HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"]
    unread = b"GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n" * 100
    with running_process(1, threads="3") as (_, url):
        held = [connected(url, start) for start in starts * 2]
        held += [connected(url, unread, receive_buffer=4096) for _ in range(6)]
        assert post(url, "/best-move", {"board": "X...O...."}) == 200
        for sock in held:
            sock.close()
        assert post(url, "/best-move", {"board": "X...O...."}) == 200


def test_memory_held_for_aborted_requests_is_released() -> None:
    body = b'{"board": "X...O...."}'.ljust(1_000_000)
    head = b"POST /best-move HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    head += b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    half = head + body[:800_000]
    with running_process(1) as (_, url):
        half_sent = [connected(url, half) for _ in range(Settings().held_bytes // 800_000 + 1)]
        # Together, the unfinished requests exceed the bytes that a worker may hold. So the worker
        # refuses one of the requests.
        assert select.select(half_sent, [], [], 60)[0]
        for sock in half_sent:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()
        for _ in range(3):  # gives the worker time to notice that the clients have left
            get(f"{url}/healthz")
        with connected(url, head + body) as sock:
            assert sock.recv(100).startswith(b"HTTP/1.1 200 OK")


def test_memory_held_for_answered_requests_is_released_while_their_connections_are_open() -> None:
    request = encode("/best-move", b'{"board": "X...O...."}'.ljust(1_000_000))
    with running_process(1) as (_, url), ExitStack() as kept:
        for _ in range(Settings().held_bytes // len(request) + 2):
            sock = kept.enter_context(connected(url, request))
            assert sock.recv(100).startswith(b"HTTP/1.1 200 OK")


SLOW = {
    "headers": POST + b"X: ",
    "a body": POST + b"Content-Length: 1000\r\n\r\n{",
    "chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{",
}


def test_a_request_that_never_ends_is_408_though_its_client_is_never_silent() -> None:
    with running_process(1, command=SHORT_ARRIVALS) as (_, url):
        for start in SLOW.values():
            with connected(url, start) as sock:
                while not select.select([sock], [], [], 0.2)[0]:
                    sock.sendall(b"1")
                answer = read_all(sock)
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"\r\nConnection: close\r\n" in answer
            assert b"urn:bestmove:problem:request-timeout" in answer


def test_a_client_that_expects_100_continue_gets_it_once(url: str) -> None:
    headers = {"Expect": "100-continue", "Connection": "close"}
    head, end, body = encode("/best-move", {"board": "X...O...."}, headers=headers).partition(
        b"\r\n\r\n"
    )
    with connected(url, head + end) as sock:
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in body:
            sock.sendall(bytes([byte]))
        received = read_all(sock)
    assert received.startswith(b"HTTP/1.1 200 OK")
    assert received.count(b"HTTP/1.1") == 1


def test_a_get_takes_every_board_that_the_limits_allow(url: str) -> None:
    # 20 rows of 20 empty cells. All spaces, dots and slashes are percent-encoded.
    board = "%2F".join("%20%2E" * 20 for _ in range(20))
    assert json.loads(get(f"{url}/best-move?time_ms=20&board={board}"))["rules"]["columns"] == 20
    # Fill two rows from the left and the next two from the right, so that nobody gets 20 in a row.
    letters = "abcdefghijklmnopqrst"
    names = [f"{at}{row}" for row in range(1, 21) for at in letters[:: 1 - row // 2 % 2 * 2]]
    full = "%20".join("".join(f"%{ord(mark):x}" for mark in name) for name in names)
    query = f"game=gomocup&k=20&moves={full}"
    assert len(query) > 4000
    assert json.loads(get(f"{url}/best-move?{query}"))["status"] == "draw"


def asked(method_and_path: str, *headers: str, version: str = "1.1") -> bytes:
    return "\r\n".join([f"{method_and_path} HTTP/{version}", *headers, "", ""]).encode()


HOST = "Host: a"
UPGRADE = "Connection: Upgrade"
WEBSOCKET = ("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXA=")
HTTP_2 = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMA")
"""`curl --http2` sends these headers. A server may ignore an upgrade (RFC 9110, section 7.8)."""

CLOSED, KEPT = "Connection: close", "Connection: keep-alive"
EXCHANGES = [
    # the request, the status, and lines of the answer
    (asked("GET /healthz", HOST, "Connection: keep-alive ,CLOSE"), 200, [CLOSED]),
    (asked("GET /healthz", HOST, KEPT, "Connection: close"), 200, [CLOSED]),
    (asked("GET /healthz", HOST, "Connection: keep-alive, foo"), 200, [KEPT]),
    (asked("GET /healthz", HOST, "Expect: a miracle"), 417, []),
    (asked("GET /healthz", HOST, version="1.2"), 200, [KEPT]),
    (asked("GET /healthz", CLOSED, version="1.2"), 400, ["Host"]),
    (asked("OPTIONS *", HOST), 200, ["Allow: GET, HEAD, OPTIONS, POST", "Content-Length: 0"]),
    (asked("GET *", HOST), 400, []),
    (asked("OPTIONS /*", HOST), 404, []),
    (asked("GET /healthz", HOST, UPGRADE, *WEBSOCKET), 400, ["send no Upgrade header"]),
    (asked("GET /healthz", HOST, *HTTP_2), 200, [KEPT]),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, ["HTTP/1.1"]),
    # Only one spelling of an address is served.
    (asked("GET /static/base.css", HOST), 200, []),
    (asked("GET /static/base.css/", HOST), 404, []),
    (asked("GET /static/x/../base.css", HOST), 404, []),
    (asked("GET //healthz", HOST), 404, []),
]


@pytest.mark.parametrize(("request_", "status", "lines"), EXCHANGES)
def test_a_request_is_answered(url: str, request_: bytes, status: int, lines: list[str]) -> None:
    with connected(url, request_) as sock:
        sock.shutdown(socket.SHUT_WR)
        answer = read_all(sock).decode()
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert [line for line in lines if line not in answer] == []
    assert "\r\nUpgrade:" not in answer


@pytest.mark.parametrize("expectation", ["100-continue", "a miracle"])
def test_an_expectation_of_http_1_0_is_ignored(url: str, expectation: str) -> None:
    body = b'{"board": "X...O...."}'
    headers = ("Content-Type: application/json", f"Content-Length: {len(body)}")
    request = asked("POST /best-move", *headers, f"Expect: {expectation}", version="1.0") + body
    with connected(url, request) as sock:
        assert read_all(sock).startswith(b"HTTP/1.0 200")


def test_a_page_of_another_origin_can_read_the_refusal_of_endless_headers(url: str) -> None:
    start = b"GET / HTTP/1.1\r\n" + ORIGIN + b"X: "
    with connected(url, start + b"y" * 70_000) as sock:
        text = read_until(sock, b"\r\n\r\n").decode()
    assert text.startswith("HTTP/1.1 431")
    assert f"Access-Control-Allow-Origin: {PAGE}\r\n" in text


def test_a_client_that_has_closed_its_sending_side_gets_its_answers_in_order(url: str) -> None:
    paths = ("/healthz", "/nothing", "/readyz")
    with connected(url, b"".join(asked(f"GET {path}", HOST) for path in paths)) as sock:
        sock.shutdown(socket.SHUT_WR)
        answers = read_all(sock)
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200", b"404", b"200"]
