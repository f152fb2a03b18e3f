"""Boards with gravity: known values, the book, and estimates if a proof would take too long."""

import random
import time
from collections.abc import Iterator

import pytest

from bestmove.search.engine import Task
from bestmove.search.engines.connect4.kernel import DropKernel
from bestmove.search.engines.connect4.solver import (
    LINE_NODES,
    DropPlayer,
    DropSolver,
    fits,
    plies_of,
)
from bestmove.search.scores import MAX_ESTIMATE, WIN
from tests.support.needs import COMPILED
from tests.support.oracle import Game, Position
from tests.support.present import present

CONNECT_FOUR = Game(6, 7, 4, gravity=True)


def drop(at: Position, column: int) -> int:
    return next(cell for cell in at.moves if cell % at.game.columns == column)


def from_digits(digits: str, game: Game = CONNECT_FOUR) -> Position:
    """Return the position after moves in these columns, counted from 1."""
    at = Position(game, 0, 0)
    for digit in digits:
        at = at.after(drop(at, int(digit) - 1))
    return at


def scattered(
    rng: random.Random, count: int, game: Game, least: int, most: int
) -> Iterator[Position]:
    for _ in range(count):
        if at := game.random_position(rng, game.size - rng.randint(least, most)):
            yield at


def value_of(plies: int) -> int:
    """Return the value of a win in `plies` plies. Negative plies are a loss, 0 is a draw."""
    return 0 if plies == 0 else WIN - plies if plies > 0 else -WIN - plies


# The columns played and the score. Source: Pascal Pons' public test sets (blog.gamesolver.org).
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
    at = from_digits(digits)
    found = DropSolver(6, 7, 4).best(Task(at.cells, at.to_move))
    plies = plies_of(score, 42 - len(digits)) if score else 0
    assert found is not None
    assert found.value == value_of(plies if score > 0 else -plies)


# The quickly solved boards of John Tromp's table (tromp.github.io/c4/c4.html). `plies` is negative
# if the first side loses, and 0 for a draw.
@pytest.mark.parametrize(
    ("rows", "columns", "plies"),
    [
        (4, 4, 0),
        (4, 5, 0),
        (4, 6, -24),
        (5, 4, 0),
        (5, 5, 0),
        (6, 4, 0),
        *(pytest.param(*shape, 0, marks=COMPILED) for shape in ((4, 7), (5, 6), (6, 5), (7, 4))),
    ],
)
def test_empty_boards_of_other_sizes(rows: int, columns: int, plies: int) -> None:
    found = present(DropSolver(rows, columns, 4).best(Task(bytes(rows * columns), 1)))
    assert found.value == value_of(plies)


@pytest.mark.slow
@COMPILED
def test_the_book_changes_no_value() -> None:
    plain, booked = DropSolver(6, 7, 4, with_book=False), DropSolver(6, 7, 4)
    proven = 0
    for at in scattered(random.Random(5), 150, CONNECT_FOUR, 6, 8):
        own = plain.best(Task(at.cells, at.to_move, nodes=30_000))
        known = present(booked.best(Task(at.cells, at.to_move)))
        if own is not None and own.exact:
            proven += 1
            assert (own.value, own.pv[0]) == (known.value, known.pv[0])
    assert proven >= 20


def test_a_line_is_followed_for_a_limited_number_of_nodes() -> None:
    solver = DropSolver(6, 7, 4)
    for column in "1234567":
        at = from_digits(column)
        found = present(solver.best(Task(at.cells, 2)))
        assert found.exact
        assert solver.nodes <= LINE_NODES + 100
        short = present(solver.best(Task(at.cells, 2, to_the_end=False)))
        assert short.pv[0] == found.pv[0]
        assert (short.value, short.exact, short.depth) == (found.value, True, found.depth)
        assert (short.value > 0) is (found.value > 0)
        assert solver.nodes == 0


def test_the_shapes_that_fit() -> None:
    assert all(fits(*shape) for shape in ((6, 7), (7, 8), (20, 3), (1, 32)))
    assert not any(fits(*shape) for shape in ((8, 8), (7, 9), (0, 3)))


