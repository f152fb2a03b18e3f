"""Do the tables need a smaller bound? Resident memory over 20,000 requests of every size.

    python -m benchmarks.load.soak

One worker, so that every request meets the same tables.
"""

from __future__ import annotations

import random
from statistics import median

from benchmarks.load.report import Report, run, service
from tests.support.connection import Connection
from tests.support.positions import random_board
from tests.support.questions import best_move, best_move_link
from tests.support.replicas import Replica

READINGS = 20
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


def soak(running: Replica, requests: int, seed: int = 1) -> Report:
    """Ask one after the other, and watch the worker's resident memory."""
    chooser = random.Random(seed)
    resident: list[float] = []
    statuses: dict[int, int] = {}
    with Connection(running.port) as connection:
        for number in range(1, requests + 1):
            status = connection.send(question(chooser)).status
            statuses[status] = statuses.get(status, 0) + 1
            if number % max(1, requests // READINGS) == 0:
                resident.append(max(running.resident()) / 2**20)
    quarter = max(1, len(resident) // 4)
    early, late = median(resident[:quarter]), median(resident[-quarter:])
    report = Report(f"{requests} requests over boards of every size, one worker")
    report.figures["answers"] = statuses
    report.figures["resident MB, on the way"] = " ".join(f"{mb:.0f}" for mb in resident)
    report.figures["medians of the first and the last quarter, MB"] = f"{early:.0f}, {late:.0f}"
    report.require(set(statuses) == {200}, f"not all were answered: {statuses}")
    report.require(late <= ALLOWED * early, f"grown from {early:.0f} to {late:.0f} MB")
    return report


def everything(requests: int) -> list[Report]:
    """On a service of one worker."""
    with service(workers=1) as running:
        return [soak(running, requests)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, requests=20_000))
