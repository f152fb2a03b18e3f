"""The fields of /analyze beside the score: `lines`, each move's `depth`, `threats`."""

from __future__ import annotations

from tests.api.conftest import MakeApi
from tests.api.http import Api
from tests.support.needs import COMPILED

MIDDLE = {"game": "gomoku", "moves": "h8 i9 i7 g7 h6 h7", "depth": 3}


@COMPILED
def test_lines_lead_the_moves_of_a_large_board(api: Api) -> None:
    answer = api.answer("/analyze", **MIDDLE, lines=4)
    assert answer["complete"] is True
    assert len(answer["moves"]) == 225 - 6
    assert [move["depth"] for move in answer["moves"][:4]] == [3] * 4
    best = api.answer("/best-move", **MIDDLE)
    first = answer["moves"][0]
    assert (first["index"], first["score"]) == (best["move"]["index"], best["score"])


def test_threats_are_told_of_both_sides_until_the_game_is_over(make_api: MakeApi) -> None:
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
