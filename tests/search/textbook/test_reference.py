"""The reference engine against the oracle, the literature, and its budgets."""

from __future__ import annotations

import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bestmove import Board
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN, is_proven, plies_to_end
from bestmove.search.textbook import reference
from bestmove.search.textbook.algorithms import alpha_beta, minimax
from bestmove.search.textbook.board_game import BoardGame, bare_utility
from bestmove.search.textbook.evaluations import open_lines
from bestmove.search.textbook.reference import search, search_moves
from tests.game.test_notation import boards
from tests.support import oracle, tictactoe
from tests.support.tictactoe import played

small_boards = boards(max_side=4).filter(
    lambda board: not board.is_over and board.cells.count(".") <= 8
)


@cache
def distance(text: str, columns: int, k: int, mover: str) -> int:
    """Plies to a win (positive) or loss (negative) of the side to move with best play; 0 a draw."""
    if "." not in text:
        return 0
    replies = []
    for at, mark in enumerate(text):
        if mark == ".":
            after = text[:at] + mover + text[at + 1 :]
            if oracle.winners(oracle.cells_of(after, columns), k):
                return 1
            replies.append(distance(after, columns, k, "XO".replace(mover, "")))
    lost, won = [-r for r in replies if r < 0], [r for r in replies if r > 0]
    if lost:
        return 1 + min(lost)
    return 0 if len(won) < len(replies) else -1 - max(won)


def distance_of(board: Board) -> int:
    assert board.turn
    return distance(board.cells, board.rules.columns, board.rules.k, board.turn)


def value_of(distance: int) -> int:
    """A distance as `scores` has it."""
    return WIN - distance if distance > 0 else -WIN - distance if distance < 0 else 0


def check(board: Board, found: Found) -> None:
    """What every answer must keep."""
    assert found.pv
    end = played(board, found.pv)
    if not found.exact:
        assert abs(found.value) <= MAX_ESTIMATE
        return
    assert end.is_over
    if is_proven(found.value):
        assert len(found.pv) == plies_to_end(found.value)
        assert end.winner == (board.turn if found.value > 0 else "XO".replace(board.turn or "", ""))
    else:
        assert found.value == 0
        assert end.winner is None


@settings(max_examples=150)
@given(small_boards)
def test_small_boards_are_solved_with_the_shortest_distances(board: Board) -> None:
    found = search(board)
    check(board, found)
    assert found.exact
    assert found.value == value_of(distance_of(board))


@settings(max_examples=60)
@given(small_boards)
def test_every_move_is_solved_and_the_best_agrees(board: Board) -> None:
    moves, complete = search_moves(board)
    assert complete
    assert sorted(move.pv[0] for move in moves) == list(board.moves)
    assert [(-move.value, move.pv[0]) for move in moves] == sorted(
        (-move.value, move.pv[0]) for move in moves
    )
    for move in moves:
        check(board, move)
        after = board.play(move.pv[0])
        if after.winner:
            assert move.value == WIN - 1
        elif after.is_over:
            assert move.value == 0
        else:
            rest = distance_of(after)
            assert move.value == value_of(-rest + (-1 if rest > 0 else 1 if rest < 0 else 0))
    best = search(board)
    assert (best.value, best.pv[0]) == (moves[0].value, moves[0].pv[0])


def test_tic_tac_toe_is_solved_like_the_table() -> None:
    for text in tictactoe.reachable()[::9]:
        if tictactoe.is_over(text):
            continue
        found = search(Board(text))
        assert found.exact
        assert found.value == value_of(distance(text, 3, 3, Board(text).turn or ""))
        assert found.pv[0] == tictactoe.best_moves(text)[0]


def test_three_in_a_row_is_a_win_on_3x4_but_not_on_every_first_move() -> None:
    board = Board.empty(4, 3, 3)
    moves, complete = search_moves(board)
    assert complete
    assert all(move.exact for move in moves)
    losing = {move.pv[0] for move in moves if move.value < 0}
    assert losing == {board.rules.index(0, 1), board.rules.index(3, 1)}
    assert sum(move.value > 0 for move in moves) == 10


