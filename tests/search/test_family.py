"""The games of the family through the door: every combination of switches against slow minimax."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bestmove import Board, Limits, Rules, analyze, best_move
from bestmove.search import budget
from bestmove.search.gomoku import search as gomoku
from bestmove.search.textbook import reference
from tests.search.general.slowfamily import WIN, Family, positions
from tests.support.needs import COMPILED

SIGNS = {"win": 1, "draw": 0, "loss": -1}


def board_of(game: Family, text: str) -> Board:
    return Board(text, Rules(*game.shape, **game.switches))


def value_of(outcome: str | None, plies: int | None) -> int:
    """What the slow minimax calls an answer's outcome and plies."""
    assert outcome in SIGNS
    assert plies is not None
    return SIGNS[outcome] * (WIN - plies)


@pytest.mark.parametrize(
    "limits", [Limits(), Limits(depth=1), Limits(depth=3), Limits(reproducible=True)], ids=repr
)
def test_every_combination_has_the_value_and_distance_of_slow_minimax(limits: Limits) -> None:
    count = 400 if gomoku.compiled else 40
    for game, text, mover in positions(random.Random(5), count, 8):
        board = board_of(game, text)
        assert board.turn == mover
        truth = {move: game.value_of_move(text, mover, move) for move in game.moves(text)}
        answer = best_move(board, limits)
        assert answer.exact, (game, text)
        assert answer.move == min(
            move for move, value in truth.items() if value == max(truth.values())
        )
        assert value_of(answer.outcome, answer.plies) == (max(truth.values()) or 0) or (
            answer.outcome == "draw" and max(truth.values()) == 0
        )
        moves = analyze(board, limits).moves
        assert [move.index for move in moves] == sorted(truth, key=lambda at: (-truth[at], at))
        for move in moves:
            if move.outcome != "draw":
                assert value_of(move.outcome, move.plies) == truth[move.index]
            else:
                assert truth[move.index] == 0


@pytest.mark.parametrize(
    "algorithm",
    ["minimax", "alpha-beta", "alpha-beta-fail-hard", "negamax", "memoized-alpha-beta"],
)
def test_the_textbook_plays_every_combination(algorithm: str) -> None:
    for game, text, _ in positions(random.Random(6), 120, 6):
        board = board_of(game, text)
        answer = best_move(board, Limits(algorithm=algorithm))
        assert answer.exact
        assert answer.score == best_move(board).score, (game, text)


def test_the_reference_plays_every_combination() -> None:
    for game, text, mover in positions(random.Random(7), 150, 6):
        found = reference.search(board_of(game, text))
        assert found.exact
        assert found.value == game.value(text, mover), (game, text)


@pytest.mark.parametrize("level", [1, 4, 6, 9])
def test_levels_play_legal_moves_in_every_combination(level: int) -> None:
    for game, text, _ in positions(random.Random(8 + level), 40, 12):
        board = board_of(game, text)
        answer = best_move(board, Limits(level=level, seed=3))
        assert answer.move in board.moves
        assert answer.reason is not None
        assert answer.reason.code == "weakened"


def test_an_unproven_move_on_a_large_board_of_every_combination_is_an_honest_estimate() -> None:
    for number in range(8):
        switches = {
            "gravity": bool(number & 1),
            "overline": bool(number & 2),
            "misere": bool(number & 4),
        }
        board = Board.empty(11, 12, 5, **switches)  # type: ignore[arg-type]
        answer = best_move(board, Limits(time_ms=None, nodes=2_000))
        assert answer.move in board.moves
        assert not answer.exact
        assert -1 < answer.score < 1


@pytest.mark.parametrize(("rows", "columns", "k"), [(15, 15, 10), (20, 20, 18), (12, 20, 19)])
def test_exactly_k_is_a_draw_where_nobody_can_make_it(rows: int, columns: int, k: int) -> None:
    board = Board.empty(rows, columns, k, overline=False).play(rows * columns // 2)
    answer = best_move(board, Limits(time_ms=None, nodes=1_000))
    assert (answer.exact, answer.outcome) == (True, "draw")


@pytest.mark.parametrize(
    ("moves", "outcome", "plies"),
    [("", "win", 41), ("4", "loss", 40), ("3", "draw", 41), ("2", "win", 41), ("1", "win", 39)],
)
def test_connect_four_is_solved_from_the_first_move_on(
    moves: str, outcome: str, plies: int
) -> None:
    # Known since Allen and Allis, 1988: the middle wins, the columns beside it draw.
    board = Board.from_moves(moves, game="connect-four")
    assert budget.in_book(board)
    answer = best_move(board, Limits(nodes=1))
    assert answer.exact
    assert (answer.outcome, answer.plies) == (outcome, plies)


@COMPILED
def test_the_line_of_connect_four_ends_with_the_winning_move() -> None:
    board = Board.empty(game="connect-four")
    answer = best_move(board)
    for move in answer.pv:
        board = board.play(move)
    assert len(answer.pv) == answer.plies == 41
    assert board.winner == "X"


@pytest.mark.parametrize(
    ("text", "rules", "code", "cells"),
    [
        ("XX.OO....", Rules(), "wins", (0, 1, 2)),
        ("X...O...X", Rules(), "holds-draw", (1,)),
        ("......./......./......./......./......./XX.OO..", Rules(6, 7, 4, gravity=True), "", ()),
    ],
)
def test_the_cells_of_a_reason_are_those_of_its_sentence(
    text: str, rules: Rules, code: str, cells: tuple[int, ...]
) -> None:
    board = Board.parse(text, k=rules.k, gravity=rules.gravity)
    reason: Any = best_move(board).reason
    if code:
        assert (reason.code, reason.cells) == (code, cells)
    else:
        assert all(str(cell) in reason.text for cell in reason.cells)
