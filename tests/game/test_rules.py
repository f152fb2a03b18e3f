from collections.abc import Callable

import pytest

from bestmove import Board, Rules
from bestmove.errors import InvalidRules


@pytest.mark.parametrize(
    ("rows", "columns", "k", "field"),
    [
        (0, 3, 3, "rows"),
        (3, 21, 3, "columns"),
        (3, 3, 4, "k"),
        (3, 3, 0, "k"),
        ("3", 3, 3, "rows"),
        (3, True, 1, "columns"),
        (3, 3, 3.0, "k"),
    ],
)
def test_rules_out_of_range_name_the_field(
    rows: object, columns: object, k: object, field: str
) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(rows, columns, k)  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.parametrize(
    "make",
    [
        lambda: Board.parse(".........", game="connect-four"),
        lambda: Board.parse("X../.O./...", game="gomoku"),
        lambda: Board.from_moves("", 3, 2, game="connect-four"),
    ],
)
def test_a_board_too_small_for_the_named_game_is_a_fault_of_the_game(
    make: Callable[[], Board],
) -> None:
    with pytest.raises(InvalidRules, match="longer side of the board is only 3") as caught:
        make()
    assert caught.value.field == "game"


def test_numbers_of_another_type_are_refused_even_if_they_equal_those_of_known_rules() -> None:
    Rules.of(4, 4, 1, gravity=True)
    for k, gravity in ((1.0, True), (True, True), (1, 1)):
        with pytest.raises(InvalidRules):
            Rules.of(4, 4, k, gravity=gravity)  # type: ignore[arg-type]
