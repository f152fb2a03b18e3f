"""Reads a board in every accepted spelling. `str(board)` gives the canonical spelling.

A board is a string or an array:

    "X...O...."                            flat: a square, unless rows or columns are given
    "X../.O./..."                          rows, separated by a slash, a line end or a bar
    "X......../"                           one row
    " X |   |\n---+---+---\n   | O |"      cells between bars; ---+---+--- is optional
    [["X", null, null], [null, "O", null], [null, null, null]]
    ["X", null, null, null, "O", null, null, null, null]
    ["X..", ".O.", "..."]
    "X2/1O1/3"                             numbers count empty cells
    "  a b c\\n3 X . .\\n2 . O .\\n1 . . ."   coordinates, and frames (see `layout`)
    "board = [['X', None, None], ...]"     a list as programs write it (see `literals`)

An array may be a NumPy array. Cells are spelled so (`marks` lists more characters):

    X        X x 1
    O        O o 2; in an array also -1
    empty    . - _ + ? * 0 or a space; in an array also null and ""

A text is read in these steps:

    array_in          a list of a program becomes an array
    _readings         removes coordinates
    _readings_inside  writes X, O and `.` for characters such as ❌
    _runs             X2/1O1/3
    _of_bars_alone    bars between the rows of one line, or between its cells
    _between_bars     bars between the cells of each row, perhaps with a frame
    _without_bars     rows of cells, or one row that is the whole board

If a text can be read as two boards, the given rows, columns or game decide. If they do not decide,
the text is refused, and the error names both boards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, product
from math import isqrt
from typing import Any, Final, NamedTuple, Protocol, TypeGuard, Unpack

from bestmove.errors import Gathered, InvalidInput, InvalidNotation, InvalidRules, show, together
from bestmove.game.layout import BLANKS, LINES, inside_coordinates, is_rule
from bestmove.game.literals import MAX_TEXT, array_in, require_short
from bestmove.game.marks import EMPTY_MARKS, SELECTORS, meanings
from bestmove.game.presets import preset, rules_for
from bestmove.game.rules import EMPTY, MAX_SIDE, O, Rules, Variant, X, is_integer

_AS_CELLS: Final = str.maketrans("xo " + EMPTY_MARKS, "XO" + EMPTY * (1 + len(EMPTY_MARKS)))
_DIGITS: Final = frozenset("012")
_DIGITS_AS_CELLS: Final = str.maketrans("012", EMPTY + X + O)
_NUMBERS: Final = dict(zip((0, 1, 2, -1, "0", "1", "2", "-1"), ".XOO.XOO", strict=True))
_ARRAY_CELLS: Final = (
    {None: EMPTY, "": EMPTY}
    | _NUMBERS
    | {mark: mark.translate(_AS_CELLS) for mark in "XxOo " + EMPTY_MARKS}
)
_ONE_CELL: Final = _ARRAY_CELLS.keys() - {"-1"}
"""The cells that are a cell even beside texts of several cells."""

_CELL_TYPES: Final = frozenset((int, float, str, type(None)))
_NOT_A_CELL: Final = re.compile(r"[^XxOo .\-_+?*]")
_LINE_END: Final = re.compile(r"\r\n|\n|/")
_PLAIN: Final = re.compile(r"[XxOo.\-_+?*]+(?:(?:\r\n|\n|/)[XxOo.\-_+?*]+)*")
"""Matches a text without blanks, bars and digits. Such a text has only one reading."""

_NUMBER: Final = "[1-9][0-9]?+(?![0-9])"
_RUNS: Final = re.compile(rf"(?:[XOxo]|{_NUMBER})++(?:/(?:[XOxo]|{_NUMBER})++)+")
"""Matches rows in which numbers count empty cells, such as `X2/1O1/3`."""

_BLANK_CELL: Final = re.compile(r"\|[ \t]*\|")


class ArrayLike(Protocol):
    """A NumPy array or number, or anything else with `tolist`."""

    def tolist(self) -> Any: ...


def is_array(item: object) -> TypeGuard[ArrayLike]:
    """Return True for a NumPy array or number. It is much faster than `isinstance`."""
    return hasattr(item, "tolist")


class _Reading(NamedTuple):
    """One way to read a board. If `flat`, the board is not divided into rows, and `lines` has one
    item."""

    lines: list[str]
    flat: bool
    how: str = ""

    def shape(self, rows: int | None = None, columns: int | None = None) -> tuple[int, int]:
        shape = _shape_of_flat if self.flat else _shape_of_rows
        return shape(self.lines, rows, columns)

    def __str__(self) -> str:
        width = len(self.lines[0])
        return _cells(width) if self.flat else f"{len(self.lines)}×{width}"


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
    reading = _reading_of(board, _Wanted(rows, columns, named))
    cells = "".join(reading.lines)
    if reading.flat and named is not None and rows is columns is None and len(cells) == named.size:
        rows, columns = named.rows, named.columns
    height, width = reading.shape(rows, columns)
    return cells, rules_for(height, width, k, **variant)


def cells_of(board: str | Sequence[object]) -> str:
    """Return the cells of a board whose rules are unknown.

    Raises:
        InvalidNotation: `board` is not a board, or its rows differ in length.
    """
    reading = _reading_of(board, _Wanted())
    if not reading.flat:
        reading.shape()
    return "".join(reading.lines)


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
    if type(item) in _CELL_TYPES:
        return item
    if is_array(item):
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
            reading.shape(rows, columns)
        except InvalidInput:
            return False
        return True


def _reading_of(board: object, wanted: _Wanted) -> _Reading:
    if isinstance(board, str) and len(board) <= MAX_TEXT and _PLAIN.fullmatch(board):
        lines = _LINE_END.split(board.translate(_AS_CELLS))
        return _Reading(lines, len(lines) == 1)
    if is_array(board):
        board = plain(board)
    if isinstance(board, str):
        board = array_in(board, "board")
    if isinstance(board, str):
        reading = _reading_of_text(board, wanted)
    elif isinstance(board, list | tuple):
        reading = _reading_of_cells(board) or _reading_of_array(_with_plain_marks(board), wanted)
    else:
        raise InvalidNotation("a board is a string or an array of cells or rows")
    if not any(reading.lines):
        raise InvalidNotation("the board is empty: give a mark or . for each cell")
    return reading


def _reading_of_cells(board: Sequence[Any]) -> _Reading | None:
    """Read an array of marks and numbers, the usual case, at once; return None for any other."""
    flat = not all(isinstance(row, list | tuple) for row in board)
    rows = [board] if flat else board
    if sum(map(len, rows)) > MAX_SIDE * MAX_SIDE:
        return None
    cells = set[object]()
    for row in rows:
        if not _CELL_TYPES.issuperset(map(type, row)):
            return None
        cells.update(row)
    if not cells <= _ONE_CELL or (-1 in cells and not cells.isdisjoint((2, "2"))):
        return None
    return _Reading(["".join(map(_ARRAY_CELLS.__getitem__, row)) for row in rows], flat)


def _reading_of_array(board: Sequence[object], wanted: _Wanted) -> _Reading:
    if any(isinstance(item, list | tuple) for item in board):
        return _Reading(_read_all(board, _cells_of_row), False)
    numbers = all(isinstance(item, str) and item in _NUMBERS for item in board)
    if numbers or not any(map(_is_text, board)):
        cells = _read_all(board, lambda item, place: _cell(item, None, place))
        return _Reading(["".join(cells)], True)
    text = "\n".join(_read_all(board, _text_of_row))
    return _reading_of_text(text, wanted, one_row=len(board) == 1)


def _with_plain_marks(board: Sequence[object]) -> Sequence[object]:
    """Replace characters such as ❌ in the cells of an array. Leave rows that are texts alone.

    Refuse an array with both 2 and -1. Each number means O, but no program uses both.
    """
    rows = [row if isinstance(row, list | tuple) else [row] for row in board]
    if sum(map(len, rows)) > MAX_SIDE * MAX_SIDE:
        raise InvalidNotation(f"the board has more items than {MAX_SIDE}×{MAX_SIDE} cells")
    if any(is_array(item) for row in rows for item in row):
        return _with_plain_marks([*map(plain, board)])
    cells = {cell for row in rows for cell in row if isinstance(cell, str | int | float | None)}
    if cells & {2, "2"} and cells & {-1, "-1"}:
        raise InvalidNotation("the board has both 2 and -1: O is one of them, not both")
    texts = {cell for cell in cells if isinstance(cell, str)}
    if texts <= _ARRAY_CELLS.keys() or any(_is_text(text.translate(SELECTORS)) for text in texts):
        return board
    table = meanings(frozenset("".join(texts)), not cells.isdisjoint((None, 0, "", " ")))

    def cell(item: object) -> object:
        return item.translate(table) if isinstance(item, str) else item

    return [list(map(cell, row)) if isinstance(row, list | tuple) else cell(row) for row in board]


def _reading_of_text(text: str, wanted: _Wanted, *, one_row: bool = False) -> _Reading:
    require_short(text, "board")
    readings = _readings(text.removeprefix("\ufeff"), one_row, wanted)
    if len(readings) > 1:
        fitting = [reading for reading in readings if wanted.fits(reading)]
        if len(fitting) > 1:
            told = " and as ".join(f"{each} ({each.how})" for each in fitting[:2])
            hint = "give rows and columns, or write . for empty cells"
            raise InvalidNotation(f"the board can be read as {told}: {hint}")
        readings = fitting or readings
    return readings[0]


def _readings(text: str, one_row: bool, wanted: _Wanted) -> list[_Reading]:
    """Return the ways to read a text, the likeliest first. If coordinates name the columns, only
    boards with as many columns count."""
    text = text.translate(LINES)
    columns, boards = inside_coordinates(_LINE_END.split(text))
    readings, errors = [], []
    for how, rows in boards.items():
        try:
            found = _readings_inside("\n".join(rows), True, wanted)
        except InvalidNotation as error:
            errors.append(error)
        else:
            fitting = (one for one in found if {*map(len, one.lines)} == {columns})
            readings += [one._replace(how=how) for one in fitting]
    try:
        return readings or _readings_inside(text, one_row, wanted)
    except InvalidNotation:
        if not boards:
            raise
        told = f"a line names {columns} columns, but not every row has {_cells(columns)}"
        raise errors[0] if errors else InvalidNotation(told) from None


def _readings_inside(text: str, one_row: bool, wanted: _Wanted) -> list[_Reading]:
    """Return the ways to read a text without coordinates."""
    cells = text
    if "|" in text:
        cells = "".join(line for line in _LINE_END.split(text) if not is_rule(line))
    table = meanings(frozenset(cells), _BLANK_CELL.search(text) is not None)
    cells, text = cells.translate(table), text.translate(table)
    digits = _DIGITS.issuperset(cells.translate(_NO_LAYOUT)) and not _DIGITS.isdisjoint(cells)
    # A space is an empty cell only if the text has no digits and no other marks for empty cells.
    is_layout = digits or not frozenset(EMPTY_MARKS).isdisjoint(cells)
    lines, slashed = _without_blank_ends(_LINE_END.split(text), text, is_layout or "|" in text)
    runs = _runs(lines, wanted, digits) if _RUNS.fullmatch(text.rstrip("\r\n")) else []
    if runs and not digits:
        return runs
    if digits:
        lines = [line.translate(_DIGITS_AS_CELLS) for line in lines]
    flat = len(lines) == 1 and not (one_row or slashed)
    if "|" not in text:
        return _without_bars(lines, flat, is_layout) + runs
    has_empty = "0" in cells if digits else is_layout
    return [_of_bars_alone(lines[0], is_layout)] if flat else _between_bars(lines, has_empty)


def _runs(lines: list[str], wanted: _Wanted, digits: bool) -> list[_Reading]:
    """Read rows such as `X2/1O1/3`, in which numbers count empty cells.

    The numbers 1 and 2 can also be marks. So there must be a larger number, or the given rows,
    columns or game must fit. `digits`: each digit of the text can be a cell.
    """
    rows = [re.sub("[0-9]+", lambda number: EMPTY * int(number[0]), line).upper() for line in lines]
    reading = _Reading(rows, False, "the numbers count empty cells")
    decides = wanted.columns or wanted.named or (wanted.rows and not digits)
    is_large = not digits and re.search("[3-9]|[12][0-9]", "/".join(lines))
    if is_large or (decides and wanted.fits(reading)):
        return [reading]
    if digits:
        return []
    told = f"the digits can count empty cells ({reading}) or be marks: give rows, columns or game"
    raise InvalidNotation(f"{told}, or write . for each empty cell")


def _without_bars(lines: list[str], flat: bool, is_layout: bool) -> list[_Reading]:
    if is_layout:
        lines = [line.translate(_NO_BLANKS) for line in lines]
    rows = [_cells_in(line, None if flat else row) for row, line in enumerate(lines)]
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


_NO_BLANKS: Final = dict.fromkeys(map(ord, BLANKS))
_NO_LAYOUT: Final = dict.fromkeys(map(ord, BLANKS + "/|\r\n"))


def _without_blank_ends(lines: list[str], text: str, is_layout: bool) -> tuple[list[str], bool]:
    """Remove blank lines before the first row and after the last row. Also return whether the text
    is one row that ends in `/`."""

    filled = [row for row, line in enumerate(lines) if (line.strip(BLANKS) if is_layout else line)]
    if not filled:
        return [], False
    first, last = filled[0], filled[-1]
    for row, number in enumerate(filled):
        if number != first + row:
            raise InvalidNotation(f"row {row + 1} is a blank line: give a mark or . for each cell")
    slashed = first == last and text.rstrip("\r\n" + BLANKS).endswith("/")
    return lines[first : last + 1], slashed


def _cells_in(line: str, row: int | None, column: int = 0) -> str:
    """Convert a line of text to cells. `row` and `column` say where it begins, for errors."""
    found = _NOT_A_CELL.search(line)
    if found:
        raise InvalidNotation(_complaint(found[0], row, column + found.start()))
    return line.translate(_AS_CELLS)


def _of_bars_alone(line: str, is_layout: bool) -> _Reading:
    """Read a board that is one line of text with bars. If each part between bars is one mark or
    blank, the parts are cells of a flat board. Otherwise the parts are rows."""
    parts = line.split("|")
    if len(parts) > 2 and not parts[0].strip(BLANKS) and not parts[-1].strip(BLANKS):
        parts = parts[1:-1]
    signs = [part.strip(BLANKS) for part in parts]
    if all(len(one) == 1 or part.isspace() for one, part in zip(signs, parts, strict=True)):
        cells = [_cells_in(one, None, at) if one else EMPTY for at, one in enumerate(signs)]
        return _Reading(["".join(cells)], True)
    if is_layout:
        parts = [part.translate(_NO_BLANKS) for part in parts]
    return _Reading([_cells_in(part, row) for row, part in enumerate(parts)], False)


def _between_bars(lines: list[str], has_empty: bool) -> list[_Reading]:
    """Return the readings of rows with bars between the cells.

    If lines such as `---+---` separate groups of lines, each group can be one row of tall cells.
    `has_empty`: a character means an empty cell. Then no cell is blank.
    """
    rows = [line for line in lines if not is_rule(line)]
    groups = [[*group] for rule, group in groupby(lines, is_rule) if not rule]
    tall = [max(group, key=lambda line: len(line.translate(_NO_LAYOUT))) for group in groups]
    others = Counter(rows) - Counter(tall)
    is_tall = len(tall) > 1 < min(map(len, groups)) and not "".join(others).translate(_NO_LAYOUT)
    if is_tall and (has_empty or "__" in "".join(lines)):
        rows, is_tall = tall, False
    return _of_rows(rows, has_empty) + (_of_rows(tall, has_empty) if is_tall else [])


def _of_rows(rows: list[str], has_empty: bool) -> list[_Reading]:
    """Return the readings of rows. Blanks before the first bar, or after the last bar, are an empty
    cell or outside the board. If both are possible, there are several readings."""
    parts = [row.split("|") for row in rows]
    lefts = [row[0] for row in parts]
    rights = [row[-1] for row in parts]
    opened = all(len(row) > 1 and not row[0].strip(BLANKS) for row in parts)
    closed = all(len(row) > 1 and not row[-1].strip(BLANKS) for row in parts)
    starts, ends = [0], [0]
    if opened:
        starts = [1] if has_empty or not any(lefts) else [0, 1] if len(set(lefts)) == 1 else [0]
    if closed:
        ends = [1] if has_empty or starts == [1] else [0] if all(rights) else [0, 1]
    readings = []
    for start, end in product(starts, ends):
        inner = [row[start : len(row) - end] for row in parts]
        how = f"{'' if start else 'no '}bars at the left, {'' if end else 'no '}at the right"
        readings += [(inner, how)] * all(inner)
    if not readings:
        short = min(range(len(parts)), key=lambda row: len(parts[row]))
        raise InvalidNotation(f"row {short + 1} has no cell between its bars")
    even = [found for found in readings if len({len(row) for row in found[0]}) == 1]
    return [
        _Reading([_row_of(parts, row, has_empty) for row, parts in enumerate(inner)], False, how)
        for inner, how in even or readings[:1]
    ]


def _row_of(parts: list[str], row: int, has_empty: bool) -> str:
    return "".join(_cell_between(part, row, at, has_empty) for at, part in enumerate(parts))


def _cell_between(part: str, row: int, column: int, has_empty: bool) -> str:
    mark = part.strip(BLANKS)
    if len(mark) == 3 and mark[0] + mark[2] in ("[]", "**"):  # the last move or the winning line
        mark = mark[1]
    where = _where(row, column)
    if not mark and has_empty:
        raise InvalidNotation(f"{where} is blank, though another character means empty")
    if len(mark) > 1:
        raise InvalidNotation(f"{where} is {show(mark)}: between two bars there is one mark")
    return _cells_in(mark, row, column) if mark else EMPTY


def _where(row: int | None, column: int) -> str:
    return f"cell {column + 1}" if row is None else f"row {row + 1}, cell {column + 1}"


def _complaint(character: str, row: int | None, column: int) -> str:
    if character in _DIGITS:
        hint = "a digit is a mark only where all cells are digits (nought is the letter O)"
    elif character.isdecimal():
        hint = "only 0, 1 and 2 can be marks (a game such as 4453 is given as moves)"
    else:
        hint = "it is not a mark"
    marks = f"X, O and one of {' '.join(EMPTY_MARKS)} or a space for empty"
    return f"{_where(row, column)} is {show(character)}: {hint}; use {marks}"


def _is_text(item: object) -> bool:
    return isinstance(item, str) and len(item) > 1


def _read_all(items: Iterable[object], read: Callable[[object, int], str]) -> list[str]:
    """Read all items. Raise the errors of all items together. `read` gets an item and its index."""
    texts: list[str] = []
    errors = Gathered[InvalidNotation]()
    for number, item in enumerate(items):
        try:
            texts.append(read(item, number))
        except InvalidNotation as error:
            errors.add(error)
    errors.raise_any()
    return texts


def _text_of_row(item: object, number: int) -> str:
    row, field = f"row {number + 1}", f"board/{number}"
    if not isinstance(item, str):
        hint = "give every row as a string, or every row as an array"
        raise InvalidNotation(f"{row} is not a string, though other rows are: {hint}", field)
    if _LINE_END.search(item):
        raise InvalidNotation(f"{row} holds a row separator: each string is one row", field)
    return item


def _cells_of_row(row: object, number: int) -> str:
    if not isinstance(row, list | tuple):
        told = f"row {number + 1} is not an array, though other rows are"
        raise InvalidNotation(f"{told}: give every row as an array", f"board/{number}")
    return "".join(_read_all(row, lambda item, place: _cell(item, number, place)))


def _cell(item: object, row: int | None, column: int) -> str:
    is_plain = isinstance(item, str | int | float | None) and not isinstance(item, bool)
    if is_plain and item in _ARRAY_CELLS:
        return _ARRAY_CELLS[item]
    if isinstance(item, dict | list | tuple):
        found = "a JSON object" if isinstance(item, dict) else "a deeper array"
    elif isinstance(item, int) and abs(item) > 10**12:
        found = "such a large number"
    else:
        found = show(item) if isinstance(item, str) else show(str(item).lower()).strip("'")
    cells = 'X ("X" or 1), O ("O", 2 or -1) or empty (null or 0)'
    field = f"board/{column}" if row is None else f"board/{row}/{column}"
    told = f"{_where(row, column)}: a cell of an array is {cells}, not {found}"
    raise InvalidNotation(told, field)


def _shape_of_rows(lines: list[str], rows: int | None, columns: int | None) -> tuple[int, int]:
    usual = len(lines[0])
    if len({*map(len, lines)}) > 1:
        usual = Counter(map(len, lines)).most_common(1)[0][0]
        first, *more = [number for number, line in enumerate(lines) if len(line) != usual]
        others = "the others have"
        if more:
            others = f"but row {[*map(len, lines)].index(usual) + 1} has"
        raise InvalidNotation(f"row {first + 1} has {_cells(len(lines[first]))}, {others} {usual}")
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
