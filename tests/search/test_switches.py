"""A switch of the rules is known everywhere, and refused by everything that does not list it."""

import pytest

import describing
from bestmove import Board, Limits, Rules, prove
from bestmove.answers import GameRules
from bestmove.bots.mcp import PositionInput
from bestmove.cli import words
from bestmove.errors import InvalidRules
from bestmove.game.rules import SWITCHES, Variant, VariantFields
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


def test_what_names_the_switches_by_hand_names_those_of_the_table() -> None:
    others = {"game", "rows", "columns", "k", "first", "board", "moves"}
    for kind in (Rules, GameRules, VariantFields, Variant, PositionInput):
        assert kind.__annotations__.keys() - others == SWITCHES.keys(), kind


@pytest.mark.parametrize("name", SWITCHES)
def test_an_engine_the_command_and_the_guide_know_every_switch(name: str) -> None:
    rules = Rules(5, 5, 4, **{name: not SWITCHES[name].default})
    assert dispatch.engines_for(rules).takes(rules)
    assert SWITCHES[name].changed in words.title(rules)
    assert words.flags(rules).removeprefix(" --").removeprefix("no-") == name
    assert f"`{name}`" in describing.GUIDE.read_text("utf-8")
