"""Answers as server-sent events, without a socket."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from bestmove.api import capacity, streams
from bestmove.search import dispatch
from tests.api.conftest import MakeApi, busy
from tests.api.http import Api, document
from tests.api.test_metrics import count
from tests.support.documents import without_times
from tests.support.positions import TEN_MARKS
from tests.support.sockets import eventually

EVENTS = {"Accept": "text/event-stream"}
OPENING = {"game": "gomoku", "moves": TEN_MARKS}
SLOW = OPENING | {"time_ms": 9_000}

Event = tuple[str, dict[str, Any]]


def events_of(text: str) -> list[Event]:
    found = []
    for block in text.split("\n\n")[:-1]:
        if not block.startswith(":"):
            first, second = block.split("\n")
            assert first.startswith("event: ")
            assert second.startswith("data: ")
            found.append((first.removeprefix("event: "), json.loads(second.removeprefix("data: "))))
    return found


def connected() -> Mock:
    """Return a client that reads its stream."""
    return Mock(is_gone=Mock(return_value=False), is_behind=Mock(return_value=False))


@contextmanager
def opened(api: Api, path: str, body: dict[str, Any], peer: Mock) -> Iterator[Iterator[bytes]]:
    """Yield the events of a stream. Close the stream at the end."""
    builder = EnvironBuilder(path=path, method="POST", json=body, headers=[*EVENTS.items()])
    answer, status, _ = run_wsgi_app(api.app, builder.get_environ() | {capacity.PEER: peer})
    assert status == "200 OK"
    events = iter(answer)
    yield events
    events.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_streams_deepen_and_end_with_the_answer(api: Api, path: str) -> None:
    body = OPENING | {"depth": 4, "time_ms": 5_000}
    response = api.post(path, body, EVENTS)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert response.headers["Vary"] == "Accept"
    assert "Content-Encoding" not in response.headers
    *progress, (name, answer) = events_of(response.text)
    assert name == "answer"
    plain = api.post(path, body)
    assert without_times(answer) == without_times(json.loads(plain.data))
    assert plain.headers["Vary"].startswith("Accept")
    assert progress
    depths = []
    for name, data in progress:
        assert name == "progress"
        assert list(data) == ["depth", "nodes", "elapsed_ms", "answer"]
        so_far = data["answer"]
        assert list(so_far) == list(answer)
        assert {key: so_far["search"][key] for key in list(data)[:3]} == {
            key: data[key] for key in list(data)[:3]
        }
        depths.append(data["depth"])
    assert depths == sorted(set(depths))


@pytest.mark.parametrize(
    "body",
    [
        {"board": "X...O...."},
        {"board": "XXXOO...."},
        {"game": "connect-four", "moves": "", "depth": 1},
    ],
)
def test_a_look_up_is_one_event(api: Api, body: dict[str, Any]) -> None:
    response = api.post("/best-move", body, EVENTS | {"Accept-Encoding": "gzip"})
    assert [name for name, _ in events_of(response.text)] == ["answer"]
    assert "Content-Encoding" not in response.headers
    assert api.post("/analyze", {"board": "X...O...."}, EVENTS).text.startswith("event: answer\n")


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_a_get_has_the_events_of_a_repeatable_question(api: Api, path: str) -> None:
    query: dict[str, Any] = {"rows": "8", "columns": "8", "misere": "true", "time_ms": "40"}
    response = api.get(path, EVENTS, **query)
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Vary"] == "Accept"
    *progress, last = response.text.split("\n\n")[:-1]
    assert progress
    assert all(event.startswith("event: progress\n") for event in progress)
    assert last.startswith("id: last\nevent: answer\ndata: ")
    answer = json.loads(last.split("\ndata: ")[1])
    del answer["search"]
    plain = api.get(path, **query)
    assert answer == json.loads(plain.data)
    assert plain.headers["Vary"].startswith("Accept")
    look_up = api.get(path, EVENTS, board="X...O....").text
    assert look_up.startswith("id: last\nevent: answer\ndata: ")


def test_who_has_had_the_last_event_of_a_get_need_not_connect_again(api: Api) -> None:
    again = EVENTS | {"Last-Event-ID": "last"}
    for path in ("/best-move", "/analyze"):
        response = api.get(path, again, board="X...O....")
        assert (response.status_code, response.data) == (204, b"")
        assert response.headers["Cache-Control"] == "no-store"
        assert api.get(path, EVENTS, board="X...O....", lastEventId="last").status_code == 204
        assert api.get(path, {"Last-Event-ID": "last"}, board="X...O....").status_code == 200


@pytest.mark.parametrize("accept", [EVENTS, {"Accept": "text/plain"}])
def test_errors_before_the_search_are_problems(api: Api, accept: dict[str, str]) -> None:
    for body, status in (({"board": "X...O..."}, 422), (b"[", 400), ({"bord": "X........"}, 422)):
        response = api.post("/best-move", body, accept)
        assert response.status_code == status
        assert response.mimetype == "application/problem+json"


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
def test_the_time_of_a_stream_is_limited_too(make_api: MakeApi, path: str) -> None:
    api = make_api(max_time_ms=20, max_stream_ms=50)
    body = {"board": "X...O....", "time_ms": 50}
    assert api.post(path, body, EVENTS).status_code == 200
    assert api.post(path, body | {"time_ms": 51}, EVENTS).status_code == 422
    assert api.faults(path, body | {"time_ms": 21}) == "/time_ms"
    assert api.faults("/play", body | {"time_ms": 21, "move": 1}) == "/time_ms"
    limits = document(api.get("/games"))["limits"]
    assert (limits["time_ms"], limits["stream_ms"]) == (20, 50)


@pytest.mark.usefixtures("impatient")
def test_a_search_that_fails_midway_ends_with_a_problem_event(make_api: MakeApi) -> None:
    api = make_api(max_time_ms=20)
    body = {"board": ".........", "algorithm": "minimax"}
    ((name, problem),) = events_of(api.post("/best-move", body, EVENTS).text)
    assert name == "problem"
    assert problem["status"] == 503
    assert problem["type"] == "urn:bestmove:problem:out-of-time"
    assert problem["instance"].startswith("urn:bestmove:request:")


def test_an_internal_error_is_an_event(make_api: MakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    api = make_api()
    monkeypatch.setattr(dispatch, "search", Mock(side_effect=ZeroDivisionError))
    ((name, problem),) = events_of(api.post("/best-move", SLOW, EVENTS).text)
    assert (name, problem["status"]) == ("problem", 500)
    assert count(api, "bestmove_searches_in_progress") == 0


def test_closing_a_stream_ends_its_search(make_api: MakeApi) -> None:
    api = make_api()
    for taken in (0, 1, 2):
        with opened(api, "/analyze", SLOW, connected()) as events:
            for _ in range(taken):
                next(events)
        assert count(api, "bestmove_searches_in_progress") == 0
    eventually(lambda: not [one for one in threading.enumerate() if one.name == "stream"])
    assert not streams._running


def test_a_client_that_reads_too_slowly_gets_fewer_events(make_api: MakeApi) -> None:
    peer = connected()
    peer.is_behind.return_value = True
    with opened(make_api(), "/best-move", OPENING | {"time_ms": 300}, peer) as events:
        assert [name for name, _ in events_of(b"".join(events).decode())] == ["answer"]


def test_a_heartbeat_comes_when_due(make_api: MakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    assert streams.HEARTBEAT_S == 10
    clock = iter([0.0])
    late = streams.HEARTBEAT_S + 1.0
    monkeypatch.setattr(streams, "time", SimpleNamespace(monotonic=lambda: next(clock, late)))
    with opened(make_api(), "/best-move", OPENING | {"time_ms": 300}, connected()) as events:
        told = list(events)
    assert [event for event in told if event.startswith(b":")] == [b":\n\n"]
    assert told[-1].startswith(b"event: answer")


def test_long_work_takes_at_most_half_of_the_threads(make_api: MakeApi) -> None:
    api = make_api(threads=6, search_slots=5)
    with ExitStack() as taken:
        for _ in range(2):
            taken.enter_context(opened(api, "/best-move", SLOW | {"time_ms": 60_000}, connected()))
        taken.enter_context(busy(api, seed=1))
        for body, headers in ((SLOW | {"time_ms": 60_000}, EVENTS), (SLOW | {"seed": 1}, {})):
            refused = api.post("/best-move", body, headers)
            assert refused.status_code == 503
            assert int(refused.headers["Retry-After"]) >= 1
        assert count(api, "bestmove_searches_refused_total") == 2
        assert api.post("/best-move", OPENING | {"time_ms": 50}, EVENTS).status_code == 200
        assert api.post("/best-move", {"board": "X...O...."}, EVENTS).status_code == 200
