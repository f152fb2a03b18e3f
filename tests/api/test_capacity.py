"""The limit on searches in progress, in one process and over all processes."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext

import pytest

from bestmove.api.admission import Admission
from bestmove.errors import Overloaded
from bestmove.search.limits import SearchLimits
from tests.api.conftest import MakeApi, busy
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


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as threads:
        yield threads


def waiting(
    pool: ThreadPoolExecutor, admission: Admission, budget: float, due: float
) -> Future[float]:
    """Let a search of another thread wait for a slot. Return how long it has waited in the end."""

    def wait() -> float:
        with admission.slot(budget, due) as waited:
            return waited

    waiter = pool.submit(wait)
    eventually(lambda: admission.waiting == 1)
    return waiter


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


def test_waiting_searches_count_when_the_next_one_asks(pool: ThreadPoolExecutor) -> None:
    clock = Clock()
    admission = Admission(slots=1, queue=9, clock=clock)
    used(admission, clock, 1.0)

    with admission.slot(1.0, clock.now + 1):
        waiter = waiting(pool, admission, 10.0, clock.now + 10)
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


def test_a_new_search_does_not_overtake_those_that_wait(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    monkeypatch.setattr("bestmove.api.admission.POLL_SECONDS", 60.0)
    admission = Admission(slots=1, queue=1)
    due = time.monotonic() + 60
    held = admission._shared.take(due)
    assert held is not None
    waiter = waiting(pool, admission, 60, due)
    admission._shared.give_back(held)
    with pytest.raises(Overloaded), admission.slot(60, due):
        pass
    with admission._changed:
        admission._changed.notify_all()
    assert waiter.result(60) > 0


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


def test_a_service_at_its_limit_answers_503_and_serves_what_is_cheap(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api(search_slots=1, search_queue=0)
    exact = api.get("/best-move", board="XXXX./OOOO./...../...../.....")
    with busy(api):
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


def test_a_repeatable_search_is_expected_to_last_its_own_time(make_api: MakeApi) -> None:
    api = make_api(search_slots=1, search_queue=0, max_time_ms=3_600_000)
    with busy(api, 3600, seed=1, time_ms=100_000):
        answer = api.post("/best-move", {"board": OPEN_15, "time_ms": 50})
        assert answer.status_code == 503
        # Before any search has ended, the service expects a search to take 20 s of its 100 s.
        assert 1 <= int(answer.headers["Retry-After"]) <= 20


@pytest.mark.usefixtures("impatient")
def test_a_textbook_search_past_its_time_may_be_asked_for_again(api: Api) -> None:
    body = {"board": "." * 9, "algorithm": "minimax", "time_ms": 1}
    response = api.post("/best-move", body)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")


def test_waiting_and_refused_searches_count(make_api: MakeApi, pool: ThreadPoolExecutor) -> None:
    api = make_api(search_slots=1, search_queue=1)
    body = {"board": OPEN_15, "depth": 1, "time_ms": 10_000}
    with busy(api, 0.1, time_ms=100):
        waiter = pool.submit(api.post, "/best-move", body)
        eventually(lambda: api.app.extensions["bestmove"].waiting == 1)
        assert api.post("/best-move", body).status_code == 503
    assert waiter.result(60).status_code == 200
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
    with busy(api):
        assert api.post(path, body).status_code == 503
    assert api.post(path, body).status_code != 503


def test_reading_waits_for_a_slot_as_long_as_a_usual_search(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api()
    asked: list[SearchLimits] = []

    def slot(limits: SearchLimits) -> nullcontext[SearchLimits]:
        asked.append(limits)
        return nullcontext(limits)

    monkeypatch.setattr(api.app.extensions["bestmove"], "slot", slot)
    for length in (2047, 2048):
        body = b'{"board": "X...O...."}'.ljust(length)
        before = time.monotonic()
        assert api.post("/best-move", body).status_code == 200
    (limits,) = asked
    assert limits.deadline is not None
    assert before + 1 <= limits.deadline <= time.monotonic() + 1
    assert limits == SearchLimits(1000, deadline=limits.deadline)


def test_additional_slots_are_taken_at_once_or_not_at_all() -> None:
    admission = Admission(slots=4, queue=1)
    due = time.monotonic() + 60
    with admission.slot(60.0, due):
        with admission.more(2, due) as more:
            assert more == 2
            with admission.more(5, due) as rest:
                assert rest == 1
        with admission.more(0, due) as none:
            assert none == 0
        with pytest.raises(ZeroDivisionError), admission.more(3, due):
            raise ZeroDivisionError
        with admission.more(9, due) as all_of_them:
            assert all_of_them == 3


def test_additional_slots_are_left_to_waiting_searches(pool: ThreadPoolExecutor) -> None:
    admission = Admission(slots=3, queue=1, most=1)
    due = time.monotonic() + 60

    with admission.slot(60.0, due), admission.more(1, due) as more:
        assert more == 1
        waiter = waiting(pool, admission, 60.0, due)
        with admission.more(1, due) as none:  # the third slot is for the waiting search
            assert none == 0
        assert admission.waiting == 1
        assert not waiter.done()
    assert waiter.result(60) > 0


def test_a_worker_searches_no_more_at_once_than_it_has_memory_for() -> None:
    admission = Admission(slots=9, queue=0, most=9, memory=10 * 2**20, each=4 * 2**20)
    with admission.slot(1.0, 1e12), admission.slot(1.0, 1e12):
        with pytest.raises(Overloaded), admission.slot(1.0, 1e12):
            pass
        with admission.more(5, 1e12) as helping:
            assert helping == 0
    with admission.slot(1.0, 1e12):
        with admission.more(5, 1e12) as helping:
            assert helping == 2  # each helper takes 3 MiB
            with pytest.raises(Overloaded), admission.slot(1.0, 1e12):
                pass
        with admission.slot(1.0, 1e12):
            assert admission.running == 2
    few = Admission(slots=2, queue=0, memory=10 * 2**20, each=4 * 2**20)
    for _ in range(3):
        with few.slot(1.0, 1e12), few.more(5, 1e12) as helping:
            assert helping == 1
    with few.slot(1.0, 1e12), few.slot(1.0, 1e12):  # helpers that found no slot took no memory
        assert few.running == 2
