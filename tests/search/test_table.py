"""The 3×3 table: every position against the oracle, and each in its own indices."""

import subprocess
import sys

import pytest

from bestmove import Board
from bestmove.search import table
from bestmove.search.scores import WIN, is_proven, plies_to_end
from tests.support import oracle, tictactoe
from tests.support.tictactoe import after, free, is_over, played


def result_and_plies(value: int, text: str) -> tuple[int, int]:
    """A value of the table for X, with the plies to the end: those left for a draw."""
    to_x = 1 if text.count("X") == text.count("O") else -1
    if is_proven(value):
        return (to_x if value > 0 else -to_x), plies_to_end(value)
    assert value == 0
    return 0, text.count(".")


def test_all_5478_positions_are_as_the_oracle_says() -> None:
    assert len(tictactoe.reachable()) == 5_478
    for text in tictactoe.reachable():
        found = table.lookup(Board(text))
        assert found.exact
        assert result_and_plies(found.value, text) == oracle.solve3(text), text
        if is_over(text):
            assert found.pv == ()
            assert found.value in (0, -WIN)


def test_every_move_has_its_own_value_best_first() -> None:
    for text in tictactoe.reachable():
        moves = table.lookup_moves(Board(text))
        if is_over(text):
            assert moves == []
            continue
        assert sorted(move.pv[0] for move in moves) == free(text)
        assert moves[0] == table.lookup(Board(text))
        ranks = [(-move.value, move.pv[0]) for move in moves]
        assert ranks == sorted(ranks)
        for move in moves:
            position = after(text, move.pv[0])
            result, plies = oracle.solve3(position)
            assert result_and_plies(move.value, text) == (result, plies + 1)
            assert played(Board(text), move.pv).utility == result


def test_where_o_moved_first_the_marks_change_places() -> None:
    swap = str.maketrans("XO", "OX")
    for text in tictactoe.reachable()[::5]:
        other = Board(text.translate(swap), first="O")
        assert table.lookup(other) == table.lookup(Board(text))
        assert table.lookup_moves(other) == table.lookup_moves(Board(text))


def test_a_look_up_counts_as_one_node_answered_by_the_table() -> None:
    found = table.lookup(Board("X...O...."))
    assert (found.nodes, found.table_hits, found.depth) == (1, 1, 7)


def test_only_3x3_boards_are_in_the_table() -> None:
    assert table.covers(Board.empty(3, 3, 2))
    for board in (Board.empty(3, 4), Board.empty(4, 3), Board.empty(1, 9)):
        assert not table.covers(board)
        with pytest.raises(ValueError, match="3×3"):
            table.lookup(board)
        with pytest.raises(ValueError, match="3×3"):
            table.lookup_moves(board)


def test_an_answer_cannot_be_spoilt_by_its_caller() -> None:
    board = Board("X...O....")
    table.lookup_moves(board).clear()
    assert len(table.lookup_moves(board)) == 7


def test_nothing_is_solved_before_it_is_asked_for() -> None:
    code = (
        "from bestmove import Board; from bestmove.search import table; print(table.ready()); "
        "table.lookup(Board.empty(3, 3, 2)); print(table.ready()); table.build(); "
        "print(table.ready())"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False", "True"]
