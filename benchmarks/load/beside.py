"""Sends look-ups and probes to a service during an attack."""

import random
import re
import select
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.load.report import Report
from bestmove.api.settings import Settings
from bestmove.cpus import available_cpus
from tests.support.connection import Answer, Connection
from tests.support.crowd import Crowd, quantile
from tests.support.positions import small
from tests.support.questions import Only, best_move
from tests.support.replicas import ROOT, Replica

NAP_S = 0.01
BESIDE_MB = 64
"""How much memory a worker may take in addition to BESTMOVE_MEMORY_MB."""

FLAT = 32 * 2**20
"""A worker's memory may grow by this many bytes in the second half of an attack. The requests that
are handled at the same time need this much."""

FILLED_AFTER = 15.0
"""An attack of this many seconds fills the service's tables. Memory should stop growing."""

WARM_UP_SHARE = 0.5
"""The share of an attack's time before the first measurement of memory."""

CONTROL = (sys.executable, "-c", "from benchmarks.load.beside import nap; nap()")


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
    lookups = Crowd(service.port, questions, size=2, pause=0.02).start()
    probes = Crowd(service.port, probe, size=1, pause=0.05).start()
    pipe = subprocess.PIPE
    idle = subprocess.Popen(CONTROL, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)
    time.sleep(seconds * WARM_UP_SHARE)
    before = max(service.resident()[1:])
    time.sleep(seconds * (1 - WARM_UP_SHARE))
    grown = max(service.resident()[1:]) - before
    control, _ = idle.communicate()
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
    report.figures["idle process: 99 %, worst (s)"] = control.strip()
    report.figures["lost"] = sum(len(tally.failures) for tally in tallies.values())
    report.figures["most in progress, slots"] = f"{most}, {slots}"
    report.figures["grown (MiB)"] = round(grown / 2**20, 1)
    report.require(most <= slots, f"{most} searches in {slots} slots")
    peak = max(peak_mb(pid) for pid in service.workers)
    report.figures["most (MiB)"] = round(peak, 1)
    report.require(peak <= Settings().memory_mb + BESIDE_MB, f"a worker took {peak:.0f} MiB")
    if seconds * WARM_UP_SHARE >= FILLED_AFTER:
        report.require(grown <= FLAT, f"a worker grew by {grown / 2**20:.0f} MiB")
    return report


def probe(connection: Connection, _: int) -> Answer:
    """Ask over a new connection whether the service is alive."""
    connection.close()
    return connection.get("/healthz")


def gauge(port: int, name: str) -> int:
    with Connection(port) as connection:
        text = connection.get("/metrics").body.decode()
    found = re.search(rf"^bestmove_{name} ([0-9.]+)$", text, re.MULTILINE)
    return int(float(found.group(1))) if found else 0


def peak_mb(pid: int) -> float:
    """Return the largest resident memory of the process so far, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def pair(usual: float, worst: float) -> str:
    return f"{usual:.3f}, {worst:.3f}"


def nap() -> None:
    """Sleep again and again until the input ends. Print the 99th percentile and the maximum of the
    delays, in seconds: they show how much the machine itself delays processes."""
    late = []
    while True:
        due = time.monotonic() + NAP_S
        time.sleep(NAP_S)
        late.append(time.monotonic() - due)
        if select.select([sys.stdin], [], [], 0)[0]:
            break
    print(pair(quantile(late, 0.99), max(late)))
