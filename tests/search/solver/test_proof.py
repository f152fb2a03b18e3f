"""The exact solver against slow minimax, the known table, and its own other build."""

from __future__ import annotations

import random
import threading
import time

import pytest

from bestmove.search.results import Found
from bestmove.search.scores import WIN
from bestmove.search.solver import kernel, proof
from tests.support.slowsolver import (
    SlowGame,
    interpreted_solver,
    marks_to_cells,
    random_position,
)

PLAIN = interpreted_solver()
fast_build = pytest.mark.skipif(
    not kernel.compiled, reason="minutes of search where the solver is not compiled"
)
BUILDS = [pytest.param(proof, id="installed"), pytest.param(PLAIN, id="interpreted")]


def parse(text: str) -> tuple[int, int, bytes]:
    """Rows, columns and cells of a board drawn as text."""
    rows = text.split()
    return len(rows), len(rows[0]), bytes(".XO".index(mark) for mark in "".join(rows))


def solve(text: str, k: int, to_move: int) -> Found | None:
    rows, columns, cells = parse(text)
    return proof.Solver(rows, columns, k, 16).solve(cells, to_move)


def empty_board(rows: int, columns: int, k: int) -> Found:
    found = proof.Solver(rows, columns, k).solve(bytes(rows * columns), 1, nodes=10_000_000)
    assert found is not None
    assert found.exact
    return found


def check_line(game: SlowGame, own: int, other: int, found: Found) -> None:
    """The pv is a legal line; of a win or loss it ends with the only completed line, in time."""
    for step, move in enumerate(found.pv):
        assert not (own | other) >> move & 1
        own |= 1 << move
        last = step == len(found.pv) - 1
        assert game.completes(own, move) == (last and found.value != 0)
        own, other = other, own
    if found.value:
        assert WIN - abs(found.value) == len(found.pv)


@pytest.mark.parametrize(
    ("build", "count", "empty"), [(proof, 3000, 9), (proof, 60, 12), (PLAIN, 1500, 8)]
)
def test_equals_slow_minimax_on_random_positions(build: object, count: int, empty: int) -> None:
    """Outcome and distance: the shortest win, the longest resistance, a move that holds a draw."""
    rng = random.Random(count)
    games: dict[tuple[int, int, int], SlowGame] = {}
    solvers: dict[tuple[int, int, int], proof.Solver] = {}
    for _ in range(count):
        shape, own, other = random_position(rng, empty)
        game = games.setdefault(shape, SlowGame(*shape))
        if shape not in solvers:
            solvers[shape] = build.Solver(*shape, 8)  # type: ignore[attr-defined]
        found = solvers[shape].solve(marks_to_cells(shape, own, other), 1)
        assert found is not None
        assert found.value == game.value(own, other), (shape, own, other)
        assert found.exact
        check_line(game, own, other, found)
        if found.value == 0:
            after = own | 1 << found.pv[0]
            assert game.is_full(after, other) or game.value(other, after) == 0


def test_every_move_equals_slow_minimax() -> None:
    rng = random.Random(7)
    for _ in range(300):
        shape, own, other = random_position(rng, 9)
        game = SlowGame(*shape)
        answers = proof.Solver(*shape, 8).solve_moves(marks_to_cells(shape, own, other), 1)
        free = [i for i in range(shape[0] * shape[1]) if not (own | other) >> i & 1]
        assert len(answers) == len(free)
        for move, found in zip(free, answers, strict=True):
            assert found is not None
            assert found.pv[0] == move
            assert found.value == game.value_of_move(own, other, move)
            check_line(game, own, other, found)


