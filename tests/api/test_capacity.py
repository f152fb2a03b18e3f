"""Searches wait for their turn, end for others, or are refused: in one process and in all."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from threading import Thread
from typing import Any
from unittest.mock import Mock

import pytest

from bestmove.api import capacity
from bestmove.api.scheduler import Scheduler, Work
from bestmove.api.tickets import LEAST_S
from bestmove.errors import Overloaded
from bestmove.game import Board, Rules
from bestmove.proof import certificate
from bestmove.search import analysis, engine
from bestmove.search.limits import Limits, SearchLimits
from tests.api.conftest import MakeApi, busy
from tests.api.http import Api
from tests.api.test_metrics import count, samples
from tests.support.positions import OPEN_15, TEN_MARKS
from tests.support.sockets import eventually


def test_a_full_service_answers_503(make_api: MakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    api = make_api(search_slots=1, search_queue=0)
    exact = api.get("/best-move", board="XXXX./OOOO./...../...../.....")
    with busy(api), busy(api, seed=1):
        for response in (
            api.post("/best-move", {"board": OPEN_15, "time_ms": 50}),
            api.post("/analyze", {"board": OPEN_15, "time_ms": 50}),
            api.post("/play", {"board": OPEN_15, "move": 0, "time_ms": 50}),
            api.post("/best-moves", {"boards": [OPEN_15, "." * 9], "time_ms": 50}),
            api.post("/best-move", {"board": "X...O....", "algorithm": "minimax"}),
            api.get("/best-move", board=OPEN_15),
        ):
            assert response.status_code == 503
            assert int(response.headers["Retry-After"]) >= 1

        assert api.best_move("X...O....")["move"]["index"] == 1
        assert api.best_move("XXXXX/OOOO./...../...../.....")["status"] == "won"
        batch = {"boards": ["X...O...."] * 100}
        assert len(api.answer("/best-moves", **batch)["results"]) == 100
        with monkeypatch.context() as patch:
            patch.setattr("bestmove.api.views.batch.READING_S", -1.0)  # reading takes long
            assert api.post("/best-moves", batch).status_code == 503
        tag = {"If-None-Match": exact.headers["ETag"]}
        again = api.get("/best-move", tag, board="XXXX./OOOO./...../...../.....")
        assert again.status_code == 304
        # The opening book has no lines of play to the end, so its positions need a search, too.
        for moves in ("", "44", "4" * 6 + "111"):
            assert api.get("/best-move", game="connect-four", moves=moves).status_code == 503
            body = {"game": "connect-four", "moves": moves}
            assert api.post("/best-move", body).status_code == 503
        assert api.get("/readyz").status_code == 200
        assert api.post("/best-move", {"board": OPEN_15, "k": 0}).status_code == 422
        too_large = {"board": "." * 25, "k": 4, "algorithm": "minimax"}
        assert api.post("/best-move", too_large).status_code == 422
    assert api.best_move(OPEN_15, time_ms=5)["move"] is not None


def test_waiting_and_refused_searches_count(make_api: MakeApi) -> None:
    api = make_api(search_slots=1, search_queue=1)
    body = {"board": OPEN_15, "depth": 1, "time_ms": 10_000}
    with ThreadPoolExecutor() as pool:
        with busy(api, seed=1):
            waiter = pool.submit(api.post, "/best-move", body)
            eventually(lambda: len(api.app.extensions["bestmove"]._scheduler._mine) == 2)
            assert api.post("/best-move", body).status_code == 503
        assert waiter.result().status_code == 200
    counted = samples(api.get("/metrics").text)
    assert counted["bestmove_searches_queued_total{}"] == 1
    assert counted["bestmove_searches_refused_total{}"] == 1
    assert 0 < counted["bestmove_search_queue_seconds_total{}"] < 10
    assert counted["bestmove_searches_in_progress{}"] == 0


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/game-tree", {"tree": [[1, 2]] * 200}),
        ("/best-moves", {"boards": ["X...O...."] * 200}),
        ("/best-move", {"board": "X...O....", "x" * 3000: 1}),
    ],
)
def test_large_bodies_are_read_in_a_slot(make_api: MakeApi, path: str, body: object) -> None:
    api = make_api(search_slots=1, search_queue=0)
    with busy(api), busy(api, seed=1):
        assert api.post(path, body).status_code == 503
    assert api.post(path, body).status_code != 503


LONG = {"game": "gomoku", "moves": TEN_MARKS, "time_ms": 10_000}


BATCH = [{"moves": f"{TEN_MARKS} a{row}"} for row in (2, 4, 5)]
TIMED = [
    ("/best-move", LONG),
    ("/best-move", LONG | {"threads": 2}),
    ("/play", LONG | {"move": 0}),
    ("/analyze", LONG),
    ("/best-moves", {"boards": BATCH, "game": "gomoku", "time_ms": 10_000}),
]


@pytest.mark.parametrize(("path", "body"), TIMED)
def test_a_timed_search_ends_for_one_that_waits(make_api: MakeApi, path: str, body: Any) -> None:
    api = make_api(search_slots=1)
    with ThreadPoolExecutor() as pool:
        long = pool.submit(api.answer, path, **body)
        eventually(lambda: count(api, "bestmove_searches_in_progress") == 1)
        short = api.answer("/best-move", board=OPEN_15, time_ms=60)
        found = long.result()
    answers = [each["result"] for each in found.get("results", [])] or [found]
    assert all(LEAST_S * 1000 <= one["search"].get("granted_ms", 5000) < 10_000 for one in answers)
    assert "granted_ms" in answers[-1]["search"]
    assert "granted_ms" not in short["search"]
    # An answer that was cut short is not remembered.
    assert api.app.extensions["bestmove"]._memory.size == 0


def test_a_repeatable_search_is_not_cut_and_leaves_a_slot_to_others(make_api: MakeApi) -> None:
    for slots in (1, 2):
        api = make_api(search_slots=slots)
        with ThreadPoolExecutor() as pool:
            with busy(api, seed=1):
                waits = pool.submit(api.get, "/best-move", board=OPEN_15, time_ms=20)
                assert api.answer("/best-move", board=OPEN_15, time_ms=20)["move"] is not None
                assert not waits.done()
            assert waits.result().status_code == 200


TREE = {"tree": [[[index % 7 for index in range(40)]] * 20] * 25, "algorithm": "minimax"}
ASKED = [
    *TIMED,
    ("/best-move", LONG | {"seed": 1}),
    ("/best-move", {"board": "." * 9, "algorithm": "minimax"}),
    ("/proof", LONG),
    ("/game-tree", TREE),
]


@pytest.mark.parametrize(("path", "body"), ASKED)
def test_who_left_is_not_searched_for(make_api: MakeApi, path: str, body: dict[str, Any]) -> None:
    """Running or waiting, the work ends long before its time."""
    api = make_api(search_slots=1)
    has_left = {capacity.PEER: Mock(is_gone=lambda: True)}
    client = api.app.test_client()
    for other in (nullcontext(), busy(api, seed=1)):
        with other:
            answer = client.post(path, json=body, environ_overrides=has_left)
            assert answer.status_code == 503
            assert "client closed" in answer.get_json()["detail"]
    assert count(api, "bestmove_searches_in_progress") == 0


def test_what_a_search_may_take_is_what_its_engines_take(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    lend = engine.searchers.lend

    def lent(make: engine.Make, rules: Rules, *rest: Any) -> Any:
        made.append(make(rules).size)
        return lend(make, rules, *rest)

    monkeypatch.setattr(engine.searchers, "lend", lent)
    for asked in (
        {"rows": 15, "columns": 15},
        {"rows": 20, "columns": 20, "k": 5, "misere": True},
        {"rows": 8, "columns": 8, "k": 5},
        {"rows": 9, "columns": 9, "k": 5, "overline": False},
        {"game": "connect-four"},
        {"rows": 7, "columns": 9, "k": 9, "gravity": True, "misere": True},
    ):
        board = Board.empty(**asked)
        made.clear()
        analysis.best_move(board, Limits(time_ms=20))
        certificate.attempt(board, Limits(time_ms=20))
        assert 0 < max(made) <= engine.search_bytes(board.rules)
    assert engine.search_bytes(Rules(15, 15, 5)) == 19 << 20


def scheduler(slots: int = 9, queue: int = 0, memory: int = 1 << 40) -> Scheduler:
    return Scheduler(slots, queue, most=9, rows=9, memory=memory)


@contextmanager
def at_work(one: Scheduler, size: int = 0, threads: int = 1) -> Iterator[Work]:
    limits = SearchLimits(threads=threads)
    work = Work(limits, due=time.monotonic() + 0.2, size=size)
    one.enter(work, is_let_in=False)
    try:
        yield work
    finally:
        one.leave(work)


def test_a_worker_searches_no_more_at_once_than_it_has_memory_for() -> None:
    few = scheduler(memory=10)
    with at_work(few, 4), at_work(few, 4), pytest.raises(Overloaded), at_work(few, 4):
        pass
    with at_work(few, 4), at_work(few, 4, threads=5) as helped:
        assert helped.slots == 1
    mib = 1 << 20
    more = scheduler(memory=8 * mib)
    with at_work(more, mib, threads=5) as helped:
        assert helped.slots == 3  # each further thread takes 3 MiB


def test_work_that_waits_for_memory_gets_it_from_work_of_its_own_process() -> None:
    few = scheduler(queue=1, memory=10)

    def wait() -> float:
        with at_work(few, 8) as work:
            return work.waited

    with ThreadPoolExecutor() as pool:
        with at_work(few, 8) as first:
            waits = pool.submit(wait)
            eventually(lambda: first.cancellation.is_cancelled)
        assert waits.result() >= LEAST_S


def test_without_a_thread_nothing_remains(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"board": OPEN_15, "time_ms": 5}
    with monkeypatch.context() as patch:
        patch.setattr(Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))
        assert api.post("/best-move", body).status_code == 500
    assert api.post("/best-move", body).status_code == 200
    assert not api.app.extensions["bestmove"]._scheduler._mine
