"""Reads arrays of numbers: a list of cells, rows of cells, or two planes of 0 and 1."""

from __future__ import annotations

from typing import Any

from bestmove.errors import InvalidNotation
from bestmove.game import notation
from bestmove.game.board import Board
from bestmove.game.rules import O, X


def board_in(array: object, first: str | None = None, **rules: Any) -> Board:
    """Return the position in an array.

    Args:
        array: a list of cells, rows of cells, or two planes.
        first: who moved first; by default the side with more marks, or X if the numbers are equal.
        rules: as for `Board.parse`.

    Raises:
        InvalidInput: the array is not a position of the game.
    """
    cells, found = notation.parse(_merged(notation.plain(array)), **rules)
    return Board(cells, found, first or (O if cells.count(O) == cells.count(X) + 1 else X))


def _merged(board: Any) -> Any:
    """Merge two planes into rows of cells. Return any other array unchanged."""
    match _shape(board, 3):
        case (2, _, _):
            own, opponent = board
        case (_, _, 2):
            own, opponent = ([[cell[plane] for cell in row] for row in board] for plane in (0, 1))
        case (_, _, _):
            raise InvalidNotation(
                "planes have the shape (2, rows, columns) or (rows, columns, 2), X first; of "
                "OpenSpiel's three give array[[2, 1]] for tic_tac_toe and mnk, array[:2, ::-1] for "
                "connect_four, array[:2] for gomoku"
            )
        case _:
            return board
    return [
        [_of_planes(*marks) for marks in zip(*rows, strict=True)]
        for rows in zip(own, opponent, strict=True)
    ]


def _shape(values: object, most: int) -> tuple[int, ...]:
    """Return the lengths of nested lists, of at most `most` levels; empty if they differ."""
    if not isinstance(values, list) or not values or not most:
        return ()
    if not isinstance(values[0], list):
        return (len(values),)
    shapes = {_shape(each, most - 1) for each in values}
    return (len(values), *shapes.pop()) if len(shapes) == 1 else ()


def _of_planes(own: object, opponent: object) -> int:
    if own not in (0, 1) or opponent not in (0, 1) or (own and opponent):
        raise InvalidNotation("planes may contain only 0 and 1, and no cell may be 1 in both")
    return 1 if own else 2 if opponent else 0
