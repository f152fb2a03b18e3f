"""The textbook searches agree, and visit the known numbers of nodes."""

import random

import pytest

from bestmove import Board, Limits, best_move
from bestmove.errors import InvalidLimits, PositionTooLarge
from bestmove.search.limits import TEXTBOOK, SearchLimits
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN
from bestmove.search.textbook import algorithms
from bestmove.search.textbook.algorithms import (
    SEARCHES,
    SearchResult,
    alpha_beta,
    alpha_beta_fail_hard,
    memoized_alpha_beta,
    minimax,
    negamax,
    require_affordable,
)
from bestmove.search.textbook.board_game import BoardGame
from bestmove.search.textbook.evaluations import open_lines
from tests.search.promises import check_answer
from tests.support import oracle, tictactoe
from tests.support.positions import in_any_colours

EMPTY = Board.empty()


def run(board: Board, algorithm: str, depth: int | None = None, evaluation: str = "bare") -> Found:
    limits = SearchLimits(algorithm=algorithm, depth=depth, evaluation=evaluation)
    return algorithms.run(board, limits)


def test_minimax_visits_every_node_of_tic_tac_toe() -> None:
    counts = minimax(BoardGame(EMPTY)).counts
    assert counts.nodes == 549_946
    assert counts.leaves == 255_168
    assert counts.cutoffs == counts.table_hits == 0
    assert not counts.horizon_met


def test_every_form_of_alpha_beta_visits_18297_nodes_and_a_table_saves_most() -> None:
    for search in (alpha_beta, alpha_beta_fail_hard, negamax):
        counts = search(BoardGame(EMPTY)).counts
        assert (counts.nodes, counts.table_hits) == (18_297, 0)
    counts = memoized_alpha_beta(BoardGame(EMPTY)).counts
    assert (counts.nodes, counts.table_hits) == (4_866, 1_583)


# The same answers.


@pytest.mark.parametrize(
    "share", [(61, None), (7, 3), pytest.param((5, None), marks=pytest.mark.slow)]
)
def test_every_search_agrees_with_minimax(share: tuple[int, int | None]) -> None:
    step, depth = share
    for text in tictactoe.reachable()[::step]:
        position = BoardGame(Board(text))
        expected = minimax(position, depth, open_lines)
        if depth is None:
            assert expected.value == oracle.solve3(text)[0]
        if position.is_over():
            assert (expected.pv, expected.counts.nodes, expected.counts.leaves) == ((), 1, 1)
        for search in SEARCHES.values():
            result = search(position, depth, open_lines)
            assert (result.value, result.pv) == (expected.value, expected.pv), text


# Counts.


def test_a_depth_evaluates_the_horizon_and_says_so() -> None:
    seen: list[BoardGame] = []

    def evaluate(position: BoardGame) -> float:
        seen.append(position)
        return 0.5

    result = minimax(BoardGame(EMPTY), 1, evaluate)
    assert [position.last for position in seen] == list(range(9))
    assert (result.value, result.pv) == (0.5, (0,))
    assert result.counts.horizon_met
    assert (result.counts.nodes, result.counts.leaves) == (10, 9)
    assert not minimax(BoardGame(Board("XO.......")), 7).counts.horizon_met


# Searches of boards.


def test_every_algorithm_of_the_options_is_in_the_registry() -> None:
    assert (*SEARCHES,) == TEXTBOOK


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_a_horizon_leaves_an_estimate_unless_a_win_is_in_sight(algorithm: str) -> None:
    board = Board.parse("XO.../...../...../...../.....", k=4)
    found = run(board, algorithm, 2)
    assert (found.cutoffs == 0) == (algorithm == "minimax")
    assert not found.exact
    assert 0 < abs(found.value) <= MAX_ESTIMATE
    assert len(found.pv) == found.depth == 2
    won = Board.parse("XXX../OOO../...../...../.....", k=4)
    found = run(won, algorithm, 2)
    assert (found.value, found.pv, found.exact) == (WIN - 1, (3,), True)


def test_a_depth_beyond_the_full_board_searches_to_the_end() -> None:
    board = Board.parse("X...O....")
    found = run(board, "alpha-beta", 361)
    assert found == run(board, "alpha-beta")
    assert (found.depth, found.table_hits) == (7, 0)
    assert run(board, "memoized-alpha-beta").table_hits > 0


