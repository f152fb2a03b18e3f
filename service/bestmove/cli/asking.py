"""Asks for moves in `bestmove play`: with a cursor on the board, or by lines of text."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from bestmove.cli import drawing, keys
from bestmove.game import EMPTY, Board
from bestmove.game.moves import square

_ROOM: Final = 3
"""How many terminal lines the prompt and the messages need, besides the board's lines."""


def input_for(board: Board, console: Console, plain: bool) -> Input:
    """Return a `Cursor` if the terminal has room for the board, otherwise `Lines`."""
    fits = console.size.height >= drawing.height(
        board.rules
    ) + _ROOM and console.size.width >= drawing.width(board.rules)
    if plain or not fits or not keys.Keys.are_available():
        return Lines(console, plain)
    return Cursor(console)


class Lines:
    """Asks for a line of text for each move.

    Attributes:
        redraws: whether `ask` draws the board itself, each time in the same place.
    """

    redraws = False

    def __init__(self, console: Console, plain: bool) -> None:
        self._console = console
        self._plain = plain

    def ready(self) -> AbstractContextManager[object]:
        """Return a context in which `ask` may be called."""
        return nullcontext()

    def ask(self, board: Board, last: int | None, prompt: str) -> str:  # noqa: ARG002
        """Return the person's answer: a cell such as `b2`, or a word such as `hint`.

        Raises:
            EOFError, KeyboardInterrupt: the person has left.
        """
        if os.name != "posix" or not sys.stdin.isatty():
            return input(prompt)
        # `input(prompt)` would ignore Ctrl-C between printing the prompt and reading.
        print(prompt, end="", flush=True)
        keys.wait_for_input()
        return input()

    def wait(self, board: Board, last: int | None, text: str) -> AbstractContextManager[object]:  # noqa: ARG002
        """Return a context for a search. On a terminal it shows the text and a spinner."""
        if self._plain or not self._console.is_terminal:
            return nullcontext()
        return self._console.status(text, spinner="dots")


class Cursor:
    """Asks with a cursor. Arrow keys move the cursor, and Enter plays. Typed lines also work."""

    redraws = True

    def __init__(self, console: Console) -> None:
        self._console = console
        self._keys = keys.Keys()
        self._at: int | None = None

    def ready(self) -> AbstractContextManager[object]:
        """Return a context in which the terminal sends each key without waiting for Enter."""
        return self._keys

    def ask(self, board: Board, last: int | None, prompt: str) -> str:
        """Show the board with the cursor until Enter, then erase it. Return the person's answer."""
        at = _start(board, self._at)
        typed = ""
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            while True:
                line = Text(prompt)
                line.append(typed or square(at, board.rules), "bold" if typed else "dim")
                drawn = drawing.draw(board, last, cursor=None if typed else at)
                live.update(Group(drawn, line), refresh=True)
                match self._keys.read():
                    case keys.ENTER:
                        self._at = at
                        return typed or square(at, board.rules)
                    case keys.BACKSPACE:
                        typed = typed[:-1]
                    case keys.END:
                        if not typed:
                            raise EOFError
                    case keys.UP | keys.DOWN | keys.LEFT | keys.RIGHT as arrow:
                        typed, at = "", _moved(board, at, arrow)
                    case character:
                        typed += character

    def wait(self, board: Board, last: int | None, text: str) -> AbstractContextManager[object]:
        """Return a context that shows the board, with the text and a spinner below."""
        picture: list[RenderableType] = [drawing.draw(board, last), Spinner("dots", text)]
        return Live(Group(*picture), console=self._console, refresh_per_second=8, transient=True)


Input = Lines | Cursor


def _start(board: Board, at: int | None) -> int:
    """Return the empty cell nearest to `at`, or to the centre if `at` is None."""
    rules = board.rules
    row, column = rules.coordinates(
        rules.index(rules.rows // 2, rules.columns // 2) if at is None else at
    )

    def distance(cell: int) -> int:
        other_row, other_column = rules.coordinates(cell)
        rows = 0 if rules.gravity else other_row - row
        return rows**2 + (other_column - column) ** 2

    empty = (cell for cell, mark in enumerate(board.cells) if mark == EMPTY)
    return _landing(board, min(empty, key=distance))


def _moved(board: Board, at: int, arrow: str) -> int:
    """Return the next cell in the arrow's direction. Beyond an edge, go on at the opposite edge."""
    rules = board.rules
    row, column = rules.coordinates(at)
    down, right = {
        keys.UP: (-1, 0),
        keys.DOWN: (1, 0),
        keys.LEFT: (0, -1),
        keys.RIGHT: (0, 1),
    }[arrow]
    return _landing(board, rules.index((row + down) % rules.rows, (column + right) % rules.columns))


def _landing(board: Board, at: int) -> int:
    """Return the cell where a mark placed at `at` lands; in a full column, the top cell."""
    if not board.rules.gravity:
        return at
    column = board.rules.coordinates(at)[1]
    landing = board.rules.landing(board.cells, column)
    return column if landing is None else landing
