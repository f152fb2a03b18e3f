"""Positions on 15×15 that the side to move has won, though not at first sight.

`python -m benchmarks.engine.won_positions > benchmarks/engine/won_positions.txt` finds them anew:
games from random openings around the middle, played by the engine with few nodes a move, then
taken back from the winner's last move for as long as a search of `LONG` proves the win. The
earliest such position of a game is kept if the proof has at least `LEAST_PLIES` plies.
"""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path

from bestmove import Board, Limits, best_move

FILE = Path(__file__).with_name("won_positions.txt")
WANTED = 60
LEAST_PLIES = 9
SIZE = 15

PLAY = Limits(time_ms=None, nodes=3_000)
LONG = Limits(time_ms=1_500)


def positions(overline: bool = True) -> list[Board]:
    """The positions of the file, where more than five in a row win, too, or not."""
    lines = FILE.read_text(encoding="ascii").split()
    return [Board.parse(line, overline=overline) for line in lines]


def opening(seed: int) -> Board:
    """A few marks at random around the middle of an empty board."""
    chance = random.Random(seed)
    board = Board.empty(SIZE, SIZE)
    for _ in range(chance.choice((3, 4, 5, 6))):
        near = [at for at in board.moves if all(4 <= side <= 10 for side in divmod(at, SIZE))]
        board = board.play(chance.choice(near))
    return board


def won_in_a_game(seed: int) -> Board | None:
    """The earliest position of a game whose win is proven, if that takes `LEAST_PLIES`."""
    game = [opening(seed)]
    while (move := best_move(game[-1], PLAY).move) is not None:
        game.append(game[-1].play(move))
    earliest, plies = None, 0
    # The winner made the last move: every other position before it was his to move.
    for board in game[-2::-2] if game[-1].winner else []:
        found = best_move(board, LONG)
        if found.outcome != "win":
            break
        earliest, plies = board, found.plies or 0
    return earliest if plies >= LEAST_PLIES else None


def main() -> None:
    """Print as many as are wanted, one a line."""
    kept = 0
    for seed in count():
        found = won_in_a_game(seed)
        if found is not None:
            print(found, flush=True)
            kept += 1
            if kept == WANTED:
                return


if __name__ == "__main__":
    main()
