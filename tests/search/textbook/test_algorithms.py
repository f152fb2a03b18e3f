"""The textbook searches agree, and visit the known numbers of nodes."""

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bestmove import Board, Limits, best_move
from bestmove.errors import InvalidLimits, PositionTooLarge
from bestmove.search.limits import TEXTBOOK
from bestmove.search.scores import MAX_ESTIMATE, WIN
from bestmove.search.textbook import algorithms
from bestmove.search.textbook.algorithms import (
    SEARCHES,
    Bound,
    SearchResult,
    ValueTable,
    alpha_beta,
    alpha_beta_fail_hard,
    memoized_alpha_beta,
    minimax,
    negamax,
    require_affordable,
    run,
)
from bestmove.search.textbook.board_game import BoardGame
from bestmove.search.textbook.evaluations import open_lines
from bestmove.search.textbook.tree import Node, TreeGame
from tests.game.test_notation import boards
from tests.search.engines import board_of
from tests.support import oracle, tictactoe

WINDOWED = [alpha_beta, negamax, memoized_alpha_beta]
EMPTY = Board.empty()

Nested = int | list["Nested"]

nested_trees = st.recursive(
    st.integers(-9, 9), lambda trees: st.lists(trees, min_size=1, max_size=4), max_leaves=40
)


def value_of(tree: Nested, maximizing: bool) -> int:
    if isinstance(tree, int):
        return tree
    return (max if maximizing else min)(value_of(child, not maximizing) for child in tree)


def game(tree: Nested, maximizing: bool = True) -> TreeGame:
    def node(tree: Nested) -> Node:
        return Node(tree) if isinstance(tree, int) else Node(children=tuple(map(node, tree)))

    return TreeGame(node(tree), maximizing)


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
    "share", [(61, None), (7, 3), pytest.param((1, None), marks=pytest.mark.slow)]
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
        for search, _ in SEARCHES.values():
            result = search(position, depth, open_lines)
            assert (result.value, result.pv) == (expected.value, expected.pv), text


@settings(max_examples=200)
@given(nested_trees, st.booleans())
def test_alpha_beta_never_visits_more_than_minimax(tree: Nested, maximizing: bool) -> None:
    everything = minimax(game(tree, maximizing)).counts
    soft = alpha_beta(game(tree, maximizing)).counts
    assert soft.nodes <= everything.nodes
    assert soft.leaves <= everything.leaves
    for search in (alpha_beta_fail_hard, negamax, memoized_alpha_beta):
        assert search(game(tree, maximizing)).counts == soft  # a tree has no repeated positions


# Search windows for which fail-soft and fail-hard return different values.


@pytest.mark.parametrize("search", WINDOWED)
def test_fail_soft_tells_how_far_outside_the_window_the_value_is(
    search: Callable[..., SearchResult],
) -> None:
    tree: Nested = [[5, 2, 9], [8, 4, 7]]
    # Fail-hard would return the ends of the window: 6 and 9.
    assert search(game(tree), alpha=6, beta=9).value == 5
    assert search(game([12, 3]), alpha=6, beta=9).value == 12


@settings(max_examples=300)
@given(nested_trees, st.booleans(), st.integers(-11, 10), st.integers(1, 12))
def test_a_window_bounds_or_gives_the_value(
    tree: Nested, maximizing: bool, alpha: int, width: int
) -> None:
    beta = alpha + width
    true = value_of(tree, maximizing)
    for search in WINDOWED:
        found = search(game(tree, maximizing), alpha=alpha, beta=beta).value
        if found <= alpha:
            assert true <= found
        elif found >= beta:
            assert true >= found
        else:
            assert true == found
    hard = alpha_beta_fail_hard(game(tree, maximizing), alpha=alpha, beta=beta)
    assert hard.value == min(max(true, alpha), beta)


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
    assert not minimax(BoardGame(EMPTY), 9).counts.horizon_met


# The transposition table.


@dataclass(frozen=True)
class Countdown:
    """A game: take one or two from a heap. Whoever takes the last one wins."""

    heap: int
    maximizing: bool = True
    stakes: int = 1

    def is_over(self) -> bool:
        return self.heap == 0

    def utility(self) -> float:
        return -self.stakes if self.maximizing else self.stakes

    def moves(self) -> Sequence[int]:
        return range(1, min(2, self.heap) + 1)

    def play(self, move: int) -> "Countdown":
        return Countdown(self.heap - move, not self.maximizing, self.stakes)

    def key(self) -> Hashable:
        return self.heap, self.maximizing


