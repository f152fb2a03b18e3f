"""The levels' matches, on the smallest board."""

from __future__ import annotations

import pytest

from benchmarks.engine.levels import match
from bestmove import Board


@pytest.mark.parametrize("level", range(3, 11))
def test_each_level_beats_the_one_two_below_it_on_3x3(level: int) -> None:
    score = match(level, level - 2, Board.empty(), games=200)
    assert score.wins > score.losses + 10
