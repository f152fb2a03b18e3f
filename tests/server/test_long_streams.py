"""Streams may search longer than the time limit as long as no other request waits."""

import re
from collections.abc import Iterator

import pytest

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
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


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_a_long_stream_goes_on_until_others_wait_in_any_worker(url: str, path: str) -> None:
    """Streams and other requests that come later begin later, and each ends with its answer."""
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
