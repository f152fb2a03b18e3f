"""The policy in PettingZoo's own environments."""

from collections.abc import Callable, Mapping
from typing import Any

import pettingzoo
import pytest

from bestmove import Board
from bestmove.bots import Engine
from bestmove.bots.pettingzoo import Policy
from bestmove.client import Client
from bestmove.errors import InvalidPosition
from tests.bots.stand_in import FirstMove

Player = Callable[[Mapping[str, Any]], int]


def make(name: str) -> Any:
    return pettingzoo.make("aec", f"classic/{name}")


def rewards(env: Any, players: tuple[Player, Player], seed: int = 0) -> list[int]:
    env.reset(seed=seed)
    ended = [0, 0]
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        number = env.possible_agents.index(agent)
        ended[number] += reward
        over = termination or truncation
        env.step(None if over else players[number](observation))
    return ended


def test_it_plays_over_http_too(client: Client) -> None:
    policy = Policy(client)
    assert rewards(make("tictactoe-v3"), (policy, policy)) == [0, 0]


@pytest.mark.parametrize(
    ("moves", "wanted"),
    [
        ((0, 3, 1, 4), 2),  # cell 2 completes a column on the screen
        ((0, 1, 3, 2), 6),  # cell 6 completes a row on the screen
        ((0, 1, 4, 2), 8),  # cell 8 completes the diagonal
        ((0, 1, 8, 2), 4),
    ],
)
def test_actions_are_the_cells_of_the_environment(moves: tuple[int, ...], wanted: int) -> None:
    env = make("tictactoe-v3")
    env.reset()
    for move in moves:
        env.step(move)
    assert Policy(Engine())(env.last()[0]) == wanted
    env.step(wanted)
    assert env.rewards["player_1"] == 1


def test_connect_fours_planes_are_rows_from_the_top_and_actions_are_columns() -> None:
    env, engine = make("connect_four-v3"), FirstMove()
    env.reset()
    for column in (3, 3, 0):
        env.step(column)
    assert Policy(engine, level=4)(env.last()[0]) == 3
    # The policy calls the side to move X. Here that is the second player, so O moved first.
    assert engine.asked == [
        Board.from_moves("441", game="connect-four", first="O"),
    ]
    assert engine.options == [{"level": 4}]


def test_a_mask_that_forbids_a_legal_move_is_refused() -> None:
    env = make("tictactoe-v3")
    env.reset()
    observation = env.last()[0]
    observation["action_mask"][0] = 0
    with pytest.raises(InvalidPosition, match="forbids action 0"):
        Policy(FirstMove())(observation)
