"""How well do other programs play Connect Four? An exact solver judges the moves."""

import json
import subprocess
from statistics import mean, median
from typing import Any

from benchmarks.peers import environment
from benchmarks.peers.connect_four import OURS
from benchmarks.report.measuring import Effort, say
from benchmarks.report.writing import Section, number, seconds
from tests.support.crowd import quantile

POSITIONS = 300
GAMES = 20
QUICK_POSITIONS, QUICK_GAMES = 12, 1


def measure(effort: Effort) -> Section:
    section = Section("Other programs' bots")
    python = str(environment.python())
    say("each bot's moves")
    positions = QUICK_POSITIONS if effort.quick else POSITIONS
    moves = _run(python, "moves", "--positions", str(positions))
    say("games from the empty board")
    games = _run(python, "games", "--games", str(QUICK_GAMES if effort.quick else GAMES))
    _moves(section, moves, positions)
    _games(section, games)
    return section


def _run(python: str, *arguments: str) -> Any:
    command = [python, "-m", "benchmarks.peers.connect_four", *arguments]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=environment.ROOT)
    return json.loads(run.stdout)


def _moves(section: Section, moves: dict[str, list[dict[str, Any]]], positions: int) -> None:
    section.say(
        f"{positions} Connect Four positions from six public sets, early to late in the game. A "
        "move keeps the result if a won game stays won and a drawn one drawn; it is the best if it "
        "also wins as soon, or loses as late, as possible. The bots run one after another in one "
        "process, as their packages offer them; bitbully, an exact solver by others, is the judge."
    )
    rows = []
    for name, found in moves.items():
        took = [row["seconds"] for row in found]
        rows.append(
            (
                name,
                _share([row["keeps"] for row in found]),
                _share([row["best"] for row in found]),
                seconds(median(took)),
                seconds(mean(took)),
                seconds(quantile(took, 0.9)),
            )
        )
    heading = ("bot", "keeps the result", "best move", "median", "mean", "90 %")
    section.table(heading, rows, "Moves")
    kept = [row["keeps"] for row in moves[OURS]]
    section.headline(
        f"moves that keep the result, in {positions} Connect Four positions",
        _share(kept),
        "100 %",
        all(kept),
    )


def _games(section: Section, games: dict[str, list[int]]) -> None:
    section.say(
        "Best Move begins, on the empty board. The opponent's first two moves are random, so that "
        "the games differ."
    )
    rows = [
        (name, len(results), results.count(1), results.count(0), results.count(-1))
        for name, results in games.items()
    ]
    section.table(("against", "games", "won", "drawn", "lost"), rows, "Games")
    played = [result for results in games.values() for result in results]
    section.headline(
        "Connect Four games won as first player against other programs' bots",
        f"{played.count(1)} of {len(played)}",
        "all",
        played.count(1) == len(played),
    )


def _share(values: list[bool]) -> str:
    return f"{number(100 * sum(values) / len(values))} %"
