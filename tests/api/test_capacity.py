"""The limit on searches in progress, in one process and over all processes."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace

import pytest

from bestmove.answers import BestMove
from bestmove.api.admission import Admission
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import SearchLimits
from tests.api.conftest import MakeApi
from tests.api.http import Api
from tests.api.test_metrics import samples
from tests.support.positions import OPEN_15
from tests.support.sockets import eventually


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self._asked = 0

    def __call__(self) -> float:
        if threading.current_thread() is threading.main_thread():
            self._asked += 1
            # Only call 500 fails, because the cleanup after the failure calls the clock, too.
            assert self._asked != 500, "the code waits for a clock that nothing advances"
        return self.now


def used(admission: Admission, clock: Clock, share: float) -> None:
    for _ in range(50):
        with admission.slot(10.0, clock.now + 10):
            clock.now += 10 * share


def refused(admission: Admission, clock: Clock, budget: float) -> int | None:
    with pytest.raises(Overloaded) as told, admission.slot(budget, clock.now + budget):
        pass
    return told.value.retry_after


@pytest.mark.parametrize(("share", "retry"), [(1.0, 10), (0.5, 5)])
def test_a_search_that_would_have_too_little_of_its_budget_left_is_refused_at_once(
    share: float, retry: int
) -> None:
    clock = Clock()
    admission = Admission(slots=1, queue=4, clock=clock)
    used(admission, clock, share)
    with admission.slot(10.0, clock.now + 10):
        for budget in (0.1, 5.0 * share, 10.0 * share, 12.4 * share):
            assert refused(admission, clock, budget) == retry


def test_waiting_searches_count_when_the_next_one_asks() -> None:
    clock = Clock()
    admission = Admission(slots=1, queue=9, clock=clock)
    used(admission, clock, 1.0)

    def wait() -> None:
        with admission.slot(10.0, clock.now + 10):
            pass

    with ThreadPoolExecutor() as pool:
        with admission.slot(1.0, clock.now + 1):
            waiter = pool.submit(wait)
            eventually(lambda: admission.waiting == 1)
            # The waiting search is expected to end in 10 s. That leaves 2 of the new search's 12 s.
            assert refused(admission, clock, 12.0) == 10
        waiter.result(60)


def test_a_search_whose_time_runs_out_in_the_queue_is_refused() -> None:
    admission = Admission(slots=1, queue=2)

    def wait() -> None:
        with admission.slot(0.1, time.monotonic() + 0.1):
            raise AssertionError("a waiting search got the slot of a running search")

    with ThreadPoolExecutor() as pool, admission.slot(0.2, time.monotonic() + 0.2):
        waiters = [pool.submit(wait) for _ in range(2)]
        for waiter in waiters:
            with pytest.raises(Overloaded):
                waiter.result(60)
        assert (admission.running, admission.waiting) == (1, 0)


def test_a_new_search_does_not_overtake_those_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bestmove.api.admission.POLL_SECONDS", 60.0)
    admission = Admission(slots=1, queue=1)
    due = time.monotonic() + 60
    held = admission._shared.take(due)
    assert held is not None
    with ThreadPoolExecutor() as pool:
        waiter = pool.submit(lambda: admission.slot(60, due).__enter__())
        eventually(lambda: admission.waiting == 1)
        admission._shared.give_back(held)
        with pytest.raises(Overloaded), admission.slot(60, due):
            pass
        with admission._changed:
            admission._changed.notify_all()
        assert waiter.result(60) > 0


def test_a_search_that_overran_is_expected_to_overrun_as_much_again() -> None:
    clock = Clock()
    admission = Admission(slots=1, queue=4, clock=clock)
    with admission.slot(1.0, clock.now + 1):
        clock.now += 8
        assert refused(admission, clock, 5.0) == 7


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_a_burst_of_four_times_the_slots_is_served_where_searches_end_early(slots: int) -> None:
    clock = Clock()
    admission = Admission(slots=slots, queue=3 * slots, clock=clock)
    due = clock.now + 1.0
    turn = threading.Barrier(slots)

    def search(_: int) -> float:
        try:
            with admission.slot(1.0, due) as waited:
                if turn.wait(30) == 0:
                    eventually(lambda: admission.running + admission.waiting == len(left))
                    clock.now += 0.2
                turn.wait(30)
                left.pop()
                return waited
        except BaseException:
            turn.abort()
            clock.now = due  # the other searches stop waiting
            raise

    left = [None] * (4 * slots)
    with ThreadPoolExecutor(4 * slots) as pool:
        waits = sorted(pool.map(search, range(4 * slots)))
    assert waits == pytest.approx(sorted([0.0, 0.2, 0.4, 0.6] * slots))


@contextmanager
def held_search(
    api: Api, monkeypatch: pytest.MonkeyPatch, **asked: object
) -> Iterator[Callable[[], int]]:
    searching, release = threading.Event(), threading.Event()
    real = analysis.best_move

    def slow(board: Board, limits: SearchLimits) -> BestMove:
        searching.set()
        assert release.wait(30)
        return real(board, replace(limits, depth=1))

    with ThreadPoolExecutor() as pool:
        monkeypatch.setattr(analysis, "best_move", slow)
        first = pool.submit(api.post, "/best-move", {"board": OPEN_15, **asked})

        def ended() -> int:
            release.set()
            return first.result(30).status_code

        try:
            assert searching.wait(30)
            monkeypatch.setattr(analysis, "best_move", real)
            yield ended
        finally:
            release.set()


def test_a_service_at_its_limit_answers_503_and_still_serves_what_is_cheap(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api(search_slots=1, search_queue=0)
    exact = api.get("/best-move", board="XXXX./OOOO./...../...../.....")
    with held_search(api, monkeypatch, time_ms=50) as ended:
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
            assert response.headers["Cache-Control"] == "no-store"

        assert api.best_move("X...O....")["move"]["index"] == 1
        assert api.best_move("XXXXX/OOOO./...../...../.....")["status"] == "won"
        assert len(api.answer("/best-moves", boards=["X...O...."] * 100)["results"]) == 100
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

        assert ended() == 200
    assert api.best_move(OPEN_15, time_ms=5)["move"] is not None


def test_a_repeatable_search_is_expected_to_last_its_own_time(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api(search_slots=1, search_queue=0, max_time_ms=3_600_000)
    with held_search(api, monkeypatch, seed=1, time_ms=100_000) as ended:
        answer = api.post("/best-move", {"board": OPEN_15, "time_ms": 50})
        assert answer.status_code == 503
        # Before any search has ended, the service expects a search to take 20 s of its 100 s.
        assert 1 <= int(answer.headers["Retry-After"]) <= 20
        assert ended() == 200


def test_a_textbook_search_past_its_time_may_be_asked_for_again(api: Api) -> None:
    body = {"board": "." * 9, "algorithm": "minimax", "time_ms": 1}
    response = api.post("/best-move", body)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")


def test_waiting_and_refused_searches_are_counted(make_api: MakeApi) -> None:
    api = make_api(search_slots=1, search_queue=1)
    with ThreadPoolExecutor() as pool:
        body = {"board": OPEN_15, "depth": 1, "time_ms": 10_000}
        capacity = api.app.extensions["bestmove"]
        with capacity.slot(SearchLimits(time_ms=100, deadline=time.monotonic() + 0.1)):
            waiter = pool.submit(api.post, "/best-move", body)
            eventually(lambda: capacity.waiting == 1)
            assert api.post("/best-move", body).status_code == 503
        assert waiter.result(30).status_code == 200
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
    capacity = api.app.extensions["bestmove"]
    with capacity.slot(SearchLimits(deadline=time.monotonic() + 1)):
        assert api.post(path, body).status_code == 503
    assert api.post(path, body).status_code != 503


def test_reading_waits_for_a_slot_as_long_as_a_usual_search(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    capacity = make_api().app.extensions["bestmove"]
    asked: list[SearchLimits] = []

    def slot(limits: SearchLimits) -> nullcontext[SearchLimits]:
        asked.append(limits)
        return nullcontext(limits)

    monkeypatch.setattr(capacity, "slot", slot)
    with capacity.reading(2047, 100.0), capacity.reading(2048, 100.0):
        assert asked == [SearchLimits(1000, deadline=101.0)]
