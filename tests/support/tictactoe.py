"""Every position of 3×3 tic-tac-toe, computed by the oracle alone."""

import random
from functools import cache
from itertools import product

from tests.support import oracle


@cache
def reachable() -> tuple[str, ...]:
    """Return the 5,478 positions that a game can reach if X moves first."""
    texts = map("".join, product(".XO", repeat=9))
    return tuple(text for text in texts if oracle.is_reachable(text, 3, 3))


def open_positions() -> list[str]:
    """Return the 4,520 unfinished positions, in the same random order every time."""
    positions = [text for text in reachable() if not is_over(text)]
    random.Random(3).shuffle(positions)
    return positions


def best_moves(text: str) -> list[int]:
    """Return all best moves. Quicker wins and slower losses are better."""
    result, plies = oracle.solve3(text)
    return [move for move in free(text) if oracle.solve3(after(text, move)) == (result, plies - 1)]


def free(text: str) -> list[int]:
    return [index for index, mark in enumerate(text) if mark == "."]


def after(text: str, move: int) -> str:
    mark = "X" if text.count("X") == text.count("O") else "O"
    return text[:move] + mark + text[move + 1 :]


def is_over(text: str) -> bool:
    return "." not in text or bool(oracle.winners(oracle.cells_of(text, 3), 3))
