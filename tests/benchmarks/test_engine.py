"""The engine's benchmarks: matches between levels, openings, and the fitting of the evaluation."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.engine import fit, fit_network, fit_policy, steps
from benchmarks.engine.levels import match
from bestmove import Board
from bestmove.search.engines.gomoku import network, parameters, patterns, policy, weights

NAMES = ("LINE_WEIGHTS", "PAIR_WEIGHTS", "CELL_WEIGHTS", *fit.SITUATION)


@pytest.mark.parametrize("level", range(3, 11))
def test_each_level_beats_the_one_two_below_it_on_3x3(level: int) -> None:
    won, lost = match(level, level - 2, Board.empty(), games=200)
    assert won > lost + 10


def test_the_weights_are_rewritten_where_the_engine_reads_them() -> None:
    source = Path(weights.__file__).with_suffix(".json").read_text("utf-8")
    assert fit.written({name: getattr(weights, name) for name in NAMES}) == source
    values = fit.tables(np.arange(fit.WIDTH + len(fit.SITUATION)) / 100)
    assert (*values,) == NAMES


def test_the_network_that_is_written_is_what_the_engine_reads() -> None:
    trained = fit_network.Trained(1)
    read = network.unpacked(trained.numbers())
    factor = fit_network.FIRST_FACTOR * fit_network.WIDER
    assert read.factor == round(factor * (1 << network.FACTOR_SHIFT))
    both = trained.values["inputs"][:2].T.ravel()
    rounded = [round(float(weight) * network.UNIT) for weight in both]
    assert list(read.sums[: 2 * network.HIDDEN]) == rounded


@pytest.mark.parametrize("seed", [7, 9], ids=["of whole games", "off the line"])
def test_positions_are_labelled_and_counted(seed: int) -> None:
    made = fit_network.positions(seed, 3)
    assert made.counts.shape == (3, 2, fit_network.COMBINATIONS)
    assert (made.counts.sum((1, 2)) > 2 * 100).all()
    assert (made.facts[:, 0] == 1).all()
    assert ((made.chance > 0) & (made.chance < 1)).all()
    again = fit_network.positions(seed, 3)
    assert np.array_equal(made.counts, again.counts)
    assert np.array_equal(made.chance, again.chance)


def test_the_policy_is_fitted_and_read_by_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    made = fit_policy.choices(3, 40)
    rows = np.arange(40)
    assert (made.own[rows, made.chosen] != fit_policy.NO_CELL).all()
    assert ((made.own == fit_policy.NO_CELL) == (made.foe == fit_policy.NO_CELL)).all()
    fitted = fit_policy.Fitted()
    loss, _ = fitted.judged(made)
    for _ in range(20):
        fitted.learn(made, fit_policy.RATE)
    assert fitted.judged(made)[0] < loss - 1
    for name, table in json.loads(fit.written(fitted.tables())).items():
        monkeypatch.setattr(policy, name, table)
    chances, _ = fitted.chances(made)
    row = int(chances.max(1).argmax())
    own, foe = made.own[row], made.foe[row]
    shown = {  # the tables that the engine would read
        "own": np.array(policy.own.__wrapped__()),
        "foe": np.array(policy.foe.__wrapped__()),
        "both": np.array(policy.together.__wrapped__()),
    }
    cells = np.flatnonzero(own != fit_policy.NO_CELL)
    pair = fit_policy.CLASS_OF[own] * patterns.CELL_CLASSES + fit_policy.CLASS_OF[foe]
    pair += fit_policy.TOGETHER * made.threatened[row]
    units = shown["own"][own[cells]] + shown["foe"][foe[cells]] + shown["both"][pair[cells]]
    expected = np.log(chances[row, cells]) * policy.UNIT
    assert np.ptp(units - expected) <= 4  # `units` is a sum of three rounded numbers


def test_every_step_that_is_left_out_has_its_parameter() -> None:
    for changes in steps.WITHOUT.values():
        assert changes.keys() <= vars(parameters).keys()
