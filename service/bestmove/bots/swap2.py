"""The swap2 opening of gomoku: three stones, and a choice of sides.

The first side places two black stones and a white stone. The other side has three choices:

- take White and move;
- take Black (SWAP);
- add a white and a black stone, and let the first side choose its colour.

White moves after three stones and after five, so one search shows which colour is better.

`gomocup.Brain` uses this module for the protocol's SWAP2BOARD.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from bestmove.answers import BestMove
from bestmove.game import EMPTY, Board, O, Rules, X
from bestmove.search.limits import SearchLimits

Chooser = Callable[[Board, SearchLimits], BestMove]

TO_CHOOSE: Final = (3, 5)
"""The numbers of stones at which a side chooses its colour."""

CANDIDATES: Final = 8
"""How many random openings to compare; each gets an equal share of the time."""

_REACH: Final = 4
"""The greatest distance, in rows and columns, between the first stone and the others."""


def choice(
    rules: Rules, stones: Sequence[int], engine: Chooser, limits: SearchLimits
) -> tuple[int | None, BestMove]:
    """Return White's move (None means to take Black), and the answer of the search.

    `stones` are 3 or 5 cells in the order of the moves, beginning with Black's.

    Raises:
        InvalidPosition: no game in progress can have these stones.
    """
    found = engine(_board(rules, stones), limits)
    # The score is for X, which is Black.
    return (None if found.score > 0 else found.move.index), found


def opening(
    rules: Rules, engine: Chooser, limits: SearchLimits, dice: random.Random
) -> tuple[int, int, int]:
    """Return the cells of an opening: a black stone, a white stone and a black stone.

    The opening is the most balanced of several random openings. All searches together keep to
    `limits`. The board needs at least three cells.
    """
    share = SearchLimits(
        time_ms=max(1, (limits.time_ms or CANDIDATES) // CANDIDATES),
        seed=limits.seed,
        deadline=limits.deadline,
    )
    candidates = [_any_three(rules, dice) for _ in range(CANDIDATES)]
    return min(candidates, key=lambda three: abs(engine(_board(rules, three), share).score))


def _any_three(rules: Rules, dice: random.Random) -> tuple[int, int, int]:
    first = dice.randrange(rules.size)
    row, column = rules.coordinates(first)
    near = [
        cell
        for cell in range(rules.size)
        if cell != first
        and abs(rules.coordinates(cell)[0] - row) <= _REACH
        and abs(rules.coordinates(cell)[1] - column) <= _REACH
    ]
    second, third = dice.sample(near, 2)
    return first, second, third


def _board(rules: Rules, stones: Sequence[int]) -> Board:
    cells = [EMPTY] * rules.size
    for number, cell in enumerate(stones):
        cells[cell] = O if number % 2 else X
    return Board("".join(cells), rules)
