"""Servers under load: started, driven by processes of their own, and weighed while they run."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median

from benchmarks.report.measuring import percentile
from tests.support.connection import Connection, encode
from tests.support.servers import free_port

_TICKS = os.sysconf("SC_CLK_TCK")
_START_SECONDS = 60.0
_STOP_SECONDS = 60.0


@dataclass(frozen=True)
class Server:
    """A running server.

    Attributes:
        pid: the process that was started; its workers are its children.
        start_seconds: from the command to the first answer.
    """

    port: int
    pid: int
    start_seconds: float

    def processes(self) -> list[int]:
        """The process that was started, and all below it."""
        children: dict[int, list[int]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
        found = [self.pid]
        for pid in found:
            found += children.get(pid, [])
        return found

    def cpu_seconds(self) -> float:
        """Processor time so far, of all its processes."""
        return sum(_cpu_seconds(pid) for pid in self.processes())

    def memory(self) -> int:
        """Bytes that its processes take, what they share counted once (PSS)."""
        return sum(_proportional_bytes(pid) for pid in self.processes())


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _proportional_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


@contextmanager
def gunicorn(
    app: str | None = None, worker_class: str | None = None, **settings: str
) -> Iterator[Server]:
    """The service, or another application, under the service's gunicorn configuration.

    Args:
        worker_class: another class of workers than the configuration's.
        settings: BESTMOVE_ variables without their prefix, in lower case.
    """
    extra = {f"BESTMOVE_{name.upper()}": value for name, value in settings.items()}
    extra.setdefault("BESTMOVE_WORKERS", "1")
    if worker_class:
        # gunicorn takes "sync" with several threads for gthread.
        extra["GUNICORN_CMD_ARGS"] = f"--worker-class {worker_class} --threads 1"
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", "python:bestmove.gunicorn_conf"]
    with _serving([*command, *([app] if app else [])], port, extra) as server:
        yield server


@contextmanager
def uvicorn(app: str) -> Iterator[Server]:
    """An ASGI application under uvicorn, one process."""
    port = free_port()
    options = ["--port", str(port), "--log-level", "warning", "--no-access-log"]
    with _serving([sys.executable, "-m", "uvicorn", *options, app], port, {}) as server:
        yield server


@contextmanager
def _serving(command: Sequence[str], port: int, extra: dict[str, str]) -> Iterator[Server]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BESTMOVE_")}
    kept.pop("PROMETHEUS_MULTIPROC_DIR", None)
    environment = kept | {"BESTMOVE_PORT": str(port)} | extra
    began = time.perf_counter()
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=complaints
        )
        while not _answers(port):
            late = time.perf_counter() - began > _START_SECONDS
            if process.poll() is not None or late:
                process.kill()
                complaints.seek(0)
                said = complaints.read().decode(errors="replace")
                raise RuntimeError(f"no server: {' '.join(command)}\n{said}")
            time.sleep(0.005)
    try:
        yield Server(port, process.pid, time.perf_counter() - began)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(_STOP_SECONDS)


def _answers(port: int) -> bool:
    try:
        with Connection(port, timeout=10) as connection:
            return connection.get("/healthz").status == 200
    except OSError:
        return False


@dataclass(frozen=True)
class Sample:
    """What a load came to.

    Attributes:
        rate: answers a second.
        latencies: seconds from a request's first byte out to its answer's last byte in.
        statuses: how many answers had which status.
    """

    rate: float
    latencies: list[float]
    statuses: Counter[int]

    def latency(self, share: float) -> float:
        """The latency that `share` of the answers stayed within, in seconds."""
        return percentile(self.latencies, share)

    def require(self, *allowed: int) -> Sample:
        """This sample.

        Raises:
            RuntimeError: an answer had a status that is not allowed.
        """
        if other := {status: n for status, n in self.statuses.items() if status not in allowed}:
            raise RuntimeError(f"unexpected answers: {other}")
        return self


class Drive:
    """A load that runs beside the caller: one process for each connection, started at once."""

    def __init__(
        self, port: int, requests: Sequence[bytes], connections: int, seconds: float
    ) -> None:
        context = multiprocessing.get_context("fork")
        self._seconds = seconds
        self._results: multiprocessing.Queue[list[tuple[float, int]]] = context.Queue()
        self._clients = [
            context.Process(target=_client, args=(port, requests, seconds, start, self._results))
            for start in random.sample(range(len(requests) + connections), connections)
        ]
        for client in self._clients:
            client.start()

    def sample(self) -> Sample:
        """Wait for the end; what it came to."""
        answers = [
            answer
            for _ in self._clients
            for answer in self._results.get(timeout=self._seconds + 120)
        ]
        for client in self._clients:
            client.join()
        latencies = sorted(latency for latency, _ in answers)
        statuses = Counter(status for _, status in answers)
        return Sample(len(answers) / self._seconds, latencies, statuses)


def _client(
    port: int,
    requests: Sequence[bytes],
    seconds: float,
    start: int,
    results: multiprocessing.Queue[list[tuple[float, int]]],
) -> None:
    start %= len(requests)
    ring = cycle([*requests[start:], *requests[:start]])
    answers = []
    with Connection(port) as connection:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            answer = connection.send(next(ring))
            answers.append((answer.seconds, answer.status))
    results.put(answers)


def drive(port: int, requests: Sequence[bytes], connections: int, seconds: float) -> Sample:
    """A load of `seconds`, every connection with one request at a time, again and again."""
    return Drive(port, requests, connections, seconds).sample()


class Samples:
    """What each contender's rounds came to, as a ruler for `in_turn`."""

    def __init__(self) -> None:
        self.of: dict[str, list[Sample]] = {}

    def driver(
        self, name: str, server: Server, requests: Sequence[bytes], connections: int, length: float
    ) -> Callable[[], float]:
        """A measurement that keeps its sample and gives the rate."""

        def run() -> float:
            sample = drive(server.port, requests, connections, length).require(200, 304)
            self.of.setdefault(name, []).append(sample)
            return sample.rate

        return run

    def latency(self, name: str, share: float) -> float:
        """The median of the rounds' percentiles, in seconds."""
        return median(sample.latency(share) for sample in self.of[name])


def warm(port: int, requests: Sequence[bytes]) -> None:
    """Send each request once, so that nothing of what follows is answered for the first time."""
    with Connection(port) as connection:
        for request in requests:
            connection.send(request)


def post(path: str, body: object) -> bytes:
    """A POST of JSON, as bytes."""
    return encode(path, body)


def get(path: str, **headers: str) -> bytes:
    """A GET, as bytes; underscores in a header's name stand for hyphens."""
    return encode(path, headers={name.replace("_", "-"): text for name, text in headers.items()})
