"""Every reply outside a zone loses; a search that knows only the rules confirms it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bestmove import Board
from bestmove.game.geometry import cells_with
from bestmove.proof import certificate
from bestmove.proof.builder import Wins
from bestmove.search.limits import Limits
from tests.support.needs import LONG
from tests.support.oracle import Game, Shape

SMALL = [(4, 4, 3), (3, 5, 3), (4, 5, 4), (5, 5, 4), (5, 5, 3), (2, 9, 4), (1, 12, 3)]
LIMITS = Limits(time_ms=None, nodes=100_000)
"""Without a time limit, even a busy machine finds the same zones."""


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


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=[pytest.mark.slow, LONG]) for seed in range(1, 4))]
)
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
