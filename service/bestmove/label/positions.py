"""Reads the position in a row of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isnan, isqrt
from typing import Any, Final

from bestmove.errors import InvalidInput, InvalidNotation, InvalidRules, show
from bestmove.game import Board
from bestmove.game.arrays import board_in
from bestmove.game.inputs import RULES
from bestmove.game.literals import array_in
from bestmove.game.marks import EMPTY_MARKS
from bestmove.game.presets import preset
from bestmove.game.rules import SWITCHES, is_integer

COLUMNS: Final = ("board", "moves", *RULES)
"""The columns that describe a position. Only `board` or `moves` is required."""

ORDERS: Final = ("rows", "columns", "columns-up")
MOVE_LISTS: Final = ("index", "column0", "column1")

_SIZE: Final = ("game", "rows", "columns")

_INTEGER: Final = re.compile(r"-?[0-9]{1,9}\Z")
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,3}(\.0*)?\Z")
_SWITCH: Final = {"true": True, "false": False, "1": True, "0": False, 1: True, 0: False}

_SHOWN: Final = 40


def board_of(
    row: Mapping[str, Any],
    defaults: Mapping[str, Any],
    order: str = ORDERS[0],
    move_lists: str = MOVE_LISTS[0],
    cells: Sequence[str] = (),
) -> Board:
    """Return the position of a row.

    Args:
        row: the values of the table's `COLUMNS`; None and empty text mean missing. If each cell has
            its own column, `board` is a tuple of cells.
        defaults: values for the fields that the row lacks.
        order: one of `ORDERS`, for the cells of a tuple or of a text such as X,O,X.
        move_lists: one of `MOVE_LISTS`: what a number in a list of moves is.
        cells: the names of the columns of a tuple, for errors.

    Raises:
        InvalidInput: the row does not describe a position, or its game is unknown.
    """
    board, moves = row.get("board"), row.get("moves")
    if moves == "" and "board" in row:
        moves = None
    if board == "":
        board = None
    fields = {**defaults, **fields_of(row)}
    if board is not None and moves is not None:
        raise InvalidInput("both board and moves are given: leave one of them empty", "moves")
    if board is not None:
        found = _parsed(board, fields, order, cells)
    elif moves is not None:
        if not any(name in fields for name in _SIZE):
            raise InvalidInput("moves need a board: give game, or rows and columns")
        found = Board.from_moves(_moves_of(_read(moves, "moves"), move_lists), **fields)
    else:
        empty = " and ".join(name for name in ("board", "moves") if name in row)
        verb = "are" if " " in empty else "is"
        raise InvalidInput(f"{empty} {verb} missing: give a board or the moves so far")
    rules = found.rules
    if rules.rows != rules.columns and "game" not in fields and "k" not in fields:
        raise InvalidRules(
            f"the game on a board of {rules.rows} rows and {rules.columns} columns is unknown: "
            "give game, such as connect-four, or k, the marks in a line that win",
            "game",
        )
    return found


def fields_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields except board and moves, as keyword arguments of `Board.parse`."""
    fields: dict[str, Any] = {}
    for name, value in row.items():
        if name in ("board", "moves") or value is None:
            continue
        if isinstance(value, str):
            value = value.strip()
            if not value:
                continue
        elif isinstance(value, float) and isnan(value):
            continue  # pandas uses NaN for a missing integer
        fields[name] = _FORMS[name](name, value)
    return fields


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidRules(f"{name} must be text, not {show(str(value), _SHOWN)}", name)
    return value


def _mark(name: str, value: object) -> str:
    return _text(name, value).upper()


def _integer(name: str, value: Any) -> int:
    is_whole = isinstance(value, float) and value.is_integer()
    if is_integer(value) or is_whole or (isinstance(value, str) and _INTEGER.match(value)):
        return int(value)
    raise InvalidRules(f"{name} must be an integer, not {show(str(value), _SHOWN)}", name)


