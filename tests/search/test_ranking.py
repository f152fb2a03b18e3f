"""The order and the claims of an analysis if the best move has only an estimate or wins late."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bestmove.answers import Analysis, MoveEvaluation
from bestmove.game import Board, Rules
from bestmove.search.analysis import analyze, best_move
from bestmove.search.curves import CURVES, MOST, curve_of, expected_result
from bestmove.search.dispatch import curve_for
from bestmove.search.engine import Every, Task
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.limits import Limits
from bestmove.search.results import Found, verdict
from bestmove.search.scores import MAX_ESTIMATE, WIN
from bestmove.search.symmetry import Symmetry

THREE = Board.parse(
    "........./........./........./...XXX.../....O..../..O...O../........./........./.........",
    k=5,
)
"""X wins in three plies by playing on cell 29 or 33, the ends of its row."""

CORNER = 0

SEEDED = Limits(time_ms=100, seed=1)
BOUNDED = Limits(time_ms=None, depth=2)

Believe = Callable[..., None]


@pytest.fixture
def believe(monkeypatch: pytest.MonkeyPatch) -> Believe:
    """Return a function that replaces results of the engine's searches.

    `found`: new values of the best move's fields.
    `alike`: True if all moves count as searched to one depth.
    `presumed`: a move whose estimate becomes almost a win.
    """
    best_of, every_of = GomokuEngine.best, GomokuEngine.every

    def set_(alike: bool = True, presumed: int | None = None, **found: Any) -> None:
        def best(engine: GomokuEngine, task: Task) -> Found:
            return best_of(engine, task._replace(report=None))._replace(**found)

        def every(engine: GomokuEngine, task: Task) -> Every:
            moves, _, lines = every_of(engine, task)
            won = MAX_ESTIMATE - 10
            moves = [m._replace(value=won) if m.pv[0] == presumed else m for m in moves]
            return Every(moves, alike, lines)

        monkeypatch.setattr(GomokuEngine, "best", best)
        monkeypatch.setattr(GomokuEngine, "every", every)

    return set_


def by_index(analysis: Analysis) -> dict[int, MoveEvaluation]:
    assert sorted(move.index for move in analysis.moves) == list(analysis.board.moves)
    scores = [move.score for move in analysis.moves]
    assert scores == sorted(scores, reverse=True)
    return {move.index: move for move in analysis.moves}


@pytest.mark.parametrize("lines", [None, 3])
@pytest.mark.parametrize("value", [-300, 300, 19_990])
def test_a_proven_win_leads_if_the_best_move_is_an_estimate(
    believe: Believe, value: int, lines: int | None
) -> None:
    believe(value=value, exact=False, pv=(CORNER,))
    analysis = analyze(THREE, replace(SEEDED, lines=lines))
    moves = by_index(analysis)
    first = [(move.index, move.exact, move.plies) for move in analysis.moves[:2]]
    assert first == [(29, True, 3), (33, True, 3)]
    # CORNER has the value that `believe` set.
    assert moves[CORNER].score == expected_result(value, curve_for(THREE.rules, SEEDED))
    assert not moves[CORNER].exact
    assert not analysis.complete


@pytest.mark.parametrize("lines", [None, 3])
@pytest.mark.parametrize("value", [-300, 300, 19_990])
def test_the_best_move_of_a_depth_leads_whatever_else_is_found(
    believe: Believe, value: int, lines: int | None
) -> None:
    believe(value=value, exact=False, pv=(CORNER,))
    limits = replace(BOUNDED, lines=lines)
    analysis, answer = analyze(THREE, limits), best_move(THREE, limits)
    by_index(analysis)
    first, *others = analysis.moves
    assert (first.index, first.score, first.exact) == (answer.move, answer.score, answer.exact)
    images = [move for move in others if move.score == first.score]
    assert 8 in [move.index for move in images]
    assert not any(move.exact for move in others)
    below = [move.score for move in others if move not in images]
    assert len(set(below)) > 10
    assert analysis.complete


def test_a_proven_best_move_leads_though_another_wins_sooner(believe: Believe) -> None:
    believe(value=WIN - 5, exact=True, pv=(22, 29, 33, 0, 34))  # cells 29 and 33 win sooner
    analysis, answer = analyze(THREE, SEEDED), best_move(THREE, SEEDED)
    moves = by_index(analysis)
    first = analysis.moves[0]
    assert first.index == answer.move == 22
    assert (first.exact, first.plies, first.pv) == (True, answer.plies, answer.pv)
    assert (first.plies or 0) > 3
    assert [(moves[end].exact, moves[end].plies) for end in (29, 33)] == [(True, 3)] * 2
    assert max(move.score for move in analysis.moves if not move.exact) > 0.3
    assert analysis.complete


def test_a_presumed_win_does_not_change_the_order_of_the_other_moves(believe: Believe) -> None:
    believe(presumed=13, value=300, exact=False, pv=(CORNER,))
    moves = by_index(analyze(THREE, BOUNDED))
    assert moves[13].score < moves[CORNER].score
    assert min(move.score for move in moves.values()) > -0.5


@pytest.mark.parametrize(
    ("limits", "exact", "alike", "complete"),
    [
        (SEEDED, True, True, True),
        (SEEDED, False, True, False),  # the search for the best move was also cut short
        (BOUNDED, False, True, True),
        (SEEDED, True, False, False),
        (BOUNDED, False, False, False),
    ],
)
def test_an_analysis_is_complete_if_no_search_was_cut_short(
    believe: Believe, limits: Limits, exact: bool, alike: bool, complete: bool
) -> None:
    if exact:
        believe(alike, value=WIN - 3, exact=True, pv=(29, 28, 33))
    else:
        believe(alike, value=300, exact=False, pv=(CORNER,))
    assert analyze(THREE, limits).complete == complete


def test_if_all_moves_lose_the_slowest_comes_first() -> None:
    lost = Board.parse(
        "........./........./...O...../..XXXX.../....O..../..O....../........./........./.........",
        k=5,
    )
    analysis = analyze(lost, SEEDED)
    assert analysis.complete
    assert all(move.exact and move.outcome == "loss" for move in analysis.moves)
    for better, worse in pairwise(analysis.moves[1:]):
        assert (better.plies or 0, -better.index) >= (worse.plies or 0, -worse.index)


@pytest.mark.parametrize(("move", "images"), [(12, 1), (0, 4), (2, 4), (1, 8)])
def test_a_move_counts_as_often_as_it_has_different_images(move: int, images: int) -> None:
    assert Symmetry(Board.empty(5, 5, 4)).count(Found(0, False, (move,))) == images


# Conversion of estimates to scores.


@pytest.mark.parametrize(("rules", "nodes", "curve"), CURVES, ids=lambda it: str(it)[:30])
def test_the_score_of_an_estimate_grows_with_it_and_is_never_all_but_certain(
    rules: Rules, nodes: int, curve: tuple[tuple[int, float], ...]
) -> None:
    assert curve_of(rules, nodes) == curve
    values = [value for value, _ in curve]
    assert values == sorted(set(values))
    estimates = sorted({0, 1, *(value + more for value in values for more in (-1, 0, 1))})
    scores = [expected_result(value, curve) for value in (*estimates, MAX_ESTIMATE)]
    assert scores[0] == 0
    assert all(less <= more for less, more in pairwise(scores))
    assert 0.9 < scores[-1] <= MOST < 0.99
    assert [expected_result(-value, curve) for value in estimates] == [-s for s in scores[:-1]]


def test_a_game_that_was_not_fitted_has_the_curve_of_the_most_similar_one() -> None:
    assert curve_of(Rules(19, 19, 5), 900) == curve_of(Rules(20, 20, 5), 1_000)
    assert curve_of(Rules(6, 7, 4, gravity=True), 10**9) == curve_of(
        Rules(8, 9, 4, gravity=True), 20_000
    )
    assert curve_of(Rules(5, 5, 4, misere=True), 0) == curve_of(Rules(6, 6, 4, misere=True), 1_000)


def test_an_even_estimate_is_not_minus_zero() -> None:
    for board in (Board.empty(), Board.empty().play(0)):
        score, outcome, plies = verdict(board, Found(0, exact=False, pv=(4,)))
        assert (str(score), outcome, plies) == ("0.0", "unknown", None)
