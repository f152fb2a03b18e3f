"""The client reads boards in the same forms as the package."""

from typing import Any

import pytest

from bestmove import Board
from bestmove.errors import InvalidNotation
from bestmove.game import PRESETS
from bestmove.game.inputs import cells_of, spelled
from bestmove.game.rules import SWITCHES


def test_a_board_brings_each_switch_that_differs_from_the_usual_rules() -> None:
    for each in SWITCHES.values():
        changed = {each.name: not each.default}
        _, options = spelled(Board.empty(4, 4, 3, **changed))  # type: ignore[arg-type]
        assert {name: options[name] for name in SWITCHES if name in options} == changed


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