def _switch(name: str, value: object) -> bool:
    known: Any = value.lower() if isinstance(value, str) else value
    if known in _SWITCH:
        return _SWITCH[known]
    raise InvalidRules(f"{name} must be true or false, not {show(str(value), _SHOWN)}", name)


_FORMS: Final = {
    "game": _text,
    "rows": _integer,
    "columns": _integer,
    "k": _integer,
    "first": _mark,
    **dict.fromkeys(SWITCHES, _switch),
}


def _parsed(board: Any, fields: Mapping[str, Any], order: str, cells: Sequence[str]) -> Board:
    if not isinstance(board, tuple):
        board = _read(board, "board")
        if isinstance(board, str) and "," in board:
            board = tuple(board.split(","))
    if not isinstance(board, tuple):
        return _board_in(board, fields)
    marks = [_mark_in(cell) for cell in board]
    # Without another empty mark, b means empty. A cell that is no mark is then the one at fault.
    if all(isinstance(mark, str) and mark.isascii() and mark not in EMPTY_MARKS for mark in marks):
        marks = [None if mark in ("b", "B") else mark for mark in marks]
    places = _places(len(marks), fields, order)
    try:
        return _board_in([[marks[place] for place in row] for row in places], fields)
    except InvalidNotation as error:
        _, *at = error.field.split("/")
        if not at or len(cells) < len(marks):
            raise
        name = cells[places[int(at[0])][int(at[1])]]
        raise InvalidNotation(f"column '{name}': {error}") from None


def _board_in(board: str | list[Any], fields: Mapping[str, Any]) -> Board:
    """Read a board. In an array of numbers, 1 may mean the side to move."""
    rows = board if all(isinstance(row, list) for row in board) else [board]
    has_text = isinstance(board, str) or any(str in map(type, row) for row in rows)
    return Board.parse(board, **fields) if has_text else board_in(board, **fields)


def _places(size: int, fields: Mapping[str, Any], order: str) -> list[range]:
    """Return the rows of a board: the place of each cell in the given order."""
    rows, columns = fields.get("rows", 0), fields.get("columns", 0)
    if "game" in fields:
        named = preset(fields["game"]).rules
        rows, columns = rows or named.rows, columns or named.columns
    if not rows and not columns:
        rows = columns = isqrt(size)
    rows, columns = rows or size // columns, columns or size // rows
    if rows * columns != size:
        raise InvalidRules(
            f"there are {size} cells, not {rows} × {columns}: give game, or rows and columns",
            "rows",
        )
    if order == "rows":
        return [range(row * columns, (row + 1) * columns) for row in range(rows)]
    lines = [range(row, size, rows) for row in range(rows)]
    return lines if order == "columns" else lines[::-1]


def fits(size: int, fields: Mapping[str, Any]) -> bool:
    """Return True if a board under these rules may have so many cells."""
    try:
        return bool(_places(size, fields, ORDERS[0]))
    except InvalidRules:
        return False


def _mark_in(value: Any) -> Any:
    if isinstance(value, bytes):
        value = _read(value, "board")
    if isinstance(value, str):
        text = value.strip()
        if not text:
            return None
        return int(float(text)) if _NUMBER.match(text) else text
    return value


def _moves_of(moves: Any, kind: str) -> Any:
    """Convert column numbers to moves such as `{"column": 3}`, which is the fourth column."""
    if kind == "index" or not isinstance(moves, list):
        return moves
    first = MOVE_LISTS.index(kind) - 1
    return [
        {"column": int(move) - first}
        if isinstance(move, int | float) and not isinstance(move, bool) and move == int(move)
        else move
        for move in moves
    ]


def _read(value: Any, name: str) -> Any:
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            raise InvalidNotation(
                f"{name} is not UTF-8: {show(str(value), _SHOWN)}", name
            ) from None
    if not isinstance(value, str | list):
        raise InvalidNotation(
            f"{name} must be text or a list, not {show(str(value), _SHOWN)}", name
        )
    return array_in(value, name) if isinstance(value, str) else value
