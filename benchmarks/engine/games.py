"""Games between two players, from the openings of `openings`, and the score of a match."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.engine.openings import OPENINGS, SIZE
from bestmove import Board, Limits, best_move

Player = Callable[[Board, int | None], int]
"""The move of the side to move, which has one; it is told the last move where there is one."""


def opening(number: int, overline: bool = True) -> tuple[Board, int]:
    """One of the openings of `openings`, from the first again after the last, and its last mark."""
    lines = OPENINGS.read_text("ascii").split()
    board = Board.empty(SIZE, SIZE, 5, overline=overline)
    last = 0
    for column, row in re.findall(r"([a-o])(\d+)", lines[number % len(lines)]):
        last = (int(row) - 1) * SIZE + ord(column) - ord("a")
        board = board.play(last)
    return board, last


def door(limits: Limits) -> Player:
    """A player that asks for the best move within these limits."""

    def move(board: Board, _: int | None) -> int:
        found = best_move(board, limits).move
        assert found is not None
        return found

    return move


@dataclass
class Score:
    """Results of a match for its first player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, board: Board, mark: str) -> None:
        """Count a finished game that the first player played with this mark."""
        self.wins += board.winner == mark
        self.draws += board.winner is None
        self.losses += board.winner not in (mark, None)

    @property
    def points(self) -> float:
        """A win counts 1, a draw a half."""
        return self.wins + self.draws / 2


def play(board: Board, x: Player, o: Player, last: int | None = None) -> Board:
    """The finished game from a position, whose last move was `last`."""
    while board.turn:
        last = (x if board.turn == "X" else o)(board, last)
        board = board.play(last)
    return board
