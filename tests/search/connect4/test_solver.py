"""Proofs on boards with gravity: against a slow oracle, and values that are known."""

from __future__ import annotations

import random
import threading
import time

import pytest

from bestmove.search.connect4.solver import LINE_NODES, Solver, fits, plies_of
from bestmove.search.results import Found
from bestmove.search.scores import WIN
from tests.search.connect4.slow import (
    Columns,
    Oracle,
    cell,
    cells,
    dropped,
    from_digits,
    mover,
    rank,
    scattered,
)
from tests.support.needs import COMPILED

# Rows, columns, k, and the fewest discs from which the oracle is fast enough.
SMALL = [
    (3, 3, 3, 0),
    (4, 3, 3, 0),
    (3, 4, 3, 0),
    (4, 4, 3, 2),
    (4, 4, 4, 4),
    (3, 5, 3, 3),
    (5, 3, 4, 2),
    (5, 4, 4, 9),
    (4, 5, 4, 9),
    (5, 5, 4, 14),
    (5, 5, 3, 8),
    (5, 5, 5, 15),
    (2, 7, 4, 3),
    (7, 2, 4, 2),
    (1, 8, 3, 0),
    (8, 1, 3, 0),
    (2, 3, 2, 0),
    (2, 2, 1, 0),
]


def turn(position: Columns) -> int:
    return "XO".index(mover(position)) + 1


def value_of(plies: int) -> int:
    """The oracle's value as an integer of `scores`."""
    if plies == 0:
        return 0
    return WIN - plies if plies > 0 else -WIN - plies


def play_out(oracle: Oracle, position: Columns, found: Found) -> None:
    """Check that a line is legal and of the length and with the end that its value claims."""
    for step, index in enumerate(found.pv):
        column = index % oracle.columns
        assert index == cell(position, oracle.rows, column)
        position = dropped(position, column)
        if oracle.completes(position, column):
            assert step == len(found.pv) - 1
            assert found.value == (WIN - step - 1 if step % 2 == 0 else step + 1 - WIN)
            return
    assert found.value == 0
    assert sum(map(len, position)) == oracle.rows * oracle.columns


@pytest.mark.parametrize(("rows", "columns", "k", "least"), SMALL)
def test_values_distances_and_moves_are_the_oracles(
    rows: int, columns: int, k: int, least: int
) -> None:
    rng = random.Random(f"{rows} {columns} {k}")
    oracle, solver = Oracle(rows, columns, k), Solver(rows, columns, k)
    tried = 0
    for _ in range(250):
        position = scattered(rng, oracle, rng.randint(least, rows * columns - 1))
        if position is None:
            continue
        tried += 1
        board, to_move = cells(position, rows), turn(position)
        values = {cell(position, rows, c): v for c, v in oracle.moves(position).items()}
        best = max(values.values(), key=rank)
        found = solver.solve(board, to_move)
        assert found is not None
        assert found.exact
        assert found.value == value_of(best)
        assert found.pv[0] == min(index for index, value in values.items() if value == best)
        play_out(oracle, position, found)
        moves = solver.solve_moves(board, to_move)
        assert [None if move is None else (move.pv[0], move.value) for move in moves] == [
            (index, value_of(values[index])) for index in sorted(values)
        ]
    assert tried >= 20 or rows * columns <= 8


def test_each_move_of_solve_moves_has_a_line_to_the_end() -> None:
    rng = random.Random(7)
    oracle, solver = Oracle(4, 4, 3), Solver(4, 4, 3)
    for _ in range(60):
        position = scattered(rng, oracle, rng.randint(2, 9))
        if position is None:
            continue
        for move in solver.solve_moves(cells(position, 4), turn(position)):
            assert move is not None
            play_out(oracle, position, move)


def test_a_mirrored_position_has_the_mirrored_value() -> None:
    rng = random.Random(3)
    oracle, solver = Oracle(6, 7, 4), Solver(6, 7, 4)
    for _ in range(60):
        position = scattered(rng, oracle, rng.randint(16, 36))
        if position is None:
            continue
        found = solver.solve(cells(position, 6), turn(position))
        image = solver.solve(cells(position[::-1], 6), turn(position))
        assert found is not None
        assert image is not None
        assert (found.value, len(found.pv)) == (image.value, len(image.pv))


# Columns played and the score, of Pascal Pons' public sets (blog.gamesolver.org).
KNOWN = [
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("1233722555341451114725221333", -1),
    ("5554224333234511764415115", 4),
    ("52753311433677442422121", 8),
    ("274552224131661", 0),
    ("5455174361263362", -1),
    ("32751571231557", -3),
    ("335662333565", -2),
    ("712724534761", 11),
    ("421255", 17),
    ("4137", 18),
    ("13712", 3),
    ("3246313", -2),
]


@pytest.mark.parametrize(("digits", "score"), KNOWN)
def test_public_positions_have_their_scores(digits: str, score: int) -> None:
    position = from_digits(digits)
    found = Solver(6, 7, 4).solve(cells(position, 6), turn(position))
    plies = plies_of(score, 42 - len(digits)) if score else 0
    assert found is not None
    assert found.value == value_of(plies if score > 0 else -plies)


