"""Can one client stop a service without nginx? Attacks, with probes and look-ups beside each.

python -m benchmarks.load.attacks --seconds 30

At the end is a table of all attacks; `--write` puts it into report/results/attacks.md.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.load.drip import Drip, Slow
from benchmarks.load.idle import Idle
from benchmarks.load.report import Report
from bestmove.api.cpus import available_cpus
from tests.support.connection import LOOPBACK, Connection, encode
from tests.support.crowd import Crowd, Tally
from tests.support.positions import OPEN_15, small
from tests.support.questions import Only, best_move
from tests.support.replicas import Replica, replica

ATTACKERS = 24
SLOW_CLIENTS = 64
COMMAND = (sys.executable, "-m", "bestmove", "serve")
FEW_DESCRIPTORS = 256
SILENT_CLIENTS = 260
KEPT_CLIENTS = 8
FLAT = 32 * 2**20
"""Bytes by which a worker may grow after the first seconds of an attack: what the requests in
flight take at the same time."""

RESULTS = Path(__file__).parents[1] / "report" / "results" / "attacks.md"

STRIPES = "OOOXOXXXOXXXOOXXOXOO"
"""Whole rows of one mark: with exactly 8 in a row, boards that are costly to look at."""

GONE_AFTER = 0.5
"""Seconds after which a client goes away."""

PATIENCE = 30.0
"""Seconds to wait for a search."""

_INTRODUCTION = """# The attacks

What others find while a service without nginx is attacked for {seconds:.0f} s, by
`python -m benchmarks.load.attacks --write`: probes on connections of their own, look-ups of 3×3,
and as a control how late a process wakes that only sleeps, on the same machine at the same time.
"""

CHUNKED = b"\r\nTransfer-Encoding: chunked\r\n\r\n"

WARM_UP_SHARE = 0.5
"""Of the seconds of an attack, those before its memory is measured for the first time."""


def textbook(_: int) -> bytes:
    """Searches of 0.8 s of processor that ask to be over after a millisecond."""
    return best_move_of({"board": ".........", "algorithm": "minimax", "time_ms": 1})


def patient_textbook(_: int) -> bytes:
    """The same without a time of their own."""
    return best_move_of({"board": ".........", "algorithm": "minimax"})


def best_move_of(body: object) -> bytes:
    """A request for the best move."""
    return encode("/best-move", body)


def trees(number: int) -> bytes:
    """Trees of 200 kB: some that are far too large, some of as many nodes as are allowed."""
    if number % 2:
        return encode("/game-tree", b'{"tree":[' + b",".join([b"[1,2]"] * 33_000) + b"]}")
    leaves = b",".join([b"[1,2]"] * 3300)
    return encode("/game-tree", b'{"algorithm":"minimax","tree":[' + leaves + b"]}")


def batches(_: int) -> bytes:
    """A thousand boards of 19×19."""
    return encode("/best-moves", {"boards": ["/".join(["." * 19] * 19)] * 1000, "k": 5})


def faults(_: int) -> bytes:
    """A thousand boards of which each is wrong."""
    return encode("/best-moves", {"boards": ["XX" + "." * 359] * 1000, "rows": 19})


def costly_batch(seed: int) -> bytes:
    """A thousand different boards of 20×20 on which exactly 8 in a row count."""
    chooser = random.Random(seed)
    boards = []
    for _ in range(1000):
        rows = chooser.sample(STRIPES, len(STRIPES))
        boards.append("/".join(mark * 20 for mark in rows))
    return encode("/best-moves", {"boards": boards, "k": 8, "overline": False, "time_ms": 10_000})


def small_bodies(_: int) -> bytes:
    """Trees just below the size from which on they need a slot."""
    return encode("/game-tree", b'{"tree":[' + b",".join([b"[1,2]"] * 330) + b"]}")


FLOODS: dict[str, Callable[[int], bytes]] = {
    "textbook searches of 1 ms": textbook,
    "textbook searches": patient_textbook,
    "trees": trees,
    "batches": batches,
    "batches of faults": faults,
    "small trees": small_bodies,
}


def crawling(port: int, number: int) -> Slow:
    """A client that is slow with its headers, its body or chunks, or that reads no answer."""
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


@dataclass(frozen=True)
class Beside:
    """What others found while the attack went on."""

    lookups: Tally
    probes: Tally
    grown: int
    most: int
    idle: tuple[float, float]


def beside(service: Replica, seconds: float) -> Beside:
    """Look-ups and probes for so long, each probe on a connection of its own, and beside them an
    idle process."""
    chooser = random.Random(11)
    questions = Only([best_move(small(chooser)) for _ in range(200)])

    def probe(connection: Connection, _: int) -> object:
        connection.close()
        return connection.get("/healthz")

    lookups = Crowd(service.port, questions, size=2, pause=0.02).start()
    probes = Crowd(service.port, probe, size=1, pause=0.05).start()  # type: ignore[arg-type]
    idle = Idle()
    time.sleep(seconds * WARM_UP_SHARE)
    before = max(service.resident()[1:])
    time.sleep(seconds * (1 - WARM_UP_SHARE))
    grown = max(service.resident()[1:]) - before
    late = idle.stop()
    found = lookups.stop(), probes.stop()
    most = gauge(service.port, "searches_most_in_progress")
    return Beside(*found, grown=grown, most=most, idle=late)


def gauge(port: int, name: str) -> int:
    """One of the service's own figures."""
    with Connection(port) as connection:
        text = connection.get("/metrics").body.decode()
    found = re.search(rf"^bestmove_{name} ([0-9.]+)$", text, re.MULTILINE)
    return int(float(found.group(1))) if found else 0


