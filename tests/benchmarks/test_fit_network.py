"""What fits the network learns what it is shown, and writes what the engine reads."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.engine import fit_network
from bestmove.search.gomoku import network


def shown(count: int = 5_000) -> fit_network.Positions:
    """Positions whose chance depends on one combination of the mover and on one fact."""
    dice = np.random.default_rng(1)
    counts = np.zeros((count, 2, fit_network.COMBINATIONS), np.uint8)
    facts = dice.integers(0, 2, (count, network.SITUATIONS)).astype(np.float32)
    facts[:, 0] = 1
    kept = int(np.flatnonzero(fit_network.HAS_FEATURES[:, 0])[0])
    counts[:, 0, kept] = dice.integers(0, 3, count)
    odds = 1.5 * (counts[:, 0, kept].astype(np.float32) - 1) + facts[:, 3] - 0.5
    chance = (1 / (1 + np.exp(-odds))).astype(np.float32)
    return fit_network.Positions(counts, facts, np.zeros(count, np.float32), chance)


def test_it_learns_what_the_weighted_sum_does_not_say() -> None:
    given = shown()
    untrained = fit_network.Trained(1).loss(given)
    trained = fit_network.train(given, 1, epochs=30)
    assert trained.loss(given) < untrained - 0.05


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