@COMPILED
def test_the_opening_of_connect_four() -> None:
    solver = Solver(6, 7, 4)
    empty = bytes(42)
    found = solver.solve(empty, 1)
    assert found is not None
    assert found.value == WIN - 41
    assert found.pv[0] == 38
    play_out(Oracle(6, 7, 4), ("",) * 7, found)
    signs = [(move.value > 0) - (move.value < 0) for move in solver.solve_moves(empty, 1) if move]
    assert signs == [-1, -1, 0, 1, 0, -1, -1]


# Rows, columns and the plies of the win or, negative, of the loss, of the boards in John Tromp's
# table (tromp.github.io/c4/c4.html) that are soon solved.
EMPTY = [
    (4, 4, 0),
    (4, 5, 0),
    (4, 6, -24),
    pytest.param(4, 7, 0, marks=COMPILED),
    (5, 4, 0),
    (5, 5, 0),
    pytest.param(5, 6, 0, marks=COMPILED),
    (6, 4, 0),
    pytest.param(6, 5, 0, marks=COMPILED),
    pytest.param(7, 4, 0, marks=COMPILED),
]


@pytest.mark.parametrize(("rows", "columns", "plies"), EMPTY)
def test_empty_boards_of_other_sizes(rows: int, columns: int, plies: int) -> None:
    found = Solver(rows, columns, 4).solve(bytes(rows * columns), 1)
    assert found is not None
    assert found.value == value_of(plies)


@COMPILED
def test_the_book_changes_no_value() -> None:
    rng = random.Random(5)
    oracle = Oracle(6, 7, 4)
    plain, booked = Solver(6, 7, 4, with_book=False), Solver(6, 7, 4)
    proven = 0
    for _ in range(150):
        position = scattered(rng, oracle, rng.randint(6, 8))
        if position is None:
            continue
        board, to_move = cells(position, 6), turn(position)
        own = plain.solve(board, to_move, nodes=30_000)
        known = booked.solve(board, to_move)
        assert known is not None
        if own is not None:
            proven += 1
            assert (own.value, own.pv[0]) == (known.value, known.pv[0])
    assert proven >= 20


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    solver = Solver(6, 7, 4)
    position = from_digits("32751571231557")
    board = cells(position, 6)
    first = solver.solve(board, 1)
    solver.solve(cells(from_digits("335662333565"), 6), 1)
    solver.search(board, 1, depth=6)
    assert solver.solve(board, 1) == first


def test_a_solve_ends_at_its_limits() -> None:
    solver = Solver(6, 7, 4, with_book=False)
    assert solver.solve(bytes(42), 1, nodes=5000) is None
    assert 5000 <= solver.nodes <= 5100
    assert solver.solve(bytes(42), 1, deadline=time.monotonic()) is None
    assert solver.solve(bytes(42), 1, deadline=time.monotonic() + 0.05) is None
    assert solver.solve_moves(bytes(42), 1, nodes=5000) == [None] * 7
    assert solver.nodes <= 5200


def test_a_line_is_followed_for_so_many_nodes() -> None:
    solver = Solver(6, 7, 4)
    for column in range(1, 8):
        found = solver.solve(cells(from_digits(str(column)), 6), 2)
        assert found is not None
        assert found.exact
        assert solver.nodes <= LINE_NODES + 100
        short = solver.solve(cells(from_digits(str(column)), 6), 2, line_nodes=0)
        assert short is not None
        assert short.pv[0] == found.pv[0]
        # What has no whole line is not claimed, but for a draw.
        assert short.exact is (found.value == 0)
        assert (short.value > 0) is (found.value > 0)
        assert solver.nodes == 0


def test_a_solve_is_cancelled_from_another_thread() -> None:
    solver = Solver(6, 7, 4, with_book=False)
    ended = threading.Event()
    answers: list[Found | None] = []

    def run() -> None:
        answers.append(solver.solve(bytes(42), 1))
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not ended.wait(0.02):
        solver.cancel()
    thread.join()
    assert answers == [None]
    assert solver.solve(cells(from_digits("4137"), 6), 1) is not None


def test_what_fits() -> None:
    assert fits(6, 7)
    assert fits(7, 8)
    assert fits(20, 3)
    assert fits(1, 32)
    assert not fits(8, 8)
    assert not fits(7, 9)
    assert not fits(0, 3)


@pytest.mark.parametrize("shape", [(8, 8, 4), (0, 7, 4), (6, 0, 4), (6, 7, 0)])
def test_a_board_that_does_not_fit_is_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"fit|k must"):
        Solver(*shape)


def test_cells_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="41 cells given"):
        Solver(6, 7, 4).solve(bytes(41), 1)


@pytest.mark.parametrize(("score", "left", "plies"), [(1, 42, 41), (18, 38, 3), (-2, 41, 38)])
def test_plies_of_a_score(score: int, left: int, plies: int) -> None:
    assert plies_of(score, left) == plies


def test_a_draw_has_no_distance() -> None:
    with pytest.raises(ValueError, match="draw"):
        plies_of(0, 42)
