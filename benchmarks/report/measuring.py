"""Rounds that measure each contender, and a description of the machine.

A machine also does other work, sometimes more and sometimes less. So all contenders are measured in
each round, one after another, and the ratio of two contenders is the median of the rounds' ratios.
"""

import os
import platform
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bestmove.search.engines.gomoku import search
from bestmove.search.engines.solver import kernel
from bestmove.version import __version__


@dataclass(frozen=True)
class Effort:
    """How long a run may take.

    Attributes:
        quick: whether the run is only a trial, so brief that its figures mean nothing.
    """

    quick: bool = False

    def rounds(self, full: int) -> int:
        """Return how many rounds to measure."""
        return 1 if self.quick else full

    def seconds(self, full: int) -> int:
        """Return how many seconds one measurement under load lasts."""
        return 1 if self.quick else full


def in_turn(
    rounds: int, contenders: Mapping[str, Callable[[], float]], *, warm_up: bool = True
) -> dict[str, list[float]]:
    """Measure each contender in each round. Each round begins with a different contender."""
    names = list(contenders)
    results: dict[str, list[float]] = {name: [] for name in names}
    if warm_up:
        for measure in contenders.values():
            measure()
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            results[name].append(contenders[name]())
    return results


def ratio(these: Sequence[float], those: Sequence[float]) -> float:
    """Return the median of the ratios of two contenders' results, one ratio for each round.

    >>> ratio([10, 30, 12], [5, 10, 4])
    3.0
    """
    return median(this / that for this, that in zip(these, those, strict=True))


def machine() -> dict[str, str]:
    return {
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "Best Move": f"{__version__}, engine {_built(search)}, solver {_built(kernel)}",
        "load at the start": f"{os.getloadavg()[0]:.1f}",
    }


def _built(module: Any) -> str:
    return "compiled" if module.compiled else "not compiled"


def _processor() -> str:
    named = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return named[1] if named else platform.machine()


def say(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)
