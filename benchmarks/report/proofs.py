"""Solving: what it takes to prove the result of each empty board whose result is known."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.engine import solving
from benchmarks.peers import players as peers
from benchmarks.report import svg
from benchmarks.report.measuring import Effort, in_turn, ratio, say
from benchmarks.report.writing import PEERS_MISSING, Headline, Section, number, seconds, times
from bestmove.search.solver.proof import Solver

PATIENCE = 20.0
"""Seconds after which a board counts as not proven."""


PLAIN = {
    (4, 4, 4): 15e3,
    (5, 5, 4): 1.9e6,
    (6, 5, 4): 1.1e6,
    (6, 6, 4): 3.4e6,
    (5, 5, 5): 8.3e6,
}
"""Nodes that a plain alpha-beta in C++ with a hash table took for the same proofs."""


@dataclass(frozen=True)
class Known:
    """A board whose result from empty is known.

    Attributes:
        wins: whether the first player wins; otherwise it is a draw.
        plain: the nodes of a plain alpha-beta, where they were counted.
    """

    rows: int
    columns: int
    k: int
    wins: bool
    plain: float | None = None

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.rows}×{self.columns}, k={self.k}"


BOARDS = tuple(
    Known(*shape, result == "win", PLAIN.get(shape)) for shape, result in solving.BOARDS.items()
)


def measure(effort: Effort) -> Section:
    """The section of the report."""
    section = Section("Solving")
    _proofs(section, effort)
    _beside_open_spiel(section, effort)
    return section


def _proofs(section: Section, effort: Effort) -> None:
    rows: list[list[object]] = []
    drawn: dict[str, float] = {}
    proven = 0
    patience = 2.0 if effort.quick else PATIENCE
    for known in BOARDS:
        say(f"proof of {known.name}")
        runs = [_prove(known, patience)]
        if runs[0] is not None and runs[0][1] < patience / 10:
            runs += [_prove(known, patience) for _ in range(effort.rounds(3) - 1)]
        result = "win" if known.wins else "draw"
        done = [run for run in runs if run is not None]
        if not done:
            rows.append([known.name, result, f"not within {patience:.0f} s", "", "", ""])
            continue
        proven += 1
        nodes, took = done[0][0], median(took for _, took in done)
        drawn[known.name] = nodes
        rows.append(
            [
                known.name,
                result,
                times(known.plain / nodes) if known.plain else "",
                f"{nodes:,}",
                seconds(took),
                f"{number(nodes / took / 1e6)} M" if nodes > 10_000 else "",
            ]
        )
    section.table(
        ["rows × columns", "result", "fewer nodes", "nodes", "time", "nodes/s"],
        rows,
        "Proofs from the empty board",
    )
    section.say(
        "*Fewer nodes*: how many times as many a plain alpha-beta in C++ with a hash table takes, "
        "which can be compared between machines as its time cannot. Time is the processor's. Each "
        "proof starts with an empty table."
    )
    section.plot(
        "proofs",
        svg.bars(
            "Nodes to prove the result of the empty board (log scale)",
            drawn,
            "nodes; less is better",
            log=True,
        ),
        "Nodes to prove the result of each empty board",
    )
    section.headlines.append(
        Headline(
            f"empty boards of the {len(BOARDS)} known ones proven within {patience:.0f} s each",
            str(proven),
        )
    )


def _prove(known: Known, patience: float) -> tuple[int, float] | None:
    """(nodes, seconds of processor time), or None where patience ran out.

    Raises:
        AssertionError: the proof contradicts what is known.
    """
    searcher = Solver(known.rows, known.columns, known.k)
    began = time.process_time()
    found = searcher.solve(
        bytes(known.rows * known.columns), 1, deadline=time.monotonic() + patience
    )
    took = time.process_time() - began
    if found is None:
        return None
    assert (found.value > 0) == known.wins
    return found.nodes, took


def _beside_open_spiel(section: Section, effort: Effort) -> None:
    say("proofs beside open_spiel")
    boards = [known for known in BOARDS if known.rows * known.columns <= 12]
    rows: list[list[object]] = []
    for known in boards:
        if not peers.installed("pyspiel"):
            rows.append([known.name, PEERS_MISSING, "", ""])
            continue
        took = in_turn(effort.rounds(3), {"ours": _proof(known), "open_spiel": _open_spiel(known)})
        rows.append(
            [
                known.name,
                times(ratio(took["open_spiel"], took["ours"])),
                seconds(median(took["open_spiel"])),
                seconds(median(took["ours"])),
            ]
        )
    section.table(
        ["rows × columns", "open_spiel's time, in ours", "open_spiel's alpha-beta", "ours"],
        rows,
        "Beside open_spiel's alpha-beta, on boards that it can prove in seconds",
    )


def _proof(known: Known) -> Callable[[], float]:
    def run() -> float:
        done = _prove(known, PATIENCE)
        assert done is not None
        return done[1]

    return run


def _open_spiel(known: Known) -> Callable[[], float]:
    name = f"mnk(m={known.columns},n={known.rows},k={known.k})"
    game: Any = importlib.import_module("pyspiel").load_game(name)
    search = importlib.import_module("open_spiel.python.algorithms.minimax").alpha_beta_search

    def run() -> float:
        began = time.perf_counter()
        value, _ = search(game)
        assert (value > 0) == known.wins
        return time.perf_counter() - began

    return run
