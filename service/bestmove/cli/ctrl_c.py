"""What Ctrl-C does.

While a command starts, Ctrl-C ends the process without a word: a KeyboardInterrupt from an import
would show a traceback. Once there is something to end, such as a search or a game, it raises
KeyboardInterrupt. A process that was started to ignore Ctrl-C goes on ignoring it.

This file imports next to nothing, so that it can be imported first.
"""

import os
import signal

INTERRUPTED = 130
"""The exit code."""


def end_at_once() -> None:
    """Let Ctrl-C end the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_error() -> None:
    """Let Ctrl-C raise KeyboardInterrupt."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    os._exit(INTERRUPTED)
