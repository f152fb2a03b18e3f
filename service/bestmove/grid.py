"""The game as a few functions. A grid is a list of rows; a row is a list of "X", "O" and None.

X moves first and maximises, O minimises. No function changes its arguments. A grid may have any
size that `Board` allows.

>>> grid = initial_state()
>>> player(grid)
'X'
>>> after = result(grid, (1, 1))
>>> after[1], grid[1]
([None, 'X', None], [None, None, None])
>>> minimax([["X", "X", None], ["O", "O", None], [None, None, None]])
(0, 2)
"""

from __future__ import annotations

from collections.abc import Sequence

from bestmove.errors import IllegalMove
from bestmove.game import EMPTY, Board
from bestmove.search.analysis import best_move
from bestmove.search.limits import Limits

Grid = list[list[str | None]]
Action = tuple[int, int]


def initial_state(rows: int = 3, columns: int = 3) -> Grid:
    """Return the empty grid."""
    return to_grid(Board.empty(rows, columns))


def player(grid: Sequence[Sequence[str | None]]) -> str | None:
    """Return the side to move; None when the game is over."""
    return from_grid(grid).turn


def actions(grid: Sequence[Sequence[str | None]]) -> set[Action]:
    """Return the legal moves as (row, column); none when the game is over."""
    board = from_grid(grid)
    return {board.rules.coordinates(index) for index in board.moves}


def result(grid: Sequence[Sequence[str | None]], action: Action) -> Grid:
    """Return a new grid: the position after the move.

    Raises:
        IllegalMove: the action is not an empty cell, or the game is over.
    """
    board = from_grid(grid)
    row, column = action
    if not (0 <= row < board.rules.rows and 0 <= column < board.rules.columns):
        raise IllegalMove(f"row {row}, column {column} is not on the board")
    return to_grid(board.play(board.rules.index(row, column)))


def winner(grid: Sequence[Sequence[str | None]]) -> str | None:
    """Return the winner, or None."""
    return from_grid(grid).winner


def terminal(grid: Sequence[Sequence[str | None]]) -> bool:
    """Return True if the game is over."""
    return from_grid(grid).is_over


def utility(grid: Sequence[Sequence[str | None]]) -> int:
    """Return 1 if X has won, -1 if O has, and 0 otherwise."""
    return from_grid(grid).utility


def minimax(grid: Sequence[Sequence[str | None]], limits: Limits | None = None) -> Action | None:
    """Return the optimal action for the player to move; None when the game is over."""
    board = from_grid(grid)
    move = best_move(board, limits or Limits()).move
    return None if move is None else (move.row, move.column)


def from_grid(grid: Sequence[Sequence[str | None]]) -> Board:
    """Return the `Board` of a grid.

    Raises:
        InvalidInput: the grid is not a position of a game in which X moved first.
    """
    return Board.parse([list(row) for row in grid])


def to_grid(board: Board) -> Grid:
    """Return the grid of a `Board`."""
    return [[None if mark == EMPTY else mark for mark in row] for row in board.rows()]
