"""What every measurement shares: rounds that take turns, medians, the machine.

Whatever else a machine does comes and goes. So what is to be compared is measured in turn, round
after round, and the ratio of two contenders is the median of their ratios within a round.
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
        quick: a run to try things out, in a minute or two; its figures are no figures.
    """

    quick: bool = False

    def rounds(self, full: int) -> int:
        """Rounds to take the median of."""
        return 1 if self.quick else full

    def seconds(self, full: int) -> int:
        """Seconds that one measurement under load goes on for."""
        return 1 if self.quick else full


def in_turn(
    rounds: int, contenders: Mapping[str, Callable[[], float]], *, warm_up: bool = True
) -> dict[str, list[float]]:
    """What each contender measured in each round; the first to go changes from round to round."""
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
    """The median of the rounds' ratios of two contenders.

    >>> ratio([10, 30, 12], [5, 10, 4])
    3.0
    """
    return median(this / that for this, that in zip(these, those, strict=True))


def machine() -> dict[str, str]:
    """The machine and the programs that the figures are of."""
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
    """Tell who waits what goes on."""
    print(f"  {text}", file=sys.stderr, flush=True)
