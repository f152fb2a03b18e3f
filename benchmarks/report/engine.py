"""How fast is the engine, and what does it prove? `bestmove bench` and the boards of `solving`."""

import json
import subprocess
import sys

from benchmarks.engine import solving
from benchmarks.report.measuring import Effort, say
from benchmarks.report.writing import Section, number, seconds

WARM_TARGET = 20e-6


def measure(effort: Effort) -> Section:
    section = Section("The engine")
    _bench(section, effort)
    _proofs(section, 2.0 if effort.quick else 20.0)
    return section


def _bench(section: Section, effort: Effort) -> None:
    say("bestmove bench")
    command = [sys.executable, "-m", "bestmove", "bench", "--json"]
    command += ["--time", "100"] if effort.quick else []
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = [json.loads(line) for line in run.stdout.splitlines()]
    rows: list[list[object]] = [
        [
            found["what"],
            found["result"],
            f"{found['nodes']:,}",
            seconds(found["cpu_ms"] / 1000),
            f"{number(found['nodes_per_second'] / 1e6)} M" if found["nodes_per_second"] else "",
        ]
        for found in figures
    ]
    heading = ("from empty", "result", "nodes", "processor time", "nodes/s")
    section.table(heading, rows, "`bestmove bench`")
    warm = figures[0]["cpu_ms"] / 1000
    section.headline(
        "warm `best_move(board)` on 3×3, in process",
        seconds(warm),
        f"under {seconds(WARM_TARGET)}",
        warm < WARM_TARGET,
    )


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
