"""The one sign convention, and how the engines' integers become the scores of an answer.

Inside a search a value is an integer from the point of view of the side to move:

    WIN - n      a proven win in n plies (n counts moves from the node that holds the value)
    -(WIN - n)   a proven loss in n plies
    0            even; a proven draw is 0 together with a flag, for 0 alone proves nothing
    otherwise    an estimate, of absolute value at most MAX_ESTIMATE

Outside, a score is the expected result for X: 1 X wins, -1 O wins, 0 a tie, and a number
strictly between -1 and 1 where nothing is proven.
"""

from __future__ import annotations

import math
from typing import Final

WIN: Final = 30_000
"""A win on the spot; a board has at most 400 cells, so WIN - 400 is still a win."""

MAX_PLIES: Final = 400
MAX_ESTIMATE: Final = 20_000
"""Estimates stay at or below this, well away from the wins."""

EXACT_CELLS: Final = 20
"""On boards of up to so many cells, where that is cheap, a proven distance is the exact one and
the move is the lowest of equally good ones; on larger ones within shares of nodes."""

_SCALE: Final = 600.0
"""The estimate that stands for a score of tanh(1), about 0.76: one clear initiative."""


def is_proven(value: int) -> bool:
    """Whether `value` is a proven win or loss."""
    return abs(value) >= WIN - MAX_PLIES


def plies_to_end(value: int) -> int:
    """The number of plies to the end of a proven win or loss."""
    if not is_proven(value):
        raise ValueError(f"{value} is no proven win or loss")
    return WIN - abs(value)


def before_move(value: int) -> int:
    """What a position's value is worth to the side that moved there, a ply before it."""
    if not is_proven(value):
        return -value
    return -value - 1 if value < 0 else -value + 1


def winners_moves(plies: int, *, wins: bool) -> int:
    """How many moves of the winner's own, as people count, are in so many plies.

    `wins` says whether the side to move is the winner. None where the loser's next mark ends it,
    as in misère.
    """
    return (plies + wins) // 2


def expected_result(value: int) -> float:
    """Squash an estimate into (-1, 1), for the side to move; 0 stays 0.

    The result is rounded to four places, as more would claim a precision that no evaluation has.
    """
    squashed = round(math.tanh(value / _SCALE), 4)
    return max(-0.9999, min(0.9999, squashed))
