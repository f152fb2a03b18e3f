"""Reads every accepted spelling of a board, and writes the canonical one.

A board is a string or an array:

    "X...O...."                            flat: square unless rows or columns are given
    "X../.O./..."                          rows, separated by a slash, a newline or a bar
    "X......../"                           one row
    [["X", null, null], [null, "O", null], [null, null, null]]
    ["X", null, null, null, "O", null, null, null, null]
    ["X..", ".O.", "..."]

Marks are X x O o; empty is any of . - _ + ? * or a space, and in an array also null, "" and 0.
Arrays may hold 1 for X and 2 for O.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import isqrt
from typing import Final

from bestmove.errors import MOST_FAULTS, InvalidNotation, InvalidRules, together
from bestmove.game.presets import preset, rules_for
from bestmove.game.rules import EMPTY, MAX_SIDE, O, Rules, X, is_integer

EMPTY_MARKS: Final = ".-_+?*"
"""The characters that mean an empty cell. A space may mean one, too: see `_lines_of_text`."""

_MARKS: Final = {"X": X, "x": X, "O": O, "o": O, " ": EMPTY} | dict.fromkeys(EMPTY_MARKS, EMPTY)
_ALL_MARKS: Final = frozenset(_MARKS)
_TO_CELLS: Final = str.maketrans(_MARKS)
_LAYOUT: Final = frozenset(EMPTY_MARKS)
_NUMBERS: Final = {0: EMPTY, 1: X, 2: O}
_ROW_SEPARATOR: Final = re.compile(r"\r\n|[/|\n]")
_MAX_TEXT: Final = 4 * MAX_SIDE * MAX_SIDE
"""Enough characters for any board, with spaces around every cell and a separator after it."""


def parse(
    board: str | Sequence[object],
    rows: int | None = None,
    columns: int | None = None,
    k: int | None = None,
    *,
    game: str | None = None,
    gravity: bool | None = None,
    overline: bool | None = None,
    misere: bool | None = None,
) -> tuple[str, Rules]:
    """The cells (`X`, `O`, `.`, row by row) and the rules of a board in any accepted spelling.

    The shape of a board with rows, and the arguments `rows`, `columns` and `k`, override those of a
    named game. A flat board has the shape of the named game if it has as many cells, else it is
    square.

    Raises:
        InvalidNotation: not a board, or a flat one that does not fill the rows and columns.
        InvalidRules: rows, columns or k out of range, different from the board's, or refused by
            `presets.rules_for`.
    """
    for name, side in (("rows", rows), ("columns", columns)):
        if side is not None and not (is_integer(side) and 1 <= side <= MAX_SIDE):
            raise InvalidRules(f"{name} must be an integer from 1 to {MAX_SIDE}", name)
    lines, flat = _lines_of(board)
    cells = "".join(lines)
    if flat and game is not None and rows is None and columns is None:
        named = preset(game).rules
        if len(cells) == named.size:
            rows, columns = named.rows, named.columns
    shape = _shape_of_flat if flat else _shape_of_rows
    height, width = shape(lines, rows, columns)
    switches = {"gravity": gravity, "overline": overline, "misere": misere}
    return cells, rules_for(height, width, k, game=game, **switches)


def cells_of(board: str | Sequence[object]) -> str:
    """The cells of a board whose rules are not known.

    Raises:
        InvalidNotation: not a board, under any rules.
    """
    lines, flat = _lines_of(board)
    if not flat:
        _shape_of_rows(lines, None, None)
    return "".join(lines)


def _lines_of(board: str | Sequence[object]) -> tuple[list[str], bool]:
    """The rows of a board, and whether it is flat; then all cells are in one."""
    if isinstance(board, str):
        lines = _lines_of_text(board)
        flat = len(lines) == 1
        if len(lines) == 2 and lines[0] and not lines[1] and board.endswith("/"):
            del lines[1]  # one row, as `render` writes it
    elif isinstance(board, list | tuple):
        flat = not any(_is_row(item) for item in board)
        lines = _lines_of_flat_array(board) if flat else _lines_of_rows(board)
    else:
        raise InvalidNotation("a board is a string or an array of cells or rows")
    if not any(lines):
        raise InvalidNotation("the board is empty: give a mark or . for each cell")
    return lines, flat


def render(cells: str, rules: Rules) -> str:
    """The canonical spelling: flat for 3×3, otherwise rows joined by `/`; one row ends in `/`.

    It reads back as the same board without `rows` and `columns`.
    """
    if rules.rows == rules.columns == 3:
        return cells
    if rules.rows == 1:
        return f"{cells}/"
    width = rules.columns
    return "/".join(cells[start : start + width] for start in range(0, len(cells), width))


def _lines_of_text(text: str) -> list[str]:
    if len(text) > _MAX_TEXT:
        raise InvalidNotation(
            f"the board has {len(text)} characters, more than any {MAX_SIDE}×{MAX_SIDE} board"
        )
    # A space is an empty cell, unless the text has other marks for empty: then spaces mean nothing.
    if not _LAYOUT.isdisjoint(text):
        text = text.replace(" ", "")
    lines = _ROW_SEPARATOR.split(text)
    for number, line in enumerate(lines):
        if not _ALL_MARKS.issuperset(line):
            position = next(at for at, mark in enumerate(line) if mark not in _MARKS)
            raise InvalidNotation(_complaint(line[position], number, position, len(lines)))
    return [line.translate(_TO_CELLS) for line in lines]


def _complaint(character: str, row: int, column: int, rows: int) -> str:
    where = f"row {row + 1}, cell {column + 1}" if rows > 1 else f"cell {column + 1}"
    if character.isdecimal():
        hint = "a digit is not a mark in a string (nought is the letter O)"
    else:
        hint = "it is not a mark"
    return (
        f"{where} is {character!a}: {hint}; use X, O and one of {' '.join(EMPTY_MARKS)} "
        "or a space for empty"
    )


def _is_row(item: object) -> bool:
    return isinstance(item, list | tuple) or (isinstance(item, str) and len(item) > 1)


def _lines_of_flat_array(array: Sequence[object]) -> list[str]:
    return ["".join(_read_all(array, lambda item, number: _cell(item, f"board/{number}")))]


def _lines_of_rows(array: Sequence[object]) -> list[str]:
    if any(isinstance(item, list | tuple) for item in array):
        return _read_all(array, _cells_of_row)
    texts = _read_all(array, _text_of_row)
    # Joined, so that an array of rows means the same as one string with these rows.
    return _lines_of_text("\n".join(texts))


def _read_all(items: Iterable[object], read: Callable[[object, int], str]) -> list[str]:
    """Read each item with its index.

    Raises:
        InvalidNotation: the errors of all items.
    """
    texts: list[str] = []
    errors: list[InvalidNotation] = []
    for number, item in enumerate(items):
        try:
            texts.append(read(item, number))
        except InvalidNotation as error:
            errors += error.each()  # type: ignore[arg-type]
            if len(errors) >= MOST_FAULTS:
                break
    if errors:
        raise together(errors)
    return texts


def _text_of_row(item: object, number: int) -> str:
    if not isinstance(item, str):
        raise InvalidNotation(
            f"row {number + 1} is not a string, though other rows are: give every row as a string, "
            "or every row as an array",
            f"board/{number}",
        )
    if _ROW_SEPARATOR.search(item):
        raise InvalidNotation(
            f"row {number + 1} holds a row separator: each string is one row", f"board/{number}"
        )
    return item


def _cells_of_row(row: object, number: int) -> str:
    if not isinstance(row, list | tuple):
        raise InvalidNotation(
            f"row {number + 1} is not an array, though other rows are: give every row as an array",
            f"board/{number}",
        )
    return "".join(_read_all(row, lambda item, place: _cell(item, f"board/{number}/{place}")))


def _cell(item: object, field: str) -> str:
    if item is None or item == "":
        return EMPTY
    if isinstance(item, str) and item in _MARKS:
        return _MARKS[item]
    if isinstance(item, int) and not isinstance(item, bool) and item in _NUMBERS:
        return _NUMBERS[item]
    if isinstance(item, dict | list | tuple):
        found = "a JSON object" if isinstance(item, dict) else "a deeper array"
    elif isinstance(item, int) and abs(item) > 10**12:
        found = "such a large number"
    else:
        shown = json.dumps(item) if isinstance(item, str | int | float) else ascii(item)
        found = shown if len(shown) <= 24 else f"{shown[:20]}..."
    raise InvalidNotation(
        f'a cell of an array is "X", "O" or null (or 1, 2 and 0), not {found}', field
    )


def _shape_of_rows(lines: list[str], rows: int | None, columns: int | None) -> tuple[int, int]:
    usual = Counter(map(len, lines)).most_common(1)[0][0]
    odd = [number for number, line in enumerate(lines) if len(line) != usual]
    if odd:
        others = "the others have"
        if len(odd) > 1:
            others = f"but row {next(n for n in range(len(lines)) if n not in odd) + 1} has"
        raise InvalidNotation(
            f"row {odd[0] + 1} has {_cells(len(lines[odd[0]]))}, {others} {usual}"
        )
    sides = (("rows", rows, len(lines)), ("columns", columns, usual))
    for name, _, found in sides:
        _require_side(name, found)
    wrong = [
        InvalidRules(f"{name} is {given}, but the board has {found}", name)
        for name, given, found in sides
        if given is not None and given != found
    ]
    if wrong:
        raise together(wrong)
    return len(lines), usual


def _shape_of_flat(lines: list[str], rows: int | None, columns: int | None) -> tuple[int, int]:
    count = len(lines[0])
    if rows is None and columns is None:
        height = width = isqrt(count)
        wanted = "a square; give rows and columns, or split the rows with /"
    elif columns is None:
        height, width = rows or 0, -(-count // (rows or 1))
        wanted = f"{rows} equal rows"
    else:
        height, width = rows or -(-count // columns), columns
        wanted = f"{rows} rows of {columns}" if rows else f"rows of {columns}"
    if height * width != count:
        raise InvalidNotation(f"the board has {_cells(count)}, which is not {wanted}")
    _require_side("rows", height)
    _require_side("columns", width)
    return height, width


def _require_side(name: str, found: int) -> None:
    if found > MAX_SIDE:
        raise InvalidNotation(f"the board has {found} {name}; at most {MAX_SIDE} are allowed")


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
