"""The values of searches. `curves` turns estimates into the scores of answers.

In a search, a value is an integer from the point of view of the side to move:

    WIN - n      a proven win in n plies, counted from the node that has the value
    -(WIN - n)   a proven loss in n plies
    0            even; a proven draw if `Found.exact` is true
    otherwise    an estimate of at most MAX_ESTIMATE in absolute value

In an answer, a score is the expected result for X: 1 if X wins, -1 if O wins, 0 for a draw, and a
number strictly between -1 and 1 if nothing is proven.
"""

from __future__ import annotations

from typing import Final

WIN: Final = 30_000

MAX_PLIES: Final = 400
MAX_ESTIMATE: Final = 20_000
"""The largest estimate. Proven wins have values of at least WIN - MAX_PLIES."""


def is_proven(value: int) -> bool:
    """Return True if `value` is a proven win or loss."""
    return abs(value) >= WIN - MAX_PLIES


def before_move(value: int) -> int:
    """Convert the opponent's value after a move to the value of the move for the mover."""
    if not is_proven(value):
        return -value
    return -value - 1 if value < 0 else -value + 1