def test_four_in_a_row_is_a_draw_on_4x4() -> None:
    board = Board.parse("X.../.OX./..O./...X", k=4)
    assert (search(board).value, search(board).exact) == (0, True)


def test_a_finished_game_has_a_value_and_no_move() -> None:
    lost, full = Board.parse("XXXOO...."), Board.parse("XOXXOOOXX")
    assert search(lost) == Found(-WIN, True, ())
    assert search(full) == Found(0, True, ())
    assert search_moves(lost) == search_moves(full) == ([], True)


def test_a_win_in_sight_needs_no_depth() -> None:
    #  four X in a row, and four O: X is to move
    board = Board.parse("/".join([".XXXX..........", "OOOO..........."] + ["." * 15] * 13))
    found = search(board)
    assert (found.value, found.exact, found.pv, found.depth) == (WIN - 1, True, (0,), 1)


def test_a_depth_limits_the_plies() -> None:
    board = Board.empty(7, 7)
    for depth in (1, 2):
        found = search(board, depth=depth)
        assert (found.depth, len(found.pv), found.exact) == (depth, depth, False)
        check(board, found)
        moves, complete = search_moves(board, depth=depth)
        assert complete
        assert {len(move.pv) for move in moves} == {depth}


def root_of(board: Board) -> BoardGame:
    """The board for a textbook search that counts distances like the engine."""
    return BoardGame(board, lambda position: bare_utility(position) * (WIN - position.ply))


@settings(max_examples=150)
@given(
    boards(max_side=5).filter(lambda board: not board.is_over and board.cells.count(".") <= 9),
    st.integers(2, 5),
)
def test_a_depth_gives_what_plain_minimax_gives(board: Board, depth: int) -> None:
    sign = 1 if board.turn == "X" else -1
    for found in search_moves(board, depth=depth)[0]:
        after = root_of(board).play(found.pv[0])
        assert found.value == sign * minimax(after, depth - 1, open_lines).value


def test_a_remembered_bound_is_not_taken_for_a_value() -> None:
    # Many ways lead to each position here, and estimates often equal the bound asked about.
    board = Board.empty(5, 3, 3)
    values = {found.pv[0]: found.value for found in search_moves(board, depth=7)[0]}
    for move in (0, 1):
        plain = alpha_beta(root_of(board).play(move), 6, open_lines)
        assert values[move] == plain.value


def test_one_move_is_found_on_any_budget() -> None:
    board = Board.empty(19, 19)
    past = time.monotonic() - 1
    for found in (search(board, nodes=1), search(board, deadline=past)):
        assert found.depth == 1
        assert found.pv == (board.rules.index(4, 4),)  # the first cell that 20 lines run through
    moves, complete = search_moves(board, deadline=past)
    assert len(moves) == 361
    assert not complete


def test_an_iteration_that_is_cut_short_does_not_count() -> None:
    board = Board.parse("X..../.O.../...../...../.....", k=4)
    found = search(board, nodes=500)
    assert 1 < found.depth < 24
    assert not found.exact
    assert found.nodes <= 500 + 1
    same = search(board, depth=found.depth)
    assert (found.value, found.pv) == (same.value, same.pv)


def test_equal_budgets_of_nodes_find_equal_answers() -> None:
    board = Board.parse("X...../.O..../..X.../....../...O../......")
    assert search(board, nodes=2_000) == search(board, nodes=2_000)


def test_a_full_table_is_emptied_and_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.empty(3, 4, 3)
    expected = search(board)
    monkeypatch.setattr(reference, "TABLE_ENTRIES", 50)
    forgetful = search(board)
    assert (forgetful.value, forgetful.pv[0]) == (expected.value, expected.pv[0])
    assert forgetful.nodes > expected.nodes


def test_the_counts_are_those_of_a_search() -> None:
    found = search(Board.empty())
    assert found.nodes > found.cutoffs > 0
    assert found.table_hits > 0
