"""Threads that help a search: the results are true, and all threads end."""

import random
import threading
from functools import reduce
from typing import Any

import pytest

from bestmove import BestMove, Board, Cancellation, Limits, best_move
from bestmove.errors import InvalidLimits
from bestmove.search.engines.gomoku import search as kernels
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.results import Found, Report
from bestmove.search.scores import WIN
from tests.search.engines import GOMOKU, check, task
from tests.support import won_positions
from tests.support.builds import interpreted
from tests.support.oracle import positions
from tests.support.positions import OPENING

HELPED = 2 if kernels.compiled else 1
"""Two threads, except in plain Python, where the interpreter's lock lets only one thread run."""


def test_an_entry_mixed_from_two_writes_is_ignored() -> None:
    kernel = interpreted(GOMOKU).GomokuEngine(15, 15, 5, 8).kernel
    kernel.begin(task(OPENING).cells, None, None)
    table = kernel.table
    kernel.remember_win(0, 7, 0)
    assert kernel.table_move(0) == 0
    (place,) = (i for i, data in enumerate(table.entries) if data)
    one = table.keys[place], table.entries[place]
    kernel.remember_win(0, 9, 224)
    assert kernel.table_move(0) == 224
    other = table.keys[place], table.entries[place]
    mixed = (one[0], other[1], -1), (other[0], one[1], -1)
    for key, data, believed in (*mixed, (*one, 0), (*other, 224)):
        table.keys[place], table.entries[place] = key, data
        assert kernel.table_move(0) == believed


def test_tables_that_share_forget_and_remember_together() -> None:
    build = interpreted(GOMOKU)
    main, helper = (build.GomokuEngine(15, 15, 5, bits).kernel for bits in (8, 4))
    cells = task(OPENING).cells
    main.begin(cells, None, None)
    main.remember_win(0, 7, 0)
    main.begin(cells, None, None)
    helper.begin(cells, None, None)
    helper.table.share(main.table)
    assert helper.table_move(0) == -1  # entries of the previous search do not count
    helper.remember_win(0, 9, 224)
    assert main.table_move(0) == 224
    main.begin(cells, None, None, keep=True)
    assert main.table_move(0) == 224


def test_helped_searches_claim_what_slow_minimax_finds() -> None:
    rng = random.Random(11)
    proven = decided = 0
    before = threading.active_count()
    for at in positions(rng, 100, 9, rules=[{}]):
        nodes = rng.choice([50, 500, 5_000])
        found = GomokuEngine(*at.game.shape, 8).search(task(at, nodes=nodes, threads=3))
        check(at, found, shortest=False)
        if at.value:
            decided += 1
            proven += found.exact
    assert proven > 0.9 * decided
    assert threading.active_count() == before


@pytest.mark.parametrize("number", range(4))
def test_forced_wins_that_take_a_search_are_proven_and_play_out(number: int) -> None:
    board = won_positions.positions()[number]
    found = GomokuEngine(15, 15, 5, 16).search(task(board, nodes=100_000, threads=2))
    assert found.threads == HELPED
    assert found.exact
    assert len(found.pv) == WIN - found.value
    assert reduce(Board.play, found.pv, board).winner == board.turn


def opening_search(engine: GomokuEngine, threads: int, report: Report | None = None) -> Found:
    return engine.search(task(OPENING, nodes=20_000, threads=threads, report=report))


def test_helpers_work_while_the_search_does_and_are_counted() -> None:
    engine = GomokuEngine(15, 15, 5, 16)
    before = threading.active_count()
    during: set[int] = set()
    so_far: list[Found] = []

    def report(found: list[Found]) -> None:
        during.add(threading.active_count() - before)
        so_far.extend(found)

    found = opening_search(engine, 2, report)
    assert found.threads == HELPED
    assert during == {HELPED - 1}
    assert threading.active_count() == before
    assert found.pv[0] in OPENING.moves
    kernels_used = [engine.kernel, *engine._proofs.helping]
    assert len(kernels_used) == HELPED
    nodes = [earlier.nodes for earlier in (*so_far, found)]
    assert nodes == sorted(nodes)
    # After the search has counted its nodes, a helper may visit further nodes before it stops.
    assert engine.kernel.nodes <= found.nodes <= sum(kernel.nodes for kernel in kernels_used)


def test_one_thread_finds_the_same_before_and_after_helped_searches() -> None:
    engine = GomokuEngine(15, 15, 5, 16)
    alone = opening_search(engine, 1)
    assert alone.threads == 1
    made = [id(opening_search(engine, 2)) and [*engine._proofs.helping] for _ in range(3)]
    assert made[0] == made[1] == made[2]  # the kernels are made only once
    assert opening_search(engine, 1) == alone


def test_an_analysis_does_not_count_helpers_of_the_search_before() -> None:
    helped, fresh = GomokuEngine(15, 15, 5, 16), GomokuEngine(15, 15, 5, 16)
    opening_search(helped, 3)
    assert helped.every(task(OPENING, nodes=2_000)) == fresh.every(task(OPENING, nodes=2_000))


def test_helpers_are_gone_after_an_error() -> None:
    engine = GomokuEngine(15, 15, 5, 16)
    before = threading.active_count()

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        opening_search(engine, 4, fail)
    assert threading.active_count() == before
    assert opening_search(engine, 1) == opening_search(GomokuEngine(15, 15, 5, 16), 1)


def test_helpers_are_gone_after_a_cancellation() -> None:
    cancellation = Cancellation()
    before = threading.active_count()
    limits = Limits(time_ms=None, threads=3)  # without an end

    def cancel(_: BestMove) -> None:
        cancellation.cancel()

    answer = best_move(OPENING, limits, progress=cancel, cancellation=cancellation)
    assert answer.move in OPENING.moves
    assert answer.search.threads == (3 if kernels.compiled else 1)
    assert threading.active_count() == before
    again = best_move(OPENING, limits, cancellation=cancellation)
    assert again.move in OPENING.moves
    assert threading.active_count() == before


@pytest.mark.parametrize(("promise", "value"), [("seed", 0), ("depth", 3), ("reproducible", True)])
def test_threads_exclude_a_promise_of_the_same_answer(promise: str, value: int) -> None:
    limits: dict[str, Any] = {promise: value}
    with pytest.raises(InvalidLimits, match=f"{promise} promises the same answer: lea") as refused:
        Limits(threads=2, **limits)
    assert refused.value.field == "threads"
    Limits(threads=1, **limits)
