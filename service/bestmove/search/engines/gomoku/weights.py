"""The weights of the evaluation. 256 units add 1 to the natural logarithm of the odds of a win.

`benchmarks/engine/fit.py` fits the weights by logistic regression (Buro 1995, "Statistical feature
combination for the evaluation of game positions") and writes them into this file. The data were
323,406 positions on 15×15 with k = 5, each with the result of a search of 4,000 nodes. The
positions are from games of the engine against itself, most of them with random moves added.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from bestmove.search.engines.gomoku import patterns

# The weights of an empty cell, in tenths of a unit.
LINE_WEIGHTS: Final = (0, -19, -15, -5, 30, 65, 80, 71, 116, 97, 115, 322, 0)
"""The weight of each class of a line. TWO has the mean weight of TWO_CLOSED and TWO_WAYS: no line
with k = 5 has the class TWO, so its weight could not be fitted."""

PAIR_WEIGHTS: Final = (
    (-36,),
    (-27, -9),
    (-19, -10, -10),
    (-22, -15, -6, -7),
    (3, 10, 20, 22, 19),
    (29, 36, 46, 51, 48, 46),
    (42, 51, 45, 63, 65, 67, 117),
    (32, 52, 52, 70, 71, 73, 96, 105),
    (55, 63, 75, 100, 103, 106, 111, 163, -8),
    (51, 27, 72, 113, 119, 125, 163, 156, -187, -262),
    (41, 87, 92, 121, 197, 274, 297, 270, 459, 39, 945),
    (383, 91, 145, 355, 307, 260, 62, 282, 32, -295, 273, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
)
"""PAIR_WEIGHTS[larger class][smaller class]: the weight of two lines with these classes."""

CELL_WEIGHTS: Final = (0, -20, -194, -236, -186, -37, -3, 1077, 10, 51, 726, 207, 0)

# What the evaluation adds for the side to move, in units. OWN_FOUR counts if this side can make a
# four, FOE_FOUR if the opponent can. FOE_DOUBLE_THREE and FOE_FOUR count only if the opponent can
# make no open four.
TEMPO: Final = 199
OWN_FOUR: Final = 28
OWN_DOUBLE_THREE: Final = 113
OWN_THREE: Final = 52
FOE_OPEN_FOUR: Final = -24
FOE_OPEN_FOUR_OWN_FOUR: Final = -26
FOE_DOUBLE_THREE: Final = 102
FOE_FOUR: Final = -13


def cell_weight(first: int, second: int, third: int, fourth: int) -> int:
    """Return the weight of an empty cell for a side whose four lines have these classes."""
    return in_units((first, second, third, fourth), LINE_WEIGHTS, PAIR_WEIGHTS, CELL_WEIGHTS)


def in_units(
    classes: tuple[int, int, int, int],
    of_lines: Sequence[int],
    of_pairs: Sequence[Sequence[int]],
    of_cells: Sequence[int],
) -> int:
    """Return the sum of a cell's weights in units. The three tables are in tenths of a unit."""
    lines = sorted(classes, reverse=True)
    tenths = of_cells[patterns.cell_class(*classes)]
    tenths += sum(of_lines[line] for line in lines)
    tenths += sum(of_pairs[more][less] for more, less in combinations(lines, 2))
    return (tenths + 5) // 10


@cache
def cell_tables() -> tuple[bytearray, array[int]]:
    """Return the class and the weight of a cell for each of `patterns.COMBINATIONS`."""
    classes = bytearray(patterns.cell_class(*lines) for lines in patterns.COMBINATIONS)
    return classes, array("i", (cell_weight(*lines) for lines in patterns.COMBINATIONS))
