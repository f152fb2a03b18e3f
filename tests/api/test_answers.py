"""What /best-move, /play, /analyze and /game-tree answer, and the time that they may take."""

import re
import time
from typing import Any
from unittest.mock import Mock

import pytest

from bestmove.game import Board
from bestmove.search import analysis
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.limits import Limits
from bestmove.search.results import Found
from tests.api.http import Api, document

GOMOKU = "/".join(["." * 15] * 7 + ["......XO......."] + ["......OX......."] + ["." * 15] * 6)
GOOD: dict[str, Any] = {"board": "X...O...."}


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


DROPPED = {"game": "connect-four", "moves": "4"}


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        (GOOD, 1, {"board": "XX..O...."}),
        ({"board": "XX.OO...."}, 2, {"board": "XXXOO...."}),
        (GOOD, {"row": 0, "column": 1}, {"board": "XX..O...."}),
        ({"game": "connect-four"}, 38, DROPPED),
        ({"game": "connect-four"}, {"column": 3}, DROPPED),
        ({"game": "connect-four"}, {"index": 38, "row": 5, "column": 3}, DROPPED),
    ],
)
def test_play_answers_like_best_move(api: Api, before: Any, move: Any, after: Any) -> None:
    played = api.answer("/play", **before, move=move, depth=1)
    best = api.answer("/best-move", **after, depth=1)
    del played["search"], best["search"]
    assert played == best


def test_threats_of_both_sides_are_listed(api: Api) -> None:
    open_four = {"kind": "open-four", "cells": [112, 113, 114, 115], "open": [111, 116]}
    four = {"kind": "four", "cells": [165, 180, 195, 210], "open": [150]}
    answer = api.answer("/analyze", game="gomoku", moves="h8 a1 i8 a2 j8 a3 k8 a4", depth=1)
    assert answer["threats"] == {"X": [open_four], "O": [four]}


def test_an_analysis_ignores_level_and_algorithm(api: Api) -> None:
    # By minimax, this board would be too large.
    answer = api.answer("/analyze", board=GOMOKU, algorithm="minimax", level=3, time_ms=20)
    assert answer["search"]["algorithm"] != "minimax"
    tags = {
        api.get("/analyze", level=str(level), algorithm=algorithm, **GOOD).headers["ETag"]
        for level in (1, 10)
        for algorithm in ("auto", "minimax")
    }
    assert len(tags) == 1


def test_a_tree_as_deep_as_json_may_be_is_searched(api: Api) -> None:
    body = b'{"tree": ' + b"[" * 199 + b"1" + b"]" * 199 + b"}"
    assert document(api.post("/game-tree", body))["value"] == 1


def test_zero_has_no_sign(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    negative = re.compile(r"-0(\.0)?[,}\]]")
    for algorithm in ("minimax", "negamax", "alpha-beta"):
        for tree in ([0.0, 0], [-0.0], -0.0, [[0.0], [-1.5]]):
            body = {"tree": tree, "algorithm": algorithm, "maximizing": False}
            assert not negative.search(api.post("/game-tree", body).text)
    real = GomokuEngine.search

    def even(engine: GomokuEngine, *position: Any, **limits: Any) -> Found:
        return real(engine, *position, **limits)._replace(value=0, exact=False)

    monkeypatch.setattr(GomokuEngine, "search", even)
    for mark in ("X", "O"):
        quiet = {"board": "/".join(["." * 9] * 4 + [f"....{mark}...."] + ["." * 9] * 4)}
        for path in ("/best-move", "/analyze"):
            text = api.post(path, quiet | {"k": 5, "depth": 1, "first": mark}).text
            assert '"score":0.0,' in text
            assert not negative.search(text)


def test_a_whole_number_is_an_integer_however_it_is_written(api: Api) -> None:
    for text in ("2", "2.0", "2e0", "0.2E1"):
        body = f'{{"board": "X...O....", "move": {text}, "level": 10.0}}'.encode()
        assert document(api.post("/play", body))["board"] == "X.X.O...."
    for text in ("1e300", "9007199254740993.0", "2.5"):
        body = f'{{"board": "X...O....", "move": {text}}}'.encode()
        assert api.faults("/play", body) == "/move"
