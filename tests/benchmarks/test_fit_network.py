"""What fits the network learns what it is shown, and writes what the engine reads."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.engine import fit_network
from bestmove.search.gomoku import network


def test_what_it_writes_is_what_the_engine_reads() -> None:
    trained = fit_network.Trained(1)
    read = network.unpacked(trained.numbers())
    factor = fit_network.FIRST_FACTOR * fit_network.WIDER
    assert read.factor == round(factor * (1 << network.FACTOR_SHIFT))
    first = trained.values["inputs"].ravel()[: network.HIDDEN]
    weights = [round(float(weight) * network.UNIT) for weight in first]
    assert read.sums[: network.HIDDEN // 2] == network.paired(weights)


@pytest.mark.parametrize("seed", [7, 8], ids=["of whole games", "off the line"])
def test_positions_are_labelled_and_counted(seed: int) -> None:
    made = fit_network.positions(seed, 3)
    assert made.counts.shape == (3, 2, fit_network.COMBINATIONS)
    assert (made.counts.sum((1, 2)) > 2 * 100).all()
    assert (made.facts[:, 0] == 1).all()
    assert ((made.chance > 0) & (made.chance < 1)).all()
    again = fit_network.positions(seed, 3)
    assert np.array_equal(made.counts, again.counts)
    assert np.array_equal(made.chance, again.chance)
