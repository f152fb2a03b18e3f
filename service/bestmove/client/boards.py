"""Converts a caller's own board, in any of the usual shapes, for a request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isqrt
from typing import Any, Protocol, runtime_checkable

from bestmove.errors import InvalidNotation
from bestmove.game import PRESETS, Board, Rules, X
from bestmove.game.rules import SWITCHES


@runtime_checkable
class ArrayLike(Protocol):
    """A NumPy array, or anything else with `tolist`."""

    def tolist(self) -> Any: ...


BoardInput = str | Sequence[object] | Board | ArrayLike
"""A string, nested or flat lists, a NumPy array, or a `bestmove.Board`."""


def spelled(board: BoardInput) -> tuple[str | list[Any], dict[str, Any]]:
    """The board as JSON, and the options that describe its rules.

    Raises:
        InvalidNotation: not a board.
    """
    if isinstance(board, str):
        return board, {}
    if isinstance(board, ArrayLike):
        board = board.tolist()
    if isinstance(board, Board):
        rules = board.rules
        size = {"rows": rules.rows, "columns": rules.columns, "k": rules.k}
        switches = {name: getattr(rules, name) for name in SWITCHES}
        changed = {name: on for name, on in switches.items() if on != getattr(Rules, name)}
        return str(board), {**size, **changed, "first": board.first}
    if isinstance(board, Sequence) and not isinstance(board, bytes | bytearray):
        return [_plain(row) for row in board], {}
    raise InvalidNotation(f"a {type(board).__name__} is not a board: give a string or lists")


def position_of(board: str | Sequence[object] | Board | None, options: Mapping[str, Any]) -> Board:
    """The position of a board, or of the `moves` in the options, or else the empty board.

    A `Board` keeps its own rules.

    Raises:
        InvalidInput: not a position of a game.
    """
    if isinstance(board, Board):
        return board
    shape = (options.get("rows"), options.get("columns"), options.get("k"))
    variant: Any = {name: options.get(name) for name in ("game", *SWITCHES)}
    first = options.get("first") or X
    if board is None:
        moves = options.get("moves")
        return Board.from_moves([] if moves is None else moves, *shape, first, **variant)
    return Board.parse(board, *shape, first, **variant)


def _plain(item: object) -> object:
    if isinstance(item, ArrayLike):
        item = item.tolist()
    if isinstance(item, Sequence) and not isinstance(item, str | bytes | bytearray):
        return [_plain(cell) for cell in item]
    if item is None or isinstance(item, str | int | float):
        return item
    raise InvalidNotation(f"a {type(item).__name__} is not a cell of a board")


def columns_of(board: str | list[Any], options: Mapping[str, Any]) -> int:
    """The number of columns of a board with these options."""
    if options.get("columns"):
        return int(options["columns"])
    lines = _lines(board)
    if len(lines) > 1:
        return len(lines[0])
    cells = len(lines[0])
    if options.get("rows"):
        return -(-cells // int(options["rows"]))
    named = PRESETS.get(options.get("game") or "")
    return named.rules.columns if named and named.rules.size == cells else isqrt(cells)


def marks_of(board: str | list[Any]) -> Iterator[str]:
    """The marks `X` and `O` on a board."""
    marks = {"X": "X", "x": "X", 1: "X", "O": "O", "o": "O", 2: "O"}
    for line in _lines(board):
        for cell in line:
            if isinstance(cell, str | int) and cell in marks:
                yield marks[cell]


def _lines(board: str | list[Any]) -> list[Sequence[Any]]:
    if isinstance(board, str):
        text = board.replace("\r\n", "/").replace("\n", "/").replace("|", "/")
        if any(mark in text for mark in ".-_+?*"):
            text = text.replace(" ", "")
        return list(text.split("/"))
    if any(isinstance(item, list) or (isinstance(item, str) and len(item) > 1) for item in board):
        return [item if isinstance(item, list) else _lines(str(item))[0] for item in board]
    return [board]
