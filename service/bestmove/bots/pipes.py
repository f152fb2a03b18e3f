"""Connects a brain to a manager's pipes: one thread reads, another searches and answers."""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from typing import Final, TextIO

from bestmove.bots.gomocup import Brain

MAX_LINE: Final = 1_000
"""The most characters of a line. Longer lines are cut, because no command needs more."""


def run(
    brain: Brain,
    source: TextIO,
    sink: TextIO,
    log: TextIO,
    hurry: Callable[[], None] = lambda: None,
) -> None:
    """Play until END or the end of the input.

    A separate thread reads, so that the time for a move starts when its line arrives.

    Args:
        brain: answers the lines.
        source: the manager's lines.
        sink: gets the answers, line by line.
        log: gets the tracebacks; the manager then gets an ERROR.
        hurry: called from the reading thread after END; it ends the current and all later searches
            with their results so far.
    """
    lines: queue.SimpleQueue[tuple[str, float] | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, lines, hurry), daemon=True).start()
    try:
        while not brain.ended and (item := lines.get()) is not None:
            _answer(brain, item, sink, log)
    except BrokenPipeError:
        return


def _answer(brain: Brain, item: tuple[str, float], sink: TextIO, log: TextIO) -> None:
    try:
        for answer in brain.handle(*item):
            print(answer, file=sink, flush=True)
    except BrokenPipeError:
        raise
    except Exception as error:  # after a failed move, the match can continue
        traceback.print_exc(file=log)
        print(f"ERROR {type(error).__name__} in the engine", file=sink, flush=True)


def _read(
    source: TextIO,
    lines: queue.SimpleQueue[tuple[str, float] | None],
    hurry: Callable[[], None],
) -> None:
    rest_of_long_line = False
    while text := source.readline(MAX_LINE):
        if not rest_of_long_line:
            lines.put((text, time.monotonic()))
            if text.strip().upper() == "END":
                hurry()
                return
        rest_of_long_line = not text.endswith("\n")
    lines.put(None)
