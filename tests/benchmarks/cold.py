"""One answer from a process that has done nothing yet: `python -m tests.benchmarks.cold NAME`.

Prints the seconds that loading took and those of the first answer, for the empty board.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

MISSING = 3
"""Exit status when the contender is not installed."""


def first_answer(name: str) -> tuple[float, float] | None:
    """(seconds to load, seconds to the first answer) in a new process; None if not installed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.cold", name], capture_output=True, text=True
    )
    if done.returncode == MISSING:
        return None
    if done.returncode:
        raise RuntimeError(done.stderr)
    load, answer = json.loads(done.stdout)
    return load, answer


def main() -> None:
    """Load the contender named on the command line, ask it once, print the two times."""
    began = time.perf_counter()
    from tests.benchmarks import peers

    try:
        player = peers.PLAYERS[sys.argv[1]]()
    except peers.NotInstalled:
        sys.exit(MISSING)
    loaded = time.perf_counter()
    player("." * 9)
    print(json.dumps([loaded - began, time.perf_counter() - loaded]))


if __name__ == "__main__":
    main()
