"""The table of all 3×3 positions: promises that only this engine makes."""

import sys

import pytest

from bestmove import Board
from bestmove.search import table
from bestmove.search.scores import WIN
from tests.support import tictactoe
from tests.support.programs import run
from tests.support.tictactoe import best_moves, is_over


def test_in_every_position_the_lowest_best_move_is_listed_first() -> None:
    assert len(tictactoe.reachable()) == 5_478
    for text in tictactoe.reachable():
        found, moves = table.lookup(Board(text).key), table.lookup_moves(Board(text))
        assert found.exact
        if is_over(text):
            assert (found.pv, moves) == ((), [])
            assert found.value in (0, -WIN)
        else:
            assert (moves[0].value, moves[0].pv) == (found.value, found.pv)
            assert found.pv[0] == best_moves(text)[0]


def test_if_o_moved_first_the_answer_is_that_with_marks_exchanged() -> None:
    swap = str.maketrans("XO", "OX")
    for text in tictactoe.reachable()[::5]:
        other = Board(text.translate(swap), first="O")
        assert table.lookup(other.key) == table.lookup(Board(text).key)
        assert table.lookup_moves(other) == table.lookup_moves(Board(text))


def test_an_answer_tells_what_the_search_of_its_position_did() -> None:
    board = Board("X...O....")
    found = table.lookup(board.key)
    assert (found.nodes, found.cutoffs, found.table_hits, found.depth) == (431, 100, 106, 7)
    assert table.lookup(Board("X...O....").key) == found
    moves = table.lookup_moves(board)
    after = [table.lookup(board.play(move).key).nodes for move in board.moves]
    assert {move.nodes for move in moves} == {1 + sum(after)}


def test_only_3x3_boards_are_in_the_table() -> None:
    for board in (Board.empty(3, 4), Board.empty(4, 3), Board.empty(1, 9)):
        with pytest.raises(ValueError, match="3×3"):
            table.lookup(board.key)
        with pytest.raises(ValueError, match="3×3"):
            table.lookup_moves(board)


def test_nothing_is_solved_before_it_is_asked_for() -> None:
    code = (
        "from bestmove.search import table; print(table.ready()); table.build(); "
        "print(table.ready())"
    )
    assert run(sys.executable, "-c", code).stdout.split() == ["False", "True"]
