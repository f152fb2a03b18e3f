"""On boards of any size, the analysis lists the move of `best_move` first."""

import random

import pytest

from bestmove.answers import Analysis
from bestmove.game import Board
from bestmove.search.analysis import analyze, best_move
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
def test_what_the_book_knows_is_proven_however_short_the_time(moves: str, time_ms: int) -> None:
    board = Board.from_moves(moves, game="connect-four")
    known = best_move(board, Limits(reproducible=True))
    assert known.exact
    assert len(known.pv) == known.plies
    answer = best_move(board, Limits(time_ms=time_ms))
    assert (answer.move, answer.exact, answer.plies) == (known.move, True, known.plies)
    soon, later = analyze(board, Limits(time_ms=time_ms)), analyze(board, Limits(reproducible=True))
    claims = [
        [(move.index, move.outcome, move.plies) for move in found.moves] for found in (soon, later)
    ]
    assert claims[0] == claims[1]
    assert all(move.exact for move in soon.moves)


def test_a_stream_begins_with_every_value_of_the_book_and_label_searches_no_line() -> None:
    board = Board.from_moves("1", game="connect-four")
    told: list[Analysis] = []
    analyze(board, Limits(reproducible=True, lines=5), told.append)
    assert all(move.exact for move in told[0].moves)
    assert told[0].search.nodes == 0
    alone = best_move(board, Limits(nodes=1, pv=False))
    assert (alone.exact, alone.search.nodes) == (True, 0)
