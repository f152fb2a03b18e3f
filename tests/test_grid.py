"""The functions on grids: each takes a list of lists and leaves it unchanged."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestmove import grid as engine
from bestmove.errors import IllegalMove, InvalidInput
from bestmove.grid import Grid
from tests.support.tictactoe import best_moves, open_positions

X, O = "X", "O"  # noqa: E741 - the marks' names


@given(st.lists(st.integers(0, 8), max_size=9))
def test_no_function_changes_the_grid_that_it_is_given(choices: list[int]) -> None:
    grid = engine.initial_state()
    for choice in choices:
        before = deepcopy(grid)
        free = sorted(engine.actions(grid))
        if not free:
            break
        after = engine.result(grid, free[choice % len(free)])
        engine.minimax(grid)
        assert grid == before
        assert (
            sum(mark is None for row in after for mark in row)
            == len([1 for row in grid for mark in row if mark is None]) - 1
        )
        grid = after


def test_the_actions_are_the_empty_cells() -> None:
    grid: Grid = [[X, O, X], [O, X, O], [None, O, None]]
    assert engine.actions([[X, O, X], [O, X, O], [None, None, None]]) == {(2, 0), (2, 1), (2, 2)}
    with pytest.raises(InvalidInput, match="4 O"):
        engine.actions(grid)


@pytest.mark.parametrize(
    ("grid", "winner", "terminal", "utility"),
    [
        ([[X, X, X], [O, O, None], [None, None, None]], X, True, 1),
        ([[O, X, X], [X, O, None], [None, None, O]], O, True, -1),
        ([[X, O, X], [X, O, O], [O, X, X]], None, True, 0),
        ([[X, O, X], [X, O, O], [O, X, None]], None, False, 0),
    ],
)
def test_the_end_of_a_grid(grid: Grid, winner: str | None, terminal: bool, utility: int) -> None:
    assert engine.winner(grid) == winner
    assert engine.terminal(grid) == terminal
    assert engine.utility(grid) == utility
    assert (engine.minimax(grid) is None) == terminal
    assert (engine.player(grid) is None) == terminal


@pytest.mark.parametrize("action", [(0, 0), (3, 0), (0, -1), (1, -1), (-1, 2)])
def test_an_action_on_a_taken_or_missing_cell_is_refused(action: tuple[int, int]) -> None:
    with pytest.raises(IllegalMove):
        engine.result([[X, None, None], [None, O, None], [None, None, None]], action)


def test_minimax_chooses_a_best_move() -> None:
    for text in open_positions()[:1000]:
        grid = [[mark.strip(".") or None for mark in text[at : at + 3]] for at in (0, 3, 6)]
        row, column = engine.minimax(grid)  # type: ignore[misc]
        assert 3 * row + column in best_moves(text)
