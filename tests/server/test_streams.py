"""Streams when the client leaves, when others wait, and when a worker or the service ends."""

import json
import os
import re
import signal
import urllib.error
import urllib.request

import pytest

from tests.support.connection import encode
from tests.support.positions import TEN_MARKS
from tests.support.replicas import answers, children
from tests.support.servers import running_process, running_service
from tests.support.sockets import connected, eventually, get, metric, post, read_until

SLOW = {"game": "gomoku", "moves": TEN_MARKS, "time_ms": 10_000}

LONG = SLOW | {"time_ms": 60_000}
SHORT = SLOW | {"time_ms": 900, "moves": f"{TEN_MARKS} c5"}
USUAL_MS = 1000
"""A service's time limit for a search. Even a busy machine ends a stream in this time."""


def request(path: str, body: object, **headers: str) -> bytes:
    return encode(path, body, headers={"Accept": "text/event-stream", **headers})


def test_a_client_that_leaves_frees_its_slot_long_before_the_search_would_end() -> None:
    with running_service(2, search_slots="1", max_time_ms="60000") as url:
        # Further bytes must not hide that the client has left.
        for more in (b"", b"GET /healthz HTTP/1.1\r\n"):
            for path in ("/best-move", "/analyze"):
                with connected(url, request(path, LONG) + more) as sock:
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


def elapsed_ms(text: bytes) -> list[float]:
    return [float(ms) for ms in re.findall(rb'data: {[^{]*"elapsed_ms":([0-9.]+)', text)]


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_a_long_stream_goes_on_until_others_wait_in_any_worker(path: str) -> None:
    """Streams and other requests that come later begin later, and each ends with its answer."""
    with running_service(2, search_slots="1", max_time_ms=str(USUAL_MS)) as url:
        with connected(url, request(path, LONG)) as first:
            text = b""
            while not any(ms > USUAL_MS for ms in elapsed_ms(text)):
                text += read_until(first, b"\n\n")
            with connected(url, request(path, SHORT)) as second:
                assert post(url, "/best-move", SHORT) == 200
                for sock in (first, second):
                    text = read_until(sock, b"\r\n0\r\n\r\n")
                    assert b"event: answer" in text
        eventually(lambda: metric(url) == 0, 50)


def test_a_killed_worker_loses_its_slot() -> None:
    with running_process(2, search_slots="1", max_time_ms="60000") as (master, url):
        with connected(url, request("/best-move", LONG)) as sock:
            read_until(sock, b"event: progress")
            for worker in children(master.pid):
                os.kill(worker, signal.SIGKILL)
        eventually(lambda: answers(int(url.rpartition(":")[2])))
        assert post(url, "/best-move", SHORT) == 200


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
        with connected(url, request("/best-move", LONG)) as sock:
            read_until(sock, b"event: progress")
            server.send_signal(signal.SIGTERM)
            eventually(is_refused, 40)
            assert server.poll() is None
        assert server.wait(60) == 0
