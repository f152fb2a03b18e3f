"""Every reply outside a zone loses; a search that knows only the rules confirms it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bestmove import Board, Rules
from bestmove.game.geometry import cells_with
from bestmove.proof import certificate
from bestmove.proof.builder import Wins
from bestmove.search.engine import Task
from bestmove.search.engines.solver.proof import Solver
from bestmove.search.limits import Limits
from tests.support.needs import LONG
from tests.support.oracle import Game, Shape

SMALL = [(4, 4, 3), (3, 5, 3), (4, 5, 4), (5, 5, 4), (5, 5, 3), (2, 9, 4), (1, 12, 3)]
LIMITS = Limits(time_ms=None, nodes=100_000)
"""Without a time limit, even a busy machine finds the same zones."""

LARGER = [(6, 6, 4), (7, 7, 4), (8, 8, 4), (6, 8, 4)]


class Watched(Wins):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.zones: list[tuple[str, int]] = []

    def _zone(self, cells: str, passed: int) -> int:
        zone = super()._zone(cells, passed)
        self.zones.append((cells, zone))
        return zone


def replies_outside_zones(board: Board) -> Iterator[tuple[str, str, int]]:
    """For each reply outside a zone, yield the position, the winner's mark, and the reply."""
    made: list[Watched] = []

    def watched(*args: Any) -> Watched:
        made.append(Watched(*args))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificate, "Wins", watched)
        certificate.prove(board, LIMITS)
    for graph in made:
        for cells, zone in graph.zones:
            for cell, mark in enumerate(cells):
                if mark == "." and not zone >> cell & 1:
                    yield cells, graph.side, cell


def by_minimax(game: Game, cells: str, winner: str, cell: int) -> bool:
    own = cells_with(cells, winner)
    other = cells_with(cells, "O" if winner == "X" else "X") | 1 << cell
    return not game.completes(other, cell) and game.value(own, other) > 0


def by_solver(solver: Solver, rules: Rules, cells: str, winner: str, cell: int) -> bool:
    loser = "O" if winner == "X" else "X"
    after = cells[:cell] + loser + cells[cell + 1 :]
    if rules.geometry.completes(cells_with(cells, loser), cell):
        return False
    marks = bytes(".XO".index(mark) for mark in after)
    return solver.winning_move(marks, 1 + (winner == "O"), None) is not None


SEEDS = pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=[pytest.mark.slow, LONG]) for seed in range(1, 4))]
)


@SEEDS
@pytest.mark.parametrize("shape", SMALL, ids=repr)
def test_no_reply_outside_a_zone_refutes_the_win(shape: Shape, seed: int) -> None:
    rng = random.Random(seed)
    game = Game(*shape)
    for _ in range(4 if seed == 0 else 30):
        position = game.random_position(rng, rng.randint(3, min(game.size, 10)))
        if position is None or position.value == 0:
            continue
        for cells, winner, cell in replies_outside_zones(Board.parse(position.text, *shape)):
            assert by_minimax(game, cells, winner, cell), (position.text, cells, cell)


@SEEDS
@pytest.mark.parametrize("shape", LARGER, ids=repr)
def test_no_reply_outside_a_zone_refutes_the_win_on_larger_boards(shape: Shape, seed: int) -> None:
    rng = random.Random(seed)
    game, rules, solver = Game(*shape), Rules(*shape), Solver(*shape)
    solver.consult(Task(bytes(rules.size), 1))
    covered = 0
    for _ in range(2 if seed == 0 else 6):
        position = game.crowded(rng, rng.randint(4, 8), 5)
        if position is None:
            continue
        tried = list(replies_outside_zones(Board.parse(position.text, *shape)))
        for cells, winner, cell in rng.sample(tried, min(len(tried), 60)):
            assert by_solver(solver, rules, cells, winner, cell), (position.text, cells, cell)
            covered += 1
    assert covered > 50
