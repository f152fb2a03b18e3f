"""A switch of the rules is refused by everything that does not list it."""

import pytest

from bestmove import Board, Limits, Rules, prove
from bestmove.errors import InvalidRules
from bestmove.game.rules import SWITCHES
from bestmove.search import dispatch
from bestmove.search.at_sight import leaf_of
from bestmove.search.symmetry import Symmetry
from bestmove.search.textbook import algorithms


class Wrapped(Rules):
    """Rules with a switch that nothing knows yet."""

    @property
    def changed(self) -> dict[str, bool]:
        return {"wrap": True}


@pytest.fixture
def board() -> Board:
    return Board("X" + 24 * ".", Wrapped(5, 5, 5))


def test_no_engine_takes_a_switch_that_it_does_not_list(board: Board) -> None:
    with pytest.raises(InvalidRules, match="no engine plays with wrap"):
        dispatch.engines_for(board.rules)
    assert not any(row.takes(board.rules) for row in dispatch._TABLE)


@pytest.mark.parametrize("evaluation", algorithms.HEURISTICS)
def test_no_evaluation_takes_a_switch_that_it_does_not_list(board: Board, evaluation: str) -> None:
    limits = Limits(depth=1, algorithm="minimax", evaluation=evaluation)
    with pytest.raises(ValueError, match="does not know wrap"):
        algorithms.require_affordable(board, limits)


def test_a_position_under_an_unknown_switch_has_no_symmetry_certificate_or_pairs(
    board: Board,
) -> None:
    assert len(Symmetry(Board("X" + 24 * ".", Rules(5, 5, 5))).moves) < len(board.moves)
    assert Symmetry(board).moves == list(board.moves)
    assert prove(board) is None
    assert leaf_of(board.rules, board.cells, "X", "O", None, lambda: None) is None


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_of_the_rules_is_known_to_an_engine(name: str) -> None:
    rules = Rules(5, 5, 4, **{name: not SWITCHES[name].default})
    assert dispatch.engines_for(rules).takes(rules)
