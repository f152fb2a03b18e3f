"""Reads the text of a list as programs write it: JSON, Python, JavaScript, NumPy.

    [["X", null], [null, "O"]]
    board = [('X', None), (None, 'O'),]
    np.array([[1, 0], [0, 2]], dtype=int8)
    [[1 0]
     [0 2]]

Each means what the same JSON array means.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from bestmove.errors import InvalidNotation
from bestmove.game.rules import MAX_SIDE

MAX_TEXT: Final = 10 * MAX_SIDE * MAX_SIDE
"""The most characters of a board, or of all moves of a game. Each cell may have a bar and spaces,
and each row a line below. A move such as `200. t20 ` takes nine characters."""

_NAMES: Final = {"board": "the board", "moves": "moves"}

_BEGINNING: Final = re.compile(
    r"\s*+(?:[0-9][0-9 ]*+\n *+-+\s*+)?"
    r"(?:(?:(?:const|let|var)\s+)?[^\W\d]\w*\s*=\s*)?(?P<call>(?:\w+\.)?array\s*)?(?=[\[(])"
)
"""Matches what may stand before the first bracket: `board = `, `np.array`, or lines of gym-connect4
with the numbers of the columns."""

_WORD: Final = re.compile(
    r"""(?P<quote>['"])(?P<text>(?:(?!(?P=quote))[^\\]|\\.)*+)(?P<end>(?P=quote)?)"""
    r"|[()]|(?:None|nan)\b|(?<![\w.])-?[0-9]+\.(?![\w.])"
)
"""Matches the words of a list that JSON can spell differently."""

_SPELLINGS: Final = {"(": "[", ")": "]", "None": "null", "nan": "NaN"}
_GAP: Final = re.compile(r'(?<=[]"\w]) (?=[\["\w-])')
"""Matches the space between two items without a comma."""

_END: Final = re.compile(r",? dtype=[^] ]+ ?(?=\]$)|;$|,(?= ?\])|(?<=\]) -+(?: [0-9]+)*$")
"""Matches the last argument of `np.array(...)`, a semicolon after the list, a comma after the last
item, and a line of gym-connect4 with the numbers of the columns."""


def array_in(text: str, field: str) -> str | list[Any]:
    """Parse a text that is a list. Return any other text unchanged.

    Raises:
        InvalidNotation: the text begins as a list does, but is none.
    """
    bare = text.removeprefix("\ufeff")
    begun = _BEGINNING.match(bare)
    if begun is None:
        return text
    require_short(text, field)
    try:
        return _parsed(bare, begun)
    except (ValueError, RecursionError):
        what, first = _NAMES[field], bare[begun.end()]
        raise InvalidNotation(f"{what} begins with {first} but is not a list", field) from None


def require_short(text: str, field: str) -> None:
    if len(text) > MAX_TEXT:
        told = f"{_NAMES[field]} has {len(text)} characters, more than any game needs"
        raise InvalidNotation(told, field)


def _parsed(text: str, begun: re.Match[str]) -> list[Any]:
    try:
        found: list[Any] = json.loads(text)
    except ValueError:
        words = _WORD.sub(_in_json, text[begun.end() :]).split()
        found = json.loads(_GAP.sub(",", _END.sub("", " ".join(words))))
        if begun["call"]:
            (found,) = found
    return found


def _in_json(word: re.Match[str]) -> str:
    if word["quote"] is None:
        return _SPELLINGS.get(word[0], word[0] + "0")
    text: str = json.loads(f'"{word["text"]}{word["end"] and chr(34)}')
    # Only escapes: no character of the text can be taken for a bracket, a comma or a gap.
    return '"{}"'.format(
        re.sub("(....)", r"\\u\1", text.encode("utf-16-be", "surrogatepass").hex())
    )
