"""Do other programs' bots play Connect Four better than Best Move? Prints results as JSON.

All bots run in one process, in an environment of their own:

    python -m benchmarks.peers.environment -m benchmarks.peers.connect_four moves --positions 300
    python -m benchmarks.peers.environment -m benchmarks.peers.connect_four games --games 100

A bot is given the earlier moves as digits from 1, such as `4453`. It returns a column,
counted from 0.

Each bot plays as its package offers it. Kaggle's negamax looks four plies ahead, easyAI's Negamax
five (as in easyAI's example), and pingv4's bot six. OpenSpiel's Monte Carlo search, in C++, plays
1,000 games for a move. The referee, bitbully, is an exact solver with a book. The authors of
bitbully wrote none of the bots.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from bestmove.bots import Engine
from bestmove.bots.arrays import action_on, to_lists
from bestmove.game import Board

Player = Callable[[str], int]

POSITIONS: Final = Path(__file__).with_name("connect_four.txt")
ROWS, COLUMNS = 6, 7
SIMULATIONS: Final = 1_000
UCT_C: Final = 2.0
"""The exploration constant of OpenSpiel's own examples."""


def positions() -> list[tuple[str, int]]:
    """Read the moves and the exact score of each position."""
    lines = POSITIONS.read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return [(moves, int(score)) for moves, score in pairs]


def board_after(moves: str) -> Board:
    return Board.from_moves(moves, game="connect-four")


def ours() -> Player:
    """Make this project's engine. Its time includes reading the text of the moves."""
    engine = Engine()
    return lambda moves: action_on(engine, board_after(moves))


def kaggle_negamax() -> Player:
    from kaggle_environments.envs.connectx.connectx import negamax_agent

    configuration = SimpleNamespace(rows=ROWS, columns=COLUMNS, inarow=4)

    def play(moves: str) -> int:
        cells = [cell for row in to_lists(board_after(moves)) for cell in row]
        observation = SimpleNamespace(board=cells, mark=1 + len(moves) % 2)
        return int(negamax_agent(observation, configuration))

    return play


def easyai_negamax() -> Player:
    from easyAI import Negamax
    from easyAI.games.ConnectFour import ConnectFour

    search = Negamax(5)

    def play(moves: str) -> int:
        game = ConnectFour([None, None])
        for column in moves:
            game.make_move(int(column) - 1)
            game.switch_player()
        return int(search(game))

    return play


def openspiel_mcts() -> Player:
    """Make OpenSpiel's Monte Carlo tree search (its implementation in C++)."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, SIMULATIONS, 100, True, 1, False)

    def play(moves: str) -> int:
        state = game.new_initial_state()
        for column in moves:
            state.apply_action(int(column) - 1)
        return int(bot.step(state))

    return play


def pingv4_minimax() -> Player:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from pingv4 import CellState, ConnectFourBoard, MinimaxBot

    def play(moves: str) -> int:
        board = ConnectFourBoard()
        for column in moves:
            board = board.make_move(int(column) - 1)
        bot = MinimaxBot(CellState.Yellow if len(moves) % 2 else CellState.Red)
        return int(bot.get_move(board))

    return play


OURS: Final = "Best Move"
PLAYERS: Final[Mapping[str, Callable[[], Player]]] = {
    OURS: ours,
    "Kaggle negamax": kaggle_negamax,
    "easyAI Negamax": easyai_negamax,
    "OpenSpiel MCTS": openspiel_mcts,
    "pingv4 minimax": pingv4_minimax,
}


def referee() -> Callable[[str], dict[int, int]]:
    """Return a function that gives the exact score of each move.

    A score of n means that the mover's disc number 22 − n wins. −n means the same for the opponent.
    """
    import bitbully

    solver = bitbully.BitBully()

    def scores(moves: str) -> dict[int, int]:
        board = bitbully.Board([int(column) - 1 for column in moves])
        return {int(column): int(score) for column, score in solver.score_all_moves(board).items()}

    return scores


def weighed_moves(count: int) -> dict[str, Any]:
    """Time and judge each player's moves in `count` evenly spaced positions.

    Raises:
        ValueError: the referee and the published score of a position differ.
    """
    every = positions()
    chosen = every[:: max(1, len(every) // count)][:count]
    scores_of = referee()
    truth = []
    for moves, score in chosen:
        scores = scores_of(moves)
        if max(scores.values()) != score:
            raise ValueError(f"{moves}: the referee says {scores}, the published score is {score}")
        truth.append(scores)
    results: dict[str, Any] = {}
    for name, make in PLAYERS.items():
        player = make()
        player("4")  # a first move, so that loading the player's tables is not timed
        rows = []
        for (moves, _), scores in zip(chosen, truth, strict=True):
            began = time.perf_counter()
            column = player(moves)
            seconds = time.perf_counter() - began
            best = max(scores.values())
            rows.append(
                {
                    "seconds": seconds,
                    "best": scores[column] == best,
                    "keeps": _sign(scores[column]) == _sign(best),
                }
            )
        results[name] = rows
    return results


def games_won(count: int) -> dict[str, Any]:
    """Play games of our bot against every other bot. Our bot begins. Return our bot's results.

    A result is 1, 0 or -1. The opponent's first two moves are random, so that the games differ.
    Most bots always play the same move in the same position, so their moves are cached.
    """
    players = {name: cache(make()) for name, make in PLAYERS.items()}
    return {
        name: [_game(players[OURS], player) for _ in range(count)]
        for name, player in players.items()
        if name != OURS
    }


def _game(first: Player, second: Player) -> int:
    moves = ""
    while not (board := board_after(moves)).is_over:
        if len(moves) in (1, 3):
            column = random.choice(board.moves) % COLUMNS
        else:
            column = (second if len(moves) % 2 else first)(moves)
        moves += str(column + 1)
    return board.utility


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["moves", "games"])
    parser.add_argument("--positions", type=int, default=len(positions()))
    parser.add_argument("--games", type=int, default=100)
    options = parser.parse_args(arguments)
    random.seed(1)
    moves = options.what == "moves"
    # Bots may print while they think; only the results may go to standard output.
    output, sys.stdout = sys.stdout, sys.stderr
    found = weighed_moves(options.positions) if moves else games_won(options.games)
    json.dump(found, output)


if __name__ == "__main__":
    main(sys.argv[1:])