def judge(report: Report, found: Beside, slots: int, late: float) -> None:
    """Hold what others found to what is promised."""
    for name, tally in (("3×3", found.lookups), ("/healthz", found.probes)):
        report.figures[f"{name}: answers"] = dict(tally.statuses)
        report.figures[f"{name}: 50 % (s)"] = f"{tally.quantile(0.5):.3f}"
        report.figures[f"{name}: 99 %, worst (s)"] = _pair(tally.quantile(0.99), tally.quantile(1))
        report.require(set(tally.statuses) == {200}, f"{name}: {dict(tally.statuses)}")
        report.require(not tally.failures, f"{name} failed: {tally.failures[:3]}")
        report.require(tally.quantile(0.99) <= late, f"{name} took too long")
    report.figures["idle process: 99 %, worst (s)"] = _pair(*found.idle)
    report.figures["lost"] = len(found.lookups.failures) + len(found.probes.failures)
    report.figures["most in progress, slots"] = f"{found.most}, {slots}"
    report.figures["grown (MiB)"] = round(found.grown / 2**20, 1)
    report.require(found.most <= slots, f"{found.most} searches in {slots} slots")
    report.require(found.grown <= FLAT, f"a worker grew by {found.grown / 2**20:.0f} MiB")


def _pair(usual: float, worst: float) -> str:
    return f"{usual:.3f}, {worst:.3f}"


def flood(service: Replica, name: str, seconds: float, late: float = 0.25) -> Report:
    """One of `FLOODS` for so long, by clients that ask again at once."""
    requests = [FLOODS[name](number) for number in range(2)]
    attack = Crowd(service.port, Only(requests), size=ATTACKERS, timeout=60).start()
    found = beside(service, seconds)
    tally = attack.stop()
    report = Report(f"{ATTACKERS} clients, {name}, {seconds:.0f} s, {len(service.workers)} workers")
    report.figures["attackers' answers"] = dict(tally.statuses)
    report.require(tally.answered > 0, "the attack was not there")
    report.require(not tally.failures, f"attackers got no answer: {tally.failures[:3]}")
    report.require(500 not in tally.statuses, "an internal error")
    judge(report, found, available_cpus(), late)
    return report


