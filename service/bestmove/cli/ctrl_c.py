"""What Ctrl-C does.

While a command starts, it ends the process without a word: a KeyboardInterrupt out of an import
would show a traceback. Once there is something to end, such as a search or a game, it raises one.
A process that was started to ignore Ctrl-C goes on ignoring it.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

from bestmove.cli.exits import INTERRUPTED


def end_at_once() -> None:
    """Let Ctrl-C end the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_error() -> None:
    """Let Ctrl-C raise KeyboardInterrupt."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_: int, __: FrameType | None) -> None:
    os._exit(INTERRUPTED)
