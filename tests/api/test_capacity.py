"""The bound on searches in progress, in one process and over all of them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from bestmove.api import capacity
from bestmove.api.capacity import Admission
from bestmove.api.slots import SharedSlots
from bestmove.errors import Overloaded
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import Limits
from bestmove.search.results import Analysis, BestMove, MoveEvaluation, SearchStats
from tests.api.conftest import MakeApi

BIG = "/".join(["." * 15] * 7 + ["......XO......."] + ["......OX......."] + ["." * 15] * 6)


class Clock:
    """Tells the time it was told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def until(condition: Callable[[], bool]) -> None:
    """Wait for what another thread is about to do."""
    give_up = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.001)


@pytest.mark.parametrize(
    ("complete", "depth", "timed_out", "kept"),
    [
        (True, 3, False, True),
        (True, 4, False, True),
        (False, 3, False, False),
        (True, 2, False, False),
        (True, 3, True, False),
    ],
)
def test_an_estimate_is_remembered_if_it_is_complete_to_its_depth_and_the_clock_did_not_strike(
    complete: bool, depth: int, timed_out: bool, kept: bool
) -> None:
    stats = SearchStats("principal-variation-search", depth=depth, timed_out=timed_out)
    move = MoveEvaluation(0, 0.1, False, "unknown", None, (0,))
    answer = Analysis(Board.empty(9, 9), (move,), complete, stats)
    assert capacity._is_repeatable(Limits(depth=3), answer) is kept
    assert not capacity._is_repeatable(Limits(), answer)


def test_a_free_slot_is_had_at_once() -> None:
    admission = Admission(slots=2, queue=0, clock=Clock())
    with admission.slot(1.0, 101.0) as first, admission.slot(1.0, 101.0) as second:
        assert (first, second) == (0.0, 0.0)
        assert admission.running == 2
    assert admission.running == 0


def test_a_search_that_would_have_too_little_of_its_budget_left_is_refused_at_once() -> None:
    clock = Clock()
    admission = Admission(slots=1, queue=4, clock=clock)
    with admission.slot(10.0, clock.now + 10):
        for budget in (0.1, 5.0, 10.0, 12.4):
            with pytest.raises(Overloaded) as refused, admission.slot(budget, clock.now + budget):
                pass
            assert refused.value.retry_after == 10


def test_one_that_has_time_enough_waits_and_gets_the_slot() -> None:
    admission = Admission(slots=1, queue=1)
    entered = threading.Event()

    def wait() -> float:
        with admission.slot(60.0, time.monotonic() + 60) as waited:
            entered.set()
            return waited

    with ThreadPoolExecutor() as pool:
        with admission.slot(1.0, time.monotonic() + 1):
            waiter = pool.submit(wait)
            until(lambda: admission.waiting == 1)
            assert not entered.is_set()
        assert waiter.result(10) > 0
    assert (admission.running, admission.waiting) == (0, 0)


def test_the_queue_is_bounded() -> None:
    admission = Admission(slots=1, queue=1)

    def wait() -> None:
        with admission.slot(60.0, time.monotonic() + 60):
            pass

    with ThreadPoolExecutor() as pool:
        with admission.slot(1.0, time.monotonic() + 1):
            waiter = pool.submit(wait)
            until(lambda: admission.waiting == 1)
            with pytest.raises(Overloaded), admission.slot(600.0, time.monotonic() + 600):
                pass
        waiter.result(10)


def test_those_that_wait_are_counted_when_the_next_one_asks() -> None:
    admission = Admission(slots=1, queue=9)

    def wait() -> None:
        with admission.slot(10.0, time.monotonic() + 10):
            pass

    with ThreadPoolExecutor() as pool:
        with admission.slot(1.0, time.monotonic() + 1):
            waiter = pool.submit(wait)
            until(lambda: admission.waiting == 1)
            # The slot is free in 1 s, but the other's 10 s come first: 10 of 12 would be gone.
            with pytest.raises(Overloaded) as refused, admission.slot(12.0, time.monotonic() + 12):
                pass
            assert 9 <= refused.value.retry_after <= 10
        waiter.result(10)


def test_one_whose_time_is_up_in_the_queue_goes_ahead_to_answer_with_what_it_sees() -> None:
    admission = Admission(slots=1, queue=1)
    with ThreadPoolExecutor() as pool, admission.slot(0.01, time.monotonic() + 0.01):

        def wait() -> float:
            with admission.slot(0.1, time.monotonic() + 0.1) as waited:
                return waited

        assert pool.submit(wait).result(10) >= 0.05  # the other overran its time


