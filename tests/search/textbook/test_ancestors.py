"""The programs that this one grew out of, each of them as it played."""

from collections.abc import Callable
from functools import cache

import pytest

from bestmove import Board
from bestmove.search.textbook.evaluations import FIVE
from tests.support import ancestors, oracle, tictactoe


def worst_result(text: str, mark: str, reply: Callable[[str], int]) -> int:
    """The worst result for `mark`, whose moves are `reply`'s, against every opponent."""
    if tictactoe.is_over(text):
        result = oracle.solve3(text)[0]
        return result if mark == "X" else -result
    turn = "X" if text.count("X") == text.count("O") else "O"
    moves = [reply(text)] if turn == mark else tictactoe.free(text)
    return min(worst_result(tictactoe.after(text, move), mark, reply) for move in moves)


# 1. The console game: plain minimax, the first best move along the rows.


def test_the_console_engine_plays_the_first_best_move() -> None:
    for text in tictactoe.reachable()[::3]:
        if tictactoe.is_over(text) or text.count(".") > 7:
            continue
        result = oracle.solve3(text)[0]
        best = [
            m for m in tictactoe.free(text) if oracle.solve3(tictactoe.after(text, m))[0] == result
        ]
        assert ancestors.plain_minimax(Board(text)) == best[0]


def test_the_console_engine_is_never_beaten() -> None:
    reply = cache(lambda text: ancestors.plain_minimax(Board(text)))
    assert worst_result(".........", "O", reply) == 0


# 4. The depth-limited guesser, and its fail-soft and fail-hard.


def test_the_guesser_returns_the_value_and_the_resulting_board() -> None:
    #  X X .    X, who is to move, wins at once
    #  O O .
    #  . . .
    value, board = ancestors.guess(Board.parse("XX.OO...."))
    assert value >= 1_000
    assert str(board) == "XXXOO...."


def test_the_guesser_may_move_second() -> None:
    value, board = ancestors.guess(Board.parse("....O....", first="O"))
    assert board.turn == "O"
    assert -1_000 < value < 0  # the middle is worth more than what is left


def test_the_guesser_does_not_see_beyond_two_plies() -> None:
    assert ancestors.guess(Board("XO......."), depth=5)[0] >= 1_000  # X wins by a fork
    assert ancestors.guess(Board("XO......."), depth=2)[0] < 1_000


def test_the_guesser_knows_every_win_within_its_depth() -> None:
    for text in tictactoe.reachable()[::5]:
        if tictactoe.is_over(text):
            continue
        result, plies = oracle.solve3(text)
        value, after = ancestors.guess(Board(text))
        assert (value >= 1_000) == (result == 1 and plies <= 2), text
        assert (value <= -1_000) == (result == -1 and plies <= 2), text
        assert after.cells in {tictactoe.after(text, move) for move in tictactoe.free(text)}


# 5. Five in a row.

OPEN_THREE = """
.........
.........
...O.....
...XXX...
...O.....
.........
"""
OPEN_FOURS = """
.........
..XXXX...
.........
..OOOO...
.........
.........
"""


def five(text: str) -> Board:
    return Board.parse(text.strip(), k=5)


def test_five_in_a_row_counts_nodes_and_cuts() -> None:
    board = Board.empty(15, 15).play(112)
    result = ancestors.five_in_a_row(board, last=112)
    assert len(result.pv) == 3
    assert result.counts.cutoffs > 0
    assert result.counts.nodes > result.counts.leaves > 0
    assert result.pv[0] in {96, 97, 98, 111, 113, 126, 127, 128}  # next to the only mark


def test_five_in_a_row_begins_in_the_middle() -> None:
    assert ancestors.five_in_a_row(Board.empty(15, 15)).pv[0] == 112


def test_five_in_a_row_wins_where_it_can() -> None:
    board = five(OPEN_FOURS)
    assert board.turn == "X"
    result = ancestors.five_in_a_row(board)
    assert result.value == FIVE
    assert board.play(result.pv[0]).winner == "X"


def test_five_in_a_row_stops_an_open_three() -> None:
    board = five(OPEN_THREE)
    assert board.turn == "O"
    before, after = 29, 33  # the cells at both ends of it
    assert ancestors.five_in_a_row(board).pv[0] in {before, after}


def test_trying_the_last_moves_neighbours_first_changes_the_cost_and_not_the_value() -> None:
    board = five(OPEN_THREE)
    known, unknown = ancestors.five_in_a_row(board, last=31), ancestors.five_in_a_row(board)
    assert known.value == unknown.value
    assert known.counts != unknown.counts


def test_the_depth_of_five_in_a_row_is_3_unless_it_is_given() -> None:
    board = five(OPEN_THREE)
    assert ancestors.five_in_a_row(board) == ancestors.five_in_a_row(board, depth=3)
    assert len(ancestors.five_in_a_row(board, depth=2).pv) == 2


# 6. Noughts and crosses: ±10 less the depth.


def test_quick_wins_and_slow_losses_are_preferred() -> None:
    #  O wins at once on 5, or later by 2
    result = ancestors.quick_wins(Board.parse("XX.OO...X"))
    assert (result.value, result.pv) == (1 - 10, (5,))


def test_ten_less_the_depth_is_exactly_the_distance() -> None:
    for text in tictactoe.reachable()[::3]:
        if tictactoe.is_over(text) or text.count(".") > 7:
            continue
        result, plies = oracle.solve3(text)
        found = ancestors.quick_wins(Board(text))
        assert found.value == result * (10 - plies)
        assert found.pv[0] == tictactoe.best_moves(text)[0]
        if result:
            assert len(found.pv) == plies


@pytest.mark.parametrize("mark", ["X", "O"])
def test_noughts_and_crosses_is_never_beaten(mark: str) -> None:
    reply = cache(lambda text: ancestors.quick_wins(Board(text)).pv[0])
    assert worst_result(".........", mark, reply) == 0


def test_in_noughts_and_crosses_the_person_who_is_o_moves_first() -> None:
    board = Board.parse("....O....", first="O")
    assert board.turn == "X"
    assert ancestors.quick_wins(board).pv[0] == 0  # a corner holds the draw
    assert ancestors.quick_wins(board).value == 0
