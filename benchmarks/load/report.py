"""Reports of scenarios: figures, and the requirements that were not met."""

import contextlib
import select
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.options import asked
from tests.support.crowd import quantile
from tests.support.replicas import Replica, replica

NAP_S = 0.01
BESIDE_MB = 64
"""How much memory a worker may take in addition to BESTMOVE_MEMORY_MB."""


@dataclass
class Report:
    title: str
    figures: dict[str, object] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def require(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.broken.append(otherwise)

    def __str__(self) -> str:
        lines = [self.title]
        lines += [f"  {name}: {value}" for name, value in self.figures.items()]
        lines += [f"  BROKEN: {what}" for what in self.broken]
        return "\n".join(lines)


def peak_mb(pid: int) -> float:
    """Return the largest resident memory of the process so far, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def pair(usual: float, worst: float) -> str:
    return f"{usual:.3f}, {worst:.3f}"


@contextlib.contextmanager
def service(**settings: Any) -> Iterator[Replica]:
    """Run a replica in a temporary folder. By default, it logs only warnings."""
    settings = {"log_level": "warning"} | settings
    with tempfile.TemporaryDirectory() as folder, replica(Path(folder), **settings) as running:
        yield running


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


def run(description: str | None, scenario: Callable[..., list[Report]], **numbers: float) -> int:
    """Run a scenario from the command line. Return the exit status.

    `numbers` are the scenario's arguments with their defaults; each becomes an option.
    """
    started = time.monotonic()
    reports = scenario(**vars(asked(description, **numbers)))
    for report in reports:
        print(report)
    broken = sum(len(report.broken) for report in reports)
    print(f"{'fine' if not broken else f'{broken} BROKEN'}, in {time.monotonic() - started:.0f} s")
    return 1 if broken else 0
