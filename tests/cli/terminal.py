"""Runs a program in a real pseudo-terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from typing import Final, Self

PATIENCE: Final = 60
"""The most seconds to wait for an output."""

SIZE: Final = (100, 24)

_ENVIRONMENT: Final = {
    name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
}

_SIGNS: Final = re.compile(r"\x1b\[[?]?(?P<count>[0-9;]*)(?P<code>[A-Za-z])|(?P<sign>[\s\S])")
_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")


_TAKE_TERMINAL: Final = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests run in the background inherit it ignored
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # the program's own, so that Ctrl-C reaches it
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    def __init__(self, *command: str, size: tuple[int, int] = SIZE, **environment: str) -> None:
        self.fd, inside = pty.openpty()
        columns, lines = size
        termios.tcsetwinsize(inside, (lines, columns))
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *command],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            env={**_ENVIRONMENT, "TERM": "xterm-256color", **environment},
        )
        os.close(inside)
        self.shown = ""
        self.raw = ""

    def expect(self, text: str) -> str:
        """Wait for `text`. Return the output up to and including `text`, without colours."""
        last = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < last, f"no {text!r} in:\n{self.shown}"
            if not self._read(0.2) and self.process.poll() is not None:
                assert text in self.shown, f"no {text!r} before the end of:\n{self.shown}"
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def screen(self) -> list[str]:
        lines = [""]
        at = 0
        for count, code, sign in _SIGNS.findall(self.raw):
            if code == "A":
                at = max(0, at - int(count or 1))
            elif code == "K":
                lines[at] = ""
            elif sign == "\n":
                at += 1
                lines += [""] * (at + 1 - len(lines))
            elif sign >= " ":
                lines[at] += sign
        return lines

    def enter(self, text: str) -> None:
        os.write(self.fd, text.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Press a key: b"\\x03" is Ctrl-C, b"\\x04" Ctrl-D."""
        os.write(self.fd, key)

    def wait(self) -> int:
        last = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < last, f"still running:\n{self.shown}"
            self._read(0.1)
        while self._read(0):
            pass
        return self.process.returncode

    def _read(self, seconds: float) -> bool:
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # Linux raises this when the program has closed the terminal
            return False
        self.raw += data.decode(errors="replace")
        self.shown += _CONTROL.sub("", data.decode(errors="replace")).replace("\r\n", "\n")
        return bool(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.fd)
