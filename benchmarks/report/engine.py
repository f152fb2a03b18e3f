"""How fast is the engine, and what does it prove?"""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median

from benchmarks.engine import signature, solving
from benchmarks.report.measuring import Effort, say
from benchmarks.report.writing import Section, number, seconds
from bestmove import Board, best_move
from tests.support.tictactoe import open_positions

WARM_TARGET = 20e-6
LOOKUPS = 5_000
QUICK_NODES = 20_000


def measure(effort: Effort) -> Section:
    section = Section("The engine")
    _answers(section, effort)
    _speeds(section, QUICK_NODES if effort.quick else signature.NODES)
    _proofs(section, 2.0 if effort.quick else 20.0)
    return section


def first_answers() -> tuple[float, float]:
    """Return how long this process's first answer takes, which is for the empty 3×3 board, and then
    the mean time of an answer to each unfinished position."""
    began = time.perf_counter()
    best_move(Board.empty())
    first = time.perf_counter()
    positions = open_positions()
    for cells in positions:
        best_move(Board.parse(cells))
    return first - began, (time.perf_counter() - first) / len(positions)


def _answers(section: Section, effort: Effort) -> None:
    say("answers on 3×3")
    found = []
    for _ in range(effort.rounds(5)):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(first_answers).result())
    first, each = (median(times) for times in zip(*found, strict=True))
    section.headline("the first answer of a process, for the empty 3×3 board", seconds(first))
    section.headline("the first answer to a 3×3 position, on average", seconds(each))
    board = Board.parse("X...O....")
    best_move(board)
    began = time.process_time()
    for _ in range(LOOKUPS):
        best_move(board)
    warm = (time.process_time() - began) / LOOKUPS
    section.headline(
        "warm `best_move(board)` on 3×3, in process",
        seconds(warm),
        f"under {seconds(WARM_TARGET)}",
        warm < WARM_TARGET,
    )


def _speeds(section: Section, nodes: int) -> None:
    say("nodes per second")
    rows = [
        [found.game, f"{found.nodes:,}", f"{number(found.nodes / found.seconds / 1e6)} M"]
        for found in signature.speeds(nodes)
    ]
    section.table(("game", "nodes", "nodes/s of processor time"), rows, "Speed")


def _proofs(section: Section, patience: float) -> None:
    rows: list[list[object]] = []
    for (rows_, columns, k), known in solving.BOARDS.items():
        name = f"{rows_}×{columns}, k={k}"
        say(f"proof of {name}")
        found = solving.solve(rows_, columns, k, patience)
        if found.value not in (known, solving.UNPROVEN):
            raise AssertionError(f"{name} is a {known}, not a {found.value}")
        rows.append([name, found.value, f"{found.nodes:,}", seconds(found.processor)])
    heading = ("rows × columns", "result", "nodes", "processor time")
    section.table(heading, rows, "Proofs from the empty board")
    proven = sum(row[1] != solving.UNPROVEN for row in rows)
    section.headline(
        f"empty boards proven within {patience:.0f} s each, of {len(rows)} with known results",
        str(proven),
    )
