"""Is each level stronger than the level two below? `python -m benchmarks.engine.levels`

Each pair of levels plays 200 games on 3×3, and 40 games on 9×9 with five in a row. Each level
begins half of the games. Each game has its own seed, so that a run can be repeated exactly.
"""

import argparse
import sys
import time

from bestmove import Board, Limits, best_move

GAMES = {"3×3": (3, 3, 3, 200), "9×9 k5": (9, 9, 5, 40)}
"""Rows, columns, k and the number of games."""

BEST_LEVEL = 10


def match(stronger: int, weaker: int, start: Board, games: int, seed: int = 0) -> tuple[int, int]:
    """Return how many games each level wins. In a game, both levels use the same seed."""
    won = lost = 0
    for game in range(games):
        board, mark = start, "XO"[game % 2]
        while board.turn:
            level = stronger if board.turn == mark else weaker
            board = board.play(best_move(board, Limits(level=level, seed=seed + game)).move)
        won += board.winner == mark
        lost += board.winner not in (mark, None)
    return won, lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--board", choices=GAMES, action="append")
    parser.add_argument("--levels", type=int, nargs="*", default=range(3, BEST_LEVEL + 1))
    parser.add_argument("--games", type=int, help="200 on 3×3, 40 on 9×9")
    options = parser.parse_args()
    behind = 0
    for name in options.board or GAMES:
        rows, columns, k, games = GAMES[name]
        games = options.games or games
        for level in options.levels:
            started = time.perf_counter()
            start = Board.empty(rows, columns, k)
            won, lost = match(level, level - 2, start, games, options.seed)
            seconds = (time.perf_counter() - started) / games
            behind += won <= lost
            counts = f"{won} won, {games - won - lost} drawn, {lost} lost"
            told = f"{name}: level {level:2} against {level - 2}: {counts}"
            print(f"{told}, {seconds:.2f} s a game", flush=True)
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
