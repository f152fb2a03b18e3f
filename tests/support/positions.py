"""Boards that several tests use, and random unfinished positions."""

import random
from functools import lru_cache

from bestmove.game import Board, Rules
from tests.support.oracle import Game, Position

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


@lru_cache(maxsize=64)
def game_of(rules: Rules) -> Game:
    return Game(rules.rows, rules.columns, rules.k, **rules.changed)


def position_of(board: Board) -> Position:
    """Return an unfinished board as the oracle's position."""
    return Position.of(game_of(board.rules), board.cells, 1 if board.turn == "X" else 2)


def board_of(at: Position) -> Board:
    even = at.own.bit_count() == at.other.bit_count()
    mover = "XO"[at.to_move - 1]
    first = mover if even else "XO".replace(mover, "")
    return Board(at.text, Rules(*at.game.shape, **at.game.switches), first)


def swapped(board: Board) -> Board:
    """Return the board with X and O exchanged."""
    cells = board.cells.translate(str.maketrans("XO", "OX"))
    return Board(cells, board.rules, "XO".replace(board.first, ""))


def in_any_colours(at: Position, rng: random.Random) -> Board:
    """Return the position as a board. In half of the cases, exchange X and O."""
    board = board_of(at)
    return rng.choice((board, swapped(board)))


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
