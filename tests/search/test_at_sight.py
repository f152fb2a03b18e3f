"""Draws that are recognised without a search. A full search confirms each draw, and every answer
says that it is exact."""

import random
from collections.abc import Callable

import pytest

from bestmove import Board, Limits, Rules, analyze, best_move, prove, verify
from bestmove.search.at_sight import draw_of
from bestmove.search.pairs import matching, pairing
from tests.support.oracle import positions
from tests.support.positions import board_of


def test_a_draw_at_sight_is_a_draw_and_the_moves_that_it_keeps_hold_it() -> None:
    found = kept = 0
    for position in positions(random.Random(9), 3000, 9):
        board = board_of(position)
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


@pytest.mark.parametrize(
    "board",
    [
        Board.empty(9, 9, 7),  # by a small sum
        *(Board.empty(*shape) for shape in ((6, 6, 5), (9, 9, 8), (20, 20, 9))),  # by pairs
        # Too few turns are left.
        Board.parse(("XXOO" * 3 + "OOXX" * 3) * 5 + "XXOO" * 3 + "OOXXOOXX....", 12, 12),
        # Only exactly k in a row win.
        *(
            Board.empty(rows, columns, k, overline=False).play(rows * columns // 2)
            for rows, columns, k in ((12, 12, 10), (15, 15, 10), (20, 20, 18), (12, 20, 19))
        ),
    ],
    ids=str,
)
def test_a_draw_at_sight_is_exact_in_every_answer(board: Board) -> None:
    limits = Limits(time_ms=None, nodes=500)
    move, moves = best_move(board, limits), analyze(board, limits).moves
    assert (move.score, move.exact, move.outcome) == (0, True, "draw")
    assert (moves[0].index, moves[0].exact, moves[0].score) == (move.move.index, True, 0)
    proof = prove(board, limits)
    assert proof is not None
    assert verify(proof, board=board).draw
    assert proof.nodes < 30


def test_a_search_to_a_depth_looks_no_further() -> None:
    assert not best_move(Board.empty(9, 9, 7), Limits(depth=1)).exact


@pytest.mark.parametrize("find", [matching, pairing])
def test_a_search_for_pairs_can_be_ended_at_any_time(find: Callable[..., object]) -> None:
    rules = Rules(20, 20, 8)
    windows = rules.geometry.left(0, 0)
    calls = iter(range(1_000_000))
    assert find(rules, windows, calls.__next__) is None
    whole = next(calls)
    assert whole > 30
    for most in (0, whole // 2, whole - 1):
        calls = iter(range(most))
        with pytest.raises(StopIteration):
            find(rules, windows, calls.__next__)
