"""Is a new engine stronger? Plays two Gomocup programs against each other with c-gomoku-cli.

    python -m benchmarks.engine.match new/bin/bestmove old/bin/bestmove --nodes 60000 --sprt
    python -m benchmarks.engine.match bestmove pbrain-rapfi --time-ms 500 --games 60

Games are on 15×15. More than five in a row win too, except with --exactly. Each opening of
openings.txt is played twice, the second time with sides swapped. With `--sprt`, the match ends when
a sequential test has decided between no gain and a gain of --elo. `bestmove` means `bestmove
gomocup`.
"""

import argparse
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

SIZE: Final = 15
OPENINGS: Final = Path(__file__).with_name("openings.txt")
"""Openings of three to six random marks around the middle of 15×15, without symmetric images.

A search of 30,000 nodes by Rapfi valued each between -80 and 80. With 80, the better side wins 60
of 100 games. Each move is a letter for the column and a number for the row, counted from the upper
left corner (c-gomoku-cli's notation `pos`).
"""

_SCORE: Final = re.compile(r"Score of .*: (\d+) - (\d+) - (\d+)")
_CONFIDENCE: Final = 1.96  # Standard errors from the mean to either end of a 95 % interval.
_NO_CLOCK_S: Final = 60  # With --nodes, the time limit per move in seconds: too long to matter.


def brain(command: str) -> str:
    """Make the program's path absolute: the match runner changes the working directory."""
    program, *rest = command.split(" ")
    found = shutil.which(program)
    if found is None:
        raise SystemExit(f"{program} is not a command")
    rest = rest or (["gomocup"] if Path(program).name == "bestmove" else [])
    return " ".join([str(Path(found).absolute()), *rest])


def interval(won: int, lost: int, drawn: int) -> str:
    """Return the first program's share of the points, also in Elo, with 95 % confidence intervals.

    The two games from one opening are treated as independent.
    """
    games = won + lost + drawn
    share = (won + drawn / 2) / games
    squares = won * (1 - share) ** 2 + lost * share**2 + drawn * (0.5 - share) ** 2
    error = _CONFIDENCE * math.sqrt(squares) / games

    def elo(points: float) -> float:
        points = min(max(points, 0.5 / games), 1 - 0.5 / games)
        return 400 * math.log10(points / (1 - points))

    low, middle, high = (elo(points) for points in (share - error, share, share + error))
    return (
        f"{won}-{lost}-{drawn} (won, lost, drawn): {share:.3f} ± {error:.3f}, "
        f"Elo {middle:+.0f} ({low:+.0f} to {high:+.0f})"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine.match")
    parser.add_argument("first", help="the command of the first program")
    parser.add_argument("second", help="the command of the second program")
    parser.add_argument("--runner", default="c-gomoku-cli", help="the command of the runner")
    parser.add_argument("--games", type=int, default=800, help="games; with --sprt, at most")
    parser.add_argument("--time-ms", type=int, default=500, help="milliseconds for each move")
    parser.add_argument("--nodes", type=int, help="nodes for each move, instead of the time")
    parser.add_argument("--sprt", action="store_true", help="end when the test has decided")
    parser.add_argument("--elo", type=float, default=20, help="the gain that the test asks for")
    parser.add_argument("--at-once", type=int, default=1, help="games at the same time")
    parser.add_argument("--exactly", action="store_true", help="more than five do not win")
    parser.add_argument("--seed", type=int, default=1, help="seed for the openings' order")
    options = parser.parse_args()
    clock = _NO_CLOCK_S if options.nodes else options.time_ms / 1000
    each = [f"tc=0/{clock:g}", "tolerance=10"]
    each += [f"nodes={options.nodes}"] if options.nodes else []
    command = [shutil.which(options.runner) or options.runner]
    for name, program in (("first", options.first), ("second", options.second)):
        command += ["-engine", f"name={name}", f"cmd={brain(program)}"]
    command += ["-each", *each, "-rule", "1" if options.exactly else "0"]
    command += ["-boardsize", str(SIZE), "-games", str(options.games), "-repeat"]
    command += ["-concurrency", str(options.at_once), "-openings", f"file={OPENINGS}", "type=pos"]
    command += ["order=random", f"srand={options.seed}"]
    if options.sprt:
        command += ["-sprt", "elo0=0", f"elo1={options.elo:g}"]
    score: tuple[int, ...] = ()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) as runner:
        assert runner.stdout
        for line in runner.stdout:
            found = _SCORE.search(line)
            if found:
                score = tuple(map(int, found.groups()))
                print(interval(*score), flush=True)
            elif not re.match(r"(\[\d+\] )?(Started|Finished|Elo)", line):
                print(line, end="", flush=True)
    return runner.returncode if score else 1


if __name__ == "__main__":
    sys.exit(main())
