"""Every accepted spelling of a position gives the same answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.http import Api
from tests.game.test_notation import SPELLINGS


@pytest.mark.parametrize("board", SPELLINGS, ids=repr)
def test_every_spelling_gives_the_same_answer(api: Api, board: Any) -> None:
    expected = api.best_move("X...O....")
    expected.pop("search")
    for options in ({}, {"rows": 3}, {"columns": 3}, {"rows": 3, "columns": 3, "k": 3}):
        answer = api.best_move(board, **options)
        answer.pop("search")
        assert answer == expected


@pytest.mark.parametrize("board", [b for b in SPELLINGS if isinstance(b, str)], ids=repr)
def test_every_text_in_a_query_gives_the_same_bytes_and_the_same_tag(api: Api, board: str) -> None:
    expected = api.get("/best-move", board="X...O....")
    for options in ({}, {"k": 3}, {"first": "X", "level": 10, "algorithm": "auto"}):
        response = api.get("/best-move", board=board, **options)
        assert response.data == expected.data
        assert response.headers["ETag"] == expected.headers["ETag"]


def test_spellings_of_a_board_that_is_not_square(api: Api) -> None:
    spellings: list[tuple[Any, dict[str, int]]] = [
        ("X.../.O../....", {}),
        ("X....O......", {"rows": 3}),
        ("X....O......", {"columns": 4}),
        (["X...", ".O..", "...."], {}),
        ([["X", 0, 0, 0], [0, "O", 0, 0], [0, 0, 0, 0]], {"rows": 3, "columns": 4, "k": 3}),
    ]
    answers = []
    for board, options in spellings:
        answer = api.best_move(board, **options, depth=2)
        answer.pop("search")
        answers.append(answer)
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["board"] == "X.../.O../...."
    assert (answers[0]["rows"], answers[0]["columns"], answers[0]["k"]) == (3, 4, 3)


def test_first_says_whose_turn_it_is(api: Api) -> None:
    assert api.best_move(".........", first="O")["turn"] == "O"
    assert api.best_move("....O....", first="O")["turn"] == "X"
    assert api.best_move("X...O....", first="O")["turn"] == "O"
    assert api.faults("/best-move", {"board": "....X....", "first": "O"}) == ["/board"]
