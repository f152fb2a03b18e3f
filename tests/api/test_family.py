"""The games of the family over HTTP: how they are asked for, echoed and refused."""

from __future__ import annotations

from typing import Any

import pytest

from bestmove.game import PRESETS, Board
from tests.api.http import Api, pointers

SWITCHES = ("gravity", "overline", "misere")


@pytest.mark.parametrize("name", PRESETS)
def test_every_game_starts_from_its_name(api: Api, name: str) -> None:
    answer = api.answer("/best-move", game=name, time_ms=20)
    preset = PRESETS[name].to_dict()
    for field in ("rows", "columns", "k", *SWITCHES):
        assert answer[field] == preset[field]
    assert answer["board"] == str(Board.empty(game=name))
    assert answer["turn"] == "X"


def test_the_games_are_listed(api: Api) -> None:
    listed = api.get("/games").json
    assert listed is not None
    assert [game["name"] for game in listed["games"]] == list(PRESETS)
    assert listed["limits"]["rows"] == listed["limits"]["columns"] == 20
    assert listed["limits"]["boards"] == 1000
    assert api.get("/games", {"Accept": "image/png"}).status_code == 406


@pytest.mark.parametrize("path", ["/best-move", "/analyze"])
@pytest.mark.parametrize(
    ("body", "board"),
    [
        ({"moves": []}, "........."),
        ({"moves": ""}, "........."),
        ({"moves": [0, 4]}, "X...O...."),
        ({"moves": [{"row": 0, "column": 0}, {"index": 4, "row": 1, "column": 1}]}, "X...O...."),
        ({"moves": "a3 B2"}, "X...O...."),
        ({"moves": [4], "first": "O"}, "....O...."),
        ({"rows": 2, "columns": 2, "k": 2}, "../.."),
        ({"game": "connect-four", "k": 3, "moves": "12"}, "......XO."),
        ({"gravity": True, "moves": [{"column": 1}, {"column": 1}]}, "....O..X."),
        ({"gravity": True, "rows": 2, "columns": 2, "k": 2, "board": "../X."}, "../X."),
    ],
)
def test_moves_stand_for_the_board(api: Api, path: str, body: dict[str, Any], board: str) -> None:
    body = {"rows": 3, "columns": 3} | body
    assert api.answer(path, **body)["board"] == board


def test_a_flat_board_has_the_cells_of_its_game_or_is_square(api: Api) -> None:
    answer = api.best_move("." * 41 + "X", game="connect-four", time_ms=20)
    assert answer["board"] == "......./......./......./......./......./......X"
    assert answer["gravity"] is True
    small = api.best_move("." * 16, game="connect-four", time_ms=20)
    assert (small["rows"], small["columns"], small["k"]) == (4, 4, 4)


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({"board": ".........", "moves": []}, ["/moves"]),
        ({"moves": [0, 0]}, ["/moves/1"]),
        ({"moves": [0, {"row": 5, "column": 0}], "rows": 3, "columns": 3}, ["/moves/1/row"]),
        ({"moves": "a1 z9"}, ["/moves"]),
        ({"moves": 5}, ["/moves"]),
        ({"moves": None}, ["/moves"]),
        ({"moves": [[0]]}, ["/moves/0"]),
        ({"moves": [0] * 401}, ["/moves"]),
        ({"game": "chess"}, ["/game"]),
        ({"game": "connect-four", "gravity": False}, ["/gravity"]),
        ({"game": "gomoku", "misere": True, "board": "."}, ["/misere"]),
        ({"board": ".........", "gravity": 1}, ["/gravity"]),
        ({"board": ".........", "overline": "true", "misere": None}, ["/misere", "/overline"]),
        ({"board": "X........", "gravity": True}, ["/board"]),
        ({"rows": 3}, ["/columns"]),
        ({"level": 3}, ["/board"]),
        ({"level": "3"}, ["/board", "/level"]),
        ({"game": "connect-four", "moves": "1111111"}, ["/moves"]),
        ({"game": "connect-four", "moves": [0]}, ["/moves/0"]),
        ({"rows": 21, "columns": 3}, ["/rows"]),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_422_at_its_place(
    api: Api, body: dict[str, Any], places: list[str]
) -> None:
    for path in ("/best-move", "/analyze"):
        assert sorted(api.faults(path, body)) == places
    assert sorted(api.faults("/play", body | {"move": 0})) == places


