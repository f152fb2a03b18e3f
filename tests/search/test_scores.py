"""Conversion of estimates to scores."""

from itertools import pairwise

from bestmove import Board
from bestmove.search.results import Found, verdict
from bestmove.search.scores import MAX_ESTIMATE, expected_result


def test_the_score_of_an_estimate_is_between_a_loss_and_a_win_and_never_equal() -> None:
    estimates = [0, 1, 300, 600, 3_000, 5_000, MAX_ESTIMATE]
    scores = [expected_result(value) for value in estimates]
    assert scores[0] == 0
    assert all(less <= more for less, more in pairwise(scores))
    assert 0.9 < scores[-1] < 1
    assert [expected_result(-value) for value in estimates] == [-score for score in scores]


def test_an_even_estimate_is_not_minus_zero() -> None:
    for board in (Board.empty(), Board.empty().play(0)):
        score, outcome, plies = verdict(board, Found(0, exact=False, pv=(4,)))
        assert (str(score), outcome, plies) == ("0.0", "unknown", None)
