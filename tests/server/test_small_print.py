"""Details of HTTP on real connections."""

import re
import socket
from collections.abc import Iterator

import pytest

from tests.support.servers import running_service
from tests.support.sockets import connected, raw, read_all, read_until

PAGE = "https://page.example"
CORS = {
    "Access-Control-Allow-Origin": PAGE,
    "Access-Control-Expose-Headers": "ETag, Retry-After, Server-Timing, X-Request-ID",
    "Vary": "Origin",
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_service(1, cors_origins=PAGE, max_body_bytes="5000") as address:
        yield address


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


ORIGIN = b"Host: a\r\noRIGIN: " + PAGE.encode() + b"\r\n"
REFUSED = {
    413: b"POST /play HTTP/1.1\r\n" + ORIGIN + b"Content-Length: 5001\r\n\r\n",
    414: b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + ORIGIN + b"\r\n",
    431: b"GET / HTTP/1.1\r\n" + ORIGIN + b"X: " + b"y" * 10_000 + b"\r\n\r\n",
    400: b"GET / HTTP/9.9\r\n" + ORIGIN + b"\r\n",
}


@pytest.mark.parametrize(("status", "data"), REFUSED.items(), ids=str)
def test_a_page_of_another_origin_can_read_any_refusal(url: str, status: int, data: bytes) -> None:
    got, headers, _ = raw(url, data)
    assert got == status
    assert {name: headers.get(name) for name in CORS} == CORS
    got, headers, _ = raw(url, data.replace(b"page.", b"else."))
    assert got == status
    assert "Access-Control-Allow-Origin" not in headers


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
