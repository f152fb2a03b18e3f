"""The program that fits the curves from estimates to chances of winning."""

import random
from itertools import pairwise

from benchmarks.engine.calibrate import GAMES, Seen, fitted, positions, table
from bestmove.search.curves import curve_of, expected_result


def test_a_game_gives_its_estimates_and_its_result() -> None:
    task = ("6x6 k4 misere", 1_000, 3)
    seen = positions(task)
    assert seen == positions(task)
    assert {one.points for one in seen} <= {0.0, 0.5, 1.0}
    assert len(seen) > 5


def test_a_curve_rises_whatever_was_seen() -> None:
    dice = random.Random(1)
    seen = [
        Seen("9x9", 1_000, number, dice.randrange(-4_000, 4_000), dice.choice((0.0, 0.5, 1.0)))
        for number in range(4_000)
    ]
    (curve,) = fitted(seen).values()
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(curve))


def test_the_table_counts_the_tenths_that_did_not_come_true() -> None:
    curve = curve_of(GAMES["9x9"][0], 1_000)
    value = next(value for value in range(10_000) if expected_result(value, curve) > 0.5)
    as_shown = [Seen("9x9", 1_000, 0, value, float(number % 4 < 3)) for number in range(2_000)]
    assert table(as_shown)[1] == 0
    assert table([one._replace(points=0.5) for one in as_shown])[1] == 1
    assert table([one._replace(points=0.5) for one in as_shown[:900]])[1] == 0
