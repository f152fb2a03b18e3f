"""Boards beyond 3×3, levels, algorithms and budgets."""

from __future__ import annotations

import time

import pytest

from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import ALGORITHMS, Limits
from bestmove.search.results import BestMove
from tests.api.conftest import MakeApi
from tests.api.http import Api

GOMOKU = "/".join(["." * 15] * 7 + ["......XO......."] + ["......OX......."] + ["." * 15] * 6)


def test_an_estimate_keeps_its_types(api: Api) -> None:
    answer = api.best_move(GOMOKU, time_ms=20)
    assert answer["k"] == 5
    assert answer["exact"] is False
    assert answer["outcome"] == "unknown"
    assert answer["plies"] is None
    assert isinstance(answer["score"], float)
    assert -1 < answer["score"] < 1
    assert answer["pv"][0] == answer["move"]["index"]
    assert answer["reason"]["code"] == "best-estimate"


def test_the_budget_counts_from_the_arrival(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    real = analysis.best_move
    deadlines: list[float | None] = []

    def search(board: Board, limits: Limits, *_: object) -> BestMove:
        deadlines.append(limits.deadline)
        return real(board, Limits(depth=1))

    monkeypatch.setattr(analysis, "best_move", search)
    with monkeypatch.context() as standing:
        standing.setattr(time, "monotonic", lambda: 1000.0)
        for time_ms in (1, 50, 200):
            api.best_move(GOMOKU, time_ms=time_ms)
    assert deadlines == pytest.approx([1000.001, 1000.05, 1000.2])


@pytest.mark.parametrize("board", ["XOX.O....", "XXOOO.X..", "X...O...."])
def test_every_algorithm_agrees_on_move_and_score(api: Api, board: str) -> None:
    answers = [api.best_move(board, algorithm=algorithm) for algorithm in ALGORITHMS]
    assert len({(answer["move"]["index"], answer["score"]) for answer in answers}) == 1
    for algorithm, answer in zip(ALGORITHMS[1:], answers[1:], strict=True):
        assert answer["search"]["algorithm"] == algorithm


def test_a_seed_makes_a_weaker_level_repeatable(api: Api) -> None:
    moves = {
        seed: {api.best_move("X........", level=1, seed=seed)["move"]["index"] for _ in range(3)}
        for seed in range(12)
    }
    assert all(len(found) == 1 for found in moves.values())
    assert len(set.union(*moves.values())) > 1


def test_a_server_with_a_short_limit_defaults_to_it(make_api: MakeApi) -> None:
    api = make_api(max_time_ms=30)
    assert api.faults("/best-move", {"board": GOMOKU, "time_ms": 31}) == ["/time_ms"]
    assert api.best_move(GOMOKU)["status"] == "in_progress"
