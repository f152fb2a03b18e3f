"""The weights of the evaluation. 256 units add 1 to the natural logarithm of the odds of a win.

`benchmarks/engine/fit.py` fits the weights by logistic regression (Buro 1995, "Statistical feature
combination for the evaluation of game positions") and writes them into weights.json. The data were
323,406 positions on 15×15 with k = 5, each with the result of a search of 4,000 nodes. The
positions are from games of the engine against itself, most of them with random moves added.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from bestmove.search import packed
from bestmove.search.engines.gomoku import patterns

_FITTED: Final = packed.tables(__file__)

# The weights of an empty cell, in tenths of a unit.
LINE_WEIGHTS: Final = _FITTED["LINE_WEIGHTS"]
"""The weight of each class of a line. TWO has the mean weight of TWO_CLOSED and TWO_WAYS: no line
with k = 5 has the class TWO, so its weight could not be fitted."""

PAIR_WEIGHTS: Final = _FITTED["PAIR_WEIGHTS"]
"""PAIR_WEIGHTS[larger class][smaller class]: the weight of two lines with these classes."""

CELL_WEIGHTS: Final = _FITTED["CELL_WEIGHTS"]

# What the evaluation adds for the side to move, in units. OWN_FOUR counts if this side can make a
# four, FOE_FOUR if the opponent can. FOE_DOUBLE_THREE and FOE_FOUR count only if the opponent can
# make no open four.
TEMPO: Final = _FITTED["TEMPO"]
OWN_FOUR: Final = _FITTED["OWN_FOUR"]
OWN_DOUBLE_THREE: Final = _FITTED["OWN_DOUBLE_THREE"]
OWN_THREE: Final = _FITTED["OWN_THREE"]
FOE_OPEN_FOUR: Final = _FITTED["FOE_OPEN_FOUR"]
FOE_OPEN_FOUR_OWN_FOUR: Final = _FITTED["FOE_OPEN_FOUR_OWN_FOUR"]
FOE_DOUBLE_THREE: Final = _FITTED["FOE_DOUBLE_THREE"]
FOE_FOUR: Final = _FITTED["FOE_FOUR"]


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
    tables = (LINE_WEIGHTS, PAIR_WEIGHTS, CELL_WEIGHTS)
    classes = bytearray(patterns.cell_class(*lines) for lines in patterns.COMBINATIONS)
    return classes, array("i", (in_units(lines, *tables) for lines in patterns.COMBINATIONS))
