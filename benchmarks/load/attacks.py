"""Can one client stop a service that has no nginx in front of it? Attacks the service while other
clients send probes and look-ups.

python -m benchmarks.load.attacks --seconds 30
python -m benchmarks.load.attacks --seconds 3600 --only bred

With `--only bred`, only the attack "bred requests" runs. At the end, a table is printed.
"""

import json
import os
import random
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.load.drip import Drip, Slow
from benchmarks.load.idle import Idle
from benchmarks.load.report import BESIDE_MB, Report, pair, peak_mb, service
from benchmarks.load.sweep import Breeder
from benchmarks.options import asked
from bestmove.api.settings import Settings
from bestmove.cpus import available_cpus
from tests.support.connection import LOOPBACK, Answer, Connection, encode
from tests.support.crowd import Crowd
from tests.support.positions import OPEN_15, small
from tests.support.questions import Only, best_move
from tests.support.replicas import Replica

ATTACKERS = 24
MANY = 300
"""How many clients send requests at once: more than the service has threads."""

SLOW_CLIENTS = 64
COMMAND = (sys.executable, "-m", "bestmove", "serve")
FEW_DESCRIPTORS = 256
SILENT_CLIENTS = 260
KEPT_CLIENTS = 8
CLOSED_SHARE = 0.1
"""The share of probes that may get no answer. If busy clients use all descriptors, the worker may
close new connections that have sent nothing yet."""

FLAT = 32 * 2**20
"""A worker's memory may grow by this many bytes in the second half of an attack. The requests that
are handled at the same time need this much."""

FILLED_AFTER = 15.0
"""An attack of this many seconds fills the service's tables. Memory should stop growing."""

STRIPES = "OOOXOXXXOXXXOOXXOXOO"
"""Each letter fills a row of 20 cells. If exactly 8 in a row win, such a board is expensive to
validate."""

GONE_AFTER = 0.5

PATIENCE = 30.0

CHUNKED = b"\r\nTransfer-Encoding: chunked\r\n\r\n"

WARM_UP_SHARE = 0.5
"""The share of an attack's time before the first measurement of memory."""


def costly_batch(seed: int) -> bytes:
    chooser = random.Random(seed)
    boards = []
    for _ in range(1000):
        rows = chooser.sample(STRIPES, len(STRIPES))
        boards.append("/".join(mark * 20 for mark in rows))
    return encode("/best-moves", {"boards": boards, "k": 8, "overline": False, "time_ms": 10_000})


def tree(leaves: int, **options: str) -> bytes:
    body = {**options, "tree": [[1, 2]] * leaves}
    return encode("/game-tree", json.dumps(body, separators=(",", ":")).encode())


def bred(count: int, seed: int) -> tuple[bytes, ...]:
    breeder = Breeder(seed)
    requests = []
    for _ in range(count):
        request = breeder.changed(breeder.new())
        if request.method == "GET":
            requests.append(encode(f"{request.path}?{request.text()}"))
        else:
            requests.append(encode(request.path, request.text().encode()))
    return tuple(requests)


def blanks() -> tuple[bytes, ...]:
    found = [encode("/best-move?board=.........", headers={"Accept": f"a/b{' ' * 8000}c"})]
    for name in ("Content-Length", "Expect", "Origin"):
        found.append(encode("/healthz", headers={name: f"{' ' * 60_000}\rx"}))
    return tuple(found)


MINIMAX = {"board": ".........", "algorithm": "minimax"}
"""A request whose search takes 0.8 s of processor time."""

