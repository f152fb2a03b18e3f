"""What a scenario found: figures, and the claims that did not hold."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.replicas import Replica, replica


@dataclass
class Report:
    """A title, figures in the order to print them, and what was not as it should be."""

    title: str
    figures: dict[str, object] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def require(self, holds: bool, otherwise: str) -> None:
        """Note what is wrong unless the claim holds."""
        if not holds:
            self.broken.append(otherwise)

    def __str__(self) -> str:
        lines = [self.title]
        lines += [f"  {name}: {value}" for name, value in self.figures.items()]
        lines += [f"  BROKEN: {what}" for what in self.broken]
        return "\n".join(lines)


@contextlib.contextmanager
def service(**settings: Any) -> Iterator[Replica]:
    """A replica with these settings in a folder of its own, that logs warnings alone."""
    settings = {"log_level": "warning"} | settings
    with tempfile.TemporaryDirectory() as folder, replica(Path(folder), **settings) as running:
        yield running


def run(description: str | None, scenario: Callable[..., list[Report]], **numbers: float) -> int:
    """Run a scenario from the command line; the exit status.

    `numbers` are its arguments and their defaults: each is an option.
    """
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    for name, usual in numbers.items():
        kind = float if name == "seconds" else int
        parser.add_argument(f"--{name}", type=kind, default=usual, help=f"default {usual}")
    started = time.monotonic()
    reports = scenario(**vars(parser.parse_args()))
    for report in reports:
        print(report)
    broken = sum(len(report.broken) for report in reports)
    print(f"{'fine' if not broken else f'{broken} BROKEN'}, in {time.monotonic() - started:.0f} s")
    return 1 if broken else 0
