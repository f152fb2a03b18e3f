"""The short way for 3×3 requests that came before: it must differ from the long way in nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from bestmove.api import known
from bestmove.api.known import Memory
from tests.api.conftest import MakeApi
from tests.api.http import Api

VARYING = {"X-Request-ID", "Server-Timing", "Date"}
UNEQUAL = {"time": "", "request_id": "", "ms": 0}


def shown(response: TestResponse) -> tuple[int, set[tuple[str, str]], Any]:
    headers = {(name, value) for name, value in response.headers if name not in VARYING}
    body = json.loads(response.data)
    if "search" in body:
        assert body["search"].pop("elapsed_ms") >= 0
        headers = {(name, value) for name, value in headers if name != "Content-Length"}
        assert response.headers["Content-Length"] == str(len(response.data))
    return response.status_code, headers, (list(body), body)


BOARDS = ["X...O....", "XXXOO....", "XOXXOOOXX", ".........", "x../.o./...", "X . . . O . . . ."]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("options", [{}, {"k": 3}, {"time_ms": 5}, {"first": "X"}], ids=str)
def test_both_ways_give_the_same_answer(
    make_api: MakeApi, board: str, options: dict[str, Any]
) -> None:
    log: list[str] = []
    api = make_api(log, log_format="json")
    body = {"board": board} | options
    posts = [api.post("/best-move", body) for _ in range(3)]
    gets = [api.get("/best-move", **body) for _ in range(3)]
    for answers in (posts, gets):
        assert shown(answers[0]) == shown(answers[1]) == shown(answers[2])
    entries = [json.loads(line) for line in log]
    for entry in entries:
        for name in ("time", "request_id", "ms", "engine_ms"):
            entry.pop(name)
    assert entries[0] == entries[1] == entries[2]
    assert entries[3] == entries[4] == entries[5]


@pytest.mark.parametrize("board", BOARDS)
def test_both_ways_say_alike_that_nothing_has_changed(make_api: MakeApi, board: str) -> None:
    tag = make_api().get("/best-move", board=board).headers["ETag"]
    log: list[str] = []
    api = make_api(log, log_format="json")
    answers = [api.get("/best-move", headers={"If-None-Match": tag}, board=board) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [304, 304]
    first, second = (
        {item for item in answer.headers if item[0] not in VARYING} for answer in answers
    )
    assert first == second
    assert ("Vary", "Accept") in first
    long_way, short_way = ({**json.loads(line), **UNEQUAL} for line in log)
    assert long_way == short_way
    for given in ('"another"', f"W/{tag}", f'"another", {tag}', "*"):
        status = api.get("/best-move", headers={"If-None-Match": given}, board=board).status_code
        assert status == (200 if given == '"another"' else 304)


def test_the_short_way_is_taken(make_api: MakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    api = make_api()
    api.best_move("X...O....")
    api.get("/best-move", board="X...O....")

    def no_flask(*_: object) -> None:
        raise AssertionError("took the long way")

    monkeypatch.setattr(api.app, "full_dispatch_request", no_flask)
    assert api.best_move("X...O....")["move"]["index"] == 1
    answer = api.get("/best-move", board="X...O....")
    assert answer.status_code == 200
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert api.get("/best-move", headers=tag, board="X...O....").status_code == 304


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Accept": "image/png"}, 406),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Encoding": "gzip"}, 415),
        ({"Accept": "application/problem+json"}, 200),
    ],
)
def test_a_request_that_came_before_is_still_checked(
    api: Api, headers: dict[str, str], status: int
) -> None:
    assert api.post("/best-move", {"board": "X...O...."}).status_code == 200
    assert api.post("/best-move", {"board": "X...O...."}, headers).status_code == status
    text = api.post("/best-move", {"board": "X...O...."}, {"Accept": "text/plain"})
    assert text.text == "XX..O....\n"


def test_what_may_vary_or_is_refused_is_not_remembered(make_api: MakeApi) -> None:
    api = make_api()
    for _ in range(3):
        assert api.post("/best-move", {"board": "XX......."}).status_code == 422
        assert api.get("/best-move", board="XX.......").status_code == 422
    moves = {api.best_move("." * 9, level=1)["move"]["index"] for _ in range(60)}
    assert len(moves) > 1
    counts = {api.best_move("X...O....", algorithm="negamax")["search"]["nodes"] for _ in "ab"}
    assert min(counts) > 100


def test_a_limit_on_bodies_holds_for_what_came_before_too(make_api: MakeApi) -> None:
    api = make_api(max_body_bytes=64)
    body = json.dumps({"board": "X...O...."}).encode()
    for _ in range(2):
        assert api.post("/best-move", body).status_code == 200
        assert api.post("/best-move", body.ljust(65)).status_code == 413


def test_a_known_request_is_counted_as_any_other(make_api: MakeApi) -> None:
    api = make_api()
    for _ in range(5):
        api.best_move("X...O....")
    text = api.get("/metrics").text
    assert 'requests_total{method="POST",route="/best-move",status="200"} 5.0' in text
    assert 'exact="true",size="up-to-9-cells"} 5.0' in text


def test_the_memory_is_bounded_and_forgets_the_oldest() -> None:
    memory: Memory[int, int] = Memory(3)
    for number in range(10):
        memory.add(number, number)
    assert [number for number in range(10) if memory.get(number) is not None] == [7, 8, 9]


def test_all_positions_fit_into_it() -> None:
    assert known.MOST_REQUESTS > 5478
