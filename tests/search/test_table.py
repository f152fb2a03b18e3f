"""The table of all 3×3 positions: promises that only this engine makes."""

import sys

from bestmove import Board
from bestmove.search import table
from tests.support.programs import run


def test_an_answer_tells_what_the_search_of_its_position_did() -> None:
    board = Board("X...O....")
    found = table.lookup(board.key)
    assert (found.nodes, found.cutoffs, found.table_hits, found.depth) == (431, 100, 106, 7)
    assert table.lookup(Board("X...O....").key) == found
    moves = table.lookup_moves(board)
    after = [table.lookup(board.play(move).key).nodes for move in board.moves]
    assert {move.nodes for move in moves} == {1 + sum(after)}


def test_nothing_is_solved_before_it_is_asked_for() -> None:
    code = (
        "from bestmove.search import table; print(table.ready()); table.build(); "
        "print(table.ready())"
    )
    assert run(sys.executable, "-c", code).stdout.split() == ["False", "True"]