def test_the_bare_utility_takes_the_first_win_not_the_quickest() -> None:
    found = run(Board.parse("XX.OO...X"), "minimax")  # O wins at once on cell 5
    assert (found.value, found.pv) == (WIN - 3, (2, 5, 6))


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_under_every_rule_the_result_is_proven_and_its_distance_is_that_of_best_play_after_the_move(
    algorithm: str,
) -> None:
    text = "..X.XO.XOO.OX.XOO.XXO"
    found = run(Board.parse(text, 3, 7, 3, gravity=True, misere=True), algorithm)
    assert (found.value, found.pv) == (WIN - 4, (13, 6, 1, 0))
    rng = random.Random(algorithm)
    for at in oracle.positions(rng, 120, 6, side=4):
        board = in_any_colours(at, rng)
        answer = best_move(board, Limits(algorithm=algorithm))
        check_answer(board, answer)
        value = at.value_of(answer.move.index)
        assert answer.search.algorithm == algorithm
        assert (value > 0) - (value < 0) == (at.value > 0) - (at.value < 0)
        assert answer.outcome == ("win" if value > 0 else "loss" if value < 0 else "draw")
        assert not value or answer.plies == WIN - abs(value)


def test_an_evaluation_of_another_game_is_refused() -> None:
    for board, depth, evaluation in (
        (Board.empty(), None, "shapes"),
        (Board.empty(6, 7, 5, gravity=True), 2, "shapes"),
        (Board.empty(5, 5, 4), 10, "ten-less-depth"),
        (Board.empty(3, 3, 3, misere=True), None, "lines"),
    ):
        message = f'"{evaluation}" (is for|does not know)'
        with pytest.raises(InvalidLimits, match=message) as refused:
            run(board, "alpha-beta", depth, evaluation)
        assert refused.value.field == "evaluation"
    with pytest.raises(InvalidLimits, match="needs a textbook algorithm"):
        Limits(evaluation="lines")


def test_values_are_in_the_unit_of_the_evaluation() -> None:
    board = Board.parse("XX.OO....")
    assert run(board, "negamax").evaluated == 1
    assert run(board, "negamax", evaluation="lines").evaluated == 1000
    assert run(board, "negamax", evaluation="ten-less-depth").evaluated == 9
    assert run(Board.parse("X........"), "negamax", 1).evaluated == -10
    row = Board.parse("XXXX." + "." * 10 + "OOOO." + "." * 205, 15, 15, 5)
    won = run(row, "negamax", 1, evaluation="shapes")
    assert (won.evaluated, won.value, won.exact) == (99_999_999, WIN - 1, True)


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_searches_too_large_are_refused_before_they_start(
    algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> SearchResult:
        raise AssertionError("searched")

    monkeypatch.setattr(algorithms, "SEARCHES", dict.fromkeys(SEARCHES, never))
    for board, depth in (
        (Board.empty(4, 4), None),
        (Board.empty(15, 15), 3),
        (Board.empty(19, 19), 361),
    ):
        with pytest.raises(
            PositionTooLarge, match=f"^{algorithm} could .* smaller depth"
        ) as caught:
            run(board, algorithm, depth)
        assert caught.value.field == "algorithm"


def test_searches_that_can_finish_are_allowed_deeper_with_gravity() -> None:
    empty = Board.from_moves([], game="connect-four")
    for algorithm in ("minimax", "alpha-beta", "negamax"):
        require_affordable(empty, Limits(algorithm=algorithm, depth=7))
        with pytest.raises(PositionTooLarge, match="42 empty cells and depth 8"):
            require_affordable(empty, Limits(algorithm=algorithm, depth=8))
    twelve_empty = Board.parse("XOXO/..../..../....")
    require_affordable(twelve_empty, Limits(algorithm="memoized-alpha-beta"))
    with pytest.raises(PositionTooLarge):
        require_affordable(twelve_empty, Limits(algorithm="alpha-beta"))


def test_no_estimate_counts_as_proven() -> None:
    six = "/".join(["......XXXXXX........", ".O.O.O.O.O.O........", *["." * 20] * 18])
    answer = best_move(Board.parse(six, k=9), Limits(60_000, 1, algorithm="alpha-beta"))
    assert (answer.exact, answer.outcome) == (False, "unknown")
    assert 0.9 < answer.score < 1
    won = Limits(60_000, 2, algorithm="minimax", evaluation="lines")
    assert best_move(Board.parse("XX.OO...."), won).plies == 1  # a completed line is a proof


@pytest.mark.parametrize("evaluation", ["bare", "lines", "ten-less-depth"])
def test_a_row_that_is_too_long_is_no_win(evaluation: str) -> None:
    board = Board.parse("OXX.XOO/", k=3, overline=False)
    found = run(board, "alpha-beta", evaluation=evaluation)
    assert found.exact
    assert found.value == 0
