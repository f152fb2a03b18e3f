"""Boards as arrays of numbers, for game loops and machine learning.

An array is a list, any object with `tolist()`, or a list of such arrays. Only `to_array` and
`to_planes` need NumPy.

    0 empty, 1 X, 2 O       rows of cells, or all cells in one list
    0 empty, 1 X, -1 O      the same, recognised by the -1
    planes of 0 and 1       X's marks, then O's: (2, rows, columns), otherwise (rows, columns, 2)

1 is always X, even if O moved first. So if 1 means the side to move in your array, X is always to
move. Numbers may be integers, floats or booleans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any, Final

from bestmove.bots.engine import move_of
from bestmove.client.bot import HasBestMove
from bestmove.errors import InvalidNotation, InvalidRules
from bestmove.game import EMPTY, Board, O, Rules, X, other
from bestmove.game.notation import ArrayLike
from bestmove.game.presets import preset, rules_for

if TYPE_CHECKING:
    import numpy

_MARKS: Final = {0: EMPTY, 1: X, 2: O, -1: O}


Numbers = ArrayLike | Sequence[Any]


def from_array(
    array: Numbers, game: str | Rules | None = None, *, first: str | None = None
) -> Board:
    """The position in an array.

    Args:
        array: a list of cells, rows of cells, or two planes (see the module).
        game: a named game, or rules. By default k is min(rows, columns, 5), and a list of cells is
            a square board.
        first: who moved first; by default the side with more marks, or X if the numbers are equal.

    Raises:
        InvalidNotation: the numbers or the shape are not those of a board.
        InvalidRules: the array and the given rules differ in size.
        InvalidPosition: no game can reach the position.

    >>> str(from_array([[1, 1, 0], [-1, -1, 0], [0, 0, 0]]))
    'XX.OO....'
    """
    rows = _rows(_lists(array), game)
    cells = "".join(_marks(rows))
    if first is None:
        ahead = cells.count(O) - cells.count(X)
        first = O if ahead == 1 else X
    return Board(cells, _rules(len(rows), len(rows[0]), game), first)


def to_lists(board: Board, *, o: int = 2) -> list[list[int]]:
    """The rows of a board, with 0 for empty, 1 for X and `o` (2 or -1) for O.

    >>> to_lists(Board.parse("X...O...."), o=-1)
    [[1, 0, 0], [0, -1, 0], [0, 0, 0]]
    """
    numbers = {EMPTY: 0, X: 1, O: o}
    return [[numbers[mark] for mark in row] for row in board.rows()]


def to_array(board: Board, *, o: int = 2) -> numpy.ndarray[Any, Any]:
    """As `to_lists`, but a NumPy array of int8 of shape (rows, columns)."""
    import numpy

    return numpy.array(to_lists(board, o=o), dtype=numpy.int8)


def to_planes(board: Board, *, own: str = X) -> numpy.ndarray[Any, Any]:
    """Two planes of 0 and 1, a NumPy array of int8 of shape (2, rows, columns).

    The first plane has the marks of `own`, such as `board.turn`.
    """
    import numpy

    planes = [
        [[mark == side for mark in row] for row in board.rows()] for side in (own, other(own))
    ]
    return numpy.array(planes, dtype=numpy.int8)


class Policy:
    """Maps an array to an action, for loops in the style of Gymnasium.

    The action is a cell's index, or with gravity a column, from 0.

    Args:
        engine: an `Engine`, or a `bestmove.client.Client`.
        game, first: as for `from_array`.
        options: the options for every board, such as `level`, `seed` or `time_ms`.

    >>> from bestmove.bots import Engine
    >>> Policy(Engine(), "tic-tac-toe")([1, 1, 0, 2, 2, 0, 0, 0, 0])
    2
    """

    def __init__(
        self,
        engine: HasBestMove,
        game: str | Rules | None = None,
        *,
        first: str | None = None,
        **options: Any,
    ) -> None:
        self.engine = engine
        self.game = game
        self.first = first
        self.options = options

    def __call__(self, array: Numbers) -> int:
        """The action for the side to move.

        Raises:
            InvalidInput: not a position of the game.
            IllegalMove: the game is over.
        """
        return action_on(
            self.engine, from_array(array, self.game, first=self.first), **self.options
        )


def action_on(engine: HasBestMove, board: Board, **options: Any) -> int:
    """The move as an action of an environment: a cell's index, or with gravity its column."""
    move = move_of(engine, board, **options)
    return board.rules.coordinates(move)[1] if board.rules.gravity else move


def _lists(values: Any) -> Any:
    """Lists in place of all arrays, at any depth."""
    values = values.tolist() if isinstance(values, ArrayLike) else values
    return [*map(_lists, values)] if isinstance(values, list | tuple) else values


def _rows(values: Any, game: str | Rules | None) -> list[Sequence[Any]]:
    """The rows of cells of an array in any of its forms."""
    match _shape(values):
        case (cells,):
            width = _width(cells, game)
            return [values[at : at + width] for at in range(0, cells, width)]
        case (_, _):
            return list(values)
        case (2, _, _):
            own, opponent = values
        case (_, _, 2):
            own, opponent = ([[cell[plane] for cell in row] for row in values] for plane in (0, 1))
        case _:
            raise InvalidNotation(
                "a board is a list of cells, rows of cells, or two planes: (2, rows, columns) or "
                "(rows, columns, 2)"
            )
    return [
        [_of_planes(*marks) for marks in zip(*rows, strict=True)]
        for rows in zip(own, opponent, strict=True)
    ]


def _shape(values: object) -> tuple[int, ...]:
    """The lengths of nested lists, from the outermost; () for a number."""
    if not isinstance(values, list | tuple):
        return ()
    shapes = set(map(_shape, values))
    if len(shapes) != 1:
        raise InvalidNotation("the array is empty, or its parts have different shapes")
    return (len(values), *shapes.pop())


def _of_planes(own: object, opponent: object) -> int:
    if own not in (0, 1) or opponent not in (0, 1) or (own and opponent):
        raise InvalidNotation("planes may contain only 0 and 1, and no cell may be 1 in both")
    return 1 if own else 2 if opponent else 0


def _marks(rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    numbers = {number for row in rows for number in row}
    if {2, -1} <= numbers:
        raise InvalidNotation("2 and -1 both mean O: an array may contain only one of them")
    if strange := numbers - set(_MARKS):
        raise InvalidNotation(f"{strange.pop()!r} is not a cell: 0 is empty, 1 is X, 2 or -1 is O")
    for row in rows:
        yield from (_MARKS[number] for number in row)


def _width(cells: int, game: str | Rules | None) -> int:
    """The number of columns of a board that is a list of cells."""
    rules = preset(game).rules if isinstance(game, str) else game
    if rules is None:
        side = isqrt(cells)
        rules = Rules.of(side, side)
    if cells != rules.size:
        raise InvalidNotation(
            f"{cells} cells do not fill {rules.rows} rows of {rules.columns} columns: give rows of "
            "cells"
        )
    return rules.columns


def _rules(rows: int, columns: int, game: str | Rules | None) -> Rules:
    """The rules for a board of this size. The size may differ from the named game's usual size."""
    if not isinstance(game, Rules):
        return rules_for(rows, columns, game=game)
    if (rows, columns) != (game.rows, game.columns):
        raise InvalidRules(
            f"the array has {rows} rows and {columns} columns, "
            f"but the rules have {game.rows} and {game.columns}",
            "rows",
        )
    return game
