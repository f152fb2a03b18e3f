"""How long does a new process take to answer? `python -m benchmarks.report.cold NAME`.

NAME is a player of `benchmarks.peers.players`. The program prints four durations in seconds: to
load the player, to get the first answer (for the empty 3×3 board), to get answers for all
unfinished positions, and to get the same answers again.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

MISSING = 3
"""Exit status when the player is not installed."""


class Cold(NamedTuple):
    """The four durations that the program prints."""

    load: float
    first: float
    sweep: float
    again: float


def cold(name: str) -> Cold | None:
    """Time a player in a new process. Return None if the player is not installed."""
    command = [sys.executable, "-m", "benchmarks.report.cold", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == MISSING:
        return None
    if done.returncode:
        raise RuntimeError(done.stderr)
    return Cold(*json.loads(done.stdout))


def main() -> None:
    began = time.perf_counter()
    from benchmarks.peers import players as peers

    try:
        player = peers.PLAYERS[sys.argv[1]]()
    except peers.NotInstalled:
        sys.exit(MISSING)
    loaded = time.perf_counter()
    player("." * 9)
    answered = time.perf_counter()
    from tests.support.tictactoe import open_positions

    positions = open_positions()

    def sweep(player: Callable[[str], int]) -> float:
        began = time.perf_counter()
        for cells in positions:
            player(cells)
        return time.perf_counter() - began

    print(json.dumps([loaded - began, answered - loaded, sweep(player), sweep(player)]))


if __name__ == "__main__":
    main()
