"""What a search may use of those before it: all within a game, nothing elsewhere."""

from __future__ import annotations

from bestmove.game import Board
from bestmove.search.analysis import best_move
from bestmove.search.budget import encoded
from bestmove.search.gomoku.driver import Engine
from bestmove.search.limits import Limits


def middle() -> Board:
    """Five marks there and four in the corners: more than the book has."""
    board = Board.empty(15, 15)
    for cell in (0, 14, 224, 210, 112, 128, 113, 127, 98):
        board = board.play(cell)
    return board


def test_a_search_in_a_game_goes_on_from_the_one_before() -> None:
    engine = Engine(15, 15, 5, 16)
    position = encoded(middle().cells, middle().turn)
    first = engine.search(*position, depth=6)
    again = engine.search(*position, depth=6, in_game=True)
    assert again.nodes < first.nodes
    assert again.table_hits > 0


def test_a_search_of_its_own_forgets_a_game() -> None:
    engine = Engine(15, 15, 5, 16)
    position = encoded(middle().cells, middle().turn)
    first = engine.search(*position, depth=6)
    engine.search(*position, depth=6, in_game=True)
    assert engine.search(*position, depth=6) == first


def test_what_is_repeatable_uses_nothing_of_a_game() -> None:
    limits = Limits(time_ms=20, seed=1, in_game=True)
    first = best_move(middle(), limits)
    best_move(middle(), Limits(time_ms=50, in_game=True))
    again = best_move(middle(), limits)
    assert (again.pv, again.score, again.search.nodes) == (
        first.pv,
        first.score,
        first.search.nodes,
    )
