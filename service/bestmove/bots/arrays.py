"""Converts arrays of numbers to boards and back, for game loops and machine learning.

An array is a list of cells, rows of cells, or two planes of 0 and 1 (or of booleans). The first
plane has X's marks, and the second plane has O's. The shape of the planes is (2, rows, columns) or
(rows, columns, 2). Only `to_array` and `to_planes` need NumPy.

Rows come from the top. The tensors of OpenSpiel have three planes. The two with the marks are
`array[[2, 1]]` in tic_tac_toe and mnk, `array[:2, ::-1]` in connect_four (its rows come from the
bottom), and `array[:2]` in gomoku.

The number 1 always means X, even if O moved first. If an array uses 1 for the side to move, that
side is read as X.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bestmove.client.bot import HasBestMove
from bestmove.errors import IllegalMove
from bestmove.game import EMPTY, Board, O, Rules, X, other
from bestmove.game.arrays import board_in
from bestmove.game.inputs import require_usable
from bestmove.game.notation import ArrayLike

if TYPE_CHECKING:
    import numpy

Numbers = ArrayLike | Sequence[Any]


def from_array(
    array: Numbers, game: str | Rules | None = None, *, first: str | None = None
) -> Board:
    """Read the position in an array.

    Args:
        array: a list of cells, rows of cells, or two planes.
        game: the name of a game, or rules. The default for k is min(rows, columns, 5). Without
            `game`, a list of cells must be a square board.
        first: who moved first; by default the side with more marks, or X if the numbers are equal.

    Raises:
        InvalidNotation: the array's numbers or shape do not fit a board.
        InvalidRules: the array and the given rules differ in size.
        InvalidPosition: no game can reach the position.

    >>> str(from_array([[1, 1, 0], [-1, -1, 0], [0, 0, 0]]))
    'XX.OO....'
    """
    given: dict[str, Any] = game.to_dict() if isinstance(game, Rules) else {"game": game}
    return board_in(array, first, **given)


def to_lists(board: Board, *, o: int = 2) -> list[list[int]]:
    """Return the rows of a board, with 0 for empty, 1 for X and `o` (2 or -1) for O.

    >>> to_lists(Board.parse("X...O...."), o=-1)
    [[1, 0, 0], [0, -1, 0], [0, 0, 0]]
    """
    numbers = {EMPTY: 0, X: 1, O: o}
    return [[numbers[mark] for mark in row] for row in board.rows()]


def to_array(board: Board, *, o: int = 2) -> numpy.ndarray[Any, Any]:
    """Return the rows of a board, like `to_lists`, but as a NumPy array of int8."""
    import numpy

    return numpy.array(to_lists(board, o=o), dtype=numpy.int8)


def to_planes(board: Board, *, own: str = X) -> numpy.ndarray[Any, Any]:
    """Return two planes of 0 and 1, a NumPy array of int8 of shape (2, rows, columns).

    The first plane has the marks of the side `own` (usually `board.turn`). The second plane has the
    marks of the other side.
    """
    import numpy

    planes = [
        [[mark == side for mark in row] for row in board.rows()] for side in (own, other(own))
    ]
    return numpy.array(planes, dtype=numpy.int8)


class Policy:
    """A policy that maps an array to an action, for loops in the style of Gymnasium.

    The action is the index of a cell or, in a game with gravity, a column. Both count from 0.

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
        named = game.to_dict() if isinstance(game, Rules) else {"game": game}
        require_usable({**options, **named, "first": first})
        self.engine = engine
        self.game = game
        self.first = first
        self.options = options

    def __call__(self, array: Numbers) -> int:
        """Return the action for the side to move.

        Raises:
            InvalidInput: the array is not a position of the game.
            IllegalMove: the game is over.
        """
        board = from_array(array, self.game, first=self.first)
        return action_on(self.engine, board, **self.options)


def action_on(engine: HasBestMove, board: Board, **options: Any) -> int:
    """Return the best move as an action: a column if the game has gravity, otherwise a cell.

    Raises:
        IllegalMove: the game is over.
        BestMoveError: an error of the engine or the client.
    """
    move = engine.best_move(board, **options).move
    if move is None:
        raise IllegalMove("the game is over: there is no move left to make", "board")
    index = int(move)
    return board.rules.coordinates(index)[1] if board.rules.gravity else index
