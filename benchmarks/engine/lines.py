"""The first of an analysis' lines against the best move: do they agree, and play alike?

    python -m benchmarks.engine.lines --positions 200
    python -m benchmarks.engine.lines --positions 0 --games 100

15×15. The positions are middle games in which the engine proves nothing at a glance; both are
asked with the same time. In the games, each opening from both sides, the one side plays the best
move, the other the first move of the analysis.
"""

from __future__ import annotations

import argparse
import random
import time

from benchmarks.engine.strength import opening
from bestmove.game import Board
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import Limits

GLANCE = Limits(time_ms=None, nodes=2_000)
PLIES = (4, 20)
"""Moves of the engine, at a glance, after an opening of four."""


def middle_game(seed: int) -> Board:
    """A position in progress, a few moves after an opening, in which nothing is proven."""
    chance = random.Random(seed)
    while True:
        board, _ = opening(chance.randrange(1 << 30), overline=True)
        for _ in range(chance.randint(*PLIES)):
            move = best_move(board, GLANCE).move
            if move is None:
                break
            board = board.play(move)
        if not board.is_over and not best_move(board, GLANCE).exact:
            return board


def agreement(positions: int, lines: int, time_ms: int) -> None:
    """Ask both of each position, and print how often they agree and the longest delay."""
    agreed, latest, depths = 0, 0.0, 0
    limits, of_lines = Limits(time_ms=time_ms), Limits(time_ms=time_ms, lines=lines)
    for number in range(positions):
        board = middle_game(number)
        answer = best_move(board, limits)
        started = time.perf_counter()
        analysis = analyze(board, of_lines)
        latest = max(latest, (time.perf_counter() - started) * 1000 - time_ms)
        first = analysis.moves[0]
        agreed += first.index == answer.move
        depths += analysis.moves[min(lines, len(analysis.moves)) - 1].depth
        print(
            f"{agreed} of {number + 1} agree; last line {depths / (number + 1):.1f} plies deep; "
            f"at most {latest:.0f} ms late",
            flush=True,
        )


def match(games: int, lines: int, time_ms: int) -> None:
    """Play the games, and print the score of the analysis as it grows."""
    limits, of_lines = Limits(time_ms=time_ms), Limits(time_ms=time_ms, lines=lines)
    score = 0.0
    for game in range(games):
        board, _ = opening(game // 2, overline=True)
        ours = "XO"[game % 2]
        while not board.is_over:
            if board.turn == ours:
                board = board.play(analyze(board, of_lines).moves[0].index)
            else:
                move = best_move(board, limits).move
                assert move is not None
                board = board.play(move)
        score += 0.5 if board.winner is None else float(board.winner == ours)
        print(f"{score:g} of {game + 1} for the analysis", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine.lines")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--lines", type=int, default=5)
    parser.add_argument("--time-ms", type=int, help="1000 for the positions, 100 for the games")
    options = parser.parse_args()
    agreement(options.positions, options.lines, options.time_ms or 1000)
    match(options.games, options.lines, options.time_ms or 100)


if __name__ == "__main__":
    main()
