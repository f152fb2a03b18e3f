"""On boards of any size the analysis begins with the best move."""

import random

import pytest

from bestmove.game import Board
from bestmove.search.analysis import best_move
from bestmove.search.limits import Limits
from tests.support import agreement
from tests.support.needs import COMPILED


@COMPILED
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))]
)
def test_best_move_and_analysis_agree_in_the_whole_family(seed: int) -> None:
    for number in range(25):
        dice = random.Random(f"{seed} {number}")
        board, limits = agreement.random_position(dice), agreement.random_limits(dice)
        found = [fault for fault in agreement.faults(board, limits) if "by the clock" not in fault]
        assert not found, (board, limits)


@pytest.mark.parametrize(
    ("board", "nodes"),
    [
        (Board.parse("..X.../....../O.O...", k=4, first="O"), 5),
        (Board.parse("../../.O", k=3, first="O"), 5),
        (Board.parse("..O../.....", k=2, first="O"), 1),
        (Board.parse("./././X/.", k=3), 5),
        (Board.parse("..X........../", k=2), 10),
        (Board.parse("X.XOOOX/.OO.XOX/O.XXX.X/XXO..../OOOXO.X/...O.OX", k=4, first="O"), 2),
    ],
    ids=str,
)
def test_with_few_nodes_both_choose_the_lowest_of_equal_moves(board: Board, nodes: int) -> None:
    assert not [*agreement.faults(board, Limits(time_ms=None, nodes=nodes))]


def test_the_line_is_the_same_if_the_player_proves_the_best_move_and_the_prover_all() -> None:
    rows = "...../...../...../...X./..O../O..../.XO../...../....."
    board = Board.parse(rows, k=4, first="O", overline=False)
    limits = Limits(time_ms=30, reproducible=True, lines=1)
    assert not [*agreement.faults(board, limits)]


@COMPILED
@pytest.mark.parametrize("moves", ["4", "44", "3", "1"])
@pytest.mark.parametrize("time_ms", [1, 10])
def test_a_distance_is_claimed_with_its_whole_line(moves: str, time_ms: int) -> None:
    board = Board.from_moves(moves, game="connect-four")
    answer, known = (
        best_move(board, Limits(time_ms=time_ms)),
        best_move(board, Limits(reproducible=True)),
    )
    assert known.exact
    assert answer.move == known.move
    for found in (answer, known):
        assert not found.exact or found.outcome == "draw" or len(found.pv) == found.plies
