"""Is each level stronger than the one two below it? `python -m benchmarks.engine.levels`

Every pair plays from both sides with a seed of its own for each game, so that a run can be
repeated exactly: 200 games on 3×3, 40 games on 9×9 with five in a row.
"""

from __future__ import annotations

import argparse
import sys
import time

from rich.console import Console
from rich.table import Table

from benchmarks.engine.games import Score, door, play
from bestmove import Board, Limits

GAMES = {"3×3": (3, 3, 3, 200), "9×9 k5": (9, 9, 5, 40)}
"""Rows, columns, k and the number of games."""

BEST_LEVEL = 10


def match(stronger: int, weaker: int, start: Board, games: int, seed: int = 0) -> Score:
    """The stronger level's results, half of the games with each side to begin.

    Both have the same seed in a game, and another in the next.
    """
    score = Score()
    for game in range(games):
        ours, theirs = (door(Limits(level=at, seed=seed + game)) for at in (stronger, weaker))
        x, o = (ours, theirs) if game % 2 == 0 else (theirs, ours)
        score.add(play(start, x, o), "XO"[game % 2])
    return score


def main() -> int:
    """Print the table; exit with 1 where a level is not ahead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--board", choices=GAMES, action="append")
    parser.add_argument("--levels", type=int, nargs="*", default=range(3, BEST_LEVEL + 1))
    parser.add_argument("--games", type=int, help="200 on 3×3, 40 on 9×9")
    options = parser.parse_args()
    table = Table(title="each level against the one two below it")
    for heading in ("board", "level", "against", "games", "wins", "draws", "losses", "s/game"):
        table.add_column(heading, justify="right")
    behind = 0
    for name in options.board or GAMES:
        rows, columns, k, count = GAMES[name]
        count = options.games or count
        for level in options.levels:
            started = time.perf_counter()
            score = match(level, level - 2, Board.empty(rows, columns, k), count, options.seed)
            seconds = (time.perf_counter() - started) / count
            behind += score.wins <= score.losses
            figures = (level, level - 2, count, score.wins, score.draws, score.losses)
            table.add_row(name, *map(str, figures), f"{seconds:.2f}")
    Console().print(table)
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
