"""Does nginx have to stand in front? 200 clients that send a byte a second, and others beside them.

python -m benchmarks.load.slow_clients --seconds 30
"""

from __future__ import annotations

import socket
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks.load.drip import Drip, Slow
from benchmarks.load.report import Report, run
from tests.support.connection import LOOPBACK, Connection, encode
from tests.support.crowd import Crowd
from tests.support.questions import Mix
from tests.support.replicas import nginx, replica

CLIENTS = 200
OTHERS = 4
PER_ADDRESS = 10
"""Slow clients that share an address: nginx allows an address 64 connections."""


def crawling(port: int, number: int) -> Slow:
    """A client that is slow with its headers, or, every second one, with its body."""
    source = f"127.0.3.{number // PER_ADDRESS + 1}"
    connection = socket.create_connection((LOOPBACK, port), 5, source_address=(source, 0))
    request = encode("/best-move", {"board": "X...O....", "time_ms": 1000})
    if number % 2:
        head, _, body = request.partition(b"\r\n\r\n")
        connection.sendall(head + b"\r\n\r\n")
        return Slow(connection, body)
    return Slow(connection, request)


def slow(seconds: float, clients: int = CLIENTS) -> Report:
    """The slow clients for so long, and a few others beside them."""
    mix = Mix(seed=9, time_ms=100, searches=0.05)
    with (
        tempfile.TemporaryDirectory() as name,
        replica(Path(name), workers=2, log_level="warning") as service,
        nginx(Path(name) / "nginx", [service.port]) as port,
    ):
        drip = Drip(clients, partial(crawling, port))
        time.sleep(1)
        others = Crowd(port, mix, size=OTHERS, pause=0.1, check=Mix.check, seconds=seconds)
        tally = others.start().wait()
        busy = established(service.port)
        drip.stop()
        with Connection(port) as connection:
            alive = connection.get("/healthz").status == 200
    report = Report(f"{clients} clients at a byte a second for {seconds:.0f} s")
    report.figures = {
        "slow connections opened, bytes sent": f"{drip.opened}, {drip.sent}",
        "others' answers": dict(tally.statuses),
        "others: 50 %, 99 % (s)": f"{tally.quantile(0.5):.3f}, {tally.quantile(0.99):.3f}",
        "connections to the replica": busy,
    }
    report.require(drip.sent >= clients * (seconds - 2), "the slow clients were not there")
    report.require(not tally.failures, f"others failed: {tally.failures[:3]}")
    report.require(not tally.problems, f"others got: {tally.problems[:3]}")
    report.require(tally.statuses[200] > 0, "nobody else was served")
    report.require(busy <= OTHERS * 4, "slow clients reach the replica")
    report.require(alive, "it does not answer any more")
    return report


def established(port: int) -> int:
    """Established TCP connections to a port of this machine."""
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    fields = [row.split() for row in rows]
    return sum(
        remote.endswith(f":{port:04X}") and state == "01" for _, _, remote, state, *_ in fields
    )


def everything(seconds: float) -> list[Report]:
    """All 200."""
    return [slow(seconds)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, seconds=30))
