"""Sets what Ctrl-C does.

While a command starts, Ctrl-C ends the process silently: a KeyboardInterrupt during an import would
show a traceback. Later, during a search or a game, Ctrl-C raises KeyboardInterrupt. A process that
ignores Ctrl-C from its start continues to do so.

The command imports this module first, so this module imports very little.
"""

import os
import signal

INTERRUPTED = 130
"""The exit code of a process that Ctrl-C ends."""


def end_at_once() -> None:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_error() -> None:
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def raise_error_on_term() -> None:
    """Raise KeyboardInterrupt at SIGTERM, too: containers are stopped with SIGTERM."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _end(*_: object) -> None:
    os._exit(INTERRUPTED)