FLOODS = {
    "textbook searches of 1 ms": (encode("/best-move", {**MINIMAX, "time_ms": 1}),),
    "textbook searches": (encode("/best-move", MINIMAX),),
    # The first tree is valid, the second has far too many nodes.
    "trees": (tree(3300, algorithm="minimax"), tree(33_000)),
    "batches": (encode("/best-moves", {"boards": ["/".join(["." * 19] * 19)] * 1000, "k": 5}),),
    "batches of faults": (
        encode("/best-moves", {"boards": ["XX" + "." * 359] * 1000, "rows": 19}),
    ),
    "small trees": (tree(80),),  # a little smaller than a tree that needs a slot
    "headers of blanks": blanks(),
    "searches by GET": (
        encode(f"/best-move?board={OPEN_15}&time_ms=5000"),
        encode("/analyze?game=connect-four&moves=4444427&time_ms=5000"),
        encode("/analyze?rows=20&columns=20&k=19&time_ms=5000"),
    ),
    "bred requests": bred(2000, 1),
}


def crawling(port: int, number: int) -> Slow:
    """Open the connection of a slow client, which sends its request slowly or does not read the
    answer."""
    connection = socket.create_connection((LOOPBACK, port), 5)
    request = encode("/best-move", {"board": "X...O....", "time_ms": 1000})
    head, _, body = request.partition(b"\r\n\r\n")
    match number % 4:
        case 0:
            return Slow(connection, request)
        case 1:
            connection.sendall(head + b"\r\n\r\n")
            return Slow(connection, body)
        case 2:
            connection.sendall(head.replace(b"Content-Length:", b"X-Length:") + CHUNKED)
            return Slow(connection, b"1\r\n{\r\n" * 1000)
        case _:
            connection.sendall(encode("/openapi.json") * 40)
            return Slow(connection, b"GET", reads=False)


def beside(
    service: Replica,
    what: str,
    seconds: float,
    late: float,
    *,
    lookups_wait: bool = False,
    lost: float = 0,
) -> Report:
    """Send look-ups and probes during an attack. Report times and what went wrong.

    Each probe uses a new connection. An idle process measures delays of the machine itself.

    Args:
        seconds: how long the attack lasts.
        late: the most seconds in which 99 % of the answers must come.
        lookups_wait: whether look-ups may fail or be late.
        lost: the share of probes that may get no answer.
    """
    chooser = random.Random(11)
    questions = Only([best_move(small(chooser)) for _ in range(200)])

    def probe(connection: Connection, _: int) -> Answer:
        connection.close()
        return connection.get("/healthz")

    lookups = Crowd(service.port, questions, size=2, pause=0.02).start()
    probes = Crowd(service.port, probe, size=1, pause=0.05).start()
    idle = Idle()
    time.sleep(seconds * WARM_UP_SHARE)
    before = max(service.resident()[1:])
    time.sleep(seconds * (1 - WARM_UP_SHARE))
    grown = max(service.resident()[1:]) - before
    control = idle.stop()
    tallies = {"3×3": lookups.stop(), "/healthz": probes.stop()}
    most, slots = gauge(service.port, "searches_in_progress"), available_cpus()
    report = Report(f"{what}, {seconds:.0f} s, {len(service.workers)} workers")
    for name, tally in tallies.items():
        report.figures[f"{name}: answers"] = dict(tally.statuses)
        report.figures[f"{name}: 50 % (s)"] = f"{tally.quantile(0.5):.3f}"
        report.figures[f"{name}: 99 %, worst (s)"] = pair(tally.quantile(0.99), tally.quantile(1))
        report.require(set(tally.statuses) == {200}, f"{name}: {dict(tally.statuses)}")
        if name == "/healthz" or not lookups_wait:
            most_lost = lost * sum(tally.statuses.values())
            report.require(len(tally.failures) <= most_lost, f"{name} failed: {tally.failures[:3]}")
            report.require(tally.quantile(0.99) <= late, f"{name} took too long")
    report.figures["idle process: 99 %, worst (s)"] = pair(*control)
    report.figures["lost"] = sum(len(tally.failures) for tally in tallies.values())
    report.figures["in progress, slots"] = f"{most}, {slots}"
    report.figures["grown (MiB)"] = round(grown / 2**20, 1)
    report.require(most <= slots, f"{most} searches in {slots} slots")
    peak = max(peak_mb(pid) for pid in service.workers)
    report.figures["most (MiB)"] = round(peak, 1)
    report.require(peak <= Settings().memory_mb + BESIDE_MB, f"a worker took {peak:.0f} MiB")
    if seconds * WARM_UP_SHARE >= FILLED_AFTER:
        report.require(grown <= FLAT, f"a worker grew by {grown / 2**20:.0f} MiB")
    return report


