"""What is claimed of games in other programs' environments, played out there.

    python -m benchmarks.peers.environment -m benchmarks.peers.claims

Kaggle's connectx: every game is won against its `negamax` and its `random`, in either seat.
PettingZoo and OpenSpiel, against a random mover: a game that stood drawn or won at one of our
turns is not lost, and one that stood won is won. Connect Four is judged by bitbully; the other
games are drawn from the start. It ends with 1 if a claim does not hold, and shows the first game
that says so.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator

from benchmarks.peers.connect_four import referee
from bestmove.bots import Engine, kaggle, openspiel, pettingzoo

Outcome = tuple[int, int, str]
"""A game: the best that it stood at one of our turns (1 won, 0 drawn, -1 lost), its result for us,
and its actions."""

Judge = Callable[[str], int]
"""How a game stands for the side to move, from the actions so far as digits from 1."""


def connect_four_judge() -> Judge:
    """bitbully, for Connect Four."""
    scores_of = referee()

    def judge(moves: str) -> int:
        best = max(scores_of(moves).values())
        return (best > 0) - (best < 0)

    return judge


def drawn(_: str) -> int:
    """For a game that is drawn from the start, and must not be given away."""
    return 0


def kaggle_games(opponent: str, count: int) -> Iterator[Outcome]:
    """Games of connectx, all of which count as won."""
    from kaggle_environments import make

    for number in range(count):
        seat = number % 2
        env = make("connectx")
        env.run([kaggle.agent, opponent] if seat == 0 else [opponent, kaggle.agent])
        reward = env.state[seat].reward
        yield 1, -1 if reward is None else int(reward), str(env.state[0].observation.board)


def openspiel_games(name: str, judge: Judge, count: int) -> Iterator[Outcome]:
    """Games of OpenSpiel against a random mover."""
    import pyspiel

    game, bot = pyspiel.load_game(name), openspiel.Bot(Engine())
    for number in range(count):
        seat, chance, stood = number % 2, random.Random(number), -1
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == seat:
                stood = max(stood, judge(_digits(state.history())))
                state.apply_action(bot.step(state))
            else:
                state.apply_action(chance.choice(state.legal_actions()))
        yield stood, int(state.returns()[seat]), str(state.history())


def pettingzoo_games(name: str, judge: Judge, count: int) -> Iterator[Outcome]:
    """Games of PettingZoo against a random mover."""
    import pettingzoo as library

    env, policy = library.make("aec", f"classic/{name}"), pettingzoo.Policy(Engine())
    for number in range(count):
        seat, chance, stood, result = number % 2, random.Random(number), -1, 0
        actions: list[int] = []
        env.reset(seed=number)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            own = env.possible_agents.index(agent) == seat
            if terminated or truncated:
                result += int(reward) if own else 0
                env.step(None)
                continue
            if own:
                stood = max(stood, judge(_digits(actions)))
                action = policy(observation)
            else:
                mask = observation["action_mask"]
                action = chance.choice([at for at, allowed in enumerate(mask) if allowed])
            actions.append(action)
            env.step(action)
        yield stood, result, str(actions)


def _digits(actions: list[int]) -> str:
    return "".join(str(action + 1) for action in actions)


def holds(name: str, games: Iterator[Outcome]) -> bool:
    """Play the games, say how they went, and whether none was worse than it had stood."""
    began, results, broken = time.perf_counter(), [], None
    for stood, result, actions in games:
        results.append(result)
        if result < stood and broken is None:
            broken = f"stood {stood:+d}, ended {result:+d}: {actions}"
    counts = ", ".join(
        f"{results.count(value)} {word}" for value, word in ((1, "won"), (0, "drawn"), (-1, "lost"))
    )
    seconds = time.perf_counter() - began
    print(f"{name}: {counts} in {seconds:.0f} s: {broken or 'holds'}", flush=True)
    return broken is None


def main(arguments: list[str]) -> int:
    """Play all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="against random movers")
    parser.add_argument("--matches", type=int, default=100, help="against Kaggle's agents")
    options = parser.parse_args(arguments)
    judge, many, few = connect_four_judge(), options.games, options.matches
    claims = {
        "connectx against negamax": kaggle_games("negamax", few),
        "connectx against random": kaggle_games("random", few),
        "PettingZoo tictactoe_v3": pettingzoo_games("tictactoe-v3", drawn, many),
        "PettingZoo connect_four_v3": pettingzoo_games("connect_four-v3", judge, many),
        "OpenSpiel tic_tac_toe": openspiel_games("tic_tac_toe", drawn, many),
        "OpenSpiel mnk(m=4,n=4,k=4)": openspiel_games("mnk(m=4,n=4,k=4)", drawn, many),
        "OpenSpiel connect_four": openspiel_games("connect_four", judge, many),
    }
    kept = [holds(name, games) for name, games in claims.items()]  # all are played, come what may
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
