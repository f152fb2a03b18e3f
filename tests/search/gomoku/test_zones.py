"""A mark of the loser outside the zone of a win neither prevents the win nor delays it."""

import random
from collections import Counter

import pytest

from bestmove.search.common.geometry import cells_of
from bestmove.search.engine import Task
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.parameters import CERTAIN
from bestmove.search.engines.gomoku.proofs import LongestDefence, PlayedOut
from bestmove.search.engines.solver.proof import Solver
from bestmove.search.scores import WIN
from tests.support.oracle import Game, Position, Shape

POSITIONS = 80
NODES = 3_000
ENOUGH_NODES = 200_000
LONG = 5
"""Wins of up to this many plies are not tried: the engine finds them without a search."""

SHORTER = 10
"""Of the wins by continuous fours, one in this many is tried."""


def lines_of_wins(shape: Shape, dice: random.Random) -> list[tuple[int, int, int, int, PlayedOut]]:
    """Return proven wins: (marks of X, marks of O, side to move, winner, the win played out)."""
    size = shape[0] * shape[1]
    engine, game = GomokuEngine(*shape, 14), Game(*shape)
    lines = []
    for _ in range(POSITIONS):
        marked = dice.sample(range(size), dice.randrange(3, size // 3))
        x, o = (sum(1 << cell for cell in marked[side::2]) for side in range(2))
        if game.has_line(x) or game.has_line(o):
            continue
        cells, to_move = Position(game, x, o).cells, len(marked) % 2 + 1
        found = engine.search(Task(cells, to_move, nodes=NODES))
        if found.value > CERTAIN and len(found.pv) > LONG:
            known: dict[tuple[int, int, int, int], PlayedOut] = {}
            played = LongestDefence(engine.kernel, cells, None, known)
            if played.proven(to_move - 1, found) is not None:
                lines += [(*key, line) for key, line in known.items() if line.zone is not None]
    return lines


@pytest.mark.parametrize("shape", [(5, 5, 4), (6, 6, 4), (5, 6, 4), (6, 7, 4)])
def test_a_mark_outside_the_zone_changes_nothing(shape: Shape) -> None:
    dice = random.Random(3)
    solver = Solver(*shape, 16)
    board = (1 << shape[0] * shape[1]) - 1
    tried: Counter[int] = Counter()
    for x, o, turn, winner, played in lines_of_wins(shape, dice):
        outside = list(cells_of(board & ~(x | o | (played.zone or 0))))
        if not outside or (played.order == 1 and dice.randrange(SHORTER)):
            continue
        marks = [x, o]
        marks[1 - winner] |= 1 << dice.choice(outside)
        cells = Position(Game(*shape), *marks).cells
        truth = solver.best(Task(cells, turn + 1, nodes=ENOUGH_NODES))
        if truth is not None:
            tried[played.order] += 1
            assert (truth.value > 0) == (turn == winner)
            assert WIN - abs(truth.value) <= len(played.line)
    assert tried[1] > 50
    assert tried[2] > 20
