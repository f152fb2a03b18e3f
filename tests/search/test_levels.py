"""Levels 1 to 9, which play weaker on purpose: their moves are legal, repeatable, and as strong as
promised."""

import os
import random
import sys
from typing import Any

import pytest

from bestmove import Board, best_move
from bestmove.answers import BestMove
from bestmove.game import other
from bestmove.game.geometry import cells_with
from bestmove.search import dispatch
from bestmove.search.levels import WEAKNESSES, _natural, weakened
from bestmove.search.limits import SearchLimits
from bestmove.search.results import Found
from tests.search.promises import check_answer
from tests.search.test_door import some_boards
from tests.support.programs import run

BELOW_BEST = tuple(WEAKNESSES)


def wins_of(board: Board, mark: str) -> list[int]:
    return [
        cell
        for cell in board.moves
        if board.rules.geometry.completes(cells_with(board.cells, mark), cell)
    ]


def plain_boards(seed: int, count: int) -> list[Board]:
    boards = some_boards(seed, 4 * count, 9)
    return [board for board in boards if not board.rules.misere and board.rules.k > 2][:count]


def choose(board: Board, level: int, seed: int | None = None) -> BestMove:
    return best_move(board, SearchLimits(level=level, seed=seed))


@pytest.mark.parametrize("level", BELOW_BEST)
def test_every_move_is_legal_and_its_claim_is_true(level: int) -> None:
    for number, board in enumerate(some_boards(level, 40, 9)):
        answer = choose(board, level, seed=number)
        check_answer(board, answer)
        needed = (
            not board.rules.misere
            and board.turn
            and (wins_of(board, board.turn) or wins_of(board, other(board.turn)))
        )
        if needed:
            assert (answer.reason.code == "weakened") == (answer.move not in needed)
        # The same seed makes the same choices, whatever was searched before.
        again = choose(board, level, seed=number)
        assert (again.move, again.score, again.pv) == (answer.move, answer.score, answer.pv)


@pytest.mark.parametrize("level", BELOW_BEST)
def test_on_3x3_the_claimed_result_is_that_of_best_play_after_the_move(level: int) -> None:
    for seed in range(20):
        board = Board.parse("X...O....")
        while board.turn:
            answer = choose(board, level, seed)
            board = board.play(answer.move)
            best = best_move(board)
            assert answer.score == best.score
            assert answer.plies == (best.plies or 0) + 1
            assert answer.pv == (answer.move, *best.pv)


@pytest.mark.parametrize("level", range(4, 10))
def test_a_win_in_one_is_taken_from_level_4_up_and_blocked_from_level_6_up(level: int) -> None:
    won = blocked = 0
    for number, board in enumerate(plain_boards(60 + level, 200)):
        assert board.turn
        wins, threats = wins_of(board, board.turn), wins_of(board, other(board.turn))
        if not wins and (not threats or level < 6):
            continue
        answer = choose(board, level, seed=number)
        assert answer.move in (wins or threats)
        if wins:
            won += 1
            assert (answer.outcome, answer.plies) == ("win", 1)
            assert (answer.search.algorithm, answer.search.nodes) == ("rules", 0)
        else:
            blocked += 1
    assert won > 4
    assert blocked > 4 or level < 6


@pytest.mark.parametrize("level", range(4, 10))
def test_in_misere_a_line_is_not_completed_as_if_it_won(level: int) -> None:
    board = Board.parse("XX.OO....", game="misere-tic-tac-toe")
    assert {choose(board, level, seed).move for seed in range(300)} > {2}


def test_the_same_seed_gives_the_same_move_in_every_process() -> None:
    code = (
        "from bestmove import *; b = Board.empty(9, 9)\n"
        "for seed in range(12): print(best_move(b, Limits(level=1, seed=seed)).move)"
    )
    runs = {
        run(sys.executable, "-c", code, env=os.environ | {"PYTHONHASHSEED": hash_seed}).stdout
        for hash_seed in ("1", "2")
    }
    assert len(runs) == 1
    assert len(set(runs.pop().split())) > 1


@pytest.mark.parametrize("level", [1, 3, 5])
def test_without_a_seed_the_weaker_levels_vary(level: int) -> None:
    assert len({choose(Board.empty(), level).move for _ in range(60)}) > 1
    assert len({choose(Board.empty(9, 9), level).move for _ in range(60)}) > 1


@pytest.mark.parametrize("limit", [{"depth": 2}, {"nodes": 900}, {"reproducible": True}])
def test_a_repeatable_search_needs_no_seed_for_equal_moves(limit: dict[str, Any]) -> None:
    board = Board.parse("X...O....")
    limits = SearchLimits(level=5, **limit)
    assert len({best_move(board, limits).move for _ in range(20)}) == 1


def test_the_lowest_level_loses_to_a_careful_player_but_not_on_purpose() -> None:
    dice = random.Random(1)
    results: dict[bool, list[int]] = {True: [], False: []}
    for seed in range(400):
        board, mark, careful = Board.empty(), "XO"[seed % 2], seed < 200
        while board.turn:
            seen = wins_of(board, board.turn) or wins_of(board, other(board.turn))
            theirs = dice.choice((careful and seen) or board.moves)
            move = choose(board, 1, seed).move if board.turn == mark else theirs
            assert move is not None
            board = board.play(move)
        results[careful].append(board.utility if mark == "X" else -board.utility)
    assert results[True].count(-1) > 110
    assert results[True].count(1) < 35
    assert results[False].count(1) > results[False].count(-1) + 10


@pytest.mark.parametrize("shape", [(7, 7, 4), (8, 8, 5), (3, 12, 3), (9, 5, 4)])
def test_a_slip_is_at_most_two_rows_and_columns_from_a_mark(shape: tuple[int, int, int]) -> None:
    rows, columns, _ = shape
    empty = Board.empty(*shape)
    for cell in range(empty.rules.size):
        row, column = divmod(cell, columns)
        assert _natural(empty.play(cell)) == [
            at
            for at in range(empty.rules.size)
            if max(abs(at // columns - row), abs(at % columns - column)) <= 2 and at != cell
        ]
    middle = _natural(empty.play((rows - 1) // 2 * columns + (columns - 1) // 2))
    assert len(_natural(empty)) == len(middle) + 1
    assert set(middle) < set(_natural(empty))


def never(*_: object) -> Any:
    raise AssertionError("searched, or searched the moves of a 9×9 board one by one")


def test_the_searches_are_bounded_by_depth_and_nodes_and_not_by_the_level() -> None:
    board = Board.empty(9, 9).play(40)
    asked: list[SearchLimits] = []

    def search(board: Board, limits: SearchLimits) -> tuple[Found, str]:
        asked.append(limits)
        return dispatch.search(board, limits)

    for level, weakness in WEAKNESSES.items():
        weakened(board, SearchLimits(level=level, seed=1), search, never)
        assert asked[-1].level == 10
        assert asked[-1].depth == weakness.depth
        assert 0 < (asked[-1].engine_nodes or 0) <= weakness.nodes
    weakened(board, SearchLimits(level=9, nodes=5, depth=1), search, never)
    assert (asked[-1].engine_nodes, asked[-1].depth) == (5, 1)
