"""Reads the position in a row of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isnan
from typing import Any, Final

from bestmove.errors import InvalidInput, InvalidNotation, InvalidRules
from bestmove.game import Board
from bestmove.game.rules import SWITCHES

RULES: Final = ("game", "rows", "columns", "k", "first", *SWITCHES)
"""The columns that describe the game; each can instead be given as an option for all rows."""

COLUMNS: Final = ("board", "moves", *RULES)
"""The columns that describe a position; only `board` or `moves` is required."""

_SIZE: Final = ("game", "rows", "columns")

_INTEGER: Final = re.compile(r"-?[0-9]{1,9}\Z")
_SWITCH: Final = {"true": True, "false": False}

_SHOWN: Final = 40


def board_of(row: Mapping[str, Any], defaults: Mapping[str, Any]) -> Board:
    """The position of a row.

    Args:
        row: the values of those `COLUMNS` that the table has; None and empty text mean missing.
        defaults: replacements for missing values.

    Raises:
        InvalidInput: the row does not describe a position, or its game is unknown.
    """
    board, moves = row.get("board"), row.get("moves")
    if moves == "" and "board" in row:
        moves = None
    if board == "":
        board = None
    fields = {**defaults, **_fields(row)}
    if board is not None and moves is not None:
        raise InvalidInput("both board and moves are given: leave one of them empty", "moves")
    if board is not None:
        found = Board.parse(_read(board, "board"), **fields)
    elif moves is not None:
        if not any(name in fields for name in _SIZE):
            raise InvalidInput("moves need a board: give game, or rows and columns")
        found = Board.from_moves(_read(moves, "moves"), **fields)
    else:
        empty = " and ".join(name for name in ("board", "moves") if name in row)
        verb = "are" if " " in empty else "is"
        raise InvalidInput(f"{empty} {verb} empty: give a board or the moves so far")
    rules = found.rules
    if rules.rows != rules.columns and "game" not in fields and "k" not in fields:
        raise InvalidRules(
            f"the game on a board of {rules.rows} rows and {rules.columns} columns is unknown: "
            "give game, such as connect-four, or k, the marks in a line that win",
            "game",
        )
    return found


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a row except board and moves."""
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
        raise InvalidRules(f"{name} must be text, not {_shown(value)}", name)
    return value


def _mark(name: str, value: object) -> str:
    return _text(name, value).upper()


def _integer(name: str, value: object) -> int:
    if isinstance(value, str) and _INTEGER.match(value):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise InvalidRules(f"{name} must be an integer, not {_shown(value)}", name)


def _switch(name: str, value: object) -> bool:
    found = _SWITCH.get(value.lower()) if isinstance(value, str) else value
    if isinstance(found, bool):
        return found
    raise InvalidRules(f"{name} must be true or false, not {_shown(value)}", name)


_FORMS: Final = {
    "game": _text,
    "rows": _integer,
    "columns": _integer,
    "k": _integer,
    "first": _mark,
    **dict.fromkeys(SWITCHES, _switch),
}


def _read(value: Any, name: str) -> Any:
    """A board or moves."""
    if not isinstance(value, str | list):
        raise InvalidNotation(f"{name} must be text or a list, not {_shown(value)}", name)
    return value


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
