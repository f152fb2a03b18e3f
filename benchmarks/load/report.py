"""Reports of scenarios: figures, and the requirements that were not met."""

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.options import asked
from tests.support.replicas import Replica, replica

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


def alone(scenario: Callable[..., Report], **settings: Any) -> Callable[..., list[Report]]:
    def everything(**numbers: float) -> list[Report]:
        with service(**settings) as running:
            return [scenario(running, **numbers)]

    return everything


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
