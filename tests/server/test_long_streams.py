"""Streams may search longer than the time limit as long as no other request waits."""

import json
import re
import time
from collections.abc import Iterator

import pytest

from bestmove.api.app import create_app
from bestmove.api.capacity import Capacity
from bestmove.api.metrics import Metrics
from bestmove.api.settings import Settings
from bestmove.api.slots import SharedSlots
from bestmove.errors import Overloaded
from bestmove.search.limits import SearchLimits
from tests.api.http import Api
from tests.server.test_streams import SLOW, request
from tests.support.present import present
from tests.support.servers import running_service
from tests.support.sockets import connected, eventually, metric, post, read_until

USUAL_MS = 1000
"""The service's time limit for a search. Even a busy machine ends a stream in this time."""

LONG = SLOW | {"time_ms": 60_000}
SHORT = SLOW | {"time_ms": 900, "moves": SLOW["moves"] + " c5"}  # type: ignore[operator]


@pytest.fixture
def url() -> Iterator[str]:
    with running_service(2, search_slots="1", max_time_ms=str(USUAL_MS)) as address:
        yield address


def elapsed_ms(text: bytes) -> list[float]:
    return [float(ms) for ms in re.findall(rb'data: {[^{]*"elapsed_ms":([0-9.]+)', text)]


@pytest.mark.slow
def test_a_long_stream_ends_for_a_request_of_any_worker_and_not_before(url: str) -> None:
    for path in ("/best-move", "/analyze"):
        with connected(url, request(path, LONG)) as sock:
            text = read_until(sock, b"\r\n\r\n")
            while not any(ms > 2 * USUAL_MS for ms in elapsed_ms(text)):
                text += read_until(sock, b"\n\n")
            assert b"event: answer" not in text
            assert post(url, "/best-move", SHORT) == 200
            text += read_until(sock, b"\r\n0\r\n\r\n")
        answer = json.loads(text.split(b"event: answer\ndata: ")[1].split(b"\n")[0])
        assert 2 * USUAL_MS < answer["search"]["elapsed_ms"] < LONG["time_ms"]
        eventually(lambda: metric(url) == 0, 50)


def test_a_long_stream_makes_room_for_streams_that_wait(url: str) -> None:
    streams = [connected(url, request("/best-move", LONG))]
    read_until(streams[0], b"event: progress")
    streams += [connected(url, request("/best-move", LONG)) for _ in range(2)]
    assert b"event: answer" in read_until(streams[0], b"\r\n0\r\n\r\n")
    # One of them gets the slot; the other gets it in its turn, or is refused.
    for sock in streams[1:]:
        assert re.match(rb"HTTP/1.1 (200|503) ", read_until(sock, b"\r\n\r\n"))
    for sock in streams:
        sock.close()


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_the_time_of_a_stream_is_limited_too(path: str) -> None:
    settings = Settings(max_time_ms=20, max_stream_ms=50)
    api = Api(create_app(settings, write_log=lambda _: None))
    streamed = {"Accept": "text/event-stream"}
    for time_ms, status in ((50, 200), (51, 422)):
        body = {"board": "X...O....", "time_ms": time_ms}
        assert api.post(path, body, streamed).status_code == status
    for other in (path, "/play"):
        body = {"board": "X...O....", "time_ms": 21} | ({"move": 1} if other == "/play" else {})
        assert api.post(other, body).status_code == 422
    listed = present(api.get("/games").json)
    assert (listed["limits"]["time_ms"], listed["limits"]["stream_ms"]) == (20, 50)


def test_a_slot_whose_holder_yields_is_expected_as_soon_as_it_is_due() -> None:
    now = [100.0]
    slots = SharedSlots(1, clock=lambda: now[0])
    for yields, end in ((True, 112.0), (False, 114.0)):
        now[0] = 100.0
        slot = present(slots.take(110.0, yields))
        now[0] = 112.0
        assert slots.ends() == [end]
        slots.give_back(slot)
    assert slots.wanted_at == 0.0
    slots.want()
    assert slots.wanted_at == 112.0


def test_work_that_overran_counts_as_all_of_its_time_and_no_more() -> None:
    now = [0.0]
    slots = SharedSlots(1, clock=lambda: now[0])
    for _ in range(50):
        slot = present(slots.take(now[0] + 1.0))
        now[0] += 100.0
        slots.give_back(slot)
    assert 0.5 < slots.used_share <= 1.0


def test_a_stream_yields_only_to_a_request_that_found_no_slot_after_the_usual_time() -> None:
    capacity = Capacity(
        Settings(search_slots=1, search_queue=0, max_time_ms=20), Metrics(1, on=False)
    )
    limits = SearchLimits(20, deadline=time.monotonic() + 60)
    with capacity.slot(limits):
        arrived = time.monotonic()
        for must in (False, True):
            with pytest.raises(Overloaded), capacity.slot(limits):
                pass
            time.sleep(0.1)
            assert capacity.must_yield(arrived) is must
