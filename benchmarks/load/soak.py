"""Does memory stay under its limit? Sends analyses that take much memory, for each engine.

    python -m benchmarks.load.soak --requests 2000
    python -m benchmarks.load.soak --memory-mb 64       with this BESTMOVE_MEMORY_MB

There is one worker, so that every request uses the same tables.
"""

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from benchmarks.load.report import BESIDE_MB, Report, peak_mb, run, service
from tests.support.connection import Connection, encode
from tests.support.positions import random_board
from tests.support.replicas import Replica

CLIENTS = 6
"""How many clients ask at once. The service gets as many slots, so no client waits for a slot."""

READINGS = 20


def question(chooser: random.Random) -> bytes:
    kinds = "lines lines 15 20 solver drops misere textbook proof proof"
    kind = chooser.choice(kinds.split())
    fields: dict[str, object] = {"time_ms": chooser.choice([20, 60, 200])}
    if kind == "lines":  # each of 300 moves has a line of 300 cells
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
    elif kind == "proof":
        side = chooser.choice([4, 5, 6, 12, 20])
        k = min(side, 4) if side < 12 else side // 2
        filled = chooser.randint(2, 4) if side < 12 else side * side // 2
        fields |= {"board": str(random_board(chooser, side, side, k, filled)), "k": k}
        fields |= {"time_ms": 3000, "misere": chooser.random() < 0.3}
    else:
        fields |= {"board": "XO" * 2 + "." * 12, "k": 4, "algorithm": "memoized-alpha-beta"}
        fields["time_ms"] = 2000
    others = chooser.choice(["/analyze"] * 3 + ["/best-move"])
    path = {"textbook": "/best-move", "proof": "/proof"}.get(kind, others)
    return encode(path, fields)


def soak(running: Replica, requests: int, memory_mb: int, seed: int = 1) -> Report:
    chooser = random.Random(seed)
    questions = [question(chooser) for _ in range(requests)]
    resident: list[float] = []
    statuses: Counter[int] = Counter()

    def ask(of_client: int) -> None:
        with Connection(running.port, timeout=60) as connection:
            for number in range(of_client, requests, CLIENTS):
                # Ask an earlier question again: the service may remember its answer.
                for asked in (questions[number], questions[max(0, number - 5 * CLIENTS)]):
                    while (status := connection.send(asked).status) == 503:
                        statuses[status] += 1
                        time.sleep(0.05)
                    statuses[status] += 1
                if number % (max(1, requests // READINGS)) == 0:
                    resident.append(running.resident()[1] / 2**20)

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(ask, range(CLIENTS)))
    report = Report(f"{requests} large analyses for all engines, {memory_mb} MiB, one worker")
    report.figures["answers"] = dict(statuses)
    report.figures["resident MiB, on the way"] = " ".join(f"{mb:.0f}" for mb in resident)
    most = peak_mb(running.workers[0])
    report.figures["the most (MiB)"] = f"{most:.0f}"
    report.require(set(statuses) <= {200, 503}, f"not all were answered: {dict(statuses)}")
    report.require(most <= memory_mb + BESIDE_MB, f"{most:.0f} MiB: over the limit")
    return report


def everything(requests: int, memory_mb: int) -> list[Report]:
    with service(workers=1, search_slots=CLIENTS, memory_mb=memory_mb) as running:
        return [soak(running, requests, memory_mb)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, requests=2000, memory_mb=256))
