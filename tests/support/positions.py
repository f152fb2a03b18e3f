"""Boards that several tests use, and random unfinished positions."""

import random

from bestmove.game import Board

OPEN_8 = "......../......../...XO.../...OX.../......../......../......../........"
"""A position on 8×8. It is too large to be solved quickly, so a search uses all of its time."""

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
"""A gomoku position with ten marks."""

TEN_MARKS = "h8 i9 a1 o15 a3 o13 a8 o8 h1 h15"
"""Ten moves of gomoku, most of them far apart."""

OPENING = Board.from_moves(TEN_MARKS, game="gomoku")

DRAWN = Board.parse(
    "XO" * 10 + "OX" * 10 + ("XO" + "." * 18) * 17 + "XO" + "." * 16 + "XO", 20, 20, k=20
)
"""A board on which nobody can win: every line of 20 cells has marks of both sides."""


def after_random_moves(chooser: random.Random, board: Board, plies: int) -> Board:
    """Return the board after `plies` random moves, or fewer if a move would end the game."""
    for _ in range(plies):
        after = board.play(chooser.choice(board.moves))
        if after.is_over:
            break
        board = after
    return board


def random_board(
    chooser: random.Random, rows: int, columns: int, k: int, plies: int, **switches: bool
) -> Board:
    empty = Board.empty(rows, columns, k, **switches)  # type: ignore[arg-type]
    return after_random_moves(chooser, empty, plies)


def small(chooser: random.Random) -> Board:
    return random_board(chooser, 3, 3, 3, chooser.randrange(8))


def large(chooser: random.Random) -> Board:
    """Return an unfinished 15×15 position, on which a search uses all of its time."""
    return random_board(chooser, 15, 15, 5, chooser.randrange(4, 24))
