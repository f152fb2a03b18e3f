"""Does a change make a solver wrong, or need more nodes? Solves positions with known results on one
core.

    python -m benchmarks.engine.solving            all boards of BOARDS, each at most a minute, and
                                                   positions of Connect Four without the book
    python -m benchmarks.engine.solving 7x7x5 600  rows, columns and k, and the most seconds

The printed seconds are processor time.
"""

import sys
import time
from typing import Final, NamedTuple

from benchmarks.peers.connect_four import board_after, positions
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.connect4.solver import DropSolver, plies_of
from bestmove.search.engines.solver import kernel
from bestmove.search.engines.solver.proof import Solver
from bestmove.search.scores import WIN

_WON: Final = [(4, 3, 3), (6, 5, 4), (6, 6, 4), (7, 7, 4), (8, 8, 4)]
_DRAWN: Final = [(3, 3, 3), (4, 4, 4), (5, 4, 4), (6, 4, 4), (5, 5, 4), (7, 4, 4), (5, 5, 5)]
_DRAWN_LATER: Final = [(6, 6, 5), (7, 6, 5), (7, 7, 5)]
BOARDS: Final = dict.fromkeys(_WON, "win") | dict.fromkeys(_DRAWN + _DRAWN_LATER, "draw")
"""The known value of each empty board, by its rows, columns and k."""

LEAST_DISCS: Final = 10
"""Positions of Connect Four with fewer discs take too long: up to half a minute each."""

UNPROVEN: Final = "unproven"
SECONDS: Final = 60.0


class Proof(NamedTuple):
    value: str
    plies: int
    nodes: int
    processor: float


def solve(rows: int, columns: int, k: int, seconds: float) -> Proof:
    searcher = Solver(rows, columns, k)
    processor = time.process_time()
    found = searcher.best(Task(bytes(rows * columns), 1, deadline=time.monotonic() + seconds))
    processor = time.process_time() - processor
    score = 0 if found is None else found.value
    value = UNPROVEN if found is None else "win" if score > 0 else "loss" if score else "draw"
    return Proof(value, WIN - abs(score) if score else 0, searcher.nodes, processor)


def report(rows: int, columns: int, k: int, seconds: float) -> str:
    found = solve(rows, columns, k, seconds)
    said = f"{found.value} in {found.plies}" if found.plies else found.value
    print(
        f"{rows}×{columns} k{k:<3} {said:10} {found.nodes:12,} nodes {found.processor:8.3f} s",
        flush=True,
    )
    return found.value


def solve_connect_four() -> int:
    """Solve positions of public test sets, without the book. Return how many results are wrong."""
    solver = DropSolver(6, 7, 4, with_book=False)
    seconds, nodes, wrong = [], 0, 0
    for moves, score in positions():
        if len(moves) < LEAST_DISCS:
            continue
        board = board_after(moves)
        task = Task(*encoded(board.cells, board.turn), to_the_end=False)
        began = time.process_time()
        found = solver.best(task)
        seconds.append(time.process_time() - began)
        assert found is not None
        nodes += found.nodes
        known = WIN - plies_of(score, 42 - len(moves)) if score else 0
        wrong += found.value != (known if score > 0 else -known)
    print(
        f"Connect Four, {len(seconds)} positions: {wrong} wrong {nodes:12,} nodes "
        f"{sum(seconds):8.3f} s, at most {max(seconds):.3f} s",
        flush=True,
    )
    return wrong


def main(arguments: list[str]) -> int:
    """Solve the board in the arguments, or else everything. Return 1 if a known value is not
    found."""
    print("compiled" if kernel.compiled else "interpreted")
    seconds = float(arguments[1]) if len(arguments) > 1 else SECONDS
    if arguments:
        rows, columns, k = (int(part) for part in arguments[0].split("x"))
        report(rows, columns, k, seconds)
        return 0
    wrong = [board for board, value in BOARDS.items() if report(*board, seconds) != value]
    for board in wrong:
        print("not as known:", *board)
    return 1 if solve_connect_four() or wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
