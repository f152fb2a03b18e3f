"""Does each level beat the one two below it? `python -m benchmarks.engine.levels`

Every pair plays from both sides with a seed of its own for each game, so that a run can be
repeated exactly: 200 games on 3×3, 40 games on 9×9 with five in a row.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from bestmove import Board, Limits, best_move
from bestmove.game import O, X

GAMES = {"3×3": (3, 3, 3, 200), "9×9 k5": (9, 9, 5, 40)}
"""Rows, columns, k and the number of games."""

BEST_LEVEL = 10


@dataclass
class Score:
    """Results for the stronger level."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def ahead(self) -> bool:
        """Whether the stronger level won more often than it lost."""
        return self.wins > self.losses


def play_game(start: Board, levels: dict[str, int], seed: int) -> Board:
    """The finished game of two levels, each given the same seed."""
    board = start
    while board.turn:
        answer = best_move(board, Limits(level=levels[board.turn], seed=seed))
        assert answer.move is not None
        board = board.play(answer.move)
    return board


def match(stronger: int, weaker: int, start: Board, games: int, seed: int = 0) -> Score:
    """A match, half of it with each side to begin."""
    score = Score()
    for game in range(games):
        mark = X if game % 2 == 0 else O
        levels = {mark: stronger, (O if mark == X else X): weaker}
        winner = play_game(start, levels, seed + game).winner
        if winner is None:
            score.draws += 1
        elif winner == mark:
            score.wins += 1
        else:
            score.losses += 1
    return score


def main() -> int:
    """Print the table; exit with 1 where a level is not ahead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--board", choices=GAMES, action="append")
    parser.add_argument("--levels", type=int, nargs="*", default=range(3, BEST_LEVEL + 1))
    options = parser.parse_args()
    table = Table(title="each level against the one two below it")
    for heading in ("board", "level", "against", "games", "wins", "draws", "losses", "s/game"):
        table.add_column(heading, justify="right")
    behind = 0
    for name in options.board or GAMES:
        rows, columns, k, games = GAMES[name]
        for level in options.levels:
            started = time.perf_counter()
            score = match(level, level - 2, Board.empty(rows, columns, k), games, options.seed)
            seconds = (time.perf_counter() - started) / games
            behind += not score.ahead
            figures = (level, level - 2, games, score.wins, score.draws, score.losses)
            table.add_row(name, *map(str, figures), f"{seconds:.2f}")
    Console().print(table)
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
