"""On boards of up to 20 cells: the exact distance, the lowest of equal moves, one best move."""

from __future__ import annotations

import random

import pytest

from bestmove.game import Board, Rules
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import Limits
from bestmove.search.scores import EXACT_CELLS, WIN
from bestmove.search.solver.proof import Solver
from tests.support.needs import THIRDS
from tests.support.slowsolver import Shape, SlowGame

SHAPES: list[Shape] = [
    (rows, columns, k)
    for rows in range(1, EXACT_CELLS + 1)
    for columns in range(1, EXACT_CELLS // rows + 1)
    for k in (3, 4, 5)
    if k <= max(rows, columns) <= 19
]

LIMITS = [Limits(), Limits(depth=1), Limits(depth=3), Limits(seed=7, time_ms=1), Limits(depth=20)]


def drawn(shape: Shape, own: int, other: int, mover: str) -> Board:
    """The position with the first set as the side to move's."""
    rows, columns, k = shape
    marks = [mover if own >> i & 1 else "XO"[mover == "X"] for i in range(rows * columns)]
    cells = "".join(mark if (own | other) >> i & 1 else "." for i, mark in enumerate(marks))
    mine = own.bit_count() == other.bit_count()
    return Board(cells, Rules.of(rows, columns, k), mover if mine else "XO"[mover == "X"])


def positions(seed: int, count: int, most_empty: int) -> list[tuple[SlowGame, int, int]]:
    rng = random.Random(seed)
    games = {shape: SlowGame(*shape) for shape in SHAPES}
    found: list[tuple[SlowGame, int, int]] = []
    while len(found) < count:
        game = games[rng.choice(SHAPES)]
        marks = game.size - rng.randint(1, min(game.size, most_empty))
        own, other = game.random_marks(rng, marks)
        if not game.has_line(own) and not game.has_line(other):
            found.append((game, own, other))
    return found


@THIRDS
def test_best_move_and_analysis_are_those_of_slow_minimax_whatever_the_limits(third: int) -> None:
    rng = random.Random(third)
    for game, own, other in positions(10 + third, 700, 9):
        board = drawn(game.shape, own, other, rng.choice("XO"))
        values = {move: game.value_of_move(own, other, move) for move in board.moves}
        best = min(values, key=lambda move: (-values[move], move))
        limits = rng.choice(LIMITS)
        answer = best_move(board, limits)
        analysis = analyze(board, limits)
        assert answer.exact
        assert answer.move == best
        assert answer.outcome == outcome(values[best])
        assert answer.plies == plies(values[best], len(board.moves))
        assert len(answer.pv) == answer.plies or values[best] == 0
        assert analysis.complete
        assert [move.index for move in analysis.moves] == sorted(
            values, key=lambda move: (-values[move], move)
        )
        for move in analysis.moves:
            assert move.exact
            assert move.plies == plies(values[move.index], len(board.moves))
            assert len(move.pv) == move.plies or values[move.index] == 0


def outcome(value: int) -> str:
    return "win" if value > 0 else "loss" if value < 0 else "draw"


def plies(value: int, empty: int) -> int:
    return WIN - abs(value) if value else empty


@THIRDS
def test_in_the_line_of_a_win_both_sides_play_the_lowest_of_their_best_moves(third: int) -> None:
    won = 0
    for game, own, other in positions(20 + third, 500, 9):
        cells = bytes(1 if own >> i & 1 else 2 if other >> i & 1 else 0 for i in range(game.size))
        found = Solver(*game.shape, 8).solve(cells, 1)
        assert found is not None
        won += found.value != 0
        mine, yours = own, other
        for move in found.pv if found.value else found.pv[:1]:
            free = [i for i in range(game.size) if not (mine | yours) >> i & 1]
            assert move == max(free, key=lambda i: (game.value_of_move(mine, yours, i), -i))
            mine, yours = yours, mine | 1 << move
    assert won > 100


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape[0] * shape[1] >= 15])
def test_early_positions_are_proven_and_their_best_move_is_the_analysis_first(
    shape: Shape,
) -> None:
    """Too large for slow minimax: that all is proven, and told alike by both ways to ask."""
    rng = random.Random(sum(shape))
    game = SlowGame(*shape)
    for stones in range(5):
        own, other = game.random_marks(rng, stones)
        if game.has_line(own) or game.has_line(other):
            continue
        board = drawn(shape, own, other, "X")
        answer, analysis = best_move(board, Limits(depth=2)), analyze(board, Limits(depth=2))
        first = analysis.moves[0]
        assert answer.exact
        assert all(move.exact for move in analysis.moves)
        assert (answer.move, answer.outcome, answer.plies) == (
            first.index,
            first.outcome,
            first.plies,
        )


@pytest.mark.parametrize(
    ("cells", "shape", "plies"),
    [
        ("....X.O.X...", (3, 4, 3), 7),
        (".........X.....", (3, 5, 3), 9),
        ("..X.........", (4, 3, 3), 8),
    ],
)
def test_distances_that_were_told_too_short(cells: str, shape: Shape, plies: int) -> None:
    board = Board(cells, Rules.of(*shape))
    assert best_move(board, Limits(depth=3)).plies == plies
    assert analyze(board, Limits(depth=3)).moves[0].plies == plies