def test_the_table_turns_an_exponential_search_into_a_linear_one() -> None:
    result = memoized_alpha_beta(Countdown(300))
    assert result.value == -1
    assert result.counts.nodes < 3_000
    assert result.counts.table_hits > 0
    assert sum(result.pv) == 300  # the line is complete, although most of it came from the table


def test_a_value_outside_the_window_is_remembered_as_a_bound() -> None:
    table: ValueTable = {}
    memoized_alpha_beta(Countdown(1), alpha=-3, beta=0, table=table)
    assert [entry.bound for entry in table.values()] == [Bound.LOWER]
    memoized_alpha_beta(Countdown(3), alpha=0, beta=3, table=table)
    assert table[(3, True), inf].bound is Bound.UPPER


def test_a_bound_answers_only_from_outside_the_window() -> None:
    table: ValueTable = {}
    low = memoized_alpha_beta(Countdown(9), alpha=0, beta=3, table=table)
    again = memoized_alpha_beta(Countdown(9), alpha=0, beta=3, table=table)
    assert (again.value, again.counts.nodes, again.counts.table_hits) == (low.value, 1, 1)
    wider = memoized_alpha_beta(Countdown(9), table=table)
    assert wider.counts.nodes > 1  # the table has only the bound "at most -1"
    assert table[(9, True), inf].bound is Bound.EXACT
    assert memoized_alpha_beta(Countdown(9), table=table).counts.nodes == 1


@settings(max_examples=100)
@given(
    boards(max_side=4).filter(lambda board: board.cells.count(".") <= 7),
    st.lists(st.tuples(st.integers(-3, 2), st.integers(1, 3)), max_size=4),
)
def test_a_used_table_never_changes_an_answer(board: Board, windows: list[tuple[int, int]]) -> None:
    table: ValueTable = {}
    for alpha, width in windows:
        memoized_alpha_beta(BoardGame(board), alpha=alpha, beta=alpha + width, table=table)
    expected = minimax(BoardGame(board))
    result = memoized_alpha_beta(BoardGame(board), table=table)
    assert (result.value, result.pv) == (expected.value, expected.pv)


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
def test_a_proven_distance_is_that_of_best_play_after_the_move(algorithm: str) -> None:
    text = "..X.XO.XOO.OX.XOO.XXO"
    board = Board.parse(text, 3, 7, 3, gravity=True, misere=True)
    found = run(board, algorithm)
    assert (found.value, found.pv) == (WIN - 4, (13, 6, 1, 0))
    for at in oracle.positions(random.Random(algorithm), 60, 8, side=4):
        board = board_of(at)
        if board.is_over:
            continue
        found = run(board, algorithm)
        if found.exact and found.value:
            after = board.play(found.pv[0])
            plies = 0 if after.is_over else abs(best_move(after).plies or 0)
            assert WIN - abs(found.value) == len(found.pv) == 1 + plies


def test_an_evaluation_of_another_game_is_refused() -> None:
    for board, depth, evaluation in (
        (Board.empty(), None, "shapes"),
        (Board.empty(6, 7, 5, gravity=True), 2, "shapes"),
        (Board.empty(5, 5, 4), 10, "ten-less-depth"),
        (Board.empty(3, 3, 3, misere=True), None, "lines"),
    ):
        message = f'"{evaluation}" (is for|does not know)'
        with pytest.raises(InvalidLimits, match=message) as refused:
            run(board, "alpha-beta", depth, evaluation=evaluation)
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

    monkeypatch.setattr(algorithms, "SEARCHES", dict.fromkeys(SEARCHES, algorithms.Textbook(never)))
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
        require_affordable(empty, algorithm, 7)
        with pytest.raises(PositionTooLarge, match="42 empty cells and depth 8"):
            require_affordable(empty, algorithm, 8)
    twelve_empty = Board.parse("XOXO/..../..../....")
    require_affordable(twelve_empty, "memoized-alpha-beta")
    with pytest.raises(PositionTooLarge):
        require_affordable(twelve_empty, "alpha-beta")


def test_no_estimate_counts_as_proven() -> None:
    six = "/".join(["......XXXXXX........", ".O.O.O.O.O.O........", *["." * 20] * 18])
    answer = best_move(Board.parse(six, k=9), Limits(60_000, 1, algorithm="alpha-beta"))
    assert (answer.exact, answer.outcome) == (False, "unknown")
    assert 0.9 < answer.score < 1


@pytest.mark.parametrize("evaluation", ["bare", "lines", "ten-less-depth"])
def test_a_row_that_is_too_long_is_no_win(evaluation: str) -> None:
    board = Board.parse("OXX.XOO/", k=3, overline=False)
    found = algorithms.run(board, "alpha-beta", evaluation=evaluation)
    assert found.exact
    assert found.value == 0
