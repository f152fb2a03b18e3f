"""Engines are kept for later searches; the memory of all together is limited, and it is zeroed."""

import sys
from collections.abc import Callable
from itertools import pairwise

import pytest

from bestmove.game import Board, Rules
from bestmove.search import engine, memory
from bestmove.search.analysis import analyze, best_move
from bestmove.search.engine import BESIDE_BYTES, Every, Searchers, Task
from bestmove.search.engines.connect4 import solver as connect4
from bestmove.search.engines.general import engine as general
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.search import compiled
from bestmove.search.engines.solver import proof
from bestmove.search.limits import SearchLimits
from tests.support.programs import run


class Searcher(engine.Searcher):
    def __init__(self, rules: Rules) -> None:
        super().__init__(None, rules.size - BESIDE_BYTES)

    def best(self, task: Task) -> None:
        raise NotImplementedError

    def every(self, task: Task) -> Every:
        raise NotImplementedError


def square(side: int) -> Rules:
    return Rules(side, side, 4)


def test_all_kinds_share_their_memory_and_the_longest_idle_goes_first() -> None:
    kept = Searchers(most=25 + 36 + 49)
    one, other = Searcher, lambda rules: Searcher(rules)
    for side in (4, 5, 6):
        with kept.lend(one, square(side)):
            pass
    with kept.lend(other, square(7)):
        # A borrowed engine counts towards the limit, so the engine for 4×4 was removed.
        assert [rules.rows for _, rules, _ in kept.idle] == [5, 6]
        assert kept.size == 25 + 36 + 49
    assert [rules.rows for _, rules, _ in kept.idle] == [5, 6, 7]


def test_an_engine_is_lent_only_for_its_own_kind_and_size() -> None:
    kept = Searchers()
    one, other = Searcher, lambda rules: Searcher(rules)
    with kept.lend(one, square(4)) as first:
        pass
    with kept.lend(other, square(4)) as second, kept.lend(one, square(5)) as third:
        assert len({id(first), id(second), id(third)}) == 3
    with kept.lend(one, square(4)) as again:
        assert again is first


def test_an_engine_at_work_is_neither_lent_nor_removed() -> None:
    kept = Searchers(most=0)
    with kept.lend(Searcher, square(4)) as first, kept.lend(Searcher, square(4)) as second:
        assert first is not second
        assert kept.size == 32
    assert kept.idle == []
    assert kept.size == 0


def test_a_searcher_whose_search_fails_is_kept() -> None:
    kept = Searchers()
    with pytest.raises(ZeroDivisionError), kept.lend(Searcher, square(4)):
        raise ZeroDivisionError
    assert kept.size == 16


@pytest.mark.parametrize(
    ("make", "table"),
    [
        (lambda: GomokuEngine(20, 20, 5), 16),
        (lambda: GomokuEngine(20, 20, 18, overline=False), 16),
        (lambda: proof.Solver(8, 8, 5), 32),
        (lambda: connect4.DropSolver(7, 8, 4), 32),
        (lambda: general.Player(Rules(20, 20, 20, misere=True)), 16),
    ],
)
def test_each_engine_knows_its_bytes_and_takes_no_more_than_a_search_may(
    make: Callable[[], engine.Searcher], table: int
) -> None:
    size = make().size
    assert table << 20 < size <= engine.SEARCH_BYTES


@pytest.mark.skipif(not compiled, reason="plain Python searches with one thread")
@pytest.mark.parametrize("ask", [best_move, analyze])
def test_helpers_count_and_are_freed_once_a_search_asks_for_fewer(
    ask: Callable[[Board, SearchLimits], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = engine.searchers
    monkeypatch.setattr(kept, "idle", [])
    board = Board.from_moves("a8 a15", game="gomoku")
    sizes = []
    for threads in (1, 3, 1):
        ask(board, SearchLimits(time_ms=None, engine_nodes=5_000, threads=threads))
        sizes.append(sum(searcher.size for _, _, searcher in kept.idle))
    assert sizes[0] == sizes[2] < sizes[1]
    assert {abs(more - less) for more, less in pairwise(sizes)} == {2 * 3 << 20}


# Memory.


def test_words_are_zero_and_can_be_written() -> None:
    words = memory.words(1 << 12)
    assert len(words) == 1 << 12
    assert not any(words)
    words[-1] = 2**64 - 1
    assert words[-1] == 2**64 - 1
    assert not any(memory.words(1 << 12))


@pytest.mark.skipif(sys.platform != "linux", reason="it is the C library of Linux")
def test_freed_memory_goes_back_to_the_system() -> None:
    code = """
import re, threading
from pathlib import Path
from bestmove.search import memory
memory.return_what_is_freed()

def resident():
    return int(re.search("VmRSS:.*?([0-9]+)", Path("/proc/self/status").read_text())[1]) // 1024

def take():
    for size, count in ((30_000_000, 1), (200_000, 50)):
        blocks = [bytes([1]) * size for _ in range(count)]
    kept.append(blocks[-1])
    ready.wait()

kept = []
before = resident()
ready = threading.Barrier(9)
threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
ready.wait()
for thread in threads:
    thread.join()
print(resident() - before)
"""
    # Of the 320 MB that the threads took, less than 20 MB may still be in use.
    assert int(run(sys.executable, "-c", code, timeout=60).stdout) < 20
