"""What a scenario found: figures, and the claims that did not hold."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field


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


def run(
    description: str | None, scenario: Callable[[float], list[Report]], *, seconds: float
) -> int:
    """Run a scenario from the command line; the exit status."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=seconds, help=f"default {seconds:.0f}")
    given = parser.parse_args().seconds
    started = time.monotonic()
    reports = scenario(given)
    for report in reports:
        print(report)
    broken = sum(len(report.broken) for report in reports)
    print(f"{'fine' if not broken else f'{broken} BROKEN'}, in {time.monotonic() - started:.0f} s")
    return 1 if broken else 0
