"""Repeatable searches are limited by a number of nodes, all others by the clock."""

import random
import re
import time
from dataclasses import replace
from typing import Any

import pytest

from bestmove.answers import SearchStats
from bestmove.game import Board
from bestmove.search.analysis import analyze, best_move
from bestmove.search.budget import Budget
from bestmove.search.common import clock
from bestmove.search.dispatch import engines_for
from bestmove.search.engine import Task
from bestmove.search.engines.gomoku import driver, parameters
from bestmove.search.engines.gomoku.proofs import MOST_NODES
from bestmove.search.engines.solver.proof import Solver, nodes_for_proof
from bestmove.search.levels import WEAKNESSES
from bestmove.search.limits import LAST_RESORT_MS, RATES, SLOWEST, SearchLimits
from bestmove.search.results import Found
from tests.support.builds import ROOT
from tests.support.needs import COMPILED
from tests.support.positions import random_board
from tests.support.present import present

OPENING = Board.from_moves("h8 h9 i8 a1 o1 a3 o15 a8 o8", game="gomoku")
"""Nine marks, most of them far apart."""

MIDDLE = Board.parse("X...../.O..../..X.../...O../....../......", k=5)
FAR = 10_000.0
"""Seconds to a deadline: far more than any search here takes."""


@pytest.mark.parametrize(
    "limits",
    [
        SearchLimits(seed=3, time_ms=40),
        SearchLimits(depth=4, time_ms=40),
        SearchLimits(time_ms=40, reproducible=True),
        *(SearchLimits(level=level, seed=1, time_ms=40) for level in WEAKNESSES),
    ],
    ids=str,
)
def test_the_clock_does_not_change_a_repeatable_answer(
    limits: SearchLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reading of the replaced clock is closer to the deadline than the reading before."""
    deadline = time.monotonic() + FAR
    timed = replace(limits, deadline=deadline)
    for board in (OPENING, MIDDLE):
        expected = told(best_move(board, limits)), told(analyze(board, limits))
        with monkeypatch.context() as patch:
            ticks = iter(range(1_000_000))
            patch.setattr(
                "bestmove.search.engines.gomoku.proofs.time.monotonic",
                lambda t=ticks: deadline - FAR / (2 + next(t)),
            )
            assert (told(best_move(board, timed)), told(analyze(board, timed))) == expected


def told(answer: Any) -> dict[str, Any]:
    document: dict[str, Any] = answer.to_dict()
    del document["search"]["elapsed_ms"]
    assert "timed_out" not in document["search"]
    return document


@pytest.mark.parametrize(
    "limits", [{"seed": 1}, {"depth": 9}, {"nodes": 9}, {"reproducible": True}], ids=str
)
def test_if_a_repeatable_search_is_timed_out_the_answer_says_so(limits: dict[str, Any]) -> None:
    over = SearchLimits(**limits, deadline=time.monotonic() - 1)
    for ask in (best_move, analyze):
        assert ask(OPENING, over).to_dict()["search"]["timed_out"] is True
        assert not ask(Board.parse("X...O...."), over).search.timed_out
        assert not ask(OPENING, SearchLimits(time_ms=1, deadline=over.deadline)).search.timed_out
    assert "timed_out" not in SearchStats("rules").to_dict()


def test_a_search_by_the_clock_is_due_at_the_earlier_of_its_time_and_its_deadline() -> None:
    now = time.monotonic()
    late, soon = now + FAR, now - 1
    due = present(SearchLimits(time_ms=1000, deadline=late).due())
    assert now + 1 <= due < late
    assert SearchLimits(time_ms=1000, deadline=soon).due() == soon
    assert SearchLimits(time_ms=None, deadline=late).due() == late
    assert SearchLimits(time_ms=None).due() is None


def test_a_repeatable_search_is_due_at_its_deadline_alone() -> None:
    late = time.monotonic() + FAR
    for limits in ({"seed": 0}, {"depth": 1}, {"nodes": 1}, {"reproducible": True}):
        assert SearchLimits(time_ms=1, deadline=late, **limits).due() == late
        assert SearchLimits(time_ms=1, **limits).due() is None


@pytest.mark.parametrize("time_ms", [1, 20, 300])
def test_the_time_of_a_repeatable_search_is_converted_to_nodes(time_ms: int) -> None:
    for shape in ((6, 6, 5), (8, 8, 5), (15, 15, 5)):
        board = random_board(random.Random(time_ms), *shape, 4)
        searched = best_move(board, SearchLimits(time_ms=time_ms, reproducible=True)).search.nodes
        assert searched <= time_ms * RATES["gomoku"] + MOST_NODES + parameters.COMPLETION_NODES
    unproven = best_move(OPENING, SearchLimits(time_ms=time_ms, reproducible=True)).search.nodes
    nodes = time_ms * RATES["gomoku"]
    assert nodes * 0.9 <= unproven <= nodes + parameters.line_budget(nodes) + 10


def test_the_solver_ends_after_its_share_of_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Task] = []
    monkeypatch.setattr(Solver, "best", lambda _, task: asked.append(task))
    now = time.monotonic()
    best_move(MIDDLE, SearchLimits(time_ms=2_000))
    assert now + 1.2 <= (asked[-1].deadline or 0) <= time.monotonic() + 1.2
    deadline = now + FAR
    best_move(MIDDLE, SearchLimits(time_ms=20, reproducible=True, deadline=deadline))
    likely = nodes_for_proof(6, 7, 5, MIDDLE.cells.count("."), 20)
    assert likely < 20 * RATES["solver"] * 6 // 10
    assert (asked[-1].deadline, asked[-1].nodes) == (deadline, likely)
    best_move(MIDDLE, SearchLimits(time_ms=None, nodes=77))
    assert (asked[-1].deadline, asked[-1].nodes) == (None, 77 * 6 // 10)
    best_move(MIDDLE, SearchLimits(time_ms=None, engine_nodes=77))
    assert (asked[-1].deadline, asked[-1].nodes) == (None, 77)
    small = Board.parse("X.../.O../..../....", k=4)
    best_move(small, SearchLimits(time_ms=20, deadline=deadline))
    assert (asked[-1].deadline or 0) > now
    assert (asked[-1].nodes or 0) > 20 * RATES["solver"]


def test_the_best_move_has_its_share_of_the_time_for_all_moves() -> None:
    now = time.monotonic()
    deadline = now + FAR

    def until(**limits: Any) -> float | None:
        budget = Budget(OPENING, SearchLimits(**limits), engines_for(OPENING.rules))
        return budget.for_best(of_all=True).deadline

    assert until(seed=1, deadline=deadline) == deadline
    for lines, share in ((None, 0.5), (3, 0.85)):
        timed = until(time_ms=None, deadline=deadline, lines=lines)
        assert timed == pytest.approx(now + share * FAR, abs=FAR / 100)
    assert until(time_ms=None) is None


def test_lost_moves_have_the_rest_of_the_time_and_little_more() -> None:
    board = Board.empty(20, 20, 20, misere=True)
    budget = Budget(board, SearchLimits(time_ms=100, seed=1), engines_for(board.rules))
    budget.charge_player(40 * RATES["general-large"])
    assert budget.for_moves(are_losses=True).nodes == (100 - 40 + 15) * RATES["general-large"]


@COMPILED
def test_nodes_the_solver_spent_are_not_left_to_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solver, "best", lambda *_: None)
    monkeypatch.setattr(Solver, "nodes", 700)
    asked: list[int | None] = []
    best = driver.GomokuEngine.best

    def spy(engine: driver.GomokuEngine, task: Task) -> Found:
        asked.append(task.nodes)
        return best(engine, task)

    monkeypatch.setattr(driver.GomokuEngine, "best", spy)
    best_move(MIDDLE, SearchLimits(time_ms=20, reproducible=True))
    best_move(MIDDLE, SearchLimits(time_ms=1, reproducible=True))
    # The solver's 700 nodes count as 1 ms, so 19 of the 20 ms are left for the engine.
    assert asked == [19 * RATES["gomoku"], RATES["gomoku"] // 4]


@COMPILED
@pytest.mark.parametrize(
    "board",
    [
        Board.empty(),
        Board.parse("X........"),
        Board.parse("X.O/.O./..X", misere=True),
        Board.empty(4, 4, 4),
        Board.parse("X.../.OX./..O./....", k=3),
        Board.empty(4, 4, 3, misere=True),
        Board.empty(3, 4, 3, gravity=True),
        Board.from_moves("4444", game="connect-four"),
    ],
    ids=str,
)
def test_a_seed_draws_one_of_the_equally_good_moves(board: Board) -> None:
    first, *others = analyze(board, SearchLimits(reproducible=True)).moves
    claim = True, first.outcome, first.plies
    alike = [move for move in others if (move.exact, move.outcome, move.plies) == claim]
    best = {move.index for move in (first, *alike)}
    assert best_move(board, SearchLimits(reproducible=True)).move == min(best)
    drawn = {seed: best_move(board, SearchLimits(seed=seed)).move for seed in range(12)}
    assert drawn == {seed: best_move(board, SearchLimits(seed=seed)).move for seed in range(12)}
    assert set(drawn.values()) <= best
    assert len(set(drawn.values())) > min(len(best), 8) // 2
    for seed in range(3):
        moves = analyze(board, SearchLimits(seed=seed)).moves
        assert moves[0].index == drawn[seed]
        equals = [move.index for move in moves[1:] if move.index in best]
        assert equals == sorted(best - {drawn[seed]})


def test_the_time_of_a_search_begins_before_its_engine_is_made() -> None:
    now = time.monotonic()
    for deadline in (None, now + FAR):
        due = present(SearchLimits(time_ms=1000, deadline=deadline).begun().deadline)
        assert now + 1 <= due <= time.monotonic() + 1
    for given in ({"nodes": 5}, {"time_ms": None}, {"algorithm": "negamax"}):
        counted = SearchLimits(**given)
        assert counted.begun() is counted


def test_uncompiled_a_repeatable_search_without_a_deadline_has_a_last_resort(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = SearchLimits(time_ms=20, seed=1)
    monkeypatch.setattr(clock, "compiled", True)
    assert limits.begun() is limits
    monkeypatch.setattr(clock, "compiled", False)
    until = present(limits.begun().deadline)
    assert until <= time.monotonic() + LAST_RESORT_MS / 1000
    much = present(SearchLimits(time_ms=LAST_RESORT_MS, seed=1).begun().deadline)
    assert much > time.monotonic() + (SLOWEST - 1) * LAST_RESORT_MS / 1000
    for own in (SearchLimits(seed=1, deadline=FAR), SearchLimits(seed=1, nodes=9)):
        assert own.begun() is own
    ticks = iter(range(1_000_000))
    monkeypatch.setattr(time, "monotonic", lambda: 10.0 * next(ticks))
    assert best_move(OPENING, limits).search.timed_out


def test_the_document_states_every_rate() -> None:
    text = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    table = text.partition("| search | nodes a millisecond |")[2].partition("\n\n")[0]
    stated = re.findall(r"\| ([\d,]+) \|$", table, re.MULTILINE)
    assert [int(number.replace(",", "")) for number in stated] == [*RATES.values()]
