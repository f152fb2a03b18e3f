"""The conversion of estimates to scores."""

from itertools import pairwise

import pytest

from bestmove.game import Board, Rules
from bestmove.search.curves import CURVES, MOST, Curve, Points, curve_of, expected_result
from bestmove.search.results import Found, verdict
from bestmove.search.scores import MAX_ESTIMATE


@pytest.mark.parametrize(("rules", "nodes", "lead", "points"), CURVES, ids=lambda it: str(it)[:30])
def test_the_score_of_an_estimate_grows_with_it_and_is_never_all_but_certain(
    rules: Rules, nodes: int, lead: int, points: Points
) -> None:
    assert curve_of(rules, nodes) == (points, lead)
    curve = Curve(points)
    values = [value for value, _ in points]
    assert values == sorted(set(values))
    estimates = sorted({0, 1, *(value + more for value in values for more in (-1, 0, 1))})
    scores = [expected_result(value, curve) for value in (*estimates, MAX_ESTIMATE)]
    assert scores[0] == 0
    assert all(less <= more for less, more in pairwise(scores))
    assert 0.9 < scores[-1] <= MOST < 0.99
    assert [expected_result(-value, curve) for value in estimates] == [-s for s in scores[:-1]]
    assert expected_result(20 - lead, Curve(points, lead)) == expected_result(20, curve)


def test_a_game_that_was_not_fitted_has_the_curve_of_the_most_similar_one() -> None:
    assert curve_of(Rules(19, 19, 5), 900) == curve_of(Rules(20, 20, 5), 1_000)
    assert curve_of(Rules(6, 7, 4, gravity=True), 10**9) == curve_of(
        Rules(8, 9, 4, gravity=True), 20_000
    )
    fitted = curve_of(Rules(6, 6, 4, misere=True), 1_000)
    assert curve_of(Rules(5, 5, 4, misere=True), 0) == (fitted.points, 0)


def test_an_even_estimate_is_not_minus_zero() -> None:
    for board in (Board.empty(), Board.empty().play(0)):
        score, outcome, plies = verdict(board, Found(0, exact=False, pv=(4,)))
        assert (str(score), outcome, plies) == ("0.0", "unknown", None)
