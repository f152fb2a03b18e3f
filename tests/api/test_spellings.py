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
    response = api.get("/best-move", board=board, first="X", level=10, algorithm="auto")
    assert (response.data, response.headers["ETag"]) == (expected.data, expected.headers["ETag"])
