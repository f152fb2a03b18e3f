"""Is the engine still as strong? Against the negamax it grew out of, or itself with less time.

    python -m benchmarks.engine.strength --games 20 --time-ms 100
    python -m benchmarks.engine.strength --games 24 --exactly
    python -m benchmarks.engine.strength --games 20 --time-ms 150 --against-ms 50

15×15, each opening played from both sides. The opponent looks three plies ahead, in plain Python,
for as long as it takes. With `--exactly` more than five in a row do not win, and the opponent is
the general engine, with as much time as ours. With `--against-ms` it is ours, with that time.
"""

from __future__ import annotations

import argparse
import time

from benchmarks.engine.games import Player, Score, opening, play
from benchmarks.engine.openings import SIZE
from bestmove.game import Board
from bestmove.search.budget import encoded
from bestmove.search.general.engine import Engine as GeneralEngine
from bestmove.search.gomoku.driver import Engine
from bestmove.search.textbook.ancestors import FIVE_IN_A_ROW_DEPTH, five_in_a_row


def timed(kind: type[Engine] | type[GeneralEngine], time_ms: int, overline: bool) -> Player:
    """An engine alone, without book or solver, that takes so long for a move."""
    engine = kind(SIZE, SIZE, 5, overline=overline)

    def move(board: Board, _: int | None) -> int:
        deadline = time.monotonic() + time_ms / 1000
        return engine.search(*encoded(board.cells, board.turn), deadline=deadline).pv[0]

    return move


def ancestor(depth: int) -> Player:
    """The five-in-a-row negamax."""
    return lambda board, last: five_in_a_row(board, last, depth).pv[0]


def main() -> None:
    """Play the games and print the score as it grows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine.strength")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--time-ms", type=int, default=100, help="the engine's time a move")
    parser.add_argument("--depth", type=int, default=FIVE_IN_A_ROW_DEPTH, help="the opponent's")
    parser.add_argument("--against-ms", type=int, help="against itself with so much time a move")
    parser.add_argument(
        "--exactly", action="store_true", help="exactly five win; against the general engine"
    )
    options = parser.parse_args()
    overline, score = not options.exactly, Score()
    for game in range(options.games):
        ours = timed(Engine, options.time_ms, overline)
        theirs: Player
        if options.against_ms:
            theirs = timed(Engine, options.against_ms, overline)
        elif overline:
            theirs = ancestor(options.depth)
        else:
            theirs = timed(GeneralEngine, options.time_ms, overline)
        board, last = opening(game // 2, overline)
        x, o = (ours, theirs) if game % 2 == 0 else (theirs, ours)
        score.add(play(board, x, o, last), "XO"[game % 2])
        print(f"{score.points:g} of {game + 1}", flush=True)


if __name__ == "__main__":
    main()
