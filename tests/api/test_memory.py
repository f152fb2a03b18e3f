"""Answers that are remembered, so that equal questions are searched for once."""

from __future__ import annotations

import pytest

from bestmove.api import capacity
from bestmove.api.capacity import Memory
from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import Limits
from bestmove.search.results import Analysis, BestMove, MoveEvaluation, SearchStats
from tests.api.conftest import MakeApi
from tests.support.positions import OPEN_15


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
    move = MoveEvaluation(0, 0.1, False, "unknown", None, (0,), depth)
    answer = Analysis(Board.empty(9, 9), (move,), complete, stats)
    assert capacity._is_repeatable(Limits(depth=3), answer) is kept
    assert not capacity._is_repeatable(Limits(), answer)


def searches(monkeypatch: pytest.MonkeyPatch) -> list[Limits]:
    """The limits of every search that is made from now on."""
    made: list[Limits] = []
    search = analysis.best_move

    def counting(board: Board, limits: Limits) -> BestMove:
        made.append(limits)
        return search(board, limits)

    monkeypatch.setattr(analysis, "best_move", counting)
    return made


@pytest.mark.parametrize(
    "asked",
    [{"board": "X.../..../..../....", "k": 3}, {"board": OPEN_15, "depth": 2}],
    ids=["proven", "limited by depth"],
)
def test_an_answer_that_time_cannot_change_is_searched_for_once(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, asked: dict[str, object]
) -> None:
    made = searches(monkeypatch)
    api = make_api()
    first, second = (api.answer("/best-move", **asked, time_ms=10_000) for _ in range(2))
    assert len(made) == 1
    for answer in (first, second):
        assert answer["search"].pop("elapsed_ms") >= 0
    assert first == second


@pytest.mark.parametrize(
    "asked",
    [
        {"board": OPEN_15, "time_ms": 20},
        {"board": OPEN_15, "depth": 2, "level": 3},
        {"board": "X...O....", "algorithm": "negamax"},
    ],
    ids=["estimate", "level", "textbook"],
)
def test_other_searches_are_made_each_time(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, asked: dict[str, object]
) -> None:
    made = searches(monkeypatch)
    api = make_api()
    for _ in range(3):
        api.answer("/best-move", **asked)
    assert len(made) == 3


def test_the_memory_is_bounded_and_forgets_the_oldest() -> None:
    memory = Memory(3)
    for number in range(10):
        memory.add(number, number)
    assert [number for number in range(10) if memory.get(number) is not None] == [7, 8, 9]
