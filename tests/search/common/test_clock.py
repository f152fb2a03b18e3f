"""A search obeys its limits, as measured by a clock that the tests advance."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from bestmove import Rules
from bestmove.search.engines.connect4.kernel import DropKernel as ConnectFour
from bestmove.search.engines.general.kernel import GeneralKernel as General
from bestmove.search.engines.gomoku.search import Search as Gomoku
from bestmove.search.engines.solver.kernel import SolverKernel as Solver
from tests.support.builds import interpreted

CLOCK = interpreted("bestmove.search.common.clock")


class Counter:
    """A search whose nodes take `node_seconds` each. It counts how often it reads the clock."""

    node_seconds = 1e-6

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.looks = 0
        monkeypatch.setattr(CLOCK, "seconds", self._look)
        monkeypatch.setattr(CLOCK, "time", SimpleNamespace(monotonic=lambda: self.now))
        self.search: Any = CLOCK.Limited()

    def _look(self) -> float:
        self.looks += 1
        return self.now

    def run(self, most: int = 10**6) -> int:
        """Visit nodes until the search stops. Return how many it has visited in total."""
        search = self.search
        for _ in range(most):
            search.nodes += 1
            if search.nodes >= search.next_check:
                search.check()
            if search.stopped:
                break
            self.now += self.node_seconds
        return int(search.nodes)


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    return Counter(monkeypatch)


@pytest.mark.parametrize("node_ms", [1, 5, 40])
def test_slow_nodes_at_the_start_are_stopped_after_one(counter: Counter, node_ms: int) -> None:
    counter.node_seconds = node_ms / 1000
    counter.search.start(1000.0 + 0.0199, None)
    assert counter.run() == -(-20 // node_ms) + 1
    assert counter.search.out


def test_quick_nodes_are_stopped_in_time_with_few_readings_of_the_clock(counter: Counter) -> None:
    counter.search.start(1000.5, None)
    assert 500_000 <= counter.run() <= 500_000 + CLOCK.LOOK_SECONDS / 1e-6 + 2
    assert counter.looks < 3000


def test_if_nodes_become_slow_the_clock_is_read_more_often(counter: Counter) -> None:
    counter.search.start(1003.0, None)
    counter.run(100_000)
    counter.node_seconds = 0.001
    counter.run()
    assert counter.search.out
    assert counter.now <= 1003.6


def test_a_limit_on_nodes_is_exact(counter: Counter) -> None:
    search = counter.search
    search.start(None, 5000)
    search.slice(700)
    assert (counter.run(), search.stopped, search.out) == (700, True, False)
    search.slice(CLOCK.ENDLESS)
    assert (counter.run(), search.out) == (5000, True)
    search.grant(300)
    assert (search.stopped, search.out) == (False, False)
    assert (counter.run(), search.out) == (5300, True)
    search.allow(6000)
    assert counter.run() == 6000
    search.allow(7000)
    assert not search.stopped
    search.restore()
    assert (search.node_limit, search.stopped, search.out) == (5000, True, True)


def test_nodes_granted_past_a_deadline_end_soon_however_often(counter: Counter) -> None:
    counter.search.start(1000.01, None)
    counter.run()
    for _ in range(3):
        counter.search.grant(10**6)
        counter.run()
        assert counter.search.out
    assert counter.now <= 1000.01 + CLOCK.GRACE_SECONDS + 2 * CLOCK.LOOK_SECONDS


def test_a_cancelled_search_stops_without_a_deadline(counter: Counter) -> None:
    counter.search.start(None, None)
    before = counter.run(200_000)
    counter.search.cancel()
    assert counter.run() <= before + CLOCK.LOOK_SECONDS / 1e-6 + 2


@pytest.mark.parametrize(
    ("kernel", "begin", "calls"),
    [
        (
            Gomoku(15, 15, 5, 10),
            (bytes([0] * 112 + [1] + [0] * 112),),
            [("list_root", 1), ("search_root", 1, 6, -32000, 32000)],
        ),
        (Solver(8, 8, 5, 10), (), [("ask", 0, 0, 0, 127, CLOCK.ENDLESS)]),
        (General(Rules(8, 8, 5), 10), (bytes(64),), [("estimate", 0, 0, 6, CLOCK.ENDLESS)]),
        (ConnectFour(6, 7, 4, 16), (), [("score", 0, 0)]),
    ],
)
def test_every_kernel_reads_the_clock_from_its_first_nodes_on(
    kernel: Any, begin: tuple[Any, ...], calls: list[tuple[Any, ...]]
) -> None:
    kernel.begin(*begin, time.monotonic(), None)
    for name, *arguments in calls:
        getattr(kernel, name)(*arguments)
    assert 0 < kernel.nodes <= 3
