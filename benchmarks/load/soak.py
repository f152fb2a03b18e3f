"""Does memory stay flat, and under its bound? Resident memory over thousands of requests.

    python -m benchmarks.load.soak                           20,000 requests, boards of every size
    python -m benchmarks.load.soak --large --requests 2000   what takes the most memory, all engines
    python -m benchmarks.load.soak --large --memory-mb 64    with BESTMOVE_MEMORY_MB

One worker, so that every request meets the same tables.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from benchmarks.load.report import Report, service
from tests.support.connection import Connection, encode
from tests.support.positions import random_board
from tests.support.questions import best_move, best_move_link
from tests.support.replicas import Replica

BESIDE_MB = 64
"""What a worker may take beside BESTMOVE_MEMORY_MB."""

CLIENTS = 6
"""And slots: what a worker may do at once is for its memory to bound."""

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


def large_question(chooser: random.Random) -> bytes:
    """What takes the most memory of each engine, and of the answers that are remembered."""
    kind = chooser.choice(["lines", "lines", "15", "20", "solver", "drops", "misere", "textbook"])
    fields: dict[str, object] = {"time_ms": chooser.choice([20, 60, 200])}
    if kind == "lines":  # 300 moves, and a line of 300 for each
        cells = ["X", "O"] * 50 + ["."] * 300
        chooser.shuffle(cells)
        fields |= {"board": "".join(cells), "k": 20, "time_ms": 400}
    elif kind in ("15", "20"):
        side = int(kind)
        fields |= {"board": str(random_board(chooser, side, side, 5, chooser.randint(4, 60)))}
        if chooser.random() < 0.3:
            fields["depth"] = 2
    elif kind == "solver":
        rows, columns = chooser.randint(4, 8), chooser.randint(5, 8)
        fields |= {"board": str(random_board(chooser, rows, columns, 4, 4)), "k": 4}
    elif kind == "drops":
        columns = chooser.randint(4, 7)
        drops = "".join(str(chooser.randint(1, columns)) for _ in range(4))
        fields |= {"moves": drops, "rows": 8, "columns": columns, "k": 4, "gravity": True}
    elif kind == "misere":
        rows, columns = chooser.randint(6, 20), chooser.randint(6, 20)
        fields |= {"rows": rows, "columns": columns, "k": 5, "misere": True}
    else:
        fields |= {"board": "XO" * 2 + "." * 12, "k": 4, "algorithm": "memoized-alpha-beta"}
        fields["time_ms"] = 2000
    path = "/best-move" if kind == "textbook" else chooser.choice(["/analyze"] * 3 + ["/best-move"])
    return encode(path, fields)


def peak(running: Replica) -> tuple[float, float]:
    """The resident memory of the worker now, and the most it ever was, in MiB."""
    text = Path(f"/proc/{running.workers[0]}/status").read_text(encoding="ascii")
    now, most = (int(text.partition(name)[2].split()[0]) / 1024 for name in ("VmRSS:", "VmHWM:"))
    return now, most


def soak_large(running: Replica, requests: int, memory_mb: int, seed: int = 1) -> Report:
    """Ask with several clients, each again until it is answered; the worker's most memory."""
    chooser = random.Random(seed)
    questions = [large_question(chooser) for _ in range(requests)]
    resident: list[float] = []
    statuses: Counter[int] = Counter()

    def ask(of_client: int) -> None:
        with Connection(running.port, timeout=60) as connection:
            for number in range(of_client, requests, CLIENTS):
                # Each is asked again a while later: what was proven is then remembered.
                for question in (questions[number], questions[max(0, number - 5 * CLIENTS)]):
                    while (status := connection.send(question).status) == 503:
                        statuses[status] += 1
                        time.sleep(0.05)
                    statuses[status] += 1
                if number % (requests // 20) == 0:
                    resident.append(peak(running)[0])

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(ask, range(CLIENTS)))
    report = Report(f"{requests} large analyses, each engine in turn, {memory_mb} MiB, one worker")
    report.figures["answers"] = dict(statuses)
    report.figures["resident MiB, on the way"] = " ".join(f"{mb:.0f}" for mb in resident)
    now, most = peak(running)
    report.figures["resident MiB at the end, and the most"] = f"{now:.0f}, {most:.0f}"
    report.require(set(statuses) <= {200, 503}, f"not all were answered: {dict(statuses)}")
    report.require(most <= memory_mb + BESIDE_MB, f"{most:.0f} MiB, {BESIDE_MB} beside the bound")
    return report


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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--large", action="store_true", help="what takes the most memory")
    parser.add_argument("--memory-mb", type=int, default=256, metavar="MIB")
    options = parser.parse_args()
    memory_mb = options.memory_mb
    with service(workers=1, search_slots=CLIENTS, memory_mb=memory_mb) as running:
        if options.large:
            report = soak_large(running, options.requests, memory_mb)
        else:
            report = soak(running, options.requests)
    print(report)
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
