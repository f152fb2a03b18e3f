"""POST /best-moves: many boards, each for itself."""

from __future__ import annotations

import json
import random
import time

import pytest

from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import Limits
from bestmove.search.results import BestMove
from bestmove.search.textbook import algorithms
from tests.api.http import Api
from tests.support.positions import OPEN_8


def test_results_come_in_order_and_are_those_of_single_requests(api: Api) -> None:
    boards = [
        ".........",
        "X...O....",
        "XXXOO....",
        OPEN_8,
        "XX../OO../..../....",
        ["X..", "...", "..."],
    ]
    results = api.answer("/best-moves", boards=boards, k=3, depth=2)["results"]
    for board, result in zip(boards, results, strict=True):
        single = api.best_move(board, k=3, depth=2)
        for answer in (single, result["result"]):
            answer["search"].pop("elapsed_ms")
        assert result["result"] == single


def test_a_bad_board_fails_alone_and_is_pointed_at(api: Api) -> None:
    boards: list[object] = [
        ".........",
        "XX.......",
        None,
        5,
        {},
        "",
        [["Z"]],
        "X...O....",
        "x" * 5000,
    ]
    results = api.answer("/best-moves", boards=boards)["results"]
    kinds = ["result" if "result" in result else "problem" for result in results]
    assert kinds == ["result"] + ["problem"] * 6 + ["result", "problem"]
    pointers = [
        [error["pointer"] for error in result["problem"]["errors"]]
        for result in results
        if "problem" in result
    ]
    assert pointers == [
        ["/boards/1"],
        ["/boards/2"],
        ["/boards/3"],
        ["/boards/4"],
        ["/boards/5"],
        ["/boards/6/0/0"],
        ["/boards/8"],
    ]
    assert all(r["problem"]["status"] == 422 for r in results if "problem" in r)


def test_an_option_that_does_not_fit_one_board_fails_that_board(api: Api) -> None:
    results = api.answer("/best-moves", boards=["X...O....", "X.../..../..../...O"], k=4, depth=1)
    problem = results["results"][0]["problem"]
    assert [error["pointer"] for error in problem["errors"]] == ["/k"]
    assert results["results"][1]["result"]["k"] == 4


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/boards"]),
        ({"boards": []}, ["/boards"]),
        ({"boards": "X...O...."}, ["/boards"]),
        ({"boards": None}, ["/boards"]),
        ({"boards": ["."] * 1001}, ["/boards"]),
        ({"boards": ["."], "level": 0, "x": 1}, ["/level", "/x"]),
        ({"board": "."}, ["/board", "/boards"]),
    ],
)
def test_a_batch_that_is_none_is_422(api: Api, body: object, pointers: list[str]) -> None:
    assert sorted(api.faults("/best-moves", body)) == pointers


def test_a_thousand_boards_are_answered(api: Api) -> None:
    results = api.answer("/best-moves", boards=["X...O...."] * 1000)["results"]
    assert len(results) == 1000
    assert {json.dumps(result["result"]["move"]) for result in results} == {
        '{"index": 1, "row": 0, "column": 1}'
    }


def test_one_time_budget_is_for_all_of_them(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = analysis.best_move(Board.parse(OPEN_8, k=5), Limits(depth=1))
    budgets: list[Limits] = []

    def search(_: Board, limits: Limits) -> BestMove:
        budgets.append(limits)
        return answer

    monkeypatch.setattr(analysis, "best_move", search)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)  # the clock stands still
    api.answer("/best-moves", boards=[OPEN_8] * 20 + ["X...O...."], k=5, time_ms=400)
    assert [budget.time_ms for budget in budgets] == [20] * 20
    # Each gets an equal share of what is left, and as no time goes by there is ever more of it.
    shares = [(budget.deadline or 0) - 1000 for budget in budgets]
    assert shares == pytest.approx([0.4 / left for left in range(20, 0, -1)])


def test_past_the_budget_boards_are_a_problem_each(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = analysis.best_move(Board.parse(OPEN_8, k=5), Limits(depth=1))
    now = 1000.0

    def search(_: Board, __: Limits) -> BestMove:
        nonlocal now
        now += 0.5
        return answer

    monkeypatch.setattr(analysis, "best_move", search)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    results = api.answer("/best-moves", boards=[OPEN_8] * 9, k=5, time_ms=400)["results"]
    statuses = [result["problem"]["status"] for result in results if "problem" in result]
    assert statuses == [503] * 6
    assert all("result" in result for result in results[:3])


def test_textbook_searches_past_the_budget_are_a_problem_each(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0

    def clock() -> float:
        nonlocal now
        now += 0.0001  # with every node
        return now

    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(algorithms, "monotonic", clock)
    body = {"boards": ["XO.XO...."] * 40, "algorithm": "alpha-beta", "time_ms": 100}
    results = api.answer("/best-moves", **body)["results"]
    assert "result" in results[0]
    assert results[-1]["problem"]["status"] == 503
    assert results[-1]["problem"]["type"] == "urn:bestmove:problem:out-of-time"


def test_a_thousand_large_boards_are_all_answered_within_their_budget(api: Api) -> None:
    chooser = random.Random(5)
    boards = []
    for _ in range(1000):
        board = Board.parse(OPEN_8, k=5)
        for _ in range(6):
            board = board.play(chooser.choice(board.moves))
        boards.append(str(board))
    # Shares of 5 ms are counts of nodes that a processor shared by several has time for, too.
    results = api.answer("/best-moves", boards=boards, k=5, time_ms=5000)["results"]
    assert [result for result in results if "result" not in result] == []


def test_a_share_too_short_for_a_clock_is_counted_in_nodes(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = analysis.best_move(Board.parse(OPEN_8, k=5), Limits(depth=1))
    nodes: list[int | None] = []

    def search(_: Board, limits: Limits) -> BestMove:
        nodes.append(limits.nodes)
        return answer

    monkeypatch.setattr(analysis, "best_move", search)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    api.answer("/best-moves", boards=[OPEN_8] * 3, k=5, time_ms=30)
    assert nodes == [950, 1450, None]  # of 10, 15 and 30 ms
