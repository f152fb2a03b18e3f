"""The bot plays in OpenSpiel, which only the environment of `make peers` has."""

import random
from typing import Any

import pytest

from bestmove import Board, Rules
from bestmove.bots import Engine
from bestmove.errors import InvalidRules
from tests.bots.stand_in import FirstMove

pyspiel = pytest.importorskip("pyspiel", reason="it has an environment of its own: make peers")

from bestmove.bots.openspiel import Bot, board_of, rules_of  # noqa: E402

GAMES = [
    ("tic_tac_toe", Rules(3, 3, 3)),
    ("connect_four", Rules(6, 7, 4, gravity=True)),
    ("connect_four(rows=5,columns=4,x_in_row=3)", Rules(5, 4, 3, gravity=True)),
    ("mnk", Rules(15, 15, 5)),
    ("mnk(m=5,n=4,k=3)", Rules(4, 5, 3)),
    ("mnk(m=7,n=2,k=3)", Rules(2, 7, 3)),
    ("gomoku", Rules(15, 15, 5)),
    ("gomoku(size=9,connect=4,anti=true)", Rules(9, 9, 4, misere=True)),
]


class RandomMover(pyspiel.Bot):  # type: ignore[misc,name-defined] # pyspiel has no types
    def __init__(self, seed: int) -> None:
        super().__init__()
        self.chance = random.Random(seed)

    def step(self, state: Any) -> int:
        return int(self.chance.choice(state.legal_actions()))

    def restart_at(self, state: Any) -> None:
        pass


def returns(name: str, players: list[Any], seed: int = 0) -> list[float]:
    state = pyspiel.load_game(name).new_initial_state()
    return list(pyspiel.evaluate_bots(state, players, seed))


@pytest.mark.parametrize(("name", "rules"), GAMES)
def test_rules_and_positions_are_those_of_the_game(name: str, rules: Rules) -> None:
    game = pyspiel.load_game(name)
    assert rules_of(game) == rules
    chance = random.Random(3)
    for _ in range(30):
        state, board = game.new_initial_state(), Board("." * rules.size, rules)
        while True:
            assert board_of(state) == board
            assert state.is_terminal() == board.is_over
            if state.is_terminal():
                assert state.returns()[0] == board.utility
                break
            action = chance.choice(state.legal_actions())
            cell = rules.landing(board.cells, action) if rules.gravity else action
            state.apply_action(action)
            board = board.play(cell)  # type: ignore[arg-type] # the column is not full


@pytest.mark.parametrize(("name", "rules"), GAMES[:3] + GAMES[4:6])
def test_whole_games_are_played_in_either_seat(name: str, rules: Rules) -> None:
    engine = FirstMove()
    bot = Bot(engine, level=2)
    for seed in range(10):
        assert sum(returns(name, [bot, RandomMover(seed)], seed)) == 0
        assert sum(returns(name, [RandomMover(seed), bot], seed)) == 0
    assert {board.rules for board in engine.asked} == {rules}
    assert engine.options[0] == {"level": 2}


def test_another_game_is_refused() -> None:
    with pytest.raises(
        InvalidRules, match="go is not one of tic_tac_toe, connect_four, mnk, gomoku"
    ):
        Bot(Engine()).step(pyspiel.load_game("go").new_initial_state())
    with pytest.raises(InvalidRules, match="columns must be"):
        Bot(Engine()).step(pyspiel.load_game("mnk(m=21,n=3,k=3)").new_initial_state())
