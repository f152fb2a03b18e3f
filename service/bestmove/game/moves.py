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
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, SupportsIndex

from bestmove.errors import (
    LONGEST_NAME,
    MOST_FAULTS,
    Gathered,
    IllegalMove,
    InvalidNotation,
    pointer_part,
    show,
    together,
)
from bestmove.game.literals import array_in, require_short
from bestmove.game.rules import EMPTY, LETTERS, Rules, is_integer

MoveInput = SupportsIndex | str | tuple[int, int] | Mapping[str, int | str]
"""An index, a `bestmove.Move`, a tuple (row, column), text such as `"h8"`, or with gravity
`{"column": 3}`. Numbers count from 0, but numbers in text count from 1."""

MOST_DIGIT_COLUMNS: Final = 9

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


def _in_order(
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
            yield None, f"move {number}: ", move["move"]
    elif isinstance(moves, list | tuple):
        if len(moves) > rules.size:
            told = f"there are {len(moves)} moves, but the board has {rules.size} cells"
            raise InvalidNotation(told, "moves")
        for number, move in enumerate(moves):
            yield f"moves/{number}", f"move {number + 1}: ", move
    else:
        raise InvalidNotation("moves is a list of moves or a string", "moves")


def _of_text(text: str, rules: Rules) -> Iterator[re.Match[str]]:
    require_short(text, "moves")
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
                told = f"{found['number']}. is not the number of the next move"
                raise _wrong(count + 1, told)
        elif found["move"] is not None:
            count += 1
            styles.add("digit" if found["digit"] else "letter")
            if len(styles) > 1:
                raise _wrong(count, "letters and column numbers are mixed; write all moves alike")
            yield found


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
    return _wrong(number, f"{show(word)} is not a move; use {hint}")


def _wrong(number: int, told: str) -> InvalidNotation:
    return InvalidNotation(f"move {number}: {told}", "moves")


def _named(word: str, rules: Rules, cells: Sequence[str]) -> int:
    try:
        (found,) = _of_text(word, rules)
    except InvalidNotation as error:
        raise IllegalMove(str(error).removeprefix("move 1: ")) from None
    except ValueError:
        raise IllegalMove(f"{word[:12]!a} is not one move") from None
    move = found["move"]
    if found["digit"]:
        column, row = int(move) - 1, None
        if column >= rules.columns:
            raise IllegalMove(f"there is no column {move}; the columns are 1 to {rules.columns}")
    else:
        column = LETTERS.index(found["letter"].lower())
        row = None if found["row"] is None else rules.rows - int(found["row"])
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


def require_cells(
    moves: str | Sequence[object], rules: Rules, play: Callable[[object], None] | None = None
) -> None:
    """Check that a text spells moves, and that each move names a cell of the board.

    Args:
        play: plays a move, or raises IllegalMove. It gets each move up to the first illegal one,
            because the later positions are unknown.

    Raises:
        InvalidNotation: `moves` is neither a list nor text that spells moves.
        IllegalMove: some moves are wrong. For a list, the error reports all of them.
    """
    errors = Gathered[IllegalMove]()
    for place, start, move in _in_order(moves, rules):
        try:
            if play is None or errors.errors:
                _require_cell(move, rules)
            else:
                play(move)
        except IllegalMove as error:
            if place is None:
                raise IllegalMove(f"{start}{error}", "moves") from None
            for one in error.each():  # the field `move/row` becomes `moves/2/row`
                field = place + one.field.removeprefix("move")
                errors.add(IllegalMove(f"{start}{one}", field))
    errors.raise_any()


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


def _require_cell(move: object, rules: Rules) -> None:
    """Refuse a move that names no cell of the board. The cell need not be empty.

    Raises:
        IllegalMove: `cell_of` refuses the move, or the index is not on the board.
    """
    if isinstance(move, Mapping) and "row" not in move:
        _require_parts(move, rules)
    else:
        _on_board(cell_of(move, rules, ()), rules)


def _require_parts(move: Mapping[str, object], rules: Rules) -> None:
    """Refuse an object that does not name a row and a column. With gravity, a column suffices.

    Raises:
        IllegalMove: an error for each wrong field, all in one exception.
    """
    sides = {"row": rules.rows, "column": rules.columns}
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
        elif name in sides and not 0 <= value < sides[name]:  # type: ignore[operator]
            wrong[_field(name)] = (
                f"{name} {value} is not on the board, whose {name}s are 0 to {sides[name] - 1}"
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


def _on_board(index: int, rules: Rules) -> int:
    if not 0 <= index < rules.size:
        raise IllegalMove(f"index {index} is not on the board: indices are 0 to {rules.size - 1}")
    return index


def playable(move: object, rules: Rules, cells: Sequence[str]) -> int:
    """Return the index of the cell that a move names, if a mark can be played there.

    Raises:
        IllegalMove: `cell_of` refuses the move, or the cell is not on the board, is taken, or with
            gravity is above an empty cell.
    """
    index = _on_board(cell_of(move, rules, cells), rules)
    where = rules.squares[index]
    if cells[index] != EMPTY:
        raise IllegalMove(f"{where} is taken by {cells[index]}")
    column = index % rules.columns
    landing = rules.landing(cells, column) if rules.gravity else index
    if landing not in (index, None):
        raise IllegalMove(
            f"{where} is above an empty cell: in column {LETTERS[column]} a mark lands on "
            f"{rules.squares[landing]}"
        )
    return index
