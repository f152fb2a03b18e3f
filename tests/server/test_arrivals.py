"""Requests of which only a part has arrived, and answers to slow clients."""

import socket

import pytest

from bestmove.api.settings import Settings
from bestmove.server.arrivals import MOST_CHUNKS, MOST_HEAD, Arrival, PatientSocket

HEAD = b"POST /play HTTP/1.1\r\nHost: a\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
NEXT = b"GET / HTTP/1.1\r\n"
WHOLE = {
    "no body": b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "a length": HEAD + b"Content-Length: 5\r\n\r\nhello",
    "a length in other letters": HEAD + b"content-LENGTH:\t5 \r\n\r\nhello",
    "no bytes": HEAD + b"Content-Length: 0\r\n\r\n",
    "a chunk as large as may be": HEAD + CHUNKED + b"3e8\r\n" + b"a" * 1000 + b"\r\n0\r\n\r\n",
    "chunks": HEAD + CHUNKED + b"3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\n\r\n",
    "trailers": HEAD + b"Transfer-Encoding: Chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n",
}
UNFRAMEABLE = {
    "two lengths": HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
    "a length and chunks": HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a length that is not a number": HEAD + b"Content-Length: +2\r\n\r\n",
    "another coding": HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
    "a bare line feed": b"GET / HTTP/1.1\nHost: a\n\n",
    "a chunk without a size": HEAD + CHUNKED + b"xyz\r\n",
    "a size without an end": HEAD + CHUNKED + b"1" * 256,
    "a body over the limit": HEAD + b"Content-Length: 1001\r\n\r\n",
    "chunks over the limit": HEAD + CHUNKED + b"3e9\r\n" + b"a" * 1001,
    "a head without an end": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * (MOST_HEAD // 6 + 1),
}


def added(arrival: Arrival, request: bytes, step: int) -> list[bool]:
    """Add a request in pieces of `step` bytes. Return what the arrival says after each piece."""
    return [arrival.add(request[at : at + step]) for at in range(0, len(request), step)]


@pytest.mark.parametrize("request_", WHOLE.values(), ids=WHOLE.keys())
@pytest.mark.parametrize("step", [1, 3, 10_000])
def test_a_request_is_complete_with_its_last_byte(request_: bytes, step: int) -> None:
    arrival = Arrival(most_body=1000)
    *before, last = added(arrival, request_, step)
    assert (any(before), last) == (False, True)
    assert not arrival.unframeable
    arrival.add(NEXT)
    assert arrival.take() == request_
    assert (arrival.next(), bytes(arrival.data)) == (False, NEXT)


@pytest.mark.parametrize("request_", UNFRAMEABLE.values(), ids=UNFRAMEABLE.keys())
@pytest.mark.parametrize("step", [1, 10_000_000])
def test_a_request_without_a_clear_end_is_handed_over_as_it_is(request_: bytes, step: int) -> None:
    arrival = Arrival(most_body=1000)
    assert any(added(arrival, request_, step))
    assert arrival.unframeable
    assert arrival.take() == request_


def test_requests_that_come_together_after_an_empty_line_are_taken_one_by_one() -> None:
    arrival = Arrival(most_body=1000)
    assert arrival.add(b"\r\n" + b"".join(WHOLE.values()))
    for request in WHOLE.values():
        assert arrival.take() == request
        assert arrival.next() == (request is not WHOLE["trailers"])


@pytest.mark.parametrize(
    ("most_body", "allowed", "next_"),
    [(1000, b"3e9\r\n" + b"a" * 1000, b"a"), (10**6, b"1\r\na\r\n" * MOST_CHUNKS, b"1\r\na\r\n")],
    ids=["bytes", "chunks"],
)
def test_a_body_over_the_limit_is_too_large(most_body: int, allowed: bytes, next_: bytes) -> None:
    arrival = Arrival(most_body)
    assert not arrival.add(HEAD + CHUNKED + allowed)
    assert arrival.add(next_)
    assert arrival.unframeable


def test_the_most_chunks_are_64_bytes_each_in_the_largest_body() -> None:
    assert Settings().max_body_bytes // 64 == MOST_CHUNKS


def test_the_bodies_of_a_connections_requests_are_measured_one_by_one() -> None:
    arrival = Arrival(most_body=1000)
    request = HEAD + CHUNKED + b"258\r\n" + b"a" * 600 + b"\r\n0\r\n\r\n"
    for _ in range(3):
        assert arrival.add(request)
        assert not arrival.unframeable
        assert arrival.take() == request
        assert not arrival.next()


@pytest.mark.parametrize("name", [b"Content-Length", b"Transfer-Encoding", b"Expect"])
@pytest.mark.parametrize("end", [b"\rx", b"x", b""], ids=["a carriage return", "a letter", "none"])
def test_a_header_of_many_blanks_is_read_once(name: bytes, end: bytes) -> None:
    # A regular expression that backtracks over the blanks would run for hours.
    arrival = Arrival(most_body=1000)
    assert arrival.add(HEAD + name + b":" + b" \t" * 30_000 + end + b"\r\n\r\n")
    assert not arrival.expects_continue


def test_what_a_slow_client_does_not_take_is_sent_later_and_in_order() -> None:
    ours, theirs = socket.socketpair()
    sending = PatientSocket(ours)
    parts = [bytes([number]) * 2_000_000 for number in range(3)]
    received = bytearray()
    with sending, theirs:
        assert not sending.is_behind()
        for part in parts:
            sending.sendall(part)
            assert sending.is_behind()
            received += theirs.recv(100_000)  # receive a part, so that more can be sent
        while sending.is_behind():
            received += theirs.recv(1 << 20)
        assert len(received) < 6_000_000  # the system still holds the last bytes
        sending.shutdown(socket.SHUT_WR)
        received += b"".join(iter(lambda: theirs.recv(1 << 20), b""))
    assert received == b"".join(parts)
