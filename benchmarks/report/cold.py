"""What does a first answer cost a process that has done nothing yet? For the report.

    python -m benchmarks.report.cold "Best Move"

Prints the seconds that loading took and those of the first answer, for the empty board. With
`sweep` it goes through all open positions instead, and once more if it has a memory: prints the
seconds of both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable

MISSING = 3
"""Exit status when the contender is not installed."""

REMEMBER = ("Best Move", "easyAI Negamax with table")
"""Who has a memory, so that going through all positions again is another thing."""


def first_answer(name: str) -> tuple[float, float] | None:
    """(seconds to load, seconds to the first answer) in a new process; None if not installed."""
    return _measured(name)


def sweeps(name: str) -> tuple[float, float] | None:
    """Seconds for all open positions in a new process, and once more; None if not installed."""
    return _measured(name, "sweep")


def _measured(*arguments: str) -> tuple[float, float] | None:
    command = [sys.executable, "-m", "benchmarks.report.cold", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == MISSING:
        return None
    if done.returncode:
        raise RuntimeError(done.stderr)
    first, second = json.loads(done.stdout)
    return first, second


def main() -> None:
    """Measure the contender named on the command line."""
    began = time.perf_counter()
    from benchmarks.peers import players as peers

    try:
        player = peers.PLAYERS[sys.argv[1]]()
    except peers.NotInstalled:
        sys.exit(MISSING)
    loaded = time.perf_counter()
    if "sweep" in sys.argv:
        first = _sweep(player)
        print(json.dumps([first, _sweep(player) if sys.argv[1] in REMEMBER else first]))
    else:
        player("." * 9)
        print(json.dumps([loaded - began, time.perf_counter() - loaded]))


def _sweep(player: Callable[[str], int]) -> float:
    from tests.support.tictactoe import open_positions

    positions = open_positions()
    began = time.perf_counter()
    for cells in positions:
        player(cells)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