def gauge(port: int, name: str) -> int:
    with Connection(port) as connection:
        text = connection.get("/metrics").body.decode()
    found = re.search(rf"^bestmove_{name} ([0-9.]+)$", text, re.MULTILINE)
    return int(float(found.group(1))) if found else 0


def flood(service: Replica, name: str, seconds: float, late: float = 0.25) -> Report:
    """Send one of `FLOODS` for `seconds`, from clients that do not pause between requests."""
    attack = Crowd(service.port, Only(FLOODS[name]), size=ATTACKERS, timeout=60).start()
    report = beside(service, f"{ATTACKERS} clients, {name}", seconds, late)
    tally = attack.stop()
    report.figures["attackers' answers"] = dict(tally.statuses)
    report.require(tally.answered > 0, "no attacker got an answer")
    report.require(not tally.failures, f"attackers got no answer: {tally.failures[:3]}")
    report.require(500 not in tally.statuses, "an internal error")
    return report


def many(service: Replica, seconds: float, late: float = 0.25) -> Report:
    requests = Only(FLOODS["bred requests"])
    attack = Crowd(service.port, requests, size=MANY, timeout=60).start()
    what = f"{MANY} clients, bred requests"
    report = beside(service, what, seconds, late, lookups_wait=True)
    tally = attack.stop()
    report.figures["attackers' answers"] = dict(tally.statuses)
    report.require(not tally.failures, f"attackers got no answer: {tally.failures[:3]}")
    return report


