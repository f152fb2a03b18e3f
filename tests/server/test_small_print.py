"""Details of HTTP on real connections."""

import json
import socket
from collections.abc import Iterator

import pytest

from tests.support.servers import running_service
from tests.support.sockets import connected, raw, read_all, read_until

PAGE = "https://page.example"
ASK = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
CORS = {
    "Access-Control-Allow-Origin": PAGE,
    "Access-Control-Expose-Headers": "ETag, Retry-After, Server-Timing, X-Request-ID",
    "Vary": "Origin",
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_service(1, cors_origins=PAGE, max_body_bytes="5000") as address:
        yield address


def detail(body: bytes) -> str:
    text: str = json.loads(body)["detail"]
    return text


@pytest.mark.parametrize(
    "headers",
    [
        b"Connection: keep-alive, close\r\n",
        b"Connection: close, keep-alive\r\n",
        b"Connection: keep-alive ,CLOSE\r\n",
        b"Connection: keep-alive\r\nConnection: close\r\n",
    ],
)
def test_close_among_the_connection_options_closes_the_connection(url: str, headers: bytes) -> None:
    with connected(url, ASK + headers + b"\r\n") as sock:
        answer = read_all(sock)
    assert b"\r\nConnection: close\r\n" in answer


def test_other_connection_options_keep_the_connection_open(url: str) -> None:
    with connected(url, ASK + b"Connection: keep-alive, foo\r\n\r\n") as sock:
        assert b"\r\nConnection: keep-alive\r\n" in read_until(sock, b'"ok"}')
        sock.sendall(ASK + b"\r\n")
        read_until(sock, b'"ok"}')


def test_an_expectation_of_http_1_0_is_ignored(url: str) -> None:
    body = b'{"board": "X...O...."}'
    for expectation in (b"100-continue", b"a miracle"):
        head = (
            b"POST /best-move HTTP/1.0\r\nContent-Type: application/json\r\n"
            b"Expect: %s\r\nContent-Length: %d\r\n\r\n" % (expectation, len(body))
        )
        with connected(url, head) as sock:
            sock.settimeout(0.3)
            with pytest.raises(TimeoutError):
                sock.recv(1)
            sock.settimeout(60)
            sock.sendall(body)
            assert sock.recv(100).startswith(b"HTTP/1.0 200")
    assert raw(url, ASK + b"Expect: a miracle\r\n\r\n")[0] == 417


def test_http_1_2_is_answered_as_1_1(url: str) -> None:
    ask = ASK.replace(b"1.1", b"1.2")
    with connected(url, ask + b"\r\n") as sock:
        answer = read_until(sock, b'"ok"}')
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"\r\nConnection: keep-alive\r\n" in answer
    status, _, body = raw(url, b"GET /healthz HTTP/1.2\r\nConnection: close\r\n\r\n")
    assert status == 400
    assert "Host" in detail(body)


def test_options_of_the_whole_server_are_answered(url: str) -> None:
    status, headers, body = raw(url, b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (status, body) == (200, b"")
    assert headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    for ask in (b"GET *", b"OPTIONS /*"):
        assert raw(url, ask + b" HTTP/1.1\r\nHost: a\r\n\r\n")[0] in (400, 404)


def test_an_upgrade_is_refused_with_advice_or_ignored(url: str) -> None:
    status, _, body = raw(
        url,
        ASK + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    )
    assert status == 400
    assert "WebSocket" in detail(body)
    assert "send no Upgrade header" in detail(body)
    status, headers, _ = raw(
        url,  # `curl --http2` sends this; a server may ignore the upgrade (RFC 9110, section 7.8)
        ASK
        + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n",
    )
    assert status == 200
    assert "Upgrade" not in headers
    status, _, body = raw(url, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    assert status == 400
    assert "HTTP/1.1" in detail(body)


@pytest.mark.parametrize(
    "path",
    ["/static/base.css/", "/static/./base.css", "/static/x/../base.css", "//healthz", "///"],
)
def test_only_one_spelling_of_an_address_is_served(url: str, path: str) -> None:
    assert raw(url, f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())[0] == 404
    assert raw(url, b"GET /static/base.css HTTP/1.1\r\nHost: a\r\n\r\n")[0] == 200


ORIGIN = b"Host: a\r\noRIGIN: " + PAGE.encode() + b"\r\n"
REFUSED = {
    413: b"POST /play HTTP/1.1\r\n" + ORIGIN + b"Content-Length: 5001\r\n\r\n",
    414: b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + ORIGIN + b"\r\n",
    431: b"GET / HTTP/1.1\r\n" + ORIGIN + b"X: " + b"y" * 10_000 + b"\r\n\r\n",
    400: b"GET / HTTP/9.9\r\n" + ORIGIN + b"\r\n",
}


@pytest.mark.parametrize(("status", "data"), REFUSED.items(), ids=str)
def test_a_page_of_another_origin_can_read_every_refusal(
    url: str, status: int, data: bytes
) -> None:
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


def test_an_origin_in_a_body_is_ignored(url: str) -> None:
    body = b"\r\norigin: " + PAGE.encode() + b"\r\n\r\n"
    head = b"POST /play HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: zip\r\n\r\n"
    status, headers, _ = raw(url, head + body)
    assert status == 501
    assert "Access-Control-Allow-Origin" not in headers


def test_a_client_that_has_closed_its_sending_side_gets_its_answers(url: str) -> None:
    with connected(url, (ASK + b"\r\n") * 3) as sock:
        sock.shutdown(socket.SHUT_WR)
        answer = read_all(sock)
    assert answer.count(b"HTTP/1.1 200") == 3
