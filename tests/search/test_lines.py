"""What an analysis says of the moves beside the best: lines, depths and equal moves."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from bestmove.game import Board, Rules
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import Limits
from bestmove.search.results import Analysis
from tests.support.needs import COMPILED

MIDDLE = Board.from_moves("h8 i9 i7 g7 h6 h7", game="gomoku")
WON = Board.from_moves("h8 i9 i7 g7 h6 h9 j8 g9", game="gomoku")
SWITCHES: list[dict[str, Any]] = [
    {},
    {"overline": False},
    {"misere": True},
    {"gravity": True},
    {"gravity": True, "misere": True},
]


def positions(rng: random.Random, rows: int, columns: int, k: int, **switches: bool) -> Board:
    """A game in progress, its marks in one corner as far as they may be."""
    while True:
        board = Board("." * (rows * columns), Rules(rows, columns, k, **switches))
        for _ in range(rng.randint(1, 12)):
            near = [at for at in board.moves if max(divmod(at, columns)) < 7]
            if not board.is_over:
                board = board.play(rng.choice(near or board.moves))
        if not board.is_over:
            return board


def check(board: Board, analysis: Analysis, lines: int | None) -> None:
    """What holds of every analysis."""
    moves = analysis.moves
    assert sorted(move.index for move in moves) == list(board.moves)
    for_mover = [move.score if board.turn == "X" else -move.score for move in moves]
    assert for_mover == sorted(for_mover, reverse=True)
    # The first is the best move, whatever its index.
    for better, worse in pairwise(moves[1:]):
        if (better.score, better.plies) == (worse.score, worse.plies):
            assert better.index < worse.index
    for move in moves:
        assert move.pv[0] == move.index
        assert type(move.depth) is int
        assert move.depth == move.plies if move.exact else move.depth >= 0
        assert not move.exact or move.outcome == "draw" or len(move.pv) == move.plies
    # Where all is as good as lost, the scores tell no lines apart.
    led = [move.depth for move in moves[1:lines] if -0.9 < move.score < 0.9]
    if lines is not None and led and moves[0].outcome != "loss":
        others = [move.depth for move in moves[lines:] if not move.exact]
        assert min(led) >= max(others, default=0)


@COMPILED
@pytest.mark.parametrize("switches", SWITCHES, ids=repr)
@pytest.mark.parametrize("shape", [(6, 6, 4), (7, 9, 5), (15, 15, 5)])
def test_lines_come_first_and_the_first_is_the_best_move(
    shape: tuple[int, int, int], switches: dict[str, bool]
) -> None:
    rng = random.Random(sum(shape) + len(switches))
    for _ in range(4):
        board = positions(rng, *shape, **switches)
        lines = rng.randint(1, 8)
        limits = Limits(depth=3, time_ms=60_000, lines=lines)
        answer, analysis = best_move(board, limits), analyze(board, limits)
        check(board, analysis, lines)
        first = analysis.moves[0]
        if answer.outcome != "loss":
            assert first.index == answer.move
            assert (first.score, first.exact, first.pv) == (answer.score, answer.exact, answer.pv)
        assert analysis.complete
        again = analyze(board, limits)
        assert again.moves == analysis.moves


@pytest.mark.parametrize("lines", [None, 1, 5, 20])
def test_an_analysis_by_the_clock_is_in_order_too(lines: int | None) -> None:
    for board in (Board.empty(15, 15), MIDDLE, WON):
        for time_ms in (1, 60):
            check(board, analyze(board, Limits(time_ms=time_ms, lines=lines)), None)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(time_ms=60),
        Limits(time_ms=60, lines=5),
        Limits(depth=2, time_ms=60_000),
        Limits(time_ms=100, seed=1, lines=3),
    ],
    ids=repr,
)
@pytest.mark.parametrize("switches", SWITCHES, ids=repr)
def test_images_of_a_move_have_its_score(limits: Limits, switches: dict[str, bool]) -> None:
    for rows, columns, marks in [(15, 15, 0), (15, 15, 1), (9, 9, 3), (7, 9, 4)]:
        board = Board("." * (rows * columns), Rules(rows, columns, 5, **switches))
        for row in range(marks):  # up the column in the middle
            board = board.play((rows - 1 - row) * columns + columns // 2)
        moves = {move.index: move for move in analyze(board, limits).moves}
        for move in moves.values():
            row, column = divmod(move.index, columns)
            twin = moves[row * columns + columns - 1 - column]
            assert (twin.score, twin.exact, twin.plies) == (move.score, move.exact, move.plies)


def test_the_middle_of_an_empty_board_comes_first_and_the_corners_last() -> None:
    for limits in (Limits(time_ms=100), Limits(time_ms=100, lines=5), Limits(depth=2)):
        board = Board.empty(15, 15)
        moves = [move.index for move in analyze(board, limits).moves]
        assert moves[0] == best_move(board, limits).move == 112
        rank = {index: place for place, index in enumerate(moves)}
        assert all(rank[corner] > 150 for corner in (0, 14, 210, 224))


def test_a_small_board_is_told_the_same_whatever_lines_are_asked_for() -> None:
    for board in (Board.parse("X...O...."), Board.parse("X.../.O../..../....", k=4)):
        whole = analyze(board, Limits(seed=1))
        for lines in (1, 20):
            analysis = analyze(board, Limits(seed=1, lines=lines))
            assert (analysis.moves, analysis.complete) == (whole.moves, True)


def test_more_lines_than_moves_are_all_of_them() -> None:
    board = Board.parse("XXOOX./XXOOXX/OOXXOO/OOXXOO/XXO.../......", k=5)
    analysis = analyze(board, Limits(depth=4, lines=20))
    check(board, analysis, 20)
    assert analysis.complete


def test_every_way_to_win_is_told_beside_the_shortest() -> None:
    wins = [move.index for move in analyze(WON, Limits(depth=3, lines=5)).moves if move.plies == 3]
    assert wins == [100, 156]
