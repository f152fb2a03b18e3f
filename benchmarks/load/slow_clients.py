"""200 clients that send a byte a second: behind nginx the others do not notice.

python -m benchmarks.load.slow_clients --seconds 30
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.load.connection import LOOPBACK, Connection, encode
from benchmarks.load.crowd import Crowd
from benchmarks.load.questions import Mix
from benchmarks.load.replicas import nginx, replica
from benchmarks.load.report import Report, run

CLIENTS = 200
OTHERS = 4
PER_ADDRESS = 10
"""Slow clients that share an address: nginx allows an address 64 connections."""


class SlowClients:
    """Half of them are slow with their headers, half with their body; each sends a byte a second.

    A connection that nginx gives up on is opened again, as an attacker would.
    """

    def __init__(self, port: int, size: int) -> None:
        self.sent = 0
        self.opened = 0
        self._port, self._size = port, size
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hang up, all of them."""
        self._stop.set()
        self._thread.join()

    def _open(self, number: int) -> tuple[socket.socket, bytes]:
        source = f"127.0.3.{number // PER_ADDRESS + 1}"
        opened = socket.create_connection((LOOPBACK, self._port), 5, source_address=(source, 0))
        self.opened += 1
        request = encode("/best-move", {"board": "X...O....", "time_ms": 1000})
        if number % 2:
            head, _, body = request.partition(b"\r\n\r\n")
            opened.sendall(head + b"\r\n\r\n")
            return opened, body
        return opened, request

    def _run(self) -> None:
        clients = [self._open(number) for number in range(self._size)]
        with selectors.DefaultSelector() as ended:
            for number, (opened, _) in enumerate(clients):
                ended.register(opened, selectors.EVENT_READ, number)
            positions = [0] * self._size
            while not self._stop.wait(1):
                for key, _ in ended.select(0):
                    number = key.data
                    ended.unregister(clients[number][0])
                    clients[number][0].close()
                    clients[number] = self._open(number)
                    ended.register(clients[number][0], selectors.EVENT_READ, number)
                    positions[number] = 0
                for number, (opened, rest) in enumerate(clients):
                    at = positions[number]
                    with contextlib.suppress(OSError):
                        self.sent += opened.send(rest[at : at + 1])
                    positions[number] = at + 1
        for opened, _ in clients:
            opened.close()


def slow(seconds: float, clients: int = CLIENTS) -> Report:
    """The slow clients for so long, and a few others beside them."""
    mix = Mix(seed=9, time_ms=100, searches=0.05)
    with (
        tempfile.TemporaryDirectory() as name,
        replica(Path(name), workers=2, log_level="warning") as service,
        nginx(Path(name) / "nginx", [service.port]) as port,
    ):
        crawling = SlowClients(port, clients)
        time.sleep(1)
        others = Crowd(port, mix, size=OTHERS, pause=0.1, check=Mix.check, seconds=seconds)
        tally = others.start().wait()
        busy = established(service.port)
        crawling.stop()
        with Connection(port) as connection:
            alive = connection.get("/healthz").status == 200
    report = Report(f"{clients} clients at a byte a second for {seconds:.0f} s")
    report.figures = {
        "slow connections opened, bytes sent": f"{crawling.opened}, {crawling.sent}",
        "others' answers": dict(tally.statuses),
        "others: 50 %, 99 % (s)": f"{tally.quantile(0.5):.3f}, {tally.quantile(0.99):.3f}",
        "connections to the replica": busy,
    }
    report.require(crawling.sent >= clients * (seconds - 2), "the slow clients were not there")
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
