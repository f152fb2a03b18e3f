"""The program that fits the curves from estimates to chances of winning."""

import random
from itertools import pairwise

import pytest

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
        Seen("9x9", 1_000, n, 1, 0, dice.randrange(-4_000, 4_000), dice.choice((0.0, 0.5, 1.0)))
        for n in range(400)
    ]
    (curve,) = fitted(seen).values()
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(curve.points))


@pytest.mark.parametrize("lead", [0, -320])
def test_a_lead_is_found_where_there_is_one(lead: int) -> None:
    dice = random.Random(1)
    values = [dice.randrange(-900, 900) for _ in range(2_000)]
    seen = [
        Seen("9x9", 1_000, n, (-1) ** n, 0, value, float(value + lead > dice.gauss(0, 200)))
        for n, value in enumerate(values)
    ]
    (curve,) = fitted(seen).values()
    assert abs(curve.lead - lead) <= 40


def test_the_table_counts_the_groups_that_did_not_come_true() -> None:
    curve = curve_of(GAMES["9x9"][0], 1_000)
    value = next(value for value in range(10_000) if expected_result(value, curve) > 0.5)
    as_shown = [Seen("9x9", 1_000, n, 1, 0, value, float(n % 4 < 3)) for n in range(2_000)]
    assert table(as_shown)[1] == 0
    drawn = [one._replace(points=0.5) for one in as_shown]
    assert table(drawn)[1] == 1
    assert table(drawn[:900])[1] == 0
    assert table([one._replace(number=one.number % 90) for one in drawn])[1] == 0
