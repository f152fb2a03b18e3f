"""The points of a cell decide when the search tries a move there.

The tables turn the classes of `patterns` into tenths of a point. The chance that a cell is the best
move grows exponentially with the cell's points (Coulom 2007, "Computing Elo ratings of move
patterns in the game of Go"). `benchmarks/engine/fit_policy.py` fits the points to moves that
searches chose, and writes the tables into policy.json.
"""

from __future__ import annotations

from array import array
from functools import cache
from typing import Final

from bestmove.search import packed
from bestmove.search.engines.gomoku import patterns
from bestmove.search.engines.gomoku.weights import in_units

_FITTED: Final = packed.tables(__file__)

UNIT: Final = 40
"""A move with UNIT more points is e times as likely to be the best move. Killers, countermoves and
history earn points on the same scale. UNIT was chosen by test games."""

OWN_LINES: Final = _FITTED["OWN_LINES"]
"""OWN_LINES, OWN_PAIRS and OWN_CELLS are for the mover's classes."""

OWN_PAIRS: Final = _FITTED["OWN_PAIRS"]
"""OWN_PAIRS[larger class][smaller class]: the points for two lines with these classes."""

OWN_CELLS: Final = _FITTED["OWN_CELLS"]

FOE_LINES: Final = _FITTED["FOE_LINES"]
"""FOE_LINES, FOE_PAIRS and FOE_CELLS are for the opponent's classes. They reward a mark that takes
a good cell from the opponent."""

FOE_PAIRS: Final = _FITTED["FOE_PAIRS"]
FOE_CELLS: Final = _FITTED["FOE_CELLS"]

TOGETHER: Final = _FITTED["TOGETHER"]
"""TOGETHER[a][b]: the points for a cell of class a for the mover and class b for the opponent."""

TOGETHER_THREATENED: Final = _FITTED["TOGETHER_THREATENED"]
"""Replaces TOGETHER if the opponent threatens an open four."""


WINS: Final = {patterns.CELL_OPEN_FOUR: 5_000, patterns.CELL_FIVE: 10_000}
"""Points, not tenths. Set by hand, to put a winning move before other moves."""


@cache
def own() -> array[int]:
    """Return the points for each combination of the mover's line classes."""
    return array(
        "i",
        [
            in_units(classes, OWN_LINES, OWN_PAIRS, OWN_CELLS)
            + WINS.get(patterns.cell_class(*classes), 0)
            for classes in patterns.COMBINATIONS
        ],
    )


@cache
def foe() -> array[int]:
    """Return the points for each combination of the opponent's line classes."""
    combinations = patterns.COMBINATIONS
    return array("i", [in_units(each, FOE_LINES, FOE_PAIRS, FOE_CELLS) for each in combinations])


@cache
def together() -> array[int]:
    """Return the points of TOGETHER, row by row, and then the points of TOGETHER_THREATENED."""
    rows = (*TOGETHER, *TOGETHER_THREATENED)
    return array("i", [(tenths + 5) // 10 for row in rows for tenths in row])
