"""The weights of the evaluation: one for each class, and their sum is the estimate."""

import random
from itertools import islice

import pytest

from bestmove.search.engines.gomoku import patterns, weights
from bestmove.search.engines.gomoku.driver import Engine
from tests.support.oracle import Game


def weighted_sum(engine: Engine, cells: bytes, to_move: int) -> int:
    """The weighted sum of the evaluation, which the network corrects."""
    engine.kernel.set_up(cells)
    value: int = engine.kernel.weighted_sum(to_move - 1)
    return value


@pytest.mark.parametrize("shape", [(15, 15, 5), (9, 9, 4), (11, 7, 6)])
def test_the_sum_is_the_weight_of_the_cells_and_little_else(
    shape: tuple[int, int, int],
) -> None:
    rng = random.Random(17)
    engine = Engine(*shape, 4)
    for at in islice(Game(*shape).crowds(rng, 2, 19), 60):
        cells = at.cells
        sums = [0, 0]
        for cell in filter(None, engine.classes(cells)):
            for side in range(2):
                sums[side] += weights.cell_weight(*patterns.COMBINATIONS[cell[side]])
        for to_move in (1, 2):
            value = weighted_sum(engine, cells, to_move)
            cells_alone = sums[to_move - 1] - sums[2 - to_move]
            assert 130 <= value - cells_alone <= 500, (value, cells_alone)
