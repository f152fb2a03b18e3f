"""Does memory stay flat?  20,000 requests over boards of every size, resident memory on the way.

    python -m benchmarks.load.soak

One worker, so that every request meets the same tables; a line of figures every 1,000 requests.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.load.report import Report
from tests.support.connection import Connection
from tests.support.positions import random_board
from tests.support.questions import best_move, best_move_link
from tests.support.replicas import Replica, replica

STEP = 1_000
ALLOWED = 1.25
"""How much the last quarter's median may exceed the first's. One reading says little: which boards'
tables are in memory just then changes it by a third."""


def question(chooser: random.Random) -> bytes:
    """Any size, any k, anywhere in a game, by POST or GET."""
    rows, columns = chooser.randint(1, 19), chooser.randint(1, 19)
    if chooser.random() < 0.4:
        rows = columns = 3
    k = min(chooser.randint(3, 7), max(rows, columns))
    board = random_board(chooser, rows, columns, k, chooser.randrange(rows * columns))
    ask = chooser.choice([best_move, best_move_link])
    return ask(board, rows=rows, columns=columns, k=k, time_ms=chooser.choice([1, 2, 5, 20]))


def soak(service: Replica, requests: int, seed: int = 1) -> Report:
    """Ask one after the other, and watch the worker's resident memory."""
    chooser = random.Random(seed)
    resident: list[float] = []
    statuses: dict[int, int] = {}
    with Connection(service.port) as connection:
        for number in range(1, requests + 1):
            status = connection.send(question(chooser)).status
            statuses[status] = statuses.get(status, 0) + 1
            if number % STEP == 0:
                resident.append(max(service.resident()) / 2**20)
    quarter = max(1, len(resident) // 4)
    early, late = median(resident[:quarter]), median(resident[-quarter:])
    report = Report(f"{requests} requests over boards of every size, one worker")
    report.figures["answers"] = statuses
    report.figures["resident MB, every 1,000"] = " ".join(f"{mb:.0f}" for mb in resident)
    report.figures["medians of the first and the last quarter, MB"] = f"{early:.0f}, {late:.0f}"
    report.require(set(statuses) == {200}, f"not all were answered: {statuses}")
    report.require(late <= ALLOWED * early, f"grown from {early:.0f} to {late:.0f} MB")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, replica(Path(folder), workers=1) as service:
        report = soak(service, options.requests)
    print(report)
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
