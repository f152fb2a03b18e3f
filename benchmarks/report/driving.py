"""Runs servers, and puts load on them with wrk, a client in C that takes little processor time."""

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.report.measuring import in_turn
from tests.support.connection import LOOPBACK, Connection, encode
from tests.support.needs import program
from tests.support.replicas import COMMAND, Replica, replica
from tests.support.tictactoe import open_positions

SCRIPT: Final = Path(__file__).with_name("requests.lua")
FLASK: Final = "benchmarks.peers.bare:app"


@contextmanager
def gunicorn(app: str | None = None, **settings: Any) -> Iterator[Replica]:
    """Run the service, or another application, under the service's gunicorn configuration.

    The default is one worker. `settings` are the service's settings.
    """
    command = (*COMMAND, app) if app else COMMAND
    with tempfile.TemporaryDirectory() as folder:
        settings = {"workers": 1} | settings
        with replica(Path(folder), command=command, ready="/healthz", **settings) as server:
            yield server


@dataclass(frozen=True, slots=True)
class Sample:
    """What `drive` measured: answers, answers per second, and percentiles of latency in seconds."""

    answers: int
    rate: float
    median: float
    p90: float
    p99: float


def drive(port: int, requests: Sequence[bytes], connections: int, seconds: int) -> Sample:
    """Send the requests repeatedly for `seconds`. Each connection sends one request at a time.

    Raises:
        RuntimeError: wrk is missing, or a request was refused or got no answer.
    """
    wrk = program("wrk")
    if wrk is None:
        raise RuntimeError("wrk is missing: apt-get install wrk")
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"\0".join(requests))
        file.flush()
        load = ["-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "60s"]
        command = [wrk, *load, "-s", str(SCRIPT), f"http://{LOOPBACK}:{port}", "--", file.name]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(run.stdout.splitlines()[-1])
    if found["refused"] or found["broken"] or not found["answers"]:
        raise RuntimeError(f"not all were answered: {found}")
    latencies = (found[name] / 1e6 for name in ("p50", "p90", "p99"))
    return Sample(found["answers"], found["answers"] / found["microseconds"] * 1e6, *latencies)


Load = tuple[int, Sequence[bytes]]
"""A port, and the requests to send there repeatedly."""


def compare(
    loads: Mapping[str, Load], connections: int, rounds: int, seconds: int
) -> tuple[dict[str, list[float]], dict[str, Sample]]:
    """Send requests to each contender in every round. Return the rates of all rounds, and each
    contender's median round."""
    samples: dict[str, list[Sample]] = {name: [] for name in loads}

    def contender(name: str) -> Callable[[], float]:
        def run() -> float:
            samples[name].append(drive(*loads[name], connections, seconds))
            return samples[name][-1].rate

        return run

    rates = in_turn(rounds, {name: contender(name) for name in loads}, warm_up=False)
    middle = {
        name: min(found, key=lambda sample: abs(sample.rate - median(rates[name])))
        for name, found in samples.items()
    }
    return rates, middle


def warm(port: int, requests: Sequence[bytes]) -> None:
    """Send each request once, because a first answer can take longer than later answers."""
    with Connection(port) as connection:
        for request in requests:
            connection.send(request)


def single_posts() -> list[bytes]:
    return [encode("/best-move", {"board": cells}) for cells in open_positions()]
