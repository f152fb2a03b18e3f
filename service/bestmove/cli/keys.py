"""Reads a terminal's keys one by one, without waiting for the end of a line.

`click.getchar` restores the terminal after each key, and loses keys that are pressed before the
next call. An arrow key that is held down repeats 30 times per second: on a 15×15 board, every
second repeat would be lost. This module changes the terminal's mode only once, for the whole game.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
from typing import Any, Final, Self

UP: Final = "up"
DOWN: Final = "down"
LEFT: Final = "left"
RIGHT: Final = "right"
ENTER: Final = "\n"
BACKSPACE: Final = "\x7f"
END: Final = "\x04"
"""The character of Ctrl-D, which ends the input."""

LISTEN_SECONDS: Final = 0.1
"""Input is awaited in steps of this many seconds. A Ctrl-C just before a step is noticed when the
step ends."""

_SEQUENCE_SECONDS: Final = 0.05
"""An arrow key sends several characters, at most this many seconds apart."""

_ARROWS: Final = {"A": UP, "B": DOWN, "C": RIGHT, "D": LEFT}
_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*([A-Za-z~])|[\s\S]")
_BEGUN: Final = re.compile(r"\x1b(?:[\[O][0-9;]*)?\Z")
_SAME: Final = {"\r": ENTER, "\b": BACKSPACE}


def wait_for_input(seconds: float | None = None) -> bool:
    """Return True if standard input has something to read within `seconds` (None: no limit).

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    while True:
        step = LISTEN_SECONDS if seconds is None else seconds
        if select.select([sys.stdin], [], [], step)[0]:
            return True
        if seconds is not None:
            return False


class Keys:
    """A context in which the terminal sends each key at once and does not display it."""

    def __init__(self) -> None:
        self._fd = sys.stdin.fileno()
        self._saved: list[Any] = []
        self._waiting = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @staticmethod
    def are_available() -> bool:
        """Return True if standard input and output are a terminal that can send single keys."""
        if os.name != "posix" or os.environ.get("TERM", "dumb") == "dumb":
            return False
        return sys.stdin.isatty() and sys.stdout.isatty()

    def read(self) -> str:
        """Return the next key: a character, or one of the constants above, such as `UP`.

        Raises:
            EOFError: the terminal is gone.
            KeyboardInterrupt: Ctrl-C.
        """
        while True:
            if not self._waiting:
                wait_for_input()
                self._fill()
            while _BEGUN.match(self._waiting) and wait_for_input(_SEQUENCE_SECONDS):
                self._fill()
            found = _KEY.match(self._waiting)
            if found is None:
                continue
            self._waiting = self._waiting[found.end() :]
            if found[1]:
                if found[1] in _ARROWS:
                    return _ARROWS[found[1]]
            elif found[0] == END or found[0] in _SAME or found[0] >= " " or found[0] == ENTER:
                return _SAME.get(found[0], found[0])

    def _fill(self) -> None:
        try:
            data = os.read(self._fd, 1024)
        except OSError as error:
            raise EOFError from error
        if not data:
            raise EOFError
        self._waiting += self._decoder.decode(data)

    def __enter__(self) -> Self:
        import termios
        import tty

        self._saved = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd, termios.TCSADRAIN)
        return self

    def __exit__(self, *_: object) -> None:
        import termios

        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._saved)