# Estimates.


@pytest.mark.parametrize("shape", [(4, 4, 3), (4, 4, 4), pytest.param((5, 5, 4), marks=COMPILED)])
def test_results_that_a_depth_claims_as_proven_are_true(shape: tuple[int, int, int]) -> None:
    rng = random.Random(11)
    game, solver, prover = Game(*shape, gravity=True), DropPlayer(*shape), DropSolver(*shape)
    claimed = 0
    for at in scattered(rng, 200, game, 0, game.size - 1):
        depth = rng.randint(1, 8)
        found = solver.best(Task(at.cells, at.to_move, depth=depth))
        known = present(prover.best(Task(at.cells, at.to_move)))
        if found.exact:
            claimed += 1
            assert (found.value, found.pv[0]) == (known.value, known.pv[0])
            assert len(found.pv) == len(known.pv)
        else:
            assert abs(found.value) <= MAX_ESTIMATE
            assert found.depth == depth
        moves, complete, _ = solver.every(Task(at.cells, at.to_move, depth=depth))
        assert complete
        assert (moves[0].value, moves[0].pv[0]) == (found.value, found.pv[0])
    assert claimed >= 30


def test_without_time_there_is_a_move() -> None:
    solver = DropPlayer(7, 8, 4)
    found = solver.best(Task(bytes(56), 1, deadline=time.monotonic()))
    assert (found.depth, found.exact) == (0, False)
    assert found.pv == (51,)  # the left one of the two middle columns
    moves, complete, _ = solver.every(Task(bytes(56), 1, deadline=time.monotonic()))
    assert len(moves) == 8
    assert complete


# The kernel.


def bits(at: Position) -> tuple[int, int]:
    """Return the discs of the side to move, and all discs, in the kernel's form."""
    rows, columns, _ = at.game.shape
    sets = []
    for marks in (at.own, at.own | at.other):
        places = [
            (cell % columns) * (rows + 1) + rows - 1 - cell // columns
            for cell in range(at.game.size)
            if marks >> cell & 1
        ]
        sets.append(sum(1 << place for place in places))
    return sets[0], sets[1]


def test_bounds_hold_for_every_beta() -> None:
    searcher = DropKernel(5, 5, 4)
    for at in scattered(random.Random(23), 60, Game(5, 5, 4, gravity=True), 8, 24):
        own, mask = bits(at)
        searcher.begin(None, None)
        score = present(searcher.score(own, mask))
        left = len(at.text) - mask.bit_count()
        for beta in range(-(left // 2), (left + 1) // 2 + 1):
            searcher.begin(None, None)
            bound = searcher.at_least(own, mask, beta)
            assert beta <= bound <= score if score >= beta else score <= bound < beta


@COMPILED
def test_a_small_table_gives_the_same_scores() -> None:
    small, large = DropKernel(6, 7, 4, 16), DropKernel(6, 7, 4)
    for at in scattered(random.Random(29), 40, CONNECT_FOUR, 14, 20):
        scores = []
        for searcher in (small, large):
            searcher.begin(None, None)
            scores.append(searcher.score(*bits(at)))
        assert scores[0] == scores[1]


@pytest.mark.parametrize("table_bits", [15, 25])
def test_a_table_of_another_size_is_refused(table_bits: int) -> None:
    with pytest.raises(ValueError, match="table_bits"):
        DropKernel(6, 7, 4, table_bits)


@COMPILED
def test_a_win_whose_distance_is_not_proven_is_played_as_an_estimate() -> None:
    at = from_digits("346753671")
    solver = DropSolver(6, 7, 4, with_book=False)
    found = solver.best(Task(at.cells, at.to_move, nodes=300_000))
    assert found is not None
    assert not found.exact
    assert found.value > MAX_ESTIMATE - 42
    truth = DropSolver(6, 7, 4, with_book=False).every(Task(at.cells, at.to_move, to_the_end=False))
    wins = {move.pv[0] for move in truth.found if move.value > 0}
    assert found.pv[0] in wins
    assert len(wins) < len(at.moves)
    assert solver.best(Task(at.cells, at.to_move, nodes=1_000)) is None