def gone(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Two `costly_batch`es again and again for so long, whose clients go away."""
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
    found = beside(service, seconds)
    attacker.join()
    report = Report(f"2 batches left alone, {seconds:.0f} s, {len(service.workers)} workers")
    report.figures["times left alone"] = len(waits)
    report.figures["until the next search is answered: worst (s)"] = f"{max(waits):.3f}"
    report.require(max(waits) <= 4 * late, "a search waited for batches that nobody reads")
    judge(report, found, available_cpus(), late)
    return report


def _until_searched(port: int) -> float:
    """Seconds until a search of 100 ms is answered, asked for again each time it is refused."""
    started = time.monotonic()
    with Connection(port, timeout=PATIENCE) as connection:
        body = {"board": OPEN_15, "time_ms": 100}
        while connection.post("/best-move", body).status != 200:
            if time.monotonic() > started + PATIENCE:
                break
            time.sleep(0.02)
    return time.monotonic() - started


def drip(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Slow clients for so long."""
    slow = Drip(SLOW_CLIENTS, partial(crawling, service.port))
    time.sleep(1)
    found = beside(service, seconds)
    slow.stop()
    report = Report(f"{SLOW_CLIENTS} slow clients, {seconds:.0f} s, {len(service.workers)} workers")
    report.figures["bytes sent"] = slow.sent
    report.figures["statuses"] = sorted(slow.statuses)
    report.require(slow.sent >= SLOW_CLIENTS * (seconds - 2) / 2, "the slow clients were not there")
    if seconds > 25:
        report.require("408" in slow.statuses, "no slow client was told so")
    judge(report, found, available_cpus(), late)
    return report


def with_few_descriptors() -> tuple[str, ...]:
    """The command of a service whose processes may have few descriptors."""
    return ("/bin/sh", "-c", f'ulimit -n {FEW_DESCRIPTORS}; exec "$@"', "sh", *COMMAND)


def with_a_log_that_nobody_reads(folder: Path) -> tuple[str, ...]:
    """The command of a service that writes both logs to a pipe without a reader."""
    pipe = folder / "unread"
    os.mkfifo(pipe)
    return ("/bin/sh", "-c", 'pipe=$1; shift; exec "$@" 1<>"$pipe" 2>&1', "sh", str(pipe), *COMMAND)


def silent(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """More silent connections than a service `with_few_descriptors` can have, for so long."""
    before = service.workers
    kept = [Connection(service.port, timeout=10) for _ in range(KEPT_CLIENTS)]
    for connection in kept:
        connection.get("/healthz")
    quiet = [
        socket.create_connection((LOOPBACK, service.port), 5)
        for _ in range(SILENT_CLIENTS * len(before))
    ]
    found = beside(service, seconds)
    report = Report(f"{len(quiet)} silent clients, {seconds:.0f} s, {len(before)} workers")
    given_up = gauge(service.port, "connections_given_up_total")
    report.figures["connections given up"] = given_up
    report.require(given_up > 0, "the silent clients were too few")
    report.require(service.workers == before, "a worker ended")
    for connection in kept:
        report.require(connection.get("/healthz").status == 200, "a kept connection was lost")
        connection.close()
    for sock in quiet:
        sock.close()
    judge(report, found, available_cpus(), late)
    return report


def unread(service: Replica, seconds: float, late: float = 0.25) -> Report:
    """Look-ups and probes for so long, on a service `with_a_log_that_nobody_reads`."""
    found = beside(service, seconds)
    report = Report(f"a log that nobody reads, {seconds:.0f} s, {len(service.workers)} workers")
    dropped = gauge(service.port, "log_lines_dropped_total")
    report.figures["lines dropped"] = dropped
    report.require(dropped > 0, "the log's pipe was not full")
    judge(report, found, available_cpus(), late)
    return report


def everything(seconds: float, workers: Sequence[int] = (1, 2)) -> list[Report]:
    """Every attack on services of one and of two workers."""
    reports = []
    for count in workers:
        with (
            tempfile.TemporaryDirectory() as folder,
            replica(Path(folder), command=COMMAND, workers=count, log_level="warning") as service,
        ):
            for name in FLOODS:
                reports.append(flood(service, name, seconds))
                print(reports[-1], flush=True)
            for attack in (gone, drip):
                reports.append(attack(service, seconds))
                print(reports[-1], flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for attack, command in (
                (silent, with_few_descriptors()),
                (unread, with_a_log_that_nobody_reads(Path(folder))),
            ):
                with replica(Path(folder), command=command, workers=count) as service:
                    reports.append(attack(service, seconds))
                    print(reports[-1], flush=True)
    return reports


_COLUMNS = (
    "/healthz: 99 %, worst (s)",
    "3×3: 99 %, worst (s)",
    "idle process: 99 %, worst (s)",
    "lost",
)


def table(reports: Sequence[Report]) -> str:
    """The attacks as a Markdown table, each with what was seen beside it."""
    lines = [f"| attack | {' | '.join(_COLUMNS)} |", "| --- |" + " ---: |" * len(_COLUMNS)]
    for report in reports:
        cells = [report.title, *(str(report.figures[name]) for name in _COLUMNS)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    """Run every attack, and print the table or write it; 1 if a claim did not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}, too")
    given = parser.parse_args()
    reports = everything(given.seconds)
    found = table(reports)
    print(found)
    broken = sum(len(report.broken) for report in reports)
    print(f"{broken} BROKEN" if broken else "fine")
    if given.write:
        RESULTS.write_text(f"{_INTRODUCTION.format(seconds=given.seconds)}\n{found}\n")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
