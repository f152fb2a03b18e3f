"""The client reads boards in the same forms as the package."""

from typing import Any

import pytest
from hypothesis import given

from bestmove import Board
from bestmove.errors import InvalidNotation
from bestmove.game import PRESETS
from bestmove.game.inputs import cells_of, spelled
from tests.game.test_notation import boards


def spellings(board: Board) -> list[Any]:
    """Return the board in many forms. Each form shows where a row ends."""
    rows = board.rows()
    numbers = {".": 0, "X": 1, "O": 2}
    return [
        board,
        "/".join(rows),
        "\n".join(rows).lower(),
        "|".join(" ".join(row) for row in rows).replace(".", "_") if "." in board.cells else rows,
        rows,
        [[None if mark == "." else mark for mark in row] for row in rows],
        tuple(tuple(numbers[mark] for mark in row) for row in rows),
    ]


@given(boards().filter(lambda board: min(board.rules.rows, board.rules.columns) > 1))
def test_every_spelling_has_the_cells_and_columns_of_the_board(board: Board) -> None:
    for held in spellings(board):
        spelling, own = spelled(held)
        cells, rules = cells_of(spelling, own)
        assert (cells, rules.columns) == (board.cells, board.rules.columns)


def test_a_board_brings_each_switch_that_differs_from_the_usual_rules() -> None:
    names = ("gravity", "overline", "misere")
    for name in names:
        changed = name != "overline"
        _, options = spelled(Board.empty(4, 4, 3, **{name: changed}))  # type: ignore[arg-type]
        assert {each: options[each] for each in names if each in options} == {name: changed}


def test_rows_may_be_arrays() -> None:
    class Row:
        def tolist(self) -> list[int]:
            return [1, 0, 2]

    assert spelled([Row(), Row(), Row()]) == ([[1, 0, 2]] * 3, {})


def test_a_board_nested_too_deeply_is_refused_in_words() -> None:
    board: list[Any] = []
    for _ in range(100_000):
        board = [board]
    with pytest.raises(InvalidNotation, match="give rows of cells"):
        spelled(board)


@pytest.mark.parametrize("game", PRESETS)
def test_a_flat_board_has_the_shape_of_its_game_if_it_fits_and_else_is_square(game: str) -> None:
    rules = PRESETS[game].rules
    for cells in {rules.size, 9, 16, 36, 225}:
        _, read = cells_of("." * cells, {"game": game, "k": 3})
        assert read.rows * read.columns == cells
        assert read.columns == (rules.columns if cells == rules.size else read.rows)
        assert cells_of([0] * cells, {"game": game, "k": 3})[1] == read
