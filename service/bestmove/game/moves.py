"""Reads a move, or all moves of a game, in every accepted spelling.

A move is one of these:

    112                            a cell's index
    {"row": 7, "column": 7}        both from 0
    {"index": 112, "row": 7, "column": 7, "name": "h8"}    as in an answer; all values must agree
    {"column": 3}                  with gravity
    "h8"                           text; with gravity also "d" or "4"

The moves of a game are a list of moves, or text:

    "h8 i9 g7"    column letters a to t from the left, row numbers from the bottom; also "H8"
    "4453"        with gravity and at most nine columns: column numbers from 1
    "1. h8 i9! {the book} 2. g7 1-0"    with move numbers, signs, comments and a result
    "[112, 98]"    a list as JSON

Between moves there may be spaces, tabs, line ends, `,` `;` `_` or `-`. In one text, either all
moves begin with a letter, or all moves are column numbers. So `d 1` is refused.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, SupportsIndex

from bestmove.errors import (
    LONGEST_NAME,
    MOST_FAULTS,
    IllegalMove,
    InvalidInput,
    InvalidNotation,
    pointer_part,
    show,
    together,
)
from bestmove.game.literals import array_in
from bestmove.game.rules import EMPTY, LETTERS, MAX_SIDE, Rules, is_integer

MoveInput = SupportsIndex | str | tuple[int, int] | Mapping[str, int | str]
"""An index, a `bestmove.Move`, a tuple (row, column), text such as `"h8"`, or with gravity
`{"column": 3}`. Numbers count from 0, but numbers in text count from 1."""

MOST_DIGIT_COLUMNS: Final = 9

_LONGEST_TEXT: Final = 10 * MAX_SIDE * MAX_SIDE
"""The most characters of a text of moves. A move such as `200. t20 ` takes nine characters."""

_PARTS: Final = ("index", "row", "column", "name")
_RESULT: Final = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)\s*\Z")
_TOKEN: Final = re.compile(
    r"""(?P<apart>[ \t\r\n,;_]+|-(?!-))
    |\{[^}]*\}                               # a comment
    |(?P<number>[0-9]{1,3})\.{1,3}
    |(?P<move>(?!pass)(?P<letter>[a-t])(?P<row>[1-9][0-9]?)?|(?P<digit>[1-9]))[!?]{0,2}
    """,
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
_MOVE: Final = re.compile(r"([a-t])([1-9][0-9]?)?\Z", re.IGNORECASE | re.ASCII)


def in_order(
    moves: str | Sequence[object], rules: Rules
) -> Iterator[tuple[str | None, str, object]]:
    """Yield each move of a game as `(field, start, move)`.

    `field` and `start` are for an error about the move. `field` is its place in a list, such as
    "moves/2", or None in a text. The message begins with the text `start`, such as "move 3: ".

    Raises:
        InvalidNotation: `moves` is neither a list nor text that spells moves.
    """
    moves = array_in(moves, "moves") if isinstance(moves, str) else moves
    if isinstance(moves, str):
        for number, move in enumerate(_of_text(moves, rules), start=1):
            yield None, f"move {number}: ", move
    elif isinstance(moves, list | tuple):
        if len(moves) > rules.size:
            raise InvalidNotation(
                f"there are {len(moves)} moves, but the board has {rules.size} cells", "moves"
            )
        for number, move in enumerate(moves):
            yield f"moves/{number}", f"move {number + 1}: ", move
    else:
        raise InvalidNotation("moves is a list of moves or a string", "moves")


def _of_text(text: str, rules: Rules) -> Iterator[str]:
    if len(text) > _LONGEST_TEXT:
        raise InvalidNotation(
            f"moves has {len(text)} characters, more than any game needs", "moves"
        )
    text = text.removeprefix("\ufeff")
    ended = _RESULT.search(text)
    end = len(text) if ended is None else ended.start()
    place, count = 0, 0
    counts = {"plies", "pairs"}  # a move number may count moves or pairs of moves
    styles = set()
    while place < end:
        found = _TOKEN.match(text, place, end)
        if found is None or (found["digit"] and not _names_columns(rules)):
            raise _unreadable(text[place:end], count + 1, rules)
        place = found.end()
        if found["number"] is not None:
            counts &= {
                what
                for what, number in (("plies", count + 1), ("pairs", count // 2 + 1))
                if int(found["number"]) == number
            }
            if not counts:
                raise InvalidNotation(
                    f"move {count + 1}: {found['number']}. is not the number of the next move",
                    "moves",
                )
        elif found["move"] is not None:
            count += 1
            styles.add("digit" if found["digit"] else "letter")
            if len(styles) > 1:
                raise InvalidNotation(
                    f"move {count}: letters and column numbers are mixed; write all moves alike",
                    "moves",
                )
            yield found["move"]


def _names_columns(rules: Rules) -> bool:
    """Return True if moves may be column numbers, such as `4453`."""
    return rules.gravity and rules.columns <= MOST_DIGIT_COLUMNS


def _unreadable(rest: str, number: int, rules: Rules) -> InvalidNotation:
    word = re.split(r"[ \t\r\n,;_]", rest, maxsplit=1)[0] or rest
    hint = "column letter and row number, such as a1"
    if _names_columns(rules):
        hint += ", or column numbers from 1, such as 4453"
    elif word.isdecimal():
        hint += "; numbers are indices in a list: [4, 5], or columns in a game with gravity: 4453"
    elif word.startswith("{"):
        hint = "} at the end of a comment"
    return InvalidNotation(f"move {number}: {show(word)} is not a move; use {hint}", "moves")


def _named(word: str, rules: Rules, cells: Sequence[str]) -> int:
    try:
        (move,) = _of_text(word, rules)
    except InvalidNotation as error:
        raise IllegalMove(str(error).removeprefix("move 1: ")) from None
    except ValueError:
        raise IllegalMove(f"{word[:12]!a} is not one move") from None
    if move.isdecimal():
        column, row = int(move) - 1, None
        if column >= rules.columns:
            raise IllegalMove(f"there is no column {move}; the columns are 1 to {rules.columns}")
    else:
        found = _MOVE.match(move)
        assert found is not None
        column = LETTERS.index(found[1].lower())
        row = None if found[2] is None else rules.rows - int(found[2])
        if column >= rules.columns or (row is not None and row < 0):
            last = rules.squares[rules.columns - 1]
            raise IllegalMove(f"{move} is not on the board, whose cells are a1 to {last}")
        if row is None and not rules.gravity:
            raise IllegalMove(f"{move} has no row: write a column letter and a row number, as a1")
    if row is not None:
        return rules.index(row, column)
    landing = rules.landing(cells, column) if cells else rules.index(rules.rows - 1, column)
    if landing is None:
        raise IllegalMove(f"column {LETTERS[column] if move.isalpha() else move} is full")
    return landing


def require_cells(moves: str | Sequence[object], rules: Rules) -> None:
    """Check that a text spells moves, or that each item of a list names a cell of the board.

    Raises:
        InvalidNotation: `moves` is neither a list nor text that spells moves.
        IllegalMove: some items of a list name no cell. The error reports all these items.
    """
    errors: list[IllegalMove] = []
    for place, start, move in in_order(moves, rules):
        if place is None:
            continue
        try:
            require_cell(move, rules)
        except IllegalMove as error:
            errors += (below(place, start, one) for one in error.each())
            if len(errors) >= MOST_FAULTS:
                break
    if errors:
        raise together(errors)


def below(place: str, start: str, error: InvalidInput) -> IllegalMove:
    """Return the error with `start` before its text, and `place` instead of `move` in its field:
    with `moves/2`, the field `move/row` becomes `moves/2/row`."""
    return IllegalMove(f"{start}{error}", place + error.field.removeprefix("move"))


def cell_of(move: object, rules: Rules, cells: Sequence[str]) -> int:
    """Return the index of the cell that a move names. If the move is an index, do not check it.

    Args:
        move: a move in any accepted spelling.
        cells: the board before the move. With gravity, a mark's row depends on the marks below.

    Raises:
        IllegalMove: the value is not a move, or its index or name contradicts its row and column.
            Also if the row or column is not on the board, or the column is full.
    """
    # `int` is checked first, because `isinstance` with a protocol takes a microsecond.
    if isinstance(move, int | SupportsIndex) and not isinstance(move, bool):
        return operator.index(move)
    if isinstance(move, str):
        return _named(move, rules, cells)
    if isinstance(move, tuple) and len(move) == 2:
        move = {"row": _number(move[0]), "column": _number(move[1])}
    if not isinstance(move, Mapping):
        column = ', {"column"}' if rules.gravity else ""
        text = '"d1" or "4"' if rules.gravity else '"a1"'
        raise IllegalMove(f'a move is an index, {{"row", "column"}}{column} or text such as {text}')
    _require_parts(move, rules)
    column = move["column"]
    if "row" in move:
        index = rules.index(move["row"], column)
    else:
        landing = rules.landing(cells, column)
        if landing is None:
            raise IllegalMove(f"column {LETTERS[column]} is full", "move/column")
        index = landing
    for name, meant in (("index", index), ("name", rules.squares[index])):
        if name in move and move[name] != meant:
            raise IllegalMove(
                f"{name} {ascii(move[name])[:LONGEST_NAME]} is not row {index // rules.columns}, "
                f"column {column}, which is {rules.squares[index]}, index {index}",
                f"move/{name}",
            )
    return index


def _number(value: object) -> object:
    """Convert an integer of another library, such as NumPy, to an int."""
    is_number = isinstance(value, SupportsIndex) and not isinstance(value, bool)
    return operator.index(value) if is_number else value  # type: ignore[arg-type]


def require_cell(move: object, rules: Rules) -> None:
    """Refuse a move that names no cell of the board. The cell need not be empty.

    Raises:
        IllegalMove: `cell_of` refuses the move, or the index is not on the board.
    """
    if isinstance(move, Mapping) and "row" not in move:
        _require_parts(move, rules)
    else:
        index = cell_of(move, rules, ())
        if not 0 <= index < rules.size:
            raise _off_board(index, rules)


def _require_parts(move: Mapping[str, object], rules: Rules) -> None:
    """Refuse an object that does not name a row and a column. With gravity, a column suffices.

    Raises:
        IllegalMove: an error for each wrong field, all in one exception.
    """
    sides = {"row": ("rows", rules.rows), "column": ("columns", rules.columns)}
    wrong: dict[str, str] = {}
    for name, value in move.items():
        if name not in _PARTS:
            wrong[_field(name)] = f"{str(name)[:LONGEST_NAME]} is an unknown field"
            if len(wrong) >= MOST_FAULTS:
                break
        elif name == "name":
            if not isinstance(value, str):
                wrong[_field(name)] = 'name must be text such as "a1"'
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
    """Return the field that an error names: `move/NAME`, or `move` if the name is too long."""
    part = pointer_part(str(name))
    return f"move/{part}" if len(part) <= LONGEST_NAME else "move"


def _off_board(index: int, rules: Rules) -> IllegalMove:
    return IllegalMove(f"index {index} is not on the board: indices are 0 to {rules.size - 1}")


def playable(index: int, rules: Rules, cells: Sequence[str]) -> int:
    """Return the index if a mark can be played on this cell.

    Raises:
        IllegalMove: the cell is not on the board, is taken, or with gravity is above an empty cell.
    """
    if not 0 <= index < rules.size:
        raise _off_board(index, rules)
    column = index % rules.columns
    landing = rules.landing(cells, column) if rules.gravity else index
    if cells[index] == EMPTY and landing == index:
        return index
    where = rules.squares[index]
    if cells[index] != EMPTY:
        raise IllegalMove(f"{where} is taken by {cells[index]}")
    assert landing is not None
    raise IllegalMove(
        f"{where} is above an empty cell: in column {LETTERS[column]} a mark lands on "
        f"{rules.squares[landing]}"
    )
