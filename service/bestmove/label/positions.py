"""Reads the position in a row of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isnan, isqrt
from typing import Any, Final

from bestmove.errors import IllegalMove, InvalidInput, InvalidNotation, InvalidRules, show
from bestmove.game import MAX_SIDE, Board
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

_INTEGER: Final = re.compile(r"-?[0-9]{1,9}\Z")
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,3}(\.0*)?\Z")
_SWITCH: Final = {"true": True, "false": False, "1": True, "0": False, 1: True, 0: False}

_X_O_B: Final = re.compile(r"[xob\[\]',/|\n]+", re.IGNORECASE)
"""Matches a board in text or lists that has no other marks than x, o and b (for blank, as in UCI's
tables)."""

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
        order: one of `ORDERS`, for the cells of a board that is not divided into rows.
        move_lists: one of `MOVE_LISTS`: what a number in a list of moves is, or in a text of them.
        cells: the names of the columns of a tuple, for errors.

    Raises:
        InvalidInput: the row does not describe a position, or its game is unknown.
    """
    board, moves = row.get("board"), row.get("moves")
    if moves == "" and "board" in row:
        moves = None
    if board == "":
        board = None
    fields = {**defaults, **_fields_of(row)}
    if board is not None and moves is not None:
        raise InvalidInput("both board and moves are given: leave one of them empty", "moves")
    if board is not None:
        found = _parsed(board, fields, order, cells)
    elif moves is not None:
        if not fields.keys() & {"game", "rows", "columns"}:
            raise InvalidInput("moves need a board: give game, or rows and columns")
        found = _played(_read(moves, "moves"), fields, move_lists)
    else:
        empty = " and ".join(name for name in ("board", "moves") if name in row)
        raise InvalidInput(f"no value in {empty}: give a board or the moves so far")
    rules = found.rules
    if rules.rows != rules.columns and "game" not in fields and "k" not in fields:
        raise InvalidRules(
            f"the game on a board of {rules.rows} rows and {rules.columns} columns is unknown: "
            "give game, such as connect-four, or k, the marks in a line that win",
            "game",
        )
    return found


def _fields_of(row: Mapping[str, Any]) -> dict[str, Any]:
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


def _shown(value: object) -> str:
    return show(str(value), _SHOWN)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidRules(f"{name} must be text, not {_shown(value)}", name)
    return value.upper() if name == "first" else value


def _integer(name: str, value: Any) -> int:
    is_whole = isinstance(value, float) and value.is_integer()
    if is_integer(value) or is_whole or (isinstance(value, str) and _INTEGER.match(value)):
        return int(value)
    raise InvalidRules(f"{name} must be an integer, not {_shown(value)}", name)


def _switch(name: str, value: object) -> bool:
    known: Any = value.lower() if isinstance(value, str) else value
    if known in _SWITCH:
        return _SWITCH[known]
    raise InvalidRules(f"{name} must be true or false, not {_shown(value)}", name)


_FORMS: Final = {
    **dict.fromkeys(("game", "first"), _text),
    **dict.fromkeys(("rows", "columns", "k"), _integer),
    **dict.fromkeys(SWITCHES, _switch),
}


def _parsed(board: Any, fields: Mapping[str, Any], order: str, cells: Sequence[str]) -> Board:
    if not isinstance(board, tuple):
        board = _read(board, "board")
        if isinstance(board, str) and "," in board:
            board = tuple(board.split(","))
        elif order != ORDERS[0]:
            board = _cells_in(board)
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


def _cells_in(board: str | list[Any]) -> tuple[Any, ...]:
    """Return the cells of a board that is not divided into rows."""
    is_text_of_rows = isinstance(board, str) and re.search(r"[\s/|]", board)
    if is_text_of_rows or not all(map(_is_cell, board)):
        raise InvalidNotation("order needs a board without rows, such as a list of its cells")
    return tuple(board)


def _is_cell(item: Any) -> bool:
    return not isinstance(item, list) and (not isinstance(item, str) or len(item) < 2)


def _board_in(board: str | list[Any], fields: Mapping[str, Any]) -> Board:
    """Read a board. In an array of numbers, 1 may mean the side to move."""
    if _X_O_B.fullmatch(str(board).replace(", ", ",")):
        board = _without_b(board)
    rows = board if all(isinstance(row, list) for row in board) else [board]
    has_text = isinstance(board, str) or any(str in map(type, row) for row in rows)
    return Board.parse(board, **fields) if has_text else board_in(board, **fields)


def _without_b(board: Any) -> Any:
    if isinstance(board, list):
        return list(map(_without_b, board))
    text: str = board.decode() if isinstance(board, bytes) else board
    return text.replace("b", ".").replace("B", ".")


def _places(size: int, fields: Mapping[str, Any], order: str) -> list[range]:
    """Return the rows of a board: the place of each cell in the given order."""
    rows, columns = fields.get("rows", 0), fields.get("columns", 0)
    if "game" in fields:
        named = preset(fields["game"]).rules
        rows, columns = rows or named.rows, columns or named.columns
    if not rows and not columns:
        rows = columns = isqrt(size) or 1
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


def is_board(item: Any, fields: Mapping[str, Any]) -> bool:
    """Return True if an item of a list is a board under these rules; False if the list is a board,
    of cells or rows."""
    if not isinstance(item, list | tuple):
        return len(item) > 3 if isinstance(item, str | bytes) else not isinstance(item, int | float)
    try:
        _places(len(item), fields, ORDERS[0])
    except InvalidRules:
        return len(item) > MAX_SIDE or not all(map(_is_cell, item))
    return True


def _mark_in(value: Any) -> Any:
    if isinstance(value, bytes):
        value = _read(value, "board")
    if isinstance(value, str):
        text = value.strip()
        if not text:
            return None
        return int(float(text)) if _NUMBER.match(text) else text
    return value


def _played(moves: Any, fields: Mapping[str, Any], kind: str) -> Board:
    try:
        return Board.from_moves(_moves_of(moves, kind), **fields)
    except IllegalMove as error:
        is_list = kind == "index" and isinstance(moves, list)
        if is_list and Board.empty(**fields).rules.gravity:
            hint = "numbers in a list are cells; for columns give move-lists column0 or column1"
            raise IllegalMove(f"{error} ({hint})", error.field) from None
        raise


def _moves_of(moves: Any, kind: str) -> Any:
    """Convert column numbers to moves such as `{"column": 3}`, which is the fourth column."""
    if kind == "index":
        return moves
    if isinstance(moves, str):
        if re.search("[A-Za-z]", moves):  # names of squares
            return moves
        if not re.fullmatch(r"[0-9,;_\s]*", moves):
            raise InvalidNotation("put only commas or spaces between the columns", "moves")
        numbers = re.findall("[0-9]+", moves)
        moves = list(map(int, numbers if len(numbers) > 1 else "".join(numbers)))  # or 4453
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
            raise InvalidNotation(f"{name} is not UTF-8: {_shown(value)}", name) from None
    if not isinstance(value, str | list):
        lost = isinstance(value, int | float)  # 012 has lost its first 0
        hint = ", a number: read the column as text (dtype=str in pandas)" if lost else ""
        raise InvalidNotation(f"{name} must be text or a list, not {_shown(value)}{hint}", name)
    return array_in(value, name) if isinstance(value, str) else value