def test_both_builds_visit_the_same_nodes() -> None:
    rng = random.Random(11)
    for _ in range(250):
        shape, own, other = random_position(rng, 12)
        cells = marks_to_cells(shape, own, other)
        assert proof.Solver(*shape, 6).solve(cells, 1) == PLAIN.Solver(*shape, 6).solve(cells, 1)
    for shape, budget in (((8, 8, 5), 1500), ((4, 16, 4), 1500), ((1, 19, 5), 1500)):
        size = shape[0] * shape[1]
        for stones in (0, 9, size // 2):
            board = bytearray(size)
            for i in range(stones):
                board[(i * 29 + 5) % size] = 1 + i % 2
            answers = []
            for build in (proof, PLAIN):
                searcher = build.Solver(*shape, 8)
                answers.append((searcher.solve(bytes(board), 1, nodes=budget), searcher.nodes))
            assert answers[0] == answers[1]


def test_strategy_stealing_is_right() -> None:
    rng = random.Random(9)
    stolen = 0
    for _ in range(4000):
        rows, columns = rng.randint(1, 4), rng.randint(1, 4)
        shape = rows, columns, rng.randint(2, max(rows, columns, 2))
        game = SlowGame(*shape)
        searcher = proof.Solver(*shape, 4)
        # Half of the positions are symmetric, up to a mark more for the side to move.
        image = rng.choice(searcher._symmetries)
        own = other = 0
        for cell in rng.sample(range(game.size), rng.randint(0, game.size // 2)):
            if image[cell] != cell and not (own | other) & (1 << cell | 1 << image[cell]):
                own |= 1 << cell
                other |= 1 << image[cell]
        for cell in rng.sample(range(game.size), rng.randint(0, 1)):
            if not (own | other) >> cell & 1:
                own |= 1 << cell
        if game.size - (own | other).bit_count() not in range(1, 9):
            continue
        if game.has_line(own) or game.has_line(other):
            continue
        if searcher._mirrors(own, other):
            stolen += 1
            assert game.value(own, other) >= 0
    assert stolen > 300


@fast_build
def test_a_claimed_win_holds_against_every_defence() -> None:
    """On boards too large for slow minimax: each reply leaves a win that is short enough."""
    rng = random.Random(3)
    claims = 0
    while claims < 12:
        rows, columns, k = rng.choice([(6, 6, 4), (5, 6, 4), (7, 7, 4), (8, 8, 5), (5, 12, 4)])
        shape = rows, columns, k
        game = SlowGame(*shape)
        own, other = game.random_marks(rng, rng.randrange(4, 16, 2))
        if game.has_line(own) or game.has_line(other):
            continue
        searcher = proof.Solver(*shape, 16)
        found = searcher.solve(marks_to_cells(shape, own, other), 1, nodes=20_000)
        if found is None or found.value <= 0 or len(found.pv) > 7:
            continue
        claims += 1
        play_out(searcher, game, own, other, found)


def play_out(searcher: proof.Solver, game: SlowGame, own: int, other: int, found: Found) -> None:
    check_line(game, own, other, found)
    own |= 1 << found.pv[0]
    if len(found.pv) == 1:
        assert game.has_line(own)
        return
    for reply in range(game.size):
        if (own | other) >> reply & 1:
            continue
        after = other | 1 << reply
        assert not game.has_line(after)
        cells = marks_to_cells(game.shape, own, after)
        answer = searcher.solve(cells, 1, nodes=200_000)
        assert answer is not None
        assert answer.value > 0
        assert len(answer.pv) <= len(found.pv) - 2
        play_out(searcher, game, own, after, answer)


@fast_build
@pytest.mark.parametrize(
    ("rows", "columns", "k"),
    [
        (3, 3, 3),
        (4, 4, 4),
        (5, 4, 4),
        (4, 6, 4),
        (5, 5, 4),
        (5, 5, 5),
        (6, 6, 5),
        (6, 7, 5),
        (7, 7, 5),
    ],
)
def test_the_empty_board_is_a_draw(rows: int, columns: int, k: int) -> None:
    assert empty_board(rows, columns, k).value == 0


@fast_build
@pytest.mark.parametrize(
    ("rows", "columns", "k"),
    [(3, 4, 3), (4, 3, 3), (5, 5, 3), (8, 8, 3), (5, 6, 4), (6, 5, 4), (6, 6, 4), (7, 8, 4)],
)
def test_the_first_player_wins_the_empty_board(rows: int, columns: int, k: int) -> None:
    assert empty_board(rows, columns, k).value > 0


@fast_build
def test_first_moves_that_win_four_in_a_row_on_six_rows_of_five() -> None:
    answers = proof.Solver(6, 5, 4).solve_moves(bytes(30), 1, nodes=4_000_000)
    won = [divmod(found.pv[0], 5) for found in answers if found is not None and found.value > 0]
    assert won == [
        (1, 1),
        (1, 3),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 1),
        (3, 2),
        (3, 3),
        (4, 1),
        (4, 3),
    ]


@fast_build
def test_replies_that_draw_four_in_a_row_on_five_rows_of_five_after_the_centre() -> None:
    cells = bytearray(25)
    cells[12] = 1
    answers = proof.Solver(5, 5, 4).solve_moves(bytes(cells), 2, nodes=10_000_000)
    assert None not in answers
    drawn = [divmod(found.pv[0], 5) for found in answers if found is not None and found.value == 0]
    assert drawn == [(1, 1), (1, 3), (3, 1), (3, 3)]


def test_first_moves_that_win_three_in_a_row_on_four_rows_of_three() -> None:
    answers = proof.Solver(4, 3, 3).solve_moves(bytes(12), 1)
    assert None not in answers
    rest = [divmod(found.pv[0], 3) for found in answers if found is not None and found.value <= 0]
    assert rest == [(0, 1), (3, 1)]


@pytest.mark.parametrize("build", BUILDS)
def test_small_k_and_lines_that_do_not_fit(build: type[object]) -> None:
    make = build.Solver  # type: ignore[attr-defined]
    assert make(3, 3, 1, 6).solve(bytes(9), 1).pv == (0,)
    assert make(1, 1, 1, 6).solve(bytes(1), 2).value == WIN - 1
    assert make(8, 8, 2, 6).solve(bytes(64), 1).value == WIN - 3
    assert make(1, 2, 2, 6).solve(bytes(2), 1).value == 0
    assert make(1, 3, 2, 6).solve(bytes(3), 1).pv == (1, 0, 2)
    assert make(8, 8, 9, 6).solve(bytes(64), 1).value == 0
    assert make(1, 19, 19, 6).solve(bytes(19), 1).value == 0


def test_a_win_on_the_spot_is_the_lowest_of_them() -> None:
    found = solve("XX.XX ..... OO.OO .....", 3, 1)
    assert found is not None
    assert found.pv == (2,)
    assert found.value == WIN - 1


def test_the_loser_resists_as_long_as_he_can() -> None:
    found = solve("... .X. ... ...", 3, 2)
    assert found is not None
    assert found.value == -(WIN - 6)
    assert len(found.pv) == 6


def test_the_last_cell_of_a_drawn_game_is_played() -> None:
    found = solve("XOX XOO O.X", 3, 1)
    assert found is not None
    assert (found.value, found.exact, found.pv) == (0, True, (7,))


def test_the_same_question_gets_the_same_answer_whatever_came_before() -> None:
    used = proof.Solver(5, 5, 4, 8)
    rng = random.Random(5)
    for _ in range(40):
        game = SlowGame(5, 5, 4)
        own, other = game.random_marks(rng, rng.randrange(6, 14, 2))
        if game.has_line(own) or game.has_line(other):
            continue
        cells = marks_to_cells((5, 5, 4), own, other)
        fresh = proof.Solver(5, 5, 4, 8)
        assert used.solve(cells, 1, nodes=30_000) == fresh.solve(cells, 1, nodes=30_000)
        assert used.nodes == fresh.nodes


@pytest.mark.parametrize("build", BUILDS)
def test_a_spent_budget_proves_nothing(build: type[object]) -> None:
    searcher = build.Solver(7, 7, 5, 10)  # type: ignore[attr-defined]
    assert searcher.solve(bytes(49), 1, nodes=500) is None
    assert searcher.nodes <= 501
    assert searcher.solve(bytes(49), 1, deadline=time.monotonic() - 1) is None
    answers = searcher.solve_moves(bytes(49), 1, nodes=500)
    assert answers == [None] * 49


def test_a_solve_is_cancelled_from_another_thread() -> None:
    searcher = proof.Solver(8, 8, 5)
    timer = threading.Timer(0.2, searcher.cancel)
    timer.start()
    found = searcher.solve(bytes(64), 1, deadline=time.monotonic() + 60)
    timer.join()
    assert found is None


def test_moves_that_are_easy_are_proven_though_others_are_not() -> None:
    rows, columns, cells = parse("XXX..... ........ ........ ...O.... ....O... ........ ........")
    answers = proof.Solver(rows, columns, 4).solve_moves(cells, 1, nodes=30_000)
    assert [found.pv[0] for found in answers if found is not None and found.value > 0] == [3]


@pytest.mark.parametrize(
    ("rows", "columns", "k", "bits"),
    [(0, 3, 3, 10), (3, 0, 3, 10), (13, 5, 5, 10), (3, 3, 0, 10), (3, 3, 3, 2), (3, 3, 3, 40)],
)
def test_refuses_a_size_out_of_bounds(rows: int, columns: int, k: int, bits: int) -> None:
    with pytest.raises(ValueError, match=r"must be|is no board"):
        proof.Solver(rows, columns, k, bits)


def test_refuses_cells_of_another_size() -> None:
    with pytest.raises(ValueError, match="8 cells given, the board has 9"):
        proof.Solver(3, 3, 3, 6).solve(bytes(8), 1)


def test_the_nodes_for_a_proof_fall_with_the_size_of_the_task() -> None:
    assert proof.nodes_for_proof(15, 15, 5, 225, 1000) == 0
    small = proof.nodes_for_proof(5, 5, 4, 25, 1000)
    large = proof.nodes_for_proof(8, 8, 5, 64, 1000)
    late = proof.nodes_for_proof(8, 8, 5, 52, 1000)
    assert small > late > large > 0
    assert proof.nodes_for_proof(8, 8, 5, 53, 1000) == large  # eleven marks
    # Only five in a row on more than 49 cells is hard to prove.
    for easy in ((7, 7, 5, 49), (5, 10, 4, 50), (8, 8, 6, 64)):
        assert proof.nodes_for_proof(*easy, 1000) == small
    assert proof.nodes_for_proof(5, 5, 4, 25, 500) == small // 2


def test_where_distances_are_exact_the_time_does_not_matter() -> None:
    assert proof.nodes_for_proof(4, 5, 4, 20, 1) == proof.nodes_for_proof(4, 5, 4, 20, 60_000) > 0


def test_slow_minimax_itself_knows_tic_tac_toe() -> None:
    game = SlowGame(3, 3, 3)
    assert game.value(0, 0) == 0
    assert len(game.lines) == 8
    assert len(game.known) == 4520  # the unfinished ones of the 5,478 positions
