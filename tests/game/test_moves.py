"""Moves in every notation, and moves that are refused."""

from typing import Any

import pytest

from bestmove.errors import IllegalMove, InvalidInput, InvalidNotation, InvalidRules
from bestmove.game import Board, Rules
from bestmove.game.moves import square

CORNERS = "/".join(["." * 19 + "O", *["." * 20] * 18, "X" + "." * 19])
FOUR: dict[str, Any] = {"game": "connect-four"}


@pytest.mark.parametrize(
    ("moves", "options", "board"),
    [
        ([], {}, "........."),
        ("", {}, "........."),
        ([4, 0], {}, "O...X...."),
        ("b2 a3", {}, "O...X...."),
        ("B2  A3", {}, "O...X...."),
        ([{"row": 1, "column": 1}, {"index": 0, "row": 0, "column": 0}], {}, "O...X...."),
        ([4], {"first": "O"}, "....O...."),
        ("44", FOUR, "......./......./......./......./...O.../...X..."),
        ("4 4", FOUR, "......./......./......./......./...O.../...X..."),
        ("d1 d2", FOUR, "......./......./......./......./...O.../...X..."),
        ([38, {"column": 3}], FOUR, "......./......./......./......./...O.../...X..."),
        ("91", {"rows": 2, "columns": 9, "gravity": True}, "........./O.......X"),
        ("a1 t20", {"game": "gomocup"}, CORNERS),
        ("a1", {"rows": 2, "columns": 4}, "..../X..."),
    ],
)
def test_the_moves_of_a_game_give_its_board(
    moves: Any, options: dict[str, Any], board: str
) -> None:
    assert str(Board.from_moves(moves, **options)) == board


@pytest.mark.parametrize(
    ("moves", "options", "error", "field", "says"),
    [
        ("b2 d4", {}, IllegalMove, "moves", "move 2: d4 is not on the board.*a1 to c3"),
        ("b2--a1", {}, InvalidNotation, "moves", "move 2: '--a1' is not a move"),
        ("44", {}, InvalidNotation, "moves", "letter and row number"),
        ("48", FOUR, IllegalMove, "moves", "move 2: there is no column 8"),
        ("4444444", FOUR, IllegalMove, "moves", "move 7: column 4 is full"),
        ("a1 a1", {}, IllegalMove, "moves", "move 2: a1 is taken by X"),
        ([0, 1, 0], {}, IllegalMove, "moves/2", "taken by X"),
        ([0], FOUR, IllegalMove, "moves/0", "lands on a1"),
        ([{"row": 0, "column": 7}], FOUR, IllegalMove, "moves/0/column", "0 to 6"),
        ([{"column": 1}], {}, IllegalMove, "moves/0/row", "missing"),
        ([{"index": 38, "column": 3}], FOUR, IllegalMove, "moves/0/row", "missing"),
        ([{"index": 3, "row": 0, "column": 0}], {}, IllegalMove, "moves/0/index", "cell 0"),
        ([True], {}, IllegalMove, "moves/0", "a move is"),
        ([9], {}, IllegalMove, "moves/0", "0 to 8"),
        ([0] * 10, {}, InvalidNotation, "moves", "10 moves, but the board has 9 cells"),
        ([0, 3, 1, 4, 2, 5], {}, IllegalMove, "moves/5", "the game is over: X has a line"),
        (7, {}, InvalidNotation, "moves", "a list of moves or a string"),
        ("a1", {"rows": 4}, InvalidRules, "columns", "come together"),
        ("4", {**FOUR, "gravity": False}, InvalidRules, "gravity", "is true in connect-four"),
    ],
)
def test_invalid_moves_are_refused_at_their_place(
    moves: Any, options: dict[str, Any], error: type[InvalidInput], field: str, says: str
) -> None:
    with pytest.raises(error, match=says) as caught:
        Board.from_moves(moves, **options)
    assert caught.value.field == field


def test_cells_are_named_from_the_lower_left_corner() -> None:
    rules = Rules(15, 15, 5)
    assert [square(index, rules) for index in (0, 14, 112, 210)] == ["a15", "o15", "h8", "a1"]
    for index in range(rules.size):
        assert list(Board.from_moves(square(index, rules), 15, 15).cells).index("X") == index
