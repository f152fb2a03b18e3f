"""Answers of /best-move, /play, /analyze and /game-tree, and the time that they may take."""

import json
import time
from typing import Any
from unittest.mock import Mock

import pytest

from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.limits import Limits
from tests.api.conftest import MakeApi
from tests.api.http import Api

GOMOKU = "/".join(["." * 15] * 7 + ["......XO......."] + ["......OX......."] + ["." * 15] * 6)


def test_the_budget_counts_from_the_arrival(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = analysis.best_move(Board.parse(GOMOKU), Limits(depth=1))
    search = Mock(return_value=answer)
    monkeypatch.setattr(analysis, "best_move", search)
    with monkeypatch.context() as standing:
        standing.setattr(time, "monotonic", lambda: 1000.0)
        for time_ms in (1, 50, 200):
            api.best_move(GOMOKU, time_ms=time_ms)
    deadlines = [call.args[1].deadline for call in search.call_args_list]
    assert deadlines == pytest.approx([1000.001, 1000.05, 1000.2])


def test_a_server_with_a_short_limit_defaults_to_it(make_api: MakeApi) -> None:
    api = make_api(max_time_ms=30)
    assert api.faults("/best-move", {"board": GOMOKU, "time_ms": 31}) == ["/time_ms"]
    assert api.best_move(GOMOKU)["status"] == "in_progress"


def without_costs(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "search"}


def test_it_answers_as_best_move_does_for_the_board_after(api: Api) -> None:
    for move in (1, {"row": 0, "column": 1}):
        played = api.answer("/play", board="X...O....", move=move)
        assert without_costs(played) == without_costs(api.best_move("XX..O...."))


def test_a_move_that_ends_the_game_is_answered_with_the_end(api: Api) -> None:
    answer = api.answer("/play", board="XX.OO....", move=2)
    assert (answer["status"], answer["winner"], answer["winning_line"]) == ("won", "X", [0, 1, 2])
    assert answer["move"] is answer["turn"] is None
    names = ("board", "turn", "status", "winner", "winning_line")
    assert answer["after"] == {name: answer[name] for name in names}


@pytest.mark.parametrize(
    ("board", "move", "pointers"),
    [
        ("X...O....", 0, ["/move"]),
        ("X...O....", 400, ["/move"]),
        ("X...O....", {"row": 0, "column": 3}, ["/move/column"]),
        ("X...O....", {"row": 0}, ["/move/column"]),
        ("X...O....", {"index": 1, "column": 1}, ["/move/row"]),
        ("X...O....", {"index": 2, "row": 0, "column": 1}, ["/move/index"]),
        ("X...O....", {"row": True, "column": "0"}, ["/move/column", "/move/row"]),
        ("X...O....", {"row": 0, "column": 1, "x": 1}, ["/move/x"]),
        ("X...O....", "1", ["/move"]),
        ("X...O....", True, ["/move"]),
        ("XXXOO....", 8, ["/move"]),
        ("XX.......", 8, ["/board"]),
        ("XZ.......", "1", ["/board"]),
    ],
)
def test_an_illegal_move_is_422(api: Api, board: str, move: Any, pointers: list[str]) -> None:
    assert sorted(api.faults("/play", {"board": board, "move": move})) == pointers


@pytest.mark.parametrize(
    ("move", "pointer"),
    [
        ({"index": 41, "column": 5}, "/move/row"),
        ({"index": 41, "row": 5, "column": 5}, "/move/index"),
        ({"index": 5, "row": 0, "column": 5}, "/move"),
        ({"row": 5}, "/move/column"),
    ],
)
def test_an_illegal_move_of_a_game_with_gravity_is_422(api: Api, move: Any, pointer: str) -> None:
    body = {"game": "connect-four", "board": "." * 42, "move": move}
    assert api.faults("/play", body) == [pointer]


def test_threats_of_both_sides_are_listed_until_the_game_is_over(make_api: MakeApi) -> None:
    api = make_api()
    moves = "h8 a1 i8 a2 j8 a3"
    threats = api.answer("/analyze", game="gomoku", moves=moves, depth=1)["threats"]
    assert threats == {
        "X": [{"kind": "open-three", "cells": [112, 113, 114], "open": [111, 115]}],
        "O": [],
    }
    moves += " k8 a4"
    threats = api.answer("/analyze", game="gomoku", moves=moves, depth=1)["threats"]
    assert threats == {
        "X": [{"kind": "open-four", "cells": [112, 113, 114, 115], "open": [111, 116]}],
        "O": [{"kind": "four", "cells": [165, 180, 195, 210], "open": [150]}],
    }
    over = api.answer("/analyze", game="gomoku", moves=moves + " l8")
    assert (over["threats"], over["moves"]) == ({"X": [], "O": []}, [])


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/tree"]),
        ({"tree": [1, []]}, ["/tree/1"]),
        ({"tree": [1, {"value": 2, "a/b": 3}]}, ["/tree/1/a~1b"]),
        ({"tree": [[1], [2]], "depth": 1}, ["/tree/0", "/tree/1"]),
        ({"tree": [1, 2], "depth": 0}, ["/tree"]),
        ({"tree": [None, [], {"value": "1"}]}, ["/tree/0", "/tree/1", "/tree/2/value"]),
        ({"tree": [1], "algorithm": "auto"}, ["/algorithm"]),
        ({"tree": [1], "maximizing": "true"}, ["/maximizing"]),
        ({"tree": [None], "maximizing": 1, "depth": "1"}, ["/depth", "/maximizing", "/tree/0"]),
    ],
    ids=repr,
)
def test_what_is_no_tree_is_422(api: Api, body: object, pointers: list[str]) -> None:
    assert sorted(api.faults("/game-tree", body)) == pointers


def test_a_tree_as_deep_as_json_may_be_is_searched(api: Api) -> None:
    body = b'{"tree": ' + b"[" * 199 + b"1" + b"]" * 199 + b"}"
    assert json.loads(api.post("/game-tree", body).data)["value"] == 1


def test_a_tree_whose_answer_would_be_huge_is_refused(api: Api) -> None:
    leaves = b",".join([b"1"] * 90_000)
    body = b'{"tree": ' + b"[" * 150 + leaves + b"]" * 150 + b"}"
    assert api.faults("/game-tree", body) == ["/tree"]
