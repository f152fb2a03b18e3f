"""The numbers of the evaluation: what the cells and the situation are worth to a side.

`benchmarks/engine/fit.py` fits them by logistic regression, as in Buro (1995, "Statistical feature
combination for the evaluation of game positions"), and writes them into this file. The targets are
the results of searches of 4,000 nodes, for 323,406 positions on 15×15 with k = 5. The positions are
from games of the engine against itself. One or two random moves were added to most positions, to
resemble the positions in a search. 256 units add 1 to the natural logarithm of the odds.
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
"""LINE_WEIGHTS[class]: the weight of a line of this class through the cell. With k = 5, no line has
the class TWO, so the weight of TWO is the mean of its neighbours'."""

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
"""PAIR_WEIGHTS[larger class][smaller class]: the weight of a pair of lines through the cell."""

CELL_WEIGHTS: Final = (0, -20, -194, -236, -186, -37, -3, 1077, 10, 51, 726, 207, 0)
"""CELL_WEIGHTS[class]: the weight of the class of the cell."""

# What the evaluation adds for the side to move, in units.
TEMPO: Final = 199
OWN_FOUR: Final = 28

OWN_DOUBLE_THREE: Final = 113
OWN_THREE: Final = 52
FOE_OPEN_FOUR: Final = -24

FOE_OPEN_FOUR_OWN_FOUR: Final = -26
"""Added if the other side can make an open four, and the side to move can make a four."""

FOE_DOUBLE_THREE: Final = 102
"""Added if the other side can make a double three, but no open four."""

FOE_FOUR: Final = -13
"""Added if the other side can make a four, but no open four."""


def cell_weight(first: int, second: int, third: int, fourth: int) -> int:
    """Return the weight of an empty cell for a side whose lines through it have these classes."""
    return in_units((first, second, third, fourth), LINE_WEIGHTS, PAIR_WEIGHTS, CELL_WEIGHTS)


def in_units(
    classes: tuple[int, int, int, int],
    of_lines: Sequence[int],
    of_pairs: Sequence[Sequence[int]],
    of_cells: Sequence[int],
) -> int:
    """Add three kinds of weights, in tenths of a unit, and return the sum in units.

    The weights are those of a cell's lines, of the pairs of these lines, and of the cell's class.
    """
    lines = sorted(classes, reverse=True)
    tenths = of_cells[patterns.cell_class(*classes)]
    tenths += sum(of_lines[line] for line in lines)
    tenths += sum(of_pairs[more][less] for more, less in combinations(lines, 2))
    return (tenths + 5) // 10


@cache
def cell_tables() -> tuple[bytearray, array[int]]:
    """Return two tables: the class and the weight of a cell, for each of COMBINATIONS."""
    classes = bytearray(patterns.cell_class(*lines) for lines in patterns.COMBINATIONS)
    return classes, array("i", (cell_weight(*lines) for lines in patterns.COMBINATIONS))
