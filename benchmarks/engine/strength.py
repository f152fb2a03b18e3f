"""The engine against the five-in-a-row negamax that the project grew out of.

    python -m benchmarks.engine.strength --games 20 --time-ms 100
    python -m benchmarks.engine.strength --games 24 --exactly

15×15, each opening played from both sides. The opponent looks three plies ahead, in plain Python,
for as long as it takes. With `--exactly` more than five in a row do not win, and the opponent is
the general engine, with as much time as ours.
"""

from __future__ import annotations

import argparse
import re
import time

from benchmarks.engine.openings import OPENINGS, SIZE
from bestmove.game import Board
from bestmove.search.budget import encoded
from bestmove.search.general.engine import Engine as GeneralEngine
from bestmove.search.gomoku.driver import Engine
from bestmove.search.textbook.ancestors import FIVE_IN_A_ROW_DEPTH, five_in_a_row

K = 5


def opening(number: int, overline: bool = True) -> tuple[Board, int]:
    """One of the openings of `openings`, from the first again after the last, and its last mark."""
    lines = OPENINGS.read_text("ascii").split()
    board = Board.empty(SIZE, SIZE, K, overline=overline)
    last = 0
    for column, row in re.findall(r"([a-o])(\d+)", lines[number % len(lines)]):
        last = (int(row) - 1) * SIZE + ord(column) - ord("a")
        board = board.play(last)
    return board, last


def play(seed: int, ours: str, time_ms: int, depth: int, overline: bool) -> float:
    """One game: 1 when the engine, which plays the mark `ours`, wins, 0.5 for a draw."""
    engine = Engine(SIZE, SIZE, K, overline=overline)
    general = GeneralEngine(SIZE, SIZE, K, overline=overline)
    board, last = opening(seed, overline)
    while not board.is_over:
        deadline = time.monotonic() + time_ms / 1000
        position = encoded(board.cells, board.turn)
        if board.turn == ours:
            last = engine.search(*position, deadline=deadline).pv[0]
        elif overline:
            last = five_in_a_row(board, last, depth).pv[0]
        else:
            last = general.search(*position, deadline=deadline).pv[0]
        board = board.play(last)
    return 0.5 if board.winner is None else float(board.winner == ours)


def main() -> None:
    """Play the games and print the score as it grows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine.strength")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--time-ms", type=int, default=100, help="the engine's time a move")
    parser.add_argument("--depth", type=int, default=FIVE_IN_A_ROW_DEPTH, help="the opponent's")
    parser.add_argument(
        "--exactly", action="store_true", help="exactly five win; against the general engine"
    )
    options = parser.parse_args()
    score = 0.0
    for game in range(options.games):
        score += play(
            game // 2, "XO"[game % 2], options.time_ms, options.depth, not options.exactly
        )
        print(f"{score:g} of {game + 1}", flush=True)


if __name__ == "__main__":
    main()
