"""A read-only root, no HOME, a random user id, one processor and 256 MiB: it starts and serves.

python -m benchmarks.load.confined --seconds 20
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load.connection import LOOPBACK, Connection
from benchmarks.load.container import Limits, command, empty_folder, limits
from benchmarks.load.crowd import Crowd, Tally
from benchmarks.load.questions import Mix
from benchmarks.load.replicas import ROOT, answers, children, wait_until
from tests.servers import free_port

MEMORY_BYTES = 256 * 2**20
CPUS = 1.0


@dataclass(frozen=True)
class Confined:
    """A running container: its port, its limits and its first process, gunicorn's master."""

    port: int
    bounds: Limits
    pid: int
    user: int
    log: Path

    def status(self) -> dict[str, str]:
        """What /proc says about the master."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


@contextlib.contextmanager
def confined(
    inside: Sequence[str], environment: Mapping[str, str], shown: Sequence[Path], log: Path
) -> Iterator[Confined]:
    """Run a service's command in a container until the end; `environment` is all that it gets."""
    user = random.SystemRandom().randrange(100_000, 60_000_000)
    port = free_port()
    given = {**environment, "BESTMOVE_HOST": LOOPBACK, "BESTMOVE_PORT": str(port)}
    given["BESTMOVE_MEMORY_MB"] = "128"  # 64 MiB come on top, and 64 for the master
    with limits(CPUS, MEMORY_BYTES) as bounds, empty_folder() as root, log.open("wb") as output:
        process = subprocess.Popen(
            command(inside, given, shown=shown, root=root, user=user, bounds=bounds),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: process.poll() is not None or answers(port), 60, "the container")
            if process.returncode is not None:
                raise RuntimeError(f"the container ended: {log.read_text()[-2000:]}")
            (master,) = children(process.pid)
            yield Confined(port, bounds, master, user, log)
            os.kill(master, signal.SIGTERM)
            process.wait(40)
        finally:
            if process.poll() is None:
                process.kill()  # takes the container's processes with it
                process.wait()


def under_load(port: int, seconds: float) -> Tally:
    """A mix of questions by a few clients."""
    mix = Mix(seed=1, time_ms=100)
    crowd = Crowd(port, mix, size=6, seconds=seconds, check=mix.check).start()
    return crowd.wait()


def main() -> int:
    """Run it in full and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    seconds = parser.parse_args().seconds
    inside = [sys.executable, "-m", "gunicorn", "--config", "python:bestmove.gunicorn_conf"]
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT / "service"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with confined(inside, environment, [Path(sys.prefix), ROOT / "service"], log) as service:
            tally = under_load(service.port, seconds)
            status = service.status()
            most = service.bounds.most_memory()
            killed = service.bounds.killed_for_memory()
            with Connection(service.port) as connection:
                alive = connection.get("/healthz").status == 200
    print(f"user id {service.user}, capabilities {status['CapEff']}, no HOME, read-only root")
    print(f"control groups: {len(service.bounds.groups)}, {CPUS} CPU, {MEMORY_BYTES >> 20} MiB")
    print(f"answers {dict(tally.statuses)}, failures {len(tally.failures)}, {tally.problems[:3]}")
    print(f"most memory {(most or 0) / 2**20:.0f} MiB, killed for memory: {killed}")
    fine = alive and not killed and not tally.failures and not tally.problems
    print("fine" if fine and tally.statuses[200] else "NOT AS IT SHOULD BE")
    return 0 if fine and tally.statuses[200] else 1


if __name__ == "__main__":
    sys.exit(main())
