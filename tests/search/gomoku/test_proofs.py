"""Proven wins come within the claimed plies, whatever the loser does: every reply is played."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from bestmove.game import Rules
from bestmove.game.geometry import cells_of
from bestmove.search.engine import Task
from bestmove.search.engines.general.engine import Prover
from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.proofs import LongestDefence, PlayedOut
from bestmove.search.engines.solver.proof import Solver
from bestmove.search.scores import MAX_ESTIMATE, WIN, is_proven
from tests.search.engines import task
from tests.support.oracle import Game, Position, Shape
from tests.support.positions import game_of
from tests.support.replay import Replay, check_plies
from tests.support.won_positions import positions


@pytest.mark.parametrize("overline", [True, False])
@pytest.mark.parametrize(
    "number", [1, 2, *(pytest.param(n, marks=pytest.mark.slow) for n in (5, 8, 14, 21, 34))]
)
def test_forced_wins_of_rapfis_games_end_in_time(number: int, overline: bool) -> None:
    board = positions(overline)[number]
    rules = board.rules
    asked = task(board, nodes=100_000)
    engine = GomokuEngine(rules.rows, rules.columns, rules.k, overline=overline)
    found = engine.search(asked)
    assert is_proven(found.value)
    played = LongestDefence(engine.kernel, asked, None, {})
    told = played.confirmed(asked.side, found, is_best=True)
    assert told.exact
    check_plies(game_of(rules), asked.cells, asked.side, told, played)


@pytest.mark.parametrize("overline", [True, False])
@pytest.mark.parametrize(
    "shape", [(5, 5, 4), (5, 5, 3), (6, 6, 4), (7, 7, 5), (6, 7, 4), (9, 9, 5), (10, 10, 4)]
)
def test_games_that_a_search_proves_won_end_in_time(shape: Shape, overline: bool) -> None:
    rng = random.Random(sum(shape))
    game = Game(*shape, overline=overline)
    engine = GomokuEngine(*shape, 16, overline=overline)
    proven = 0
    for cells in crowds(rng, game):
        if proven >= 20:
            break
        asked = Task(cells, 1, nodes=5_000, depth=rng.randint(1, 5))
        found = engine.search(asked)
        if not is_proven(found.value):
            continue
        played = LongestDefence(engine.kernel, asked, None, {})
        told = played.confirmed(0, found, is_best=True)
        if told.exact:
            proven += 1
            check_plies(game, cells, 0, told, played)


def crowds(rng: random.Random, game: Game) -> Iterator[bytes]:
    """Yield positions with marks so close together that a side soon wins. Side 1 is to move."""
    rows, columns, _ = game.shape
    for at in game.crowds(rng, 3, min(rows, 7) * min(columns, 7) // 2, box=7):
        yield Position(game, at.own, at.other).cells


@pytest.mark.parametrize("overline", [True, False])
@pytest.mark.parametrize("shape", [(4, 5, 4), (5, 4, 3)])
def test_no_defence_lasts_longer_than_the_search_of_all_replies_says(
    shape: Shape, overline: bool
) -> None:
    rng = random.Random(7)
    game = Game(*shape, overline=overline)
    kernel = GomokuEngine(*shape, 12, overline=overline).kernel
    prover = Prover(Rules(*shape, overline=overline))
    proven = 0
    for cells in crowds(rng, game):
        if proven >= 200:
            break
        kernel.begin(cells, None, None)
        move = rng.choice([at for at, mark in enumerate(cells) if not mark])
        if kernel.static_value(0) != parameters.UNKNOWN or kernel.empty < 2:
            continue
        plies = kernel.prove_move(0, move, rng.randint(1, 7))
        if plies:
            proven += 1
            after = cells[:move] + b"\x01" + cells[move + 1 :]
            truth = prover.best(Task(after, 2))
            assert truth is not None
            assert -truth.value >= parameters.PROVEN
            assert WIN + truth.value + 1 <= plies
    assert proven


@pytest.mark.parametrize("shape", [(4, 5, 4), (4, 5, 3), (5, 5, 4), (3, 7, 4)])
def test_zones_prove_only_moves_that_win(shape: Shape) -> None:
    rng = random.Random(9)
    engine, solver, game = GomokuEngine(*shape, 16), Solver(*shape, 16), Game(*shape)
    presumed = parameters.PRESUMED - 1
    proven = 0
    for cells in crowds(rng, game):
        if proven >= 30:
            break
        found = engine.search(Task(cells, 1, nodes=2_000, depth=2))
        truth = {known.pv[0]: known.value for known in solver.every(Task(cells, 1)).found}
        for move, value in truth.items():
            played = LongestDefence(engine.kernel, Task(cells, 1), None, {})
            told = played.proven(0, found._replace(value=presumed, exact=False, pv=(move,)))
            if told is not None:
                proven += 1
                assert value > 0
                assert told.pv[0] == move
                mine, yours = (
                    sum(1 << i for i, mark in enumerate(cells) if mark == who) for who in (1, 2)
                )
                if not game.completes(mine | 1 << move, move):
                    plies = 1 + Replay(game, played, 0).longest(mine | 1 << move, yours)
                    assert plies <= len(told.pv)


def test_a_win_that_cannot_be_confirmed_becomes_an_estimate() -> None:
    board = positions()[0]
    asked = task(board, nodes=100_000)
    engine = GomokuEngine(15, 15, 5)
    found = engine.search(asked)
    played = LongestDefence(engine.kernel, asked, None, {}, most_nodes=30)
    told = played.confirmed(asked.side, found, is_best=True)
    assert found.exact
    assert (told.exact, told.pv) == (False, found.pv)
    assert 0 < told.value <= MAX_ESTIMATE
    # The failed confirmation must have left the board unchanged.
    told = LongestDefence(engine.kernel, asked, None, {}).confirmed(asked.side, found, is_best=True)
    assert told.exact


def test_every_search_has_all_nodes_to_complete_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "COMPLETION_NODES", 100)  # each search uses 76 of the 100
    board = positions()[1]
    engine = GomokuEngine(15, 15, 5)
    first = engine.search(task(board, nodes=100_000))
    assert first.exact
    assert engine.search(task(board, nodes=100_000)) == first


# A mark of the loser outside the zone of a win neither prevents the win nor delays it.


LONG = 5
"""Wins of up to this many plies are not tried: the engine finds them without a search."""

SHORTER = 10
"""Of the wins by continuous fours, one in this many is tried."""


def lines_of_wins(shape: Shape, dice: random.Random) -> list[tuple[int, int, int, int, PlayedOut]]:
    """Return proven wins: (marks of X, marks of O, side to move, winner, the win played out)."""
    size = shape[0] * shape[1]
    engine, game = GomokuEngine(*shape, 14), Game(*shape)
    lines = []
    for _ in range(80):
        marked = dice.sample(range(size), dice.randrange(3, size // 3))
        x, o = (sum(1 << cell for cell in marked[side::2]) for side in range(2))
        if game.has_line(x) or game.has_line(o):
            continue
        asked = Task(Position(game, x, o).cells, len(marked) % 2 + 1, nodes=3_000)
        found = engine.search(asked)
        if found.value > parameters.CERTAIN and len(found.pv) > LONG:
            known: dict[tuple[int, int, int, int], PlayedOut] = {}
            played = LongestDefence(engine.kernel, asked, None, known)
            if played.proven(asked.side, found) is not None:
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
        truth = solver.best(Task(cells, turn + 1, nodes=200_000))
        if truth is not None:
            tried[played.order] += 1
            assert (truth.value > 0) == (turn == winner)
            assert WIN - abs(truth.value) <= len(played.line)
    assert tried[1] > 50
    assert tried[2] > 20