def gone(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Send costly batches again and again, from clients that hang up."""
    requests = [costly_batch(number) for number in range(2)]
    ends = time.monotonic() + seconds
    waits: list[float] = []

    def attack() -> None:
        while time.monotonic() < ends:
            clients = [socket.create_connection((LOOPBACK, service.port), 5) for _ in requests]
            for client, request in zip(clients, requests, strict=True):
                client.sendall(request)
            time.sleep(GONE_AFTER)
            for client in clients:
                client.close()
            waits.append(_until_searched(service.port))

    attacker = threading.Thread(target=attack)
    attacker.start()
    report = beside(service, "2 batches whose clients hang up", seconds, late)
    attacker.join()
    report.figures["times that the clients hung up"] = len(waits)
    report.figures["until the next search is answered: worst (s)"] = f"{max(waits):.3f}"
    report.require(max(waits) <= 4 * late, "a search waited for batches whose clients were gone")
    return report


def _until_searched(port: int) -> float:
    started = time.monotonic()
    with Connection(port, timeout=PATIENCE) as connection:
        body = {"board": OPEN_15, "time_ms": 100}
        while connection.post("/best-move", body).status != 200:
            if time.monotonic() > started + PATIENCE:
                break
            time.sleep(0.02)
    return time.monotonic() - started


def drip(service: Replica, seconds: float, late: float = 0.25) -> Report:
    slow = Drip(SLOW_CLIENTS, partial(crawling, service.port))
    time.sleep(1)
    report = beside(service, f"{SLOW_CLIENTS} slow clients", seconds, late)
    slow.stop()
    report.figures["bytes sent"] = slow.sent
    report.figures["statuses"] = sorted(slow.statuses)
    report.require(slow.sent >= SLOW_CLIENTS * (seconds - 2) / 2, "slow clients sent too little")
    if seconds > 25:
        report.require("408" in slow.statuses, "no slow client got a 408")
    return report


def with_few_descriptors() -> tuple[str, ...]:
    return ("/bin/sh", "-c", f'ulimit -n {FEW_DESCRIPTORS}; exec "$@"', "sh", *COMMAND)


def with_a_log_that_nobody_reads(folder: Path) -> tuple[str, ...]:
    pipe = folder / "unread"
    os.mkfifo(pipe)
    return ("/bin/sh", "-c", 'pipe=$1; shift; exec "$@" 1<>"$pipe" 2>&1', "sh", str(pipe), *COMMAND)


def silent(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Keep more silent connections open than the service has file descriptors."""
    before = service.workers
    kept = [Connection(service.port, timeout=10) for _ in range(KEPT_CLIENTS)]
    for connection in kept:
        connection.get("/healthz")
    quiet = [
        socket.create_connection((LOOPBACK, service.port), 5)
        for _ in range(SILENT_CLIENTS * len(before))
    ]
    report = beside(service, f"{len(quiet)} silent clients", seconds, late)
    given_up = gauge(service.port, "connections_given_up_total")
    report.figures["connections given up"] = given_up
    report.require(given_up > 0, "the silent clients were too few")
    report.require(service.workers == before, "a worker ended")
    for connection in kept:
        report.require(connection.get("/healthz").status == 200, "a kept connection was lost")
        connection.close()
    for sock in quiet:
        sock.close()
    return report


def busy(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Send look-ups from more clients than the service has file descriptors.

    Half of the clients keep their connections. The others open a connection for each look-up.
    """
    before = service.workers
    look_up = encode("/best-move", {"board": "........."})

    def on_a_new_connection(connection: Connection, _: int) -> Answer:
        connection.close()
        return connection.send(look_up)

    size = SILENT_CLIENTS * len(before) // 2
    crowds = [
        Crowd(service.port, ask, size=size, pause=0.05, timeout=60).start()
        for ask in (Only([look_up]), on_a_new_connection)
    ]
    what = f"{2 * size} busy clients, few descriptors"
    report = beside(service, what, seconds, late, lookups_wait=True, lost=CLOSED_SHARE)
    tallies = [crowd.stop() for crowd in crowds]
    report.figures["attackers' answers"] = [dict(tally.statuses) for tally in tallies]
    report.require(service.workers == before, "a worker ended")
    return report


def unread(service: Replica, seconds: float, late: float = 0.25) -> Report:
    report = beside(service, "a log that nobody reads", seconds, late)
    dropped = gauge(service.port, "log_lines_dropped_total")
    report.figures["lines dropped"] = dropped
    report.require(dropped > 0, "the log's pipe was not full")
    return report


def everything(seconds: float, only: str) -> Iterator[Report]:
    for count in (1, 2):
        with service(command=COMMAND, workers=count) as running:
            for name in FLOODS:
                if only in name:
                    yield flood(running, name, seconds)
            if only:
                continue
            yield many(running, seconds)
            yield gone(running, seconds)
            yield drip(running, seconds)
        with service(command=with_few_descriptors(), workers=count) as running:
            yield silent(running, seconds)
            yield busy(running, seconds)
        with tempfile.TemporaryDirectory() as folder:
            command = with_a_log_that_nobody_reads(Path(folder))
            with service(command=command, workers=count, log_level="info") as running:
                yield unread(running, seconds)


_COLUMNS = (
    "/healthz: 99 %, worst (s)",
    "3×3: 99 %, worst (s)",
    "idle process: 99 %, worst (s)",
    "lost",
)


def table(reports: Sequence[Report]) -> str:
    lines = [f"| attack | {' | '.join(_COLUMNS)} |", "| --- |" + " ---: |" * len(_COLUMNS)]
    for report in reports:
        cells = [report.title, *(str(report.figures[name]) for name in _COLUMNS)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    given = asked(__doc__, seconds=30.0, only="")
    reports = []
    for report in everything(given.seconds, given.only):
        reports.append(report)
        print(report, flush=True)
    print(table(reports))
    broken = sum(len(report.broken) for report in reports)
    print(f"{broken} BROKEN" if broken else "fine")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
