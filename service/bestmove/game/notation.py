"""Reads a board in every accepted spelling. `str(board)` gives the canonical spelling.

A board is a string or an array:

    "X...O...."                            flat: a square, unless rows or columns are given
    "X../.O./..."                          rows, separated by a slash, a line end or a bar
    "X......../"                           one row
    " X |   |\n---+---+---\n   | O |"      cells between bars; ---+---+--- is optional
    [["X", null, null], [null, "O", null], [null, null, null]]
    ["X", null, null, null, "O", null, null, null, null]
    ["X..", ".O.", "..."]
    "[[1, 0, 0], [0, 2, 0], [0, 0, 0]]"    an array as JSON

An array may be a NumPy array. Cells are spelled so:

    X        X x 1
    O        O o 2; in an array also -1
    empty    . - _ + ? * 0 or a space; in an array also null and ""

If a text can be read as two boards, the given rows, columns or game decide. If they do not decide,
the text is refused, and the error names both boards.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import isqrt
from typing import Any, Final, NamedTuple, Protocol, Unpack, runtime_checkable

from bestmove.errors import MOST_FAULTS, InvalidInput, InvalidNotation, InvalidRules, together
from bestmove.game.presets import preset, rules_for
from bestmove.game.rules import EMPTY, MAX_SIDE, O, Rules, Variant, X, is_integer

EMPTY_MARKS: Final = ".-_+?*"
"""The characters that mean an empty cell. A space means an empty cell in some texts."""

_MARKS: Final = {"X": X, "x": X, "O": O, "o": O, " ": EMPTY} | dict.fromkeys(EMPTY_MARKS, EMPTY)
_DIGITS: Final = {"0": EMPTY, "1": X, "2": O}
_NUMBERS: Final = {0: EMPTY, 1: X, 2: O, -1: O}
_ALL_NUMBERS: Final = _NUMBERS.keys() | {str(number) for number in _NUMBERS}
_LAYOUT: Final = frozenset(EMPTY_MARKS)
CHARACTERS: Final = "".join(_DIGITS | _MARKS) + ":=\t/|\r\n\ufeff"
"""The characters of a board as text, unless the text is a JSON array."""

_LINE_END: Final = re.compile(r"\r\n|\n|/")
_PLAIN: Final = re.compile(r"[XxOo.\-_+?*]+(?:(?:\r\n|\n|/)[XxOo.\-_+?*]+)*")
"""Matches a text without blanks, bars and digits. Such a text has only one reading."""

_AS_CELLS: Final = str.maketrans("xo" + EMPTY_MARKS, "XO" + EMPTY * len(EMPTY_MARKS))
_BLANKS: Final = " \t"
_RULE: Final = re.compile(r"[-=+ \t]*[-=+][-=+ \t]*")
"""Matches a line between two rows, such as `---+---+---`."""

_RULE_PART: Final = re.compile(r":?[-=]{3,}:?")
"""Matches one part between the bars of such a line, such as `---` in `---|---|---`."""

_MAX_TEXT: Final = 10 * MAX_SIDE * MAX_SIDE
"""The most characters of a board. Each cell may have a bar and spaces, and each row a line
below."""


@runtime_checkable
class ArrayLike(Protocol):
    """A NumPy array or number, or anything else with `tolist`."""

    def tolist(self) -> Any: ...


class _Reading(NamedTuple):
    """One way to read a board. If `flat`, the board is not divided into rows, and `lines` has one
    item."""

    lines: list[str]
    flat: bool
    how: str = ""


def parse(
    board: str | Sequence[object] | ArrayLike,
    rows: int | None = None,
    columns: int | None = None,
    k: int | None = None,
    **variant: Unpack[Variant],
) -> tuple[str, Rules]:
    """Read a board in any accepted spelling. Return the cells, row by row, and the rules.

    The first of these that applies gives the board's shape:

    1. the board's rows, if the board is divided into rows
    2. `rows` and `columns`
    3. the named game, if its board has as many cells
    4. a square

    `k` overrides the k of the named game.

    Raises:
        InvalidNotation: `board` is not a board, or its cells do not fill the rows and columns.
        InvalidRules: the rules are not allowed, or do not fit the board or the named game.
    """
    for name, side in (("rows", rows), ("columns", columns)):
        if side is not None and not (is_integer(side) and 1 <= side <= MAX_SIDE):
            raise InvalidRules(f"{name} must be an integer from 1 to {MAX_SIDE}", name)
    game = variant.get("game")
    named = None if game is None else preset(game).rules
    lines, flat = _lines_of(board, _Wanted(rows, columns, named))
    cells = "".join(lines)
    if flat and named is not None and rows is columns is None and len(cells) == named.size:
        rows, columns = named.rows, named.columns
    shape = _shape_of_flat if flat else _shape_of_rows
    height, width = shape(lines, rows, columns)
    return cells, rules_for(height, width, k, **variant)


def cells_of(board: str | Sequence[object]) -> str:
    """Return the cells of a board whose rules are unknown.

    Raises:
        InvalidNotation: `board` is not a board, or its rows differ in length.
    """
    lines, flat = _lines_of(board, _Wanted())
    if not flat:
        _shape_of_rows(lines, None, None)
    return "".join(lines)


def array_in(text: str, field: str) -> str | list[Any]:
    """Parse a text that is a JSON array. Return any other text unchanged.

    Raises:
        InvalidNotation: the text begins with `[`, but is not a JSON array.
    """
    if not text.lstrip("\ufeff \t\r\n").startswith("["):
        return text
    what = "the board" if field == "board" else field
    if len(text) > _MAX_TEXT:
        raise InvalidNotation(f"{what} has {len(text)} characters, more than any game needs", field)
    try:
        found: list[Any] = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise InvalidNotation(f"{what} begins with [ but is not a JSON array", field) from None
    return found


def plain(item: object) -> object:
    """Convert NumPy arrays and NumPy numbers in a board to Python's lists and numbers.

    Raises:
        InvalidNotation: a cell has another type, or lists are nested too deeply.
    """
    try:
        return _plain(item)
    except RecursionError:
        raise InvalidNotation("the board is nested too deeply: give rows of cells") from None


def _plain(item: object) -> object:
    if isinstance(item, ArrayLike):
        item = item.tolist()
    if isinstance(item, Sequence) and not isinstance(item, str | bytes | bytearray):
        return [_plain(cell) for cell in item]
    if item is None or isinstance(item, str | int | float | dict):
        return item
    raise InvalidNotation(f"a {type(item).__name__} is not a cell of a board")


class _Wanted(NamedTuple):
    rows: int | None = None
    columns: int | None = None
    named: Rules | None = None

    def fits(self, reading: _Reading) -> bool:
        rows, columns = self.rows, self.columns
        if rows is columns is None and self.named is not None:
            rows, columns = self.named.rows, self.named.columns
        try:
            shape = _shape_of_flat if reading.flat else _shape_of_rows
            shape(reading.lines, rows, columns)
        except InvalidInput:
            return False
        return True


def _lines_of(board: object, wanted: _Wanted) -> tuple[list[str], bool]:
    """Return the rows, and whether the board is flat. A flat board is returned as one row."""
    if isinstance(board, str) and len(board) <= _MAX_TEXT and _PLAIN.fullmatch(board):
        lines = _LINE_END.split(board.translate(_AS_CELLS))
        return lines, len(lines) == 1
    if isinstance(board, ArrayLike):
        board = plain(board)
    if isinstance(board, str):
        board = array_in(board, "board")
    if isinstance(board, str):
        lines, flat = _lines_of_text(board, wanted)
    elif isinstance(board, list | tuple):
        if any(isinstance(item, ArrayLike) for item in board):
            board = plain(board)
            assert isinstance(board, list)
        if all(isinstance(item, str) and item in _ALL_NUMBERS for item in board):
            flat = True
        else:
            flat = not any(_is_row(item) for item in board)
        if flat:
            lines = _lines_of_flat_array(board)
        elif any(isinstance(item, list | tuple) for item in board):
            lines = _read_all(board, _cells_of_row)
        else:
            text = "\n".join(_read_all(board, _text_of_row))
            lines, flat = _lines_of_text(text, wanted, one_row=len(board) == 1)
        _require_one_numbering(board)
    else:
        raise InvalidNotation("a board is a string or an array of cells or rows")
    if not any(lines):
        raise InvalidNotation("the board is empty: give a mark or . for each cell")
    return lines, flat


def _require_one_numbering(board: Sequence[object]) -> None:
    """Refuse an array with both 2 and -1. Each number means O, but no program uses both."""
    seen: set[object] = set()
    for item in board:
        cells = item if isinstance(item, list | tuple) else (item,)
        seen.update(cell for cell in cells if isinstance(cell, int | float | str))
    if seen & {2, "2"} and seen & {-1, "-1"}:
        raise InvalidNotation("the board has both 2 and -1: O is one of them, not both")


def _lines_of_text(text: str, wanted: _Wanted, *, one_row: bool = False) -> tuple[list[str], bool]:
    if len(text) > _MAX_TEXT:
        raise InvalidNotation(
            f"the board has {len(text)} characters, more than any {MAX_SIDE}×{MAX_SIDE} board"
        )
    readings = _readings(text.removeprefix("\ufeff"), one_row)
    if len(readings) > 1:
        fitting = [reading for reading in readings if wanted.fits(reading)]
        if len(fitting) > 1:
            first, second = fitting[:2]
            raise InvalidNotation(
                f"the board can be read as {_described(first)} ({first.how}) and as "
                f"{_described(second)} ({second.how}): give rows and columns, or write . for "
                "empty cells"
            )
        readings = fitting or readings
    return readings[0].lines, readings[0].flat


def _described(reading: _Reading) -> str:
    if reading.flat:
        return _cells(len(reading.lines[0]))
    return f"{len(reading.lines)}×{len(reading.lines[0])}"


def _readings(text: str, one_row: bool) -> list[_Reading]:
    """Return the ways to read a text, the likeliest first."""
    lines = _LINE_END.split(text)
    marks = frozenset(text) - frozenset("XxOo/|\r\n" + _BLANKS)
    digits = bool(marks) and marks <= _DIGITS.keys() and not frozenset(text) & frozenset("XxOo")
    # A space is an empty cell only if the text has no digits and no other marks for empty cells.
    is_layout = digits or not _LAYOUT.isdisjoint(text)
    lines, slashed = _without_blank_ends(lines, text, is_layout or "|" in text)
    one_row = one_row or slashed
    translate = partial(_translated, digits=digits)
    if "|" in text:
        if len(lines) == 1 and not one_row:
            return [_of_bars_alone(lines[0], is_layout, translate)]
        return _between_bars(lines, translate)
    if is_layout:
        lines = [line.translate(_NO_BLANKS) for line in lines]
    flat = len(lines) == 1 and not one_row
    rows = [translate(line, None if flat else row) for row, line in enumerate(lines)]
    readings = [_Reading(rows, flat, "each space is a cell")]
    if not is_layout and len({len(row) for row in rows}) == 1:
        width = len(rows[0])
        if width >= 5 and width % 2 and not any(line[1::2].strip(" ") for line in lines):
            spaced = [row[::2] for row in rows]
            readings.append(_Reading(spaced, flat, "a space stands between two cells"))
        indent = min(len(line) - len(line.lstrip(" ")) for line in lines)
        if 2 <= indent < width:
            readings.append(_Reading([row[indent:] for row in rows], flat, "the rows are indented"))
    return readings


_NO_BLANKS: Final = dict.fromkeys(map(ord, _BLANKS))


def _without_blank_ends(lines: list[str], text: str, is_layout: bool) -> tuple[list[str], bool]:
    """Remove blank lines before the first row and after the last row. Also return whether the text
    is one row that ends in `/`."""

    def is_blank(line: str) -> bool:
        return not (line.strip(_BLANKS) if is_layout else line)

    first, last = 0, len(lines)
    while last > first and is_blank(lines[last - 1]):
        last -= 1
    while first < last and is_blank(lines[first]):
        first += 1
    slashed = last - first == 1 and text.rstrip("\r\n" + _BLANKS).endswith("/")
    lines = lines[first:last]
    for row, line in enumerate(lines):
        if is_blank(line):
            raise InvalidNotation(f"row {row + 1} is a blank line: give a mark or . for each cell")
    return lines, slashed


class _Translate(Protocol):
    def __call__(self, line: str, row: int | None, *, column: int = 0) -> str: ...


def _translated(line: str, row: int | None, *, digits: bool, column: int = 0) -> str:
    """Convert a line of text to cells. `row` and `column` say where it begins, for errors."""
    known = _DIGITS if digits else _MARKS
    cells = []
    for at, mark in enumerate(line):
        if mark not in known:
            raise InvalidNotation(_complaint(mark, row, column + at))
        cells.append(known[mark])
    return "".join(cells)


def _of_bars_alone(line: str, is_layout: bool, translate: _Translate) -> _Reading:
    """Read a board that is one line of text with bars. If each part between bars is one mark or
    blank, the parts are cells of a flat board. Otherwise the parts are rows."""
    parts = line.split("|")
    if len(parts) > 2 and not parts[0].strip(_BLANKS) and not parts[-1].strip(_BLANKS):
        parts = parts[1:-1]
    shown = [part.strip(_BLANKS) for part in parts]
    if all(len(one) == 1 or part.isspace() for one, part in zip(shown, parts, strict=True)):
        return _Reading(
            [
                "".join(
                    translate(one or " ", None, column=at) if one else EMPTY
                    for at, one in enumerate(shown)
                )
            ],
            True,
        )
    if is_layout:
        parts = [part.translate(_NO_BLANKS) for part in parts]
    return _Reading([translate(part, row) for row, part in enumerate(parts)], False)


def _between_bars(lines: list[str], translate: _Translate) -> list[_Reading]:
    """Return the readings of rows with bars between the cells.

    Blanks before the first bar, or after the last bar, are an empty cell or outside the board. If
    both are possible, there are several readings.
    """
    rows = [line for line in lines if not _is_rule(line)]
    parts = [row.split("|") for row in rows]
    if not rows:
        raise InvalidNotation("the board is empty: give a mark or . for each cell")
    lefts = [row[0] for row in parts]
    rights = [row[-1] for row in parts]
    opened = all(len(row) > 1 and not row[0].strip(_BLANKS) for row in parts)
    closed = all(len(row) > 1 and not row[-1].strip(_BLANKS) for row in parts)
    starts, ends = [0], [0]
    if opened:
        starts = [1] if not any(lefts) else [0, 1] if len(set(lefts)) == 1 else [0]
    if closed:
        ends = [0] if all(rights) else [0, 1]
        if starts == [1]:
            ends = [1]
    readings = []
    for start in starts:
        for end in ends:
            inner = [row[start : len(row) - end] for row in parts]
            if all(inner):
                how = (
                    f"{'' if start else 'no '}bars at the left, {'' if end else 'no '}at the right"
                )
                readings.append((inner, how))
    if not readings:
        short = min(range(len(parts)), key=lambda row: len(parts[row]))
        raise InvalidNotation(f"row {short + 1} has no cell between its bars")
    even = [found for found in readings if len({len(row) for row in found[0]}) == 1]
    return [
        _Reading(
            [
                "".join(_cell_between(part, row, at, translate) for at, part in enumerate(cells))
                for row, cells in enumerate(inner)
            ],
            False,
            how,
        )
        for inner, how in even or readings[:1]
    ]


def _is_rule(line: str) -> bool:
    if "|" not in line:
        return _RULE.fullmatch(line) is not None
    parts = [part for part in (one.strip(_BLANKS) for one in line.split("|")) if part]
    return bool(parts) and all(_RULE_PART.fullmatch(part) for part in parts)


def _cell_between(part: str, row: int, column: int, translate: _Translate) -> str:
    mark = part.strip(_BLANKS)
    if len(mark) > 1:
        shown = ascii(mark if len(mark) <= 12 else mark[:12] + "...")
        raise InvalidNotation(
            f"row {row + 1}, cell {column + 1} is {shown}: between two bars there is one mark"
        )
    return translate(mark, row, column=column) if mark else EMPTY


def _complaint(character: str, row: int | None, column: int) -> str:
    where = f"cell {column + 1}" if row is None else f"row {row + 1}, cell {column + 1}"
    if character in _DIGITS:
        hint = "a digit is not a mark beside letters (nought is the letter O)"
    elif character.isdecimal():
        hint = "only 0, 1 and 2 can be marks (a game such as 4453 is given as moves)"
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


def _read_all(items: Iterable[object], read: Callable[[object, int], str]) -> list[str]:
    """Read all items. Raise the errors of all items together. `read` gets an item and its index."""
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
    if _LINE_END.search(item):
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
    if isinstance(item, int | float) and not isinstance(item, bool) and item in _NUMBERS:
        return _NUMBERS[item]  # type: ignore[index]
    if isinstance(item, str) and item in _ALL_NUMBERS:
        return _NUMBERS[int(item)]
    if isinstance(item, dict | list | tuple):
        found = "a JSON object" if isinstance(item, dict) else "a deeper array"
    elif isinstance(item, int) and abs(item) > 10**12:
        found = "such a large number"
    else:
        shown = json.dumps(item) if isinstance(item, str | int | float) else ascii(item)
        found = shown if len(shown) <= 24 else f"{shown[:20]}..."
    raise InvalidNotation(
        f'a cell of an array is X ("X" or 1), O ("O", 2 or -1) or empty (null or 0), not {found}',
        field,
    )


def _shape_of_rows(lines: list[str], rows: int | None, columns: int | None) -> tuple[int, int]:
    usual = len(lines[0])
    if len({*map(len, lines)}) > 1:
        usual = Counter(map(len, lines)).most_common(1)[0][0]
        odd = [number for number, line in enumerate(lines) if len(line) != usual]
        others = "the others have"
        if len(odd) > 1:
            others = f"but row {next(n for n in range(len(lines)) if n not in odd) + 1} has"
        raise InvalidNotation(
            f"row {odd[0] + 1} has {_cells(len(lines[odd[0]]))}, {others} {usual}"
        )
    sides = (("rows", rows, len(lines)), ("columns", columns, usual))
    if max(len(lines), usual) > MAX_SIDE:
        raise _too_large(len(lines), usual)
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
    if max(height, width) > MAX_SIDE:
        raise _too_large(height, width)
    return height, width


def _too_large(rows: int, columns: int) -> InvalidNotation:
    found = f"{rows} rows" if rows > MAX_SIDE else f"{columns} columns"
    return InvalidNotation(f"the board has {found}; at most {MAX_SIDE} are allowed")


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
