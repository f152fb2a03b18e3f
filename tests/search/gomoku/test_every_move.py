"""The value of every move, under limits that end in the middle of a depth."""

from __future__ import annotations

import pytest

from bestmove import Board
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.gomoku.driver import Engine

OPENING = Board.from_moves("h8 i9 a1 o15 a3 o13 a8 o8 h1 h15", game="gomoku")
"""Ten marks, more than the book has; most of them are far off."""


@pytest.mark.parametrize("nodes", [1_000, 3_000, 9_000])
def test_of_a_depth_that_is_cut_short_no_estimate_counts(nodes: int) -> None:
    cells, to_move = encoded(OPENING.cells, OPENING.turn)
    every = Engine(15, 15, 5, 16).every(Task(cells, to_move, nodes=nodes))
    found = every.found
    assert not every.complete
    assert sorted(move.pv[0] for move in found) == list(OPENING.moves)
    assert {move.depth for move in found} == {1}
