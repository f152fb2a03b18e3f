"""Every accepted spelling of a move, and of the moves of a game.

A move is a cell's index, `{"row", "column"}` (both from 0), the `move` object of an answer
(`index`, `row` and `column`, which must agree) or, with gravity, `{"column"}`.

The moves of a game are a list of moves, or text:

    "h8 i9 g7"    column letters from the left, a to t, and row numbers from the bottom; either case
    "4453"        with gravity and at most nine columns: column numbers from 1
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bestmove.errors import (
    LONGEST_NAME,
    MOST_FAULTS,
    IllegalMove,
    InvalidInput,
    InvalidNotation,
    pointer_part,
    together,
)
from bestmove.game.rules import EMPTY, MAX_SIDE, Rules, is_integer

LETTERS: Final = "abcdefghijklmnopqrst"
"""A letter for each column from the left, none skipped."""

MOST_DIGIT_COLUMNS: Final = 9
"""The most columns that single digits can name."""

_LONGEST_TEXT: Final = 4 * MAX_SIDE * MAX_SIDE
"""Enough characters for the moves of any game, each written as in `t20 `."""

_SQUARE: Final = re.compile(r"([a-t])([1-9][0-9]?)\Z", re.IGNORECASE | re.ASCII)
_DIGITS: Final = re.compile(r"[1-9 ]+\Z")
_PARTS: Final = ("index", "row", "column")


def square(index: int, rules: Rules) -> str:
    """A cell as people name it: column letter, and row number from the bottom, such as `h8`."""
    row, column = rules.coordinates(index)
    return f"{LETTERS[column]}{rules.rows - row}"


def in_order(
    moves: str | Sequence[object], rules: Rules
) -> Iterator[tuple[str | None, str, object]]:
    """The moves of a game, each with what an error message needs to name it.

    Yields the field for an error, the beginning of its message, and the move. The first two are,
    for example, `moves/2` and an empty string for an item of a list, and None and `move 3: ` for a
    move in a text.

    Raises:
        InvalidNotation: neither a list nor text that spells moves.
    """
    if isinstance(moves, str):
        for number, move in enumerate(_of_text(moves, rules), start=1):
            yield None, f"move {number}: ", move
    elif isinstance(moves, list | tuple):
        if len(moves) > rules.size:
            raise InvalidNotation(
                f"there are {len(moves)} moves, but the board has {rules.size} cells", "moves"
            )
        for number, move in enumerate(moves):
            yield f"moves/{number}", "", move
    else:
        raise InvalidNotation("moves is a list of moves or a string", "moves")


def _of_text(text: str, rules: Rules) -> Iterator[object]:
    if len(text) > _LONGEST_TEXT:
        raise InvalidNotation(
            f"moves has {len(text)} characters, more than any game needs", "moves"
        )
    if rules.gravity and rules.columns <= MOST_DIGIT_COLUMNS and _DIGITS.match(text):
        for number, digit in enumerate(text.replace(" ", ""), start=1):
            column = int(digit) - 1
            if column >= rules.columns:
                raise InvalidNotation(
                    f"move {number}: there is no column {digit}; the columns are 1 to "
                    f"{rules.columns}",
                    "moves",
                )
            yield {"column": column}
        return
    for number, word in enumerate(filter(None, text.split(" ")), start=1):
        yield _of_square(word, number, rules)


def _of_square(word: str, number: int, rules: Rules) -> int:
    found = _SQUARE.match(word)
    if found is None:
        shown = ascii(word if len(word) <= 12 else word[:12] + "...")
        hint = "column letter and row number, such as a1"
        if rules.gravity and rules.columns <= MOST_DIGIT_COLUMNS:
            hint += ", or column numbers from 1, such as 4453"
        raise InvalidNotation(f"move {number}: {shown} is not a move; use {hint}", "moves")
    column = LETTERS.index(found[1].lower())
    row = rules.rows - int(found[2])
    if column >= rules.columns or row < 0:
        raise InvalidNotation(
            f"move {number}: {word} is not on the board, whose cells are a1 to "
            f"{square(rules.columns - 1, rules)}",
            "moves",
        )
    return rules.index(row, column)


def require_cells(moves: str | Sequence[object], rules: Rules) -> None:
    """Refuse the moves of a game that name no cells of the board, whatever was played.

    Raises:
        InvalidNotation: neither a list nor text that spells moves.
        IllegalMove: the errors of all items of a list.
    """
    errors: list[IllegalMove] = []
    for place, _, move in in_order(moves, rules):
        if place is None:
            continue
        try:
            require_cell(move, rules)
        except IllegalMove as error:
            errors += (below(place, one) for one in error.each())
            if len(errors) >= MOST_FAULTS:
                break
    if errors:
        raise together(errors)


def below(place: str, error: InvalidInput) -> IllegalMove:
    """The error of a move in a list, at the place that `in_order` gave for the move."""
    return IllegalMove(str(error), place + error.field.removeprefix("move"))


def cell_of(move: object, rules: Rules, cells: Sequence[str]) -> int:
    """The index of the cell that a move names; a move that is an index is returned unchecked.

    Args:
        move: an index, or a mapping of `index`, `row` and `column`.
        cells: the marks so far; with gravity they decide where a mark in `{"column"}` lands.

    Raises:
        IllegalMove: the value is not a move, its parts disagree, the row or column is not on the
            board, or the column is full.
    """
    if is_integer(move):
        return move  # type: ignore[return-value]
    if not isinstance(move, Mapping):
        spellings = (
            ', {"row", "column"} or {"column"}' if rules.gravity else ' or {"row", "column"}'
        )
        raise IllegalMove(f"a move is an index{spellings}")
    _require_parts(move, rules)
    column = move["column"]
    if "row" in move:
        index = rules.index(move["row"], column)
    else:
        landing = rules.landing(cells, column)
        if landing is None:
            raise IllegalMove(f"column {column} is full", "move/column")
        index = landing
    if "index" in move and move["index"] != index:
        raise IllegalMove(
            f"index {move['index']} is not row {move['row']}, column {column}, which is cell "
            f"{index}",
            "move/index",
        )
    return index


def require_cell(move: object, rules: Rules) -> None:
    """Refuse a move that names no cell of the board, wherever the marks are.

    Raises:
        IllegalMove: the value is not a move, its parts disagree, or it is not on the board.
    """
    if isinstance(move, Mapping) and "row" not in move:
        _require_parts(move, rules)
    else:
        _require_index(cell_of(move, rules, ()), rules)


def _require_parts(move: Mapping[str, object], rules: Rules) -> None:
    """Refuse an object whose fields do not name a row and a column, or with gravity a column.

    Raises:
        IllegalMove: the errors of all fields.
    """
    sides = {"row": ("rows", rules.rows), "column": ("columns", rules.columns)}
    wrong: dict[str, str] = {}  # the message for each field
    for name, value in move.items():
        if name not in _PARTS:
            wrong[_field(name)] = f"{str(name)[:LONGEST_NAME]} is an unknown field"
            if len(wrong) >= MOST_FAULTS:
                break
        elif not is_integer(value):
            wrong[_field(name)] = f"{name} must be an integer"
        elif name in sides:
            plural, side = sides[name]
            if not 0 <= value < side:  # type: ignore[operator]
                wrong[_field(name)] = (
                    f"{name} {value} is not on the board, whose {plural} are 0 to {side - 1}"
                )
    if "column" not in move:
        wrong[_field("column")] = "column is missing"
    if "row" not in move and (not rules.gravity or "index" in move):
        wrong[_field("row")] = "row is missing"
    if wrong:
        raise together([IllegalMove(text, field) for field, text in wrong.items()])


def _field(name: object) -> str:
    """The place of a move's field; of one with a long name, that of the move."""
    part = pointer_part(str(name))
    return f"move/{part}" if len(part) <= LONGEST_NAME else "move"


def _require_index(index: int, rules: Rules) -> None:
    if not 0 <= index < rules.size:
        raise IllegalMove(
            f"cell {index} is not on the board, whose cells are 0 to {rules.size - 1}"
        )


def playable(index: int, rules: Rules, cells: Sequence[str]) -> int:
    """Return the index if a mark can be played there.

    Raises:
        IllegalMove: the cell is not on the board, is taken, or with gravity is above an empty one.
    """
    _require_index(index, rules)
    row, column = rules.coordinates(index)
    if cells[index] != EMPTY:
        raise IllegalMove(f"cell {index} (row {row}, column {column}) is taken by {cells[index]}")
    if rules.gravity and rules.landing(cells, column) != index:
        raise IllegalMove(
            f"cell {index} (row {row}, column {column}) is above an empty cell: in column {column} "
            f"a mark lands on cell {rules.landing(cells, column)}"
        )
    return index
