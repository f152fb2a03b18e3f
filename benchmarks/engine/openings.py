"""From which openings are matches fair? Marks by chance on 15×15, kept when about even.

    python -m benchmarks.engine.openings pbrain-rapfi --openings 400

Three to six marks around the middle. Another program than ours says which are even: one of the
Gomocup protocol that tells `Eval N` in its messages, as Rapfi does. They are written to
openings.txt, a line each, in the notation that c-gomoku-cli calls `pos`: a letter for the column
and a number from 1 for the row, from the upper left corner.
"""

from __future__ import annotations

import argparse
import random
import re
import shlex
import subprocess
import time
from pathlib import Path
from typing import Final

OPENINGS: Final = Path(__file__).with_name("openings.txt")
SIZE: Final = 15
MARKS: Final = (3, 6)
REACH: Final = 4
"""Cells from the middle, each way, on which marks are put."""

EVEN: Final = 80
"""The most that the other program may give to either side. By Rapfi's scale, on which 200 are odds
of e to 1, the better side then wins 60 of 100 games."""

NODES: Final = 30_000
TURN_MS: Final = 10_000
_PAUSE_S: Final = 0.02
"""After an answer: Rapfi passes over a command that comes before its search has wound up."""

_EVALUATION: Final = re.compile(r"Eval (-?\d+)\b")

Moves = tuple[tuple[int, int], ...]


class Judge:
    """A program of the Gomocup protocol that tells what it thinks of a position."""

    def __init__(self, command: str) -> None:
        words = shlex.split(command)
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            cwd=Path(words[0]).parent,
        )
        self._tell(f"START {SIZE}", "INFO rule 0", f"INFO timeout_turn {TURN_MS}")
        self._tell("INFO timeout_match 0", f"INFO max_node {NODES}", "INFO thread_num 1")

    def _tell(self, *lines: str) -> None:
        assert self._process.stdin
        self._process.stdin.write("".join(f"{line}\n" for line in lines))

    def evaluation(self, moves: Moves) -> int | None:
        """Its last estimate for the side to move; None when it sees the end of the game."""
        sides = [2 - (len(moves) - number) % 2 for number in range(len(moves))]
        stones = [f"{x},{y},{3 - side}" for (x, y), side in zip(moves, sides, strict=True)]
        self._tell("BOARD", *stones, "DONE")
        assert self._process.stdout
        known: int | None = None
        for line in self._process.stdout:
            if re.fullmatch(r"\d+,\d+\s*", line):
                time.sleep(_PAUSE_S)
                return known
            if "Eval" in line:
                found = _EVALUATION.search(line)
                known = int(found[1]) if found else None
        raise SystemExit("the program ended")

    def end(self) -> None:
        """Let the program end."""
        self._tell("END")
        self._process.wait(10)


def some_marks(chance: random.Random) -> Moves:
    """Three to six marks, each near another."""
    middle = SIZE // 2
    cells = [
        (x, y)
        for x in range(middle - REACH, middle + REACH + 1)
        for y in range(middle - REACH, middle + REACH + 1)
    ]
    while True:
        moves = tuple(chance.sample(cells, chance.randint(*MARKS)))
        if all(
            any(a != b and abs(a[0] - b[0]) <= 3 and abs(a[1] - b[1]) <= 3 for b in moves)
            for a in moves
        ):
            return moves


def images(moves: Moves) -> set[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]]:
    """The position in all its turns and reflections."""
    found = set()
    last = SIZE - 1
    for _ in range(4):
        moves = tuple((last - y, x) for x, y in moves)
        for seen in (moves, tuple((last - x, y) for x, y in moves)):
            found.add((frozenset(seen[::2]), frozenset(seen[1::2])))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine.openings")
    parser.add_argument("engine", help="the command of the program that judges")
    parser.add_argument("--openings", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    judge = Judge(options.engine)
    kept: list[str] = []
    seen: set[object] = set()
    tried = 0
    while len(kept) < options.openings:
        moves = some_marks(chance)
        if not seen.isdisjoint(images(moves)):
            continue
        seen |= images(moves)
        tried += 1
        value = judge.evaluation(moves)
        if value is not None and abs(value) <= EVEN:
            kept.append("".join(f"{chr(97 + x)}{y + 1}" for x, y in moves))
    judge.end()
    OPENINGS.write_text("\n".join(kept) + "\n")
    print(f"{len(kept)} of {tried} are even")


if __name__ == "__main__":
    main()
