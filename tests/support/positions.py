"""Boards that several tests ask about, and random ones in progress."""

import random

from bestmove.game import Board

OPEN_8 = "......../......../...XO.../...OX.../......../......../......../........"
"""8×8, too large to be solved at once: a search takes the time that it is given."""

OPEN_15 = "/".join(
    [
        ".X.....O......X",
        *["." * 15] * 6,
        "......XO.......",
        "......OX.......",
        *["." * 15] * 5,
        "O......X......O",
    ]
)
"""Ten marks, more than the book of gomoku's opening has."""

TEN_MARKS = "h8 i9 a1 o15 a3 o13 a8 o8 h1 h15"
"""Moves of gomoku, most of them far off: more marks than the book of the opening has."""

OPENING = Board.from_moves(TEN_MARKS, game="gomoku")


def random_board(
    chooser: random.Random, rows: int, columns: int, k: int, plies: int, **switches: bool
) -> Board:
    """An unfinished position `plies` random moves into a game, or fewer where games end sooner."""
    while True:
        board = Board.empty(rows, columns, k, **switches)  # type: ignore[arg-type]
        for _ in range(plies):
            after = board.play(chooser.choice(board.moves))
            if after.is_over:
                break
            board = after
        if not board.is_over:
            return board


def small(chooser: random.Random) -> Board:
    """An unfinished 3×3 position."""
    return random_board(chooser, 3, 3, 3, chooser.randrange(8))


def large(chooser: random.Random) -> Board:
    """An unfinished 15×15 position a few moves into the game: a search takes all of its time."""
    return random_board(chooser, 15, 15, 5, chooser.randrange(4, 24))
