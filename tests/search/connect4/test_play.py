"""Estimates where a proof is out of reach, on boards with gravity."""

from __future__ import annotations

import random
import time

import pytest

from bestmove.search.connect4.solver import Solver
from bestmove.search.scores import MAX_ESTIMATE
from tests.search.connect4.slow import Oracle, cell, cells, dropped, from_digits, mover, scattered
from tests.support.needs import COMPILED


def turn(position: tuple[str, ...]) -> int:
    return "XO".index(mover(position)) + 1


@pytest.mark.parametrize(
    ("rows", "columns", "k"),
    [(4, 4, 3), (4, 4, 4), pytest.param(5, 5, 4, marks=COMPILED), (3, 5, 3)],
)
def test_what_is_claimed_as_proven_is(rows: int, columns: int, k: int) -> None:
    rng = random.Random(11)
    solver, prover = Solver(rows, columns, k), Solver(rows, columns, k)
    oracle = Oracle(rows, columns, k)
    claimed = 0
    for _ in range(300):
        position = scattered(rng, oracle, rng.randint(0, rows * columns - 1))
        if position is None:
            continue
        board, to_move = cells(position, rows), turn(position)
        depth = rng.randint(1, 8)
        found = solver.search(board, to_move, depth=depth)
        known = prover.solve(board, to_move)
        assert known is not None
        if found.exact:
            claimed += 1
            assert (found.value, found.pv[0]) == (known.value, known.pv[0])
            assert len(found.pv) == len(known.pv)
        else:
            assert abs(found.value) <= MAX_ESTIMATE
            assert found.depth == depth
    assert claimed >= 30


@pytest.mark.parametrize(("rows", "columns", "k"), [(4, 4, 3), (4, 5, 4)])
def test_moves_are_valued_alike(rows: int, columns: int, k: int) -> None:
    rng = random.Random(13)
    oracle, solver = Oracle(rows, columns, k), Solver(rows, columns, k)
    for _ in range(100):
        position = scattered(rng, oracle, rng.randint(0, rows * columns - 1))
        if position is None:
            continue
        board, to_move = cells(position, rows), turn(position)
        found, complete = solver.evaluate_moves(board, to_move, depth=4)
        best = solver.search(board, to_move, depth=4)
        assert complete
        assert sorted(known.pv[0] for known in found) == sorted(
            cell(position, rows, c) for c in range(columns) if len(position[c]) < rows
        )
        assert [(-known.value, known.pv[0]) for known in found] == sorted(
            (-known.value, known.pv[0]) for known in found
        )
        assert (found[0].value, found[0].pv[0]) == (best.value, best.pv[0])


def test_a_won_position_is_won_by_depth_alone() -> None:
    # 17 discs of X's own could still follow its win: three plies.
    found = Solver(6, 7, 4, with_book=False).search(cells(from_digits("421255"), 6), 1, depth=12)
    assert found.exact
    assert len(found.pv) == found.depth


@pytest.mark.parametrize(("rows", "columns"), [(7, 8), (7, 7), (9, 6), (3, 16), (20, 3), (12, 4)])
def test_a_large_board_is_played_within_the_budget(rows: int, columns: int) -> None:
    solver = Solver(rows, columns, 4)
    found = solver.search(bytes(rows * columns), 1, nodes=20_000)
    assert found.nodes <= 20_100
    assert found.depth >= 2
    assert found.pv[0] // columns == rows - 1
    again = solver.search(bytes(rows * columns), 1, nodes=20_000)
    assert again == found


def test_without_time_there_is_a_move() -> None:
    solver = Solver(7, 8, 4)
    found = solver.search(bytes(56), 1, deadline=time.monotonic())
    assert found.depth == 0
    assert not found.exact
    assert found.pv == (51,)  # in the middle, of the two columns there the first
    moves, complete = solver.evaluate_moves(bytes(56), 1, deadline=time.monotonic())
    assert len(moves) == 8
    assert complete


def test_it_beats_chance_on_a_large_board() -> None:
    rng = random.Random(17)
    oracle, solver = Oracle(7, 8, 4), Solver(7, 8, 4)
    for game in range(4):
        position: tuple[str, ...] = ("",) * 8
        side = "XO"[game % 2]
        while True:
            ours = mover(position) == side
            if ours:
                found = solver.search(cells(position, 7), turn(position), nodes=3000)
                column = found.pv[0] % 8
            else:
                column = rng.choice([c for c in range(8) if len(position[c]) < 7])
            position = dropped(position, column)
            if oracle.completes(position, column):
                assert ours
                break
