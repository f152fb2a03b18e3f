"""What stands around the cells of a board in a text: frames, and coordinates at the edges.

+---+---+            a b c        1 2 3 4
| X | O |          3 X . . 3      -------
+---+---+          2 . O . 2      X . . .
|   |   |          1 . . . 1      . O . .
+---+---+            a b c
"""

from __future__ import annotations

import re
from typing import Final

from bestmove.game.marks import EMPTY_MARKS, EMPTY_SIGNS
from bestmove.game.rules import LETTERS, MAX_SIDE

BLANKS: Final = " \t"

LINES: Final = {sign: "|" if chr(sign) in "│║┃" else "─" for sign in range(0x2500, 0x2580)}
"""Replaces box-drawing characters: the bars by `|`, all others by `─`."""

_RULE: Final = re.compile(r"[-=+─ \t]*[-=+─][-=+─ \t]*")
"""Matches a line between two rows, such as `---+---+---`."""

_RULE_PART: Final = re.compile(r":?[-=+─_]{3,}:?")
"""Matches one part between the bars of such a line, such as `---` in `---|---|---`."""

_COLUMNS: Final[dict[str, int]] = {}
"""For the names of all columns, such as `abc`, `123` or `012`, the number of columns."""

for _side in range(1, MAX_SIDE + 1):
    for _names in (LETTERS[:_side], range(1, _side + 1), range(_side)):
        _COLUMNS["".join(map(str, _names))] = _side

_LEFT: Final = re.compile(r"\A[ \t|]*([0-9]{1,2})(?![0-9]) ?")
_RIGHT: Final = re.compile(r" ?(?<![0-9])([0-9]{1,2})[ \t|]*\Z")
_BETWEEN_NAMES: Final = re.compile(r"[ \t|]")
_MARKS: Final = frozenset("012xo")
_EMPTY: Final = frozenset("0⚪⚫" + EMPTY_MARKS + EMPTY_SIGNS)
_HIGHLIGHT: Final = re.compile(r"[\[*](?=[XO])|(?<=[XO])[\]*]")
"""Matches the brackets and stars of `[X]` and `*X*X*`: the last move and the winning line."""


def is_rule(line: str) -> bool:
    """Return True if a line stands between rows whose cells have bars, or is part of a frame."""
    if "|" not in line:
        return _RULE.fullmatch(line) is not None
    parts = [part for part in (one.strip(BLANKS) for one in line.split("|")) if part]
    return bool(parts) and all(_RULE_PART.fullmatch(part) for part in parts)


def inside_coordinates(lines: list[str]) -> tuple[int, dict[str, list[str]]]:
    """Remove the names of the columns, above or below, and the numbers of the rows, at the left or
    the right or both.

    Return the number of columns, and the rows in each way to tell numbers from cells; the keys
    describe it. Without coordinates, return 0 and no rows. Row numbers may be missing if a name is
    no mark of a board.
    """
    bars = any("|" in line for line in lines)
    rows = [line for line in lines if line.strip(BLANKS) and not (bars and is_rule(line))]
    names = [_BETWEEN_NAMES.sub("", row).lower() for row in rows]
    above, below = (
        _COLUMNS.get(names[end], 0) if 1 < len(rows) < 2 * MAX_SIDE else 0 for end in (0, -1)
    )
    columns = above or below
    rows = rows[above > 0 : len(rows) - (below == columns)]
    if not bars:
        edge = "-" * max(2 * columns - 1, columns + 1)
        rows = [row for row in rows if not row.strip(BLANKS).startswith(edge)]
        if any("." in row for row in rows):
            rows = [_HIGHLIGHT.sub(" ", row) for row in rows]
    if not columns or not rows:
        return 0, {}
    left, right = _without_numbers(rows, _LEFT), _without_numbers(rows, _RIGHT)
    ways = {"left and right": _without_numbers(left, _RIGHT), "left": left, "right": right}
    boards = {f"row numbers at the {where}": rows for where, rows in ways.items() if rows}
    has_empty = bars or not _EMPTY.isdisjoint("".join(rows))
    if not boards and columns > 2 and not _MARKS.issuperset(names[0 if above else -1]):
        boards = {"no row numbers": rows} if has_empty else {}
    return columns, boards


def _without_numbers(rows: list[str], numbers: re.Pattern[str]) -> list[str]:
    """Remove the numbers of the rows: up or down, from 0 or 1. Without them, return no rows."""
    found = [int(one[1]) for one in map(numbers.search, rows) if one]
    first = min(found, default=-1)
    upwards = [*range(first, first + len(rows))]
    if first not in (0, 1) or found not in (upwards, upwards[::-1]):
        return []
    return [numbers.sub("", row) for row in rows]
