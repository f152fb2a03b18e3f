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
from bestmove.search.scores import MAX_ESTIMATE
from tests.search.engines import task, worth
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
    found = DropSolver(6, 7, 4).best(task(at))
    plies = plies_of(score, 42 - len(digits)) if score else 0
    assert found is not None
    assert found.value == worth(plies if score > 0 else -plies)


def test_a_line_is_followed_for_a_limited_number_of_nodes() -> None:
    solver = DropSolver(6, 7, 4)
    for column in "1234567":
        at = from_digits(column)
        found = present(solver.best(task(at)))
        assert found.exact
        assert solver.nodes <= LINE_NODES + 100
        short = present(solver.best(task(at, to_the_end=False)))
        assert short.pv[0] == found.pv[0]
        assert (short.value, short.exact, short.depth) == (found.value, True, found.depth)
        assert (short.value > 0) is (found.value > 0)
        assert solver.nodes == 0


def test_the_shapes_that_fit() -> None:
    assert all(fits(*shape) for shape in ((6, 7), (7, 8), (20, 3), (1, 32)))
    assert not any(fits(*shape) for shape in ((8, 8), (7, 9), (0, 3)))


# Estimates.


def test_without_time_there_is_a_move() -> None:
    task = Task(bytes(56), 1, deadline=time.monotonic())
    found = DropPlayer(7, 8, 4).best(task)
    assert (found.depth, found.exact) == (0, False)
    assert found.pv == (51,)  # the left one of the two middle columns
    assert DropPlayer(7, 8, 4).every(task).complete


# The kernel.


def bits(at: Position) -> tuple[int, int]:
    """Return the discs of the side to move, and all discs, in the kernel's form."""
    rows, columns, _ = at.game.shape
    own = mask = 0
    for cell in range(at.game.size):
        bit = 1 << (cell % columns) * (rows + 1) + rows - 1 - cell // columns
        own |= bit * (at.own >> cell & 1)
        mask |= bit * ((at.own | at.other) >> cell & 1)
    return own, mask


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


@COMPILED
def test_a_win_whose_distance_is_not_proven_is_played_as_an_estimate() -> None:
    at = from_digits("346753671")
    solver = DropSolver(6, 7, 4, with_book=False)
    found = solver.best(task(at, nodes=300_000))
    assert found is not None
    assert not found.exact
    assert found.value > MAX_ESTIMATE - 42
    truth = DropSolver(6, 7, 4, with_book=False).every(task(at, to_the_end=False))
    values = {move.pv[0]: move.value for move in truth.found}
    assert values[found.pv[0]] > 0
    assert min(values.values()) <= 0
    assert solver.best(task(at, nodes=1_000)) is None
