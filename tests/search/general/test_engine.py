"""The general engine: known games, misère, and large boards under any rules."""

from itertools import product
from unittest.mock import create_autospec

import pytest

from bestmove import Rules
from bestmove.search.engine import Task
from bestmove.search.engines.general.engine import Player, _Bounds
from bestmove.search.results import Found
from bestmove.search.scores import WIN
from tests.search.engines import GENERAL
from tests.support.builds import interpreted
from tests.support.oracle import Game, Position

PLAIN = interpreted(GENERAL)


def estimate(game: Game, text: str, mover: str) -> int:
    searcher = vars(PLAIN)["GeneralKernel"](Rules(*game.shape, **game.switches), 4)
    searcher.begin(Position.of(game, text).cells, None, None)
    worth: int = searcher.evaluate("XO".index(mover))
    return worth


@pytest.mark.parametrize("gravity", [False, True])
def test_a_longer_row_is_good_for_its_side_and_in_misere_bad(gravity: bool) -> None:
    text = "......./......./......./......./......./......./O.XX..O/O.XXX.O"
    for misere, sign in ((False, 1), (True, -1)):
        game = Game(8, 7, 5, gravity=gravity, misere=misere)
        assert sign * estimate(game, text, "X") > 0
        assert sign * estimate(game, text, "O") < 0


def test_more_cells_where_only_one_side_would_lose_are_worse_for_it() -> None:
    """X has one cell to avoid in `one`, and two cells to avoid in `two`."""
    game = Game(4, 5, 3, misere=True)
    one, two = "XX.X./....O/O..../.....", ".O.../...../....X/.O.XX"
    assert estimate(game, one, "X") > estimate(game, two, "X")
    assert estimate(game, one, "O") < estimate(game, two, "O")


@pytest.mark.parametrize(
    ("rows", "columns", "k", "overline", "text", "move"),
    [
        (5, 5, 4, True, ".........................", 12),
        (5, 5, 3, True, ".........................", -1),  # three in a row can end in the centre
        (5, 5, 4, False, ".........................", -1),
        (3, 5, 5, True, "..X.........O..", 7),
        (3, 5, 5, True, "..X........O...", -1),
        (4, 4, 4, True, "....OX..........", -1),
    ],
)
def test_in_misere_a_move_from_which_on_a_side_mirrors_the_other(
    rows: int, columns: int, k: int, overline: bool, text: str, move: int
) -> None:
    game = Game(rows, columns, k, misere=True, overline=overline)
    at = Position.of(game, text)
    searcher = Player(Rules(*game.shape, **game.switches)).kernel
    searcher.begin(at.cells, None, None)
    assert searcher.mirroring_move(at.to_move - 1) == move


def test_an_analysis_that_left_moves_out_is_not_complete() -> None:
    _, complete, _ = Player(Rules(5, 5, 4, misere=True)).every(Task(bytes(25), 1, nodes=1))
    assert not complete


@pytest.mark.parametrize(("low", "high"), [(-WIN, 0), (0, WIN)])
def test_an_estimate_is_within_what_is_proven(low: int, high: int) -> None:
    player = Player(Rules(6, 6, 4, misere=True))
    player.kernel.begin(bytes(36), None, 10)
    proof = create_autospec(_Bounds, instance=True, done=False, low=low, high=high, move=-1)
    for value in (-500, 500):
        for ply in (0, 1):
            best = Found(value, exact=False, pv=(0,))
            found = player._answer(proof, ply, ply, [0] * ply, best)
            assert low <= (-found.value if ply else found.value) <= high


def test_a_win_on_the_spot_is_played_and_a_threat_answered_on_a_large_board() -> None:
    for gravity, overline in product((False, True), repeat=2):
        searcher = Player(Rules(20, 20, 5, gravity=gravity, overline=overline))
        cells = bytes(380) + bytes([1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0])
        found = searcher.best(Task(cells, 1, nodes=5_000))
        assert (found.value, found.exact, found.pv) == (WIN - 1, True, (384,))
        cells = bytes(380) + bytes([1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0])
        assert searcher.best(Task(cells, 1, nodes=5_000)).pv[0] == 394
