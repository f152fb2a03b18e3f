"""Draws that are recognised without a search. A full search confirms each draw, and every answer
says that it is exact."""

import random

import pytest

from bestmove import Board, Limits, Rules, analyze, best_move, prove, verify
from bestmove.search.at_sight import draw_of
from tests.support.oracle import positions


def test_a_draw_at_sight_is_a_draw_and_the_moves_that_it_keeps_hold_it() -> None:
    found = kept = 0
    for position in positions(random.Random(9), 3000, 9):
        game = position.game
        board = Board(position.text, Rules(*game.shape, **game.switches))
        draw = draw_of(board, lambda: None)
        if draw is None:
            continue
        found += 1
        kept += len(draw.kept)
        assert draw.kept
        assert position.value == 0, board
        assert [position.value_of(move) for move in draw.kept] == [0] * len(draw.kept), board
    assert found > 100
    assert kept > found


BOARDS = {
    "a small sum": Board.empty(9, 9, 7),
    "pairs": Board.empty(9, 9, 8),
    "pairs of a pattern": Board.empty(20, 20, 9),
    "too few turns": Board.parse(
        ("XXOO" * 3 + "OOXX" * 3) * 5 + "XXOO" * 3 + "OOXXOOXX....", 12, 12
    ),
    "exactly k": Board.empty(12, 12, 10, overline=False),
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_draw_at_sight_is_exact_in_every_answer(name: str) -> None:
    board = BOARDS[name]
    limits = Limits(time_ms=None, nodes=500)
    move, moves = best_move(board, limits), analyze(board, limits).moves
    assert (move.score, move.exact, move.outcome) == (0, True, "draw")
    assert move.move is not None
    assert (moves[0].index, moves[0].exact, moves[0].score) == (move.move.index, True, 0)
    proof = prove(board, Limits(time_ms=None, nodes=500))
    assert proof is not None
    assert verify(proof, board=board).draw


def test_a_search_to_a_depth_looks_no_further() -> None:
    assert not best_move(Board.empty(9, 9, 7), Limits(depth=1)).exact
