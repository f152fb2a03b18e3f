"""Conversion between arrays of numbers and boards, and a policy that plays from such arrays."""

import random
import sys
from typing import Any

import numpy
import pytest

from bestmove import Board, Rules
from bestmove.bots import Engine
from bestmove.bots.arrays import Policy, from_array, to_array, to_lists, to_planes
from bestmove.errors import IllegalMove, InvalidInput
from bestmove.game import PRESETS
from tests.bots.stand_in import FirstMove
from tests.support.positions import after_random_moves
from tests.support.programs import run

BOARD = Board.parse("XX.OO....")
X_PLANE, O_PLANE = [[1, 1, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    "array",
    [
        [1, 1, 0, 2, 2, 0, 0, 0, 0],
        [[1, 1, 0], [2, 2, 0], [0, 0, 0]],
        [[1, 1, 0], [-1, -1, 0], [0, 0, 0]],
        ((1.0, 1.0, 0.0), (-1.0, -1.0, 0.0), (0.0, 0.0, 0.0)),
        [X_PLANE, O_PLANE],
        (numpy.array(X_PLANE), numpy.array(O_PLANE)),
        numpy.array([1, 1, 0, 2, 2, 0, 0, 0, 0]),
        [numpy.array([1, 1, 0]), numpy.array([2, 2, 0]), numpy.array([0, 0, 0])],
        numpy.array([[1, 1, 0], [-1, -1, 0], [0, 0, 0]], dtype=numpy.float32),
        numpy.array([X_PLANE, O_PLANE], dtype=bool),
        numpy.array([X_PLANE, O_PLANE]).transpose(1, 2, 0),
    ],
)
def test_every_array_of_a_board_is_that_board(array: Any) -> None:
    assert from_array(array) == BOARD


def test_what_is_written_is_read_back() -> None:
    chance = random.Random(12)
    for _ in range(500):
        rows, columns = chance.randint(3, 7), chance.randint(3, 7)
        gravity, first = chance.random() < 0.5, chance.choice("XO")
        empty = Board.empty(rows, columns, first=first, gravity=gravity)
        board = after_random_moves(chance, empty, chance.randrange(rows * columns))
        spelt: list[Any] = [
            to_lists(board),
            to_lists(board, o=-1),
            to_array(board),
            to_array(board, o=-1).ravel(),
            to_planes(board),
            to_planes(board).transpose(1, 2, 0),
        ]
        for array in spelt:
            assert from_array(array, board.rules, first=board.first) == board


def test_own_planes_are_the_board_with_the_marks_exchanged() -> None:
    board = Board.parse("X...O.X..")
    seen = from_array(to_planes(board, own="O"))
    assert str(seen) == "O...X.O.."
    assert seen.turn == "X"


@pytest.mark.parametrize(
    ("array", "turn", "first"),
    [([0] * 9, "X", "X"), ([1] + [0] * 8, "O", "X"), ([-1] + [0] * 8, "X", "O")],
)
def test_who_moved_first_follows_from_the_counts(array: list[int], turn: str, first: str) -> None:
    board = from_array(array)
    assert (board.turn, board.first) == (turn, first)
    assert from_array([0] * 9, first="O").turn == "O"


def test_k_and_switches_come_from_the_game_and_the_size_from_the_array() -> None:
    four = from_array([0] * 42, "connect-four")
    assert four.rules == PRESETS["connect-four"].rules
    wide = from_array(numpy.zeros((7, 8)), "connect-four")
    assert wide.rules == Rules(7, 8, 4, gravity=True)
    assert from_array(numpy.zeros((4, 6))).rules == Rules(4, 6, 4)


@pytest.mark.parametrize(
    ("array", "told"),
    [
        ([1, 2, -1, 0], "2 and -1"),
        ([3, 0, 0, 0], "not 3"),
        ([0.5, 0, 0, 0], "not 0.5"),
        ([[0, 0, 0], [0, 0]], "row 2 has 2 cells, the others have 3"),
        ([], "the board is empty"),
        ([[[0, 1], [1, 0], [0, 0]]] * 3 + [[[1, 1], [0, 0], [0, 0]]], "no cell may be 1 in both"),
        ([[[0] * 3] * 3] * 3, r"give array\[\[2, 1\]\] for tic_tac_toe"),
        (0, "a board is"),
        ([0] * 8, "8 cells, which is not a square"),
    ],
)
def test_an_array_that_is_not_a_board_is_refused_with_the_reason(array: Any, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        from_array(array)


def test_an_array_seen_from_the_side_to_move_is_played_for_that_side() -> None:
    # O is to move and must block. The number 1 is X in `absolute`, and O in `-absolute`.
    absolute = to_array(Board.parse("XX..O...."), o=-1)
    policy = Policy(Engine())
    assert policy(absolute) == policy(-absolute) == 2


def test_a_policy_may_be_told_who_moves_first() -> None:
    for first in ("X", "O"):
        engine = FirstMove()
        Policy(engine, first=first)([0] * 9)
        assert [board.turn for board in engine.asked] == [first]


def test_with_gravity_an_action_is_a_column() -> None:
    engine = FirstMove()
    board = numpy.zeros((6, 7), dtype=int)
    board[5, 0], board[5, 1] = 1, -1
    # `FirstMove` plays the legal cell with the lowest index: above the mark in column 0.
    assert Policy(engine, "connect-four", level=3)(board) == 0
    assert engine.asked == [from_array(board, "connect-four")]
    assert engine.options == [{"level": 3}]


def test_there_is_no_action_once_the_game_is_over() -> None:
    with pytest.raises(IllegalMove, match="the game is over"):
        Policy(Engine())([1, 1, 1, 2, 2, 0, 0, 0, 0])


def test_numpy_is_not_imported_before_it_is_needed() -> None:
    code = (
        "import sys; from bestmove.bots import arrays, kaggle, pettingzoo;"
        "arrays.from_array([0] * 9); print('numpy' in sys.modules)"
    )
    assert run(sys.executable, "-c", code).stdout == "False\n"