def test_a_query_spells_switches_and_moves(api: Api) -> None:
    response = api.get("/best-move", game="misere-tic-tac-toe", moves="a1 b2", misere="true")
    assert response.status_code == 200
    assert response.json is not None
    assert response.json["board"] == "....O.X.."
    assert response.json["misere"] is True
    for word in ("1", "True", "yes", ""):
        refused = api.get("/best-move", board=".........", gravity=word)
        assert refused.status_code == 422
        assert pointers(refused) == ["gravity"]
    assert pointers(api.get("/best-move", game="gomoku", overline="false")) == ["overline"]
    assert pointers(api.get("/best-move", moves="a9")) == ["moves"]


def test_each_game_has_its_own_tag(api: Api) -> None:
    asked: list[dict[str, Any]] = [
        {},
        {"misere": "true"},
        {"overline": "false"},
        {"gravity": "true"},
    ]
    tags = [api.get("/best-move", board="." * 9, **more).headers.get("ETag") for more in asked]
    exact = [tag for tag in tags if tag is not None]
    assert len(exact) == len(set(exact)) > 1


@pytest.mark.parametrize("move", [38, {"column": 3}, {"index": 38, "row": 5, "column": 3}])
def test_play_drops_a_mark(api: Api, move: Any) -> None:
    answer = api.answer("/play", game="connect-four", move=move, time_ms=20)
    assert answer["board"].endswith("/...X...")
    assert answer["turn"] == "O"


@pytest.mark.parametrize(
    ("move", "place"), [(0, "/move"), ({"column": 7}, "/move/column"), ({"row": 5}, "/move/column")]
)
def test_a_mark_that_does_not_land_there_is_422(api: Api, move: Any, place: str) -> None:
    assert api.faults("/play", {"game": "connect-four", "move": move}) == [place]


def test_play_takes_the_move_of_an_answer(api: Api) -> None:
    for options in ({"game": "tic-tac-toe"}, {"game": "connect-four", "time_ms": 20}):
        answer = api.answer("/best-move", **options)
        played = api.answer("/play", move=answer["move"], **options)
        assert played["board"] == answer["board_after"]


def test_items_of_a_batch_are_boards_or_objects(api: Api) -> None:
    boards: list[Any] = [
        "....O.X..",
        {"board": "....O.X.."},
        {"moves": "a1 b2"},
        {"moves": [6, 4]},
        {},
        {"moves": [6, 6]},
        {"board": ".", "moves": []},
        {"bord": "."},
        {"board": [[5]]},
    ]
    results = api.answer("/best-moves", game="misere-tic-tac-toe", boards=boards)["results"]
    assert [item["result"]["board"] for item in results[:4]] == ["....O.X.."] * 4
    assert all(item["result"]["misere"] for item in results[:5])
    assert results[4]["result"]["board"] == "........."
    places = [item["problem"]["errors"][0]["pointer"] for item in results[5:]]
    assert places == [
        "/boards/5/moves/1",
        "/boards/6/moves",
        "/boards/7/bord",
        "/boards/8/board/0/0",
    ]


def test_misere_names_the_loser_s_line(api: Api) -> None:
    answer = api.best_move("XXXOO....", misere=True)
    assert (answer["winner"], answer["winning_line"]) == ("O", [0, 1, 2])
    assert answer["score"] == -1


def test_twenty_by_twenty(api: Api) -> None:
    answer = api.answer("/best-move", game="gomocup", moves="j10 k10", time_ms=20)
    assert (answer["rows"], answer["columns"], answer["k"]) == (20, 20, 5)
