"""The caller's own board, in any of the usual forms: as a `Board`, or as JSON for a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bestmove.errors import InvalidNotation
from bestmove.game import Board, Rules, X, notation
from bestmove.game.notation import ArrayLike
from bestmove.game.rules import SWITCHES

BoardInput = str | Sequence[object] | Board | ArrayLike
"""A string, nested or flat lists, a NumPy array, or a `bestmove.Board`."""


def spelled(board: BoardInput) -> tuple[str | list[Any], dict[str, Any]]:
    """The board as JSON, and the options that describe its rules.

    Raises:
        InvalidNotation: not a board.
    """
    if isinstance(board, str):
        return board, {}
    if isinstance(board, Board):
        rules = board.rules
        size = {"rows": rules.rows, "columns": rules.columns, "k": rules.k}
        switches = {name: getattr(rules, name) for name in SWITCHES}
        changed = {name: on for name, on in switches.items() if on != getattr(Rules, name)}
        return str(board), {**size, **changed, "first": board.first}
    if isinstance(board, Sequence | ArrayLike) and not isinstance(board, bytes | bytearray):
        found = notation.plain(board)
        if isinstance(found, list):
            return found, {}
    raise InvalidNotation(f"a {type(board).__name__} is not a board: give a string or lists")


def position_of(board: BoardInput | None, options: Mapping[str, Any]) -> Board:
    """The position of a board. A `Board` keeps its own rules.

    Without a board, it is the position after the `moves` in the options, or the empty board.

    Raises:
        InvalidInput: not a position of a game.
    """
    if isinstance(board, Board):
        return board
    shape, variant = _rules_in(options)
    first = options.get("first") or X
    if board is None:
        moves = options.get("moves")
        return Board.from_moves([] if moves is None else moves, *shape, first, **variant)
    return Board.parse(board, *shape, first, **variant)


def cells_of(board: str | list[Any], options: Mapping[str, Any]) -> tuple[str, Rules]:
    """The cells, row by row, and the rules of a board with these options.

    Raises:
        InvalidInput: not a board.
    """
    shape, variant = _rules_in(options)
    return notation.parse(board, *shape, **variant)


def _rules_in(options: Mapping[str, Any]) -> tuple[tuple[Any, Any, Any], dict[str, Any]]:
    shape = options.get("rows"), options.get("columns"), options.get("k")
    return shape, {name: options.get(name) for name in ("game", *SWITCHES)}
