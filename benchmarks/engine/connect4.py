"""Is a change to the Connect Four solver correct and faster? Solves positions with known scores.

    python -m benchmarks.engine.connect4 FOLDER                 the kernel alone, without the book
    python -m benchmarks.engine.connect4 FOLDER --answers       whole answers: move, line, book
    python -m benchmarks.engine.connect4 FOLDER --sets Test_L1_R3 --sample 100

FOLDER contains Pascal Pons' sets (blog.gamesolver.org), such as Test_L3_R1.txt. Each line has the
columns played so far, counted from 1, and the score for the side to move. The score of a win is 22
minus the number of the winner's discs at the end. A loss has the negative score, a draw 0. --sample
N takes N evenly spaced positions of each set. Times are processor time in milliseconds.
"""

import argparse
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bestmove.game import Board
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.connect4.kernel import DropKernel, compiled
from bestmove.search.engines.connect4.solver import DropSolver, plies_of
from bestmove.search.scores import WIN

ROWS: Final = 6
COLUMNS: Final = 7
SETS: Final = {
    "Test_L3_R1": "End-Easy",
    "Test_L2_R1": "Middle-Easy",
    "Test_L2_R2": "Middle-Medium",
    "Test_L1_R1": "Begin-Easy",
    "Test_L1_R2": "Begin-Medium",
    "Test_L1_R3": "Begin-Hard",
}
SOON_MS: Final = 50.0
"""The most milliseconds that an answer should take."""


@dataclass(frozen=True)
class Case:
    played: str
    score: int

    @property
    def left(self) -> int:
        return ROWS * COLUMNS - len(self.played)

    @property
    def bits(self) -> tuple[int, int]:
        own = mask = 0
        for column in self.played:
            own ^= mask
            mask |= mask + (1 << (ROWS + 1) * (int(column) - 1))
        return own, mask


def read(path: Path, sample: int | None) -> list[Case]:
    lines = path.read_text().splitlines()
    step = 1 if sample is None else max(1, len(lines) // sample)
    cases = []
    for line in lines[::step][:sample]:
        played, score = line.split()
        cases.append(Case(played, int(score)))
    return cases


def answer_is_right(found_value: int, case: Case) -> bool:
    if case.score == 0:
        return found_value == 0
    distance = WIN - plies_of(case.score, case.left)
    return found_value == (distance if case.score > 0 else -distance)


def run(name: str, cases: list[Case], answers: bool) -> int:
    kernel, solver = DropKernel(ROWS, COLUMNS, 4), DropSolver(ROWS, COLUMNS, 4)
    times, nodes, wrong, cut = [], 0, 0, 0
    for case in cases:
        if answers:
            board = Board.from_moves(case.played, game="connect-four")
            position = encoded(board.cells, board.turn)
            started = time.process_time()
            found = solver.best(Task(*position))
            times.append(1000 * (time.process_time() - started))
            assert found is not None
            nodes += found.nodes
            wrong += not answer_is_right(found.value, case)
            cut += found.value != 0 and len(found.pv) != found.depth
        else:
            own, mask = case.bits
            started = time.process_time()
            kernel.begin(None, None)
            score = kernel.score(own, mask)
            times.append(1000 * (time.process_time() - started))
            nodes += kernel.nodes
            wrong += score != case.score
    times.sort()
    print(
        f"{SETS.get(name, name):14} {len(cases):5} positions {statistics.mean(times):10.4f} ms, "
        f"median {statistics.median(times):.4f}, nine of ten in {times[len(times) * 9 // 10]:.3f}, "
        f"{sum(t > SOON_MS for t in times)} over {SOON_MS:.0f}; "
        f"{nodes // len(cases):11,} nodes; {wrong} wrong"
        + (f"; {cut} lines cut" if answers else ""),
        flush=True,
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--sample", type=int)
    parser.add_argument("--answers", action="store_true")
    arguments = parser.parse_args()
    print("compiled" if compiled else "interpreted")
    wrong = 0
    for name in arguments.sets:
        cases = read(arguments.folder / f"{name}.txt", arguments.sample)
        wrong += run(name, cases, arguments.answers)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
