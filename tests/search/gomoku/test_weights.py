"""The evaluation is nearly the sum of the weights of all cells."""

import random
from itertools import islice

import pytest

from bestmove.search.engines.gomoku import patterns, weights
from bestmove.search.engines.gomoku.driver import GomokuEngine
from tests.support.oracle import Game


@pytest.mark.parametrize("shape", [(15, 15, 5), (9, 9, 4), (11, 7, 6)])
def test_the_sum_is_the_weight_of_the_cells_and_little_else(
    shape: tuple[int, int, int],
) -> None:
    rng = random.Random(17)
    engine = GomokuEngine(*shape, 4)
    for at in islice(Game(*shape).crowds(rng, 2, 19), 60):
        cells = at.cells
        sums = [0, 0]
        for cell in filter(None, engine.classes(cells)):
            for side in range(2):
                sums[side] += weights.cell_weight(*patterns.COMBINATIONS[cell[side]])
        engine.kernel.set_up(cells)
        for side in range(2):
            value = engine.kernel.weighted_sum(side)
            cells_alone = sums[side] - sums[1 - side]
            assert 130 <= value - cells_alone <= 500, (value, cells_alone)
