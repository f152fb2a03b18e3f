"""Connects a brain to a manager's pipes: one thread reads, and another searches and answers."""

from __future__ import annotations

import queue
import threading
import time
import traceback
from functools import partial
from typing import Final, TextIO

from bestmove.bots.gomocup import STOPS, Brain
from bestmove.search.cancellation import Cancellation

MAX_LINE: Final = 1_000
"""The maximum length of a line in characters. No command is longer, so longer lines are cut."""

_Lines = queue.SimpleQueue[tuple[str, float, Cancellation] | None]
"""Each item has a line, the line's arrival time, and the `Cancellation` of its search. At the end
of the input, the item is None."""


def run(brain: Brain, source: TextIO, sink: TextIO, log: TextIO) -> None:
    """Play until END or the end of the input.

    A separate thread reads. So a move's time starts when its line arrives, and YXSTOP or END can
    end a running search.

    Args:
        brain: answers the lines.
        source: the manager's lines.
        sink: gets the answers, line by line.
        log: gets the traceback of a failure; the manager gets an ERROR.
    """
    brain.tell = partial(print, file=sink, flush=True)
    lines: _Lines = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, lines), daemon=True).start()
    try:
        while not brain.ended and (item := lines.get()) is not None:
            _answer(brain, item, sink, log)
    except BrokenPipeError:
        return


def _answer(brain: Brain, item: tuple[str, float, Cancellation], sink: TextIO, log: TextIO) -> None:
    try:
        for answer in brain.handle(*item):
            print(answer, file=sink, flush=True)
    except BrokenPipeError:
        raise
    except Exception as error:  # one failed move must not end the match
        traceback.print_exc(file=log)
        print(f"ERROR {type(error).__name__} in the engine", file=sink, flush=True)


def _read(source: TextIO, lines: _Lines) -> None:
    cancellation = Cancellation()
    rest_of_long_line = False
    while text := source.readline(MAX_LINE):
        if not rest_of_long_line:
            lines.put((text, time.monotonic(), cancellation))
            word = text.strip().upper()
            if word in ("END", *STOPS):
                cancellation.cancel()
                cancellation = Cancellation()  # A later search needs a new `Cancellation`.
            if word == "END":
                return
        rest_of_long_line = not text.endswith("\n")
    lines.put(None)
