"""Does a change to the solver cost nodes? What it proves from empty boards, on one core.

    python -m benchmarks.engine.solving            the boards of the table, a minute at most each
    python -m benchmarks.engine.solving 7x7x5 600  rows, columns and k, and the seconds it may take

Seconds are of the clock and of the processor: on a busy machine the latter is the one to compare.
"""

import sys
import time
from typing import Final, NamedTuple

from bestmove.search.engine import Task
from bestmove.search.engines.solver import kernel
from bestmove.search.engines.solver.proof import Solver
from bestmove.search.scores import WIN

BOARDS: Final = {
    (3, 3, 3): "draw",
    (4, 3, 3): "win",
    (4, 4, 4): "draw",
    (5, 4, 4): "draw",
    (6, 4, 4): "draw",
    (5, 5, 4): "draw",
    (6, 5, 4): "win",
    (6, 6, 4): "win",
    (7, 7, 4): "win",
    (8, 8, 4): "win",
    (7, 4, 4): "draw",
    (5, 5, 5): "draw",
    (6, 6, 5): "draw",
    (7, 6, 5): "draw",
    (7, 7, 5): "draw",
}
"""Rows, columns, k and the value that is known."""

UNPROVEN: Final = "unproven"
SECONDS: Final = 60.0


class Proof(NamedTuple):
    """What came of an empty board, and the seconds of the clock and of the processor."""

    value: str
    plies: int
    nodes: int
    seconds: float
    processor: float


def solve(rows: int, columns: int, k: int, seconds: float) -> Proof:
    """Solve one empty board, with an empty table."""
    searcher = Solver(rows, columns, k)
    clock, processor = time.perf_counter(), time.process_time()
    found = searcher.best(Task(bytes(rows * columns), 1, deadline=time.monotonic() + seconds))
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    score = 0 if found is None else found.value
    value = UNPROVEN if found is None else "win" if score > 0 else "loss" if score else "draw"
    return Proof(value, WIN - abs(score) if score else 0, searcher.nodes, clock, processor)


def report(rows: int, columns: int, k: int, seconds: float) -> str:
    """Solve one empty board and print a row: the value."""
    found = solve(rows, columns, k, seconds)
    said = f"{found.value} in {found.plies}" if found.plies else found.value
    print(
        f"{rows}×{columns} k{k:<3} {said:10} {found.nodes:12,} nodes "
        f"{found.seconds:8.3f} s {found.processor:8.3f} s of the processor",
        flush=True,
    )
    return found.value


def main(arguments: list[str]) -> int:
    """Solve the boards asked for; 1 where one is not as it is known."""
    print("compiled" if kernel.compiled else "interpreted")
    seconds = float(arguments[1]) if len(arguments) > 1 else SECONDS
    if arguments:
        rows, columns, k = (int(part) for part in arguments[0].split("x"))
        report(rows, columns, k, seconds)
        return 0
    wrong = [board for board, value in BOARDS.items() if report(*board, seconds) != value]
    for board in wrong:
        print("not as known:", *board)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
