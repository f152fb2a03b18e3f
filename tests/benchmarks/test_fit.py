"""What fits the evaluation writes the weights where the engine reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.engine import fit
from bestmove.search.gomoku import weights

NAMES = ("LINE_WEIGHTS", "CELL_WEIGHTS", "PAIR_WEIGHTS", *fit.SITUATION)


def test_the_weights_there_are_rewritten_byte_for_byte() -> None:
    source = Path(weights.__file__).read_text("utf-8")
    assert fit.rewritten(source, {name: getattr(weights, name) for name in NAMES}) == source


def test_other_weights_take_their_place() -> None:
    source = Path(weights.__file__).read_text("utf-8")
    values = fit.tables(np.arange(fit.WIDTH + len(fit.SITUATION)) / 100)
    assert set(values) == set(NAMES)
    read: dict[str, object] = {}
    exec(fit.rewritten(source, values), read)
    assert {name: read[name] for name in NAMES} == values