def test_a_slot_is_given_back_when_the_search_fails() -> None:
    admission = Admission(slots=1, queue=0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), admission.slot(1.0, time.monotonic() + 1):
            raise ZeroDivisionError
    assert admission.running == 0


def test_many_threads_never_exceed_the_slots() -> None:
    admission = Admission(slots=3, queue=100)
    due = time.monotonic() + 60
    most = 0

    def search(_: int) -> None:
        nonlocal most
        with admission.slot(0.0, due):
            most = max(most, admission.running)
            time.sleep(0.001)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(search, range(200)))
    assert most <= 3
    assert (admission.running, admission.waiting) == (0, 0)


def test_a_service_at_its_limit_answers_503_and_still_serves_what_is_cheap(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api(search_slots=1, search_queue=0)
    exact = api.get("/best-move", board="XXXX./OOOO./...../...../.....")
    searching, release = threading.Event(), threading.Event()
    real = analysis.best_move

    def slow(board: object, limits: Limits) -> BestMove:
        searching.set()
        assert release.wait(30)
        return real(board, limits)  # type: ignore[arg-type]

    with ThreadPoolExecutor() as pool:
        monkeypatch.setattr(analysis, "best_move", slow)
        first = pool.submit(api.post, "/best-move", {"board": BIG, "time_ms": 50})
        assert searching.wait(30)
        monkeypatch.setattr(analysis, "best_move", real)

        for response in (
            api.post("/best-move", {"board": BIG, "time_ms": 50}),
            api.post("/analyze", {"board": BIG, "time_ms": 50}),
            api.post("/play", {"board": BIG, "move": 0, "time_ms": 50}),
            api.post("/best-moves", {"boards": [BIG, "." * 9], "time_ms": 50}),
            api.post("/best-move", {"board": "X...O....", "algorithm": "minimax"}),
            api.get("/best-move", board=BIG),
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
        assert api.get("/readyz").status_code == 200
        # What is wrong is told even now.
        assert api.post("/best-move", {"board": BIG, "k": 0}).status_code == 422

        release.set()
        assert first.result(30).status_code == 200
    assert api.best_move(BIG, time_ms=5)["move"] is not None


def run_python(code: str) -> list[str]:
    """The lines that code prints in a process of its own, which may fork."""
    done = subprocess.run(
        [sys.executable, "-c", "import os, signal, time\n" + code],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert not done.stderr
    return done.stdout.split()


def test_slots_are_taken_until_there_are_none_and_can_be_taken_again() -> None:
    slots = SharedSlots(2)
    first, second = slots.take(10.0), slots.take(20.0)
    assert {first, second} == {0, 1}
    assert slots.take(30.0) is None
    assert sorted(slots.dues()) == [10.0, 20.0]
    assert first is not None
    slots.give_back(first)
    assert slots.take(40.0) == first
    assert sorted(slots.dues()) == [20.0, 40.0]


def test_processes_forked_afterwards_share_them() -> None:
    code = """
from bestmove.api.slots import SharedSlots
slots = SharedSlots(2)
told, tell = os.pipe()
child = os.fork()
if child == 0:
    print(slots.take(5.0), flush=True)
    os.write(tell, b".")
    time.sleep(60)
os.read(told, 1)
print(slots.take(6.0), slots.take(7.0), sorted(slots.dues()))
os.kill(child, signal.SIGKILL)
"""
    assert run_python(code) == ["0", "1", "None", "[5.0,", "6.0]"]


def test_a_process_that_is_killed_gives_its_slots_back() -> None:
    code = """
from bestmove.api.slots import SharedSlots
slots = SharedSlots(1)
told, tell = os.pipe()
child = os.fork()
if child == 0:
    slots.take(time.monotonic() + 3600)
    os.write(tell, b".")
    time.sleep(60)
os.read(told, 1)
print(slots.take(1.0))
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
print(slots.take(2.0))
"""
    assert run_python(code) == ["None", "0"]


def test_who_waits_gets_the_slot_that_another_process_gave_back() -> None:
    code = """
from bestmove.api.capacity import Admission
from bestmove.api.slots import InProgress, SharedSlots
admission = Admission(slots=1, queue=1)
told, tell = os.pipe()
now = time.monotonic()
if os.fork() == 0:
    with admission.slot(0.1, now + 0.1):
        os.write(tell, b".")
        time.sleep(0.1)
    os._exit(0)
os.read(told, 1)
with admission.slot(10.0, now + 10.0) as waited:
    print(0.0 < waited < 9.0)
"""
    assert run_python(code) == ["True"]


def test_a_new_process_knows_nothing_of_the_old_ones_slots() -> None:
    now = time.monotonic()
    assert all(due <= now for due in SharedSlots(3).dues())
