"""Requests choose a game by name, rules or moves; conflicting fields are refused. Answers hold the
game's rules."""

from typing import Any

import pytest

from bestmove.game import PRESETS, Board
from tests.api.http import Api, document, pointers


@pytest.mark.parametrize("name", PRESETS)
def test_every_game_starts_from_its_name(api: Api, name: str) -> None:
    answer = api.answer("/best-move", game=name, time_ms=20)
    assert answer["rules"] == {**PRESETS[name].rules.to_dict(), "first": "X"}
    assert answer["board"] == str(Board.empty(game=name))
    assert answer["turn"] == "X"


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
@pytest.mark.parametrize(
    ("body", "board"),
    [
        ({"moves": []}, "........."),
        ({"moves": [{"row": 0, "column": 0}, {"index": 4, "row": 1, "column": 1}]}, "X...O...."),
        ({"moves": "a3 B2"}, "X...O...."),
        ({"gravity": True, "moves": [{"column": 1}, {"column": 1}]}, "....O..X."),
        ({"gravity": True, "rows": 2, "columns": 2, "k": 2, "board": "../X."}, "../X."),
    ],
)
def test_moves_can_replace_the_board(api: Api, path: str, body: dict[str, Any], board: str) -> None:
    body = {"rows": 3, "columns": 3} | body
    assert api.answer(path, **body)["board"] == board


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({"board": ".........", "moves": []}, ["/moves"]),
        ({"moves": [0, {"row": 5, "column": 0}], "rows": 3, "columns": 3}, ["/moves/1/row"]),
        ({"moves": [[0]]}, ["/moves/0"]),
        ({"game": "chess"}, ["/game"]),
        ({"game": "connect-four", "gravity": False}, ["/gravity"]),
        ({"board": ".........", "gravity": 1}, ["/gravity"]),
        ({"board": ".........", "overline": "true", "misere": None}, ["/misere", "/overline"]),
        ({"board": "X........", "gravity": True}, ["/board"]),
        ({"rows": 3}, ["/columns"]),
        ({"level": "3"}, ["/board", "/level"]),
        ({"game": "connect-four", "moves": [0]}, ["/moves/0"]),
    ],
    ids=str,
)
def test_fields_that_conflict_are_422_at_their_place(
    api: Api, body: dict[str, Any], places: list[str]
) -> None:
    for path in ("/best-move", "/analyze"):
        assert sorted(api.faults(path, body)) == places
    assert sorted(api.faults("/play", body | {"move": 0})) == places


def test_a_query_can_have_switches_and_moves(api: Api) -> None:
    response = api.get("/best-move", game="misere-tic-tac-toe", moves="a1 b2", misere="true")
    assert response.status_code == 200
    assert document(response)["board"] == "....O.X.."
    assert document(response)["rules"]["misere"] is True
    for word in ("1", "True", "yes", ""):
        refused = api.get("/best-move", board=".........", gravity=word)
        assert refused.status_code == 422
        assert pointers(refused) == ["gravity"]
    assert pointers(api.get("/best-move", game="gomoku", overline="false")) == ["overline"]
    assert pointers(api.get("/best-move", moves="a9")) == ["moves"]


@pytest.mark.parametrize("move", [38, {"column": 3}, {"index": 38, "row": 5, "column": 3}])
def test_play_drops_a_mark(api: Api, move: Any) -> None:
    answer = api.answer("/play", game="connect-four", move=move, time_ms=20)
    assert answer["board"].endswith("/...X...")
    assert answer["turn"] == "O"
