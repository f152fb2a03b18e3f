"""Streams when the client leaves or stops reading, and when the service stops."""

import json
import signal
import urllib.error
import urllib.request

import pytest

from tests.support.connection import encode
from tests.support.positions import TEN_MARKS
from tests.support.servers import running_process, running_service
from tests.support.sockets import connected, eventually, get, metric, read_until

SLOW = {"game": "gomoku", "moves": TEN_MARKS, "time_ms": 10_000}

IN_PROGRESS = "bestmove_searches_in_progress"


def request(path: str, body: object, **headers: str) -> bytes:
    return encode(path, body, headers={"Accept": "text/event-stream", **headers})


def test_a_client_that_leaves_frees_its_slot_long_before_the_search_would_end() -> None:
    with running_service(2, search_slots="1", max_time_ms="60000") as url:
        # Further bytes must not hide that the client has left.
        for more in (b"", b"GET /healthz HTTP/1.1\r\n"):
            for path in ("/best-move", "/analyze"):
                with connected(url, request(path, SLOW | {"time_ms": 60_000}) + more) as sock:
                    read_until(sock, b"\r\n\r\n")
                    eventually(lambda: metric(url) == 1)
                eventually(lambda: metric(url) == 0, 30)
        noted = 'requests_total{method="POST",route="/best-move",status="200"} 2.0'
        eventually(lambda: noted in get(f"{url}/metrics"))
        with connected(url, request("/best-move", SLOW | {"time_ms": 100})) as sock:
            read_until(sock, b"event: answer")


def test_a_connection_can_be_used_after_its_stream() -> None:
    with running_service() as url:
        # A search to depth 3 reports each smaller depth.
        first = request("/best-move", SLOW | {"depth": 3})
        with connected(url, first) as sock:
            text = read_until(sock, b"\r\n0\r\n\r\n")
            assert b"\r\nTransfer-Encoding: chunked\r\n" in text
            assert text.index(b"event: progress") < text.index(b"event: answer")
            sock.sendall(request("/best-move", {"board": "X...O...."}, Connection="close"))
            assert b"event: answer" in read_until(sock, b"\n\n")


@pytest.mark.slow
def test_clients_that_stop_reading_delay_nobody() -> None:
    with running_service(workers=2, search_slots="2") as url:
        body = {"rows": 20, "columns": 20, "moves": [210, 211], "time_ms": 1_500}
        asked = request("/analyze", body, Connection="close")
        stopped = [connected(url, asked, 2048) for _ in range(4)]
        eventually(lambda: metric(url) == 2)
        with urllib.request.urlopen(f"{url}/healthz", timeout=60) as response:
            assert response.status == 200
        eventually(lambda: metric(url) == 0)
        for sock in stopped:
            text = b"".join(iter(lambda: sock.recv(1000), b""))  # noqa: B023
            assert text.count(b"event: answer") == 1 or b"HTTP/1.1 503" in text
            sock.close()


@pytest.mark.slow
def test_when_the_service_stops_a_stream_ends_with_its_answer() -> None:
    for grace, time_ms in (("30", 1_000), ("4", 60_000)):
        with running_process(graceful_timeout_s=grace, max_time_ms="60000") as (server, url):
            with connected(url, request("/best-move", SLOW | {"time_ms": time_ms})) as sock:
                text = read_until(sock, b"event: progress")
                server.send_signal(signal.SIGTERM)
                text += read_until(sock, b"\r\n0\r\n\r\n")
            answer = json.loads(text.split(b"event: answer\ndata: ")[1].split(b"\n")[0])
            assert answer["search"]["elapsed_ms"] < 30_000
            assert server.wait(30) == 0


def test_a_service_that_stops_refuses_new_clients_while_a_stream_goes_on() -> None:
    """A load balancer sends a request to another replica only if the connection is refused."""

    def is_refused() -> bool:
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=60).close()
        except urllib.error.URLError as error:
            return isinstance(error.reason, ConnectionRefusedError)
        return False

    grace = {"graceful_timeout_s": "60", "max_time_ms": "60000"}
    with running_process(workers=2, **grace) as (server, url):
        with connected(url, request("/best-move", SLOW | {"time_ms": 60_000})) as sock:
            read_until(sock, b"event: progress")
            server.send_signal(signal.SIGTERM)
            eventually(is_refused, 40)
            assert server.poll() is None
        assert server.wait(60) == 0
