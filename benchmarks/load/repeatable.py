"""Can a repeatable search be cached? Asks equal questions while 16 busy loops take the processors.

    python -m benchmarks.load.repeatable --requests 1000

It asks each question three times. The questions are of all kinds with repeatable answers: GETs,
seeds at every level, and depths.
"""

import contextlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.load.report import Report, alone, run
from bestmove.game import Board
from tests.support.connection import Answer, Connection, encode
from tests.support.positions import random_board
from tests.support.replicas import Replica

LOOPS = 16
TIMES = 3
SHAPES = ((4, 5, 4), (5, 5, 4), (6, 6, 4), (7, 7, 5), (9, 9, 5), (15, 15, 5), (19, 19, 5))
PATIENCE_S = 30.0
"""For how many seconds a question is retried when the busy service refuses it."""


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Run this many processes that only keep a processor busy."""
    command = [sys.executable, "-S", "-c", "while True: pass"]
    processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL) for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def question(chooser: random.Random) -> bytes:
    """A random question that must get the same answer every time."""
    rows, columns, k = chooser.choice(SHAPES)
    board = random_board(chooser, rows, columns, k, chooser.randrange(min(24, rows * columns)))
    path = chooser.choice(("/best-move", "/best-move", "/analyze"))
    options: dict[str, Any] = {"k": k, "time_ms": chooser.randint(20, 100)}
    if chooser.random() < 0.4:
        return _link(path, board, options)
    if chooser.random() < 0.4:
        options["depth"] = chooser.randint(1, 6)
    else:
        options["seed"] = chooser.randrange(1000)
        if path == "/best-move":
            options["level"] = chooser.randint(1, 10)
    return encode(path, {"board": str(board), **options})


def _link(path: str, board: Board, options: dict[str, Any]) -> bytes:
    query = "".join(f"&{name}={value}" for name, value in options.items())
    return encode(f"{path}?board={board}{query}")


def told(answer: Answer) -> object:
    """The answer without the time that it took."""
    document = answer.json()
    if "search" in document:
        del document["search"]["elapsed_ms"]
    return document


def repeatable(running: Replica, requests: int, *, seconds: float, seed: int = 1) -> Report:
    """Ask every question three times, in three rounds, for at most `seconds`."""
    chooser = random.Random(seed)
    questions = [question(chooser) for _ in range(requests)]
    first: dict[int, object] = {}
    differing: list[str] = []
    equal = refused = timed_out = 0
    slowest = 0.0
    ends = time.monotonic() + seconds
    with busy(LOOPS), Connection(running.port, timeout=60) as connection:
        for number in [place for _ in range(TIMES) for place in range(requests)]:
            if time.monotonic() > ends:
                break
            gives_up = time.monotonic() + PATIENCE_S
            while (answer := connection.send(questions[number])).status == 503:
                refused += 1
                if time.monotonic() > gives_up:
                    break
                time.sleep(0.1)
            slowest = max(slowest, answer.seconds)
            if answer.status != 200:
                differing.append(f"{answer.status}: {questions[number]!r}")
                continue
            timed_out += b'"timed_out"' in answer.body
            timed_out += "timed_out" in answer.headers.get("server-timing", "")
            now = told(answer)
            if first.setdefault(number, now) == now:
                equal += 1
            else:
                differing.append(f"{questions[number]!r}: {json.dumps(first[number])}, {now}")
    report = Report(f"{requests} questions, {TIMES} times each, among {LOOPS} busy loops")
    report.figures["answers equal to the first"] = equal
    report.figures["refused and asked again"] = refused
    report.figures["cut short by the clock"] = timed_out
    report.figures["slowest, s"] = f"{slowest:.2f}"
    report.require(equal > requests, "too slow: even the first round did not finish")
    report.require(timed_out == 0, "the clock cut a search short")
    report.require(not differing, f"{len(differing)} differ, such as {differing[:1]}")
    return report


if __name__ == "__main__":
    raise SystemExit(run(__doc__, alone(repeatable, workers=2), requests=1000, seconds=3600.0))
