"""The reference engine's depths and budgets; its values are held to minimax with the others."""

import random
import time

import pytest

from bestmove import Board
from bestmove.search.results import Found
from bestmove.search.scores import WIN
from bestmove.search.textbook.algorithms import alpha_beta, minimax
from bestmove.search.textbook.board_game import BoardGame, bare_utility
from bestmove.search.textbook.evaluations import open_lines
from tests.support import reference
from tests.support.positions import random_board
from tests.support.reference import search, search_moves


def test_three_in_a_row_is_a_win_on_3x4_but_not_on_every_first_move() -> None:
    moves, complete = search_moves(Board.empty(4, 3, 3))
    assert complete
    assert all(move.exact for move in moves)
    assert {move.pv[0] for move in moves if move.value < 0} == {1, 10}
    assert sum(move.value > 0 for move in moves) == 10


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
        moves, complete = search_moves(board, depth=depth)
        assert complete
        assert {len(move.pv) for move in moves} == {depth}


def root_of(board: Board) -> BoardGame:
    """The board for a textbook search that counts distances like the engine."""
    return BoardGame(board, lambda position: bare_utility(position) * (WIN - position.ply))


def test_a_depth_gives_what_plain_minimax_gives() -> None:
    rng = random.Random(5)
    for _ in range(60):
        rows, columns = rng.randint(2, 5), rng.randint(2, 4)
        board = random_board(rng, rows, columns, rng.randint(2, max(rows, columns)), 99)
        depth = rng.randint(2, 5)
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
    assert found == search(board, nodes=500)


def test_a_full_table_is_emptied_and_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.empty(3, 4, 3)
    expected = search(board)
    assert expected.nodes > expected.cutoffs > 0
    assert expected.table_hits > 0
    monkeypatch.setattr(reference, "TABLE_ENTRIES", 50)
    forgetful = search(board)
    assert (forgetful.value, forgetful.pv[0]) == (expected.value, expected.pv[0])
    assert forgetful.nodes > expected.nodes
