"""How `bestmove play` asks for a move: by a cursor on the board, or for a line of text."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from bestmove.cli import drawing, keys
from bestmove.game import Board
from bestmove.game.moves import square

_ROOM: Final = 3
"""Lines of the screen that a board under a cursor leaves free: the prompt and what was said."""


class Input(Protocol):
    """Asks for moves and other words."""

    draws: bool
    """Whether it shows the board itself while it asks."""

    def ready(self) -> AbstractContextManager[object]:
        """A context in which it can ask."""

    def ask(self, board: Board, last: int | None, prompt: str) -> str:
        """What the person says: a cell such as `b2`, or a word.

        Raises:
            EOFError, KeyboardInterrupt: the person left.
        """


def input_for(board: Board, console: Console, plain: bool) -> Input:
    """The cursor where there is a terminal with room for it; otherwise lines."""
    fits = console.size.height >= drawing.height(board.rules) + _ROOM
    if plain or not fits or not keys.Keys.are_to_be_had():
        return Lines()
    return Cursor(console)


class Lines:
    """A line for each move."""

    draws = False

    def ready(self) -> AbstractContextManager[object]:
        """Nothing to prepare."""
        return nullcontext()

    def ask(self, board: Board, last: int | None, prompt: str) -> str:  # noqa: ARG002
        """As `input`, but a Ctrl-C between the prompt and the wait for a line is heard too."""
        if os.name != "posix" or not sys.stdin.isatty():
            return input(prompt)
        print(prompt, end="", flush=True)
        keys.wait_for_input()
        return input()


class Cursor:
    """A cursor that the arrow keys move and Enter plays; a line can be typed all the same."""

    draws = True

    def __init__(self, console: Console) -> None:
        self._console = console
        self._keys = keys.Keys()
        self._at: int | None = None

    def ready(self) -> AbstractContextManager[object]:
        """The terminal sends its keys."""
        return self._keys

    def ask(self, board: Board, last: int | None, prompt: str) -> str:
        """The board with the cursor, until Enter; then it is wiped off the screen."""
        rules = board.rules
        at = self._at
        if at is None:
            at = rules.index(rules.rows // 2, rules.columns // 2)
        typed = ""
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            while True:
                at = _landing(board, at)
                live.update(self._picture(board, last, prompt, at, typed), refresh=True)
                match self._keys.read():
                    case keys.ENTER:
                        self._at = at
                        return typed or square(at, rules)
                    case keys.BACKSPACE:
                        typed = typed[:-1]
                    case keys.END:
                        if not typed:
                            raise EOFError
                    case keys.UP | keys.DOWN | keys.LEFT | keys.RIGHT as arrow:
                        typed, at = "", _moved(board, at, arrow)
                    case character:
                        typed += character

    def _picture(self, board: Board, last: int | None, prompt: str, at: int, typed: str) -> Group:
        line = Text(prompt)
        if typed:
            line.append(typed, "bold")
        else:
            line.append(square(at, board.rules), "dim")
        return Group(drawing.draw(board, last, cursor=None if typed else at), line)


def _moved(board: Board, at: int, arrow: str) -> int:
    rules = board.rules
    row, column = rules.coordinates(at)
    down, right = {
        keys.UP: (-1, 0),
        keys.DOWN: (1, 0),
        keys.LEFT: (0, -1),
        keys.RIGHT: (0, 1),
    }[arrow]
    return rules.index((row + down) % rules.rows, (column + right) % rules.columns)


def _landing(board: Board, at: int) -> int:
    """With gravity the cell where a mark in the cursor's column falls."""
    if not board.rules.gravity:
        return at
    column = board.rules.coordinates(at)[1]
    landing = board.rules.landing(board.cells, column)
    return column if landing is None else landing
