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

from bestmove.errors import IllegalMove, InvalidNotation
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
        drop = ' or {"column"}' if rules.gravity else ""
        raise IllegalMove(f'a move is an index, {{"row", "column"}}{drop}')
    for name, value in move.items():
        if name not in _PARTS:
            raise IllegalMove("unknown field", f"move/{name}")
        if not is_integer(value):
            raise IllegalMove(f"{name} must be an integer", f"move/{name}")
    _require_on_board(move, rules)
    column = move.get("column")
    if column is None:
        raise IllegalMove("column is missing", "move/column")
    if "row" in move:
        index = rules.index(move["row"], column)
    elif not rules.gravity or "index" in move:
        raise IllegalMove("row is missing", "move/row")
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


def _require_on_board(move: Mapping[str, int], rules: Rules) -> None:
    for name, plural, side in (("row", "rows", rules.rows), ("column", "columns", rules.columns)):
        if name in move and not 0 <= move[name] < side:
            raise IllegalMove(
                f"{name} {move[name]} is not on the board, whose {plural} are 0 to {side - 1}",
                f"move/{name}",
            )


def playable(index: int, rules: Rules, cells: Sequence[str]) -> int:
    """Return the index if a mark can be played there.

    Raises:
        IllegalMove: the cell is not on the board, is taken, or with gravity is above an empty one.
    """
    if not 0 <= index < rules.size:
        raise IllegalMove(
            f"cell {index} is not on the board, whose cells are 0 to {rules.size - 1}"
        )
    row, column = rules.coordinates(index)
    if cells[index] != EMPTY:
        raise IllegalMove(f"cell {index} (row {row}, column {column}) is taken by {cells[index]}")
    if rules.gravity and rules.landing(cells, column) != index:
        raise IllegalMove(
            f"cell {index} (row {row}, column {column}) is above an empty cell: in column {column} "
            f"a mark lands on cell {rules.landing(cells, column)}"
        )
    return index
