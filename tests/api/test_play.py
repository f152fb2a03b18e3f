"""POST /play: the caller's move and the reply to it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.http import Api


def without_costs(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "search"}


def test_it_answers_as_best_move_does_for_the_board_after(api: Api) -> None:
    for move in (1, {"row": 0, "column": 1}):
        played = api.answer("/play", board="X...O....", move=move)
        assert without_costs(played) == without_costs(api.best_move("XX..O...."))


def test_a_move_that_ends_the_game_is_answered_with_the_end(api: Api) -> None:
    answer = api.answer("/play", board="XX.OO....", move=2)
    assert (answer["status"], answer["winner"], answer["winning_line"]) == ("won", "X", [0, 1, 2])
    assert answer["move"] is answer["board_after"] is answer["turn"] is None


@pytest.mark.parametrize(
    ("board", "move", "pointers"),
    [
        ("X...O....", 0, ["/move"]),
        ("X...O....", {"row": 1, "column": 1}, ["/move"]),
        ("X...O....", 400, ["/move"]),
        ("X...O....", {"row": 0, "column": 3}, ["/move/column"]),
        ("X...O....", {"row": 0}, ["/move/column"]),
        ("X...O....", {"index": 1, "column": 1}, ["/move/row"]),
        ("X...O....", {"index": 2, "row": 0, "column": 1}, ["/move/index"]),
        ("X...O....", {"row": True, "column": "0"}, ["/move/column", "/move/row"]),
        ("X...O....", {"row": 0, "column": 1, "x": 1}, ["/move/x"]),
        ("X...O....", "1", ["/move"]),
        ("X...O....", True, ["/move"]),
        ("X...O....", [0, 1], ["/move"]),
        ("XXXOO....", 8, ["/move"]),
        ("XX.......", 8, ["/board"]),
        ("XZ.......", "1", ["/board", "/move"]),
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
