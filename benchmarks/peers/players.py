"""This engine and programs that could replace it, each as a function from a 3×3 board to a move.

easyAI and open_spiel come with `pip install 'bestmove[peers]'`. They have no type stubs, so they
are imported by name. Each package gets the best conditions that it offers. easyAI gets its own
TicTacToe, a depth no larger than the game can last, and a table that it keeps from call to call.
open_spiel gets its own tic-tac-toe, which is written in C++. A package is imported only when it is
used, so that a benchmark can time the import and the first answer.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

Player = Callable[[str], int]
"""Returns the index of a move. Its argument is a text of nine cells, each X, O or '.'; X moved
first."""


class NotInstalled(Exception):
    """A peer's package is missing."""


def ours() -> Player:
    """Make this project's engine. Its time includes reading the text of the board."""
    from bestmove import Board, best_move

    return lambda cells: int(best_move(Board.parse(cells)).move)


def usual_minimax() -> Player:
    from benchmarks.peers import usual

    return lambda cells: usual.best_move(list(cells))


def easyai(with_table: bool) -> Player:
    """Make easyAI's Negamax, with or without its transposition table."""
    ai = _module("easyAI")
    base: Any = _module("easyAI.games.TicTacToe").TicTacToe

    class TicTacToe(base):  # type: ignore[misc]
        def ttentry(self) -> tuple[int, ...]:
            return (*self.board, self.current_player)

    table = ai.TranspositionTable() if with_table else None
    searches = [ai.Negamax(depth, tt=table) for depth in range(1, 10)]
    marks = {".": 0, "X": 1, "O": 2}

    def play(cells: str) -> int:
        game = TicTacToe([None, None])
        game.board = [marks[mark] for mark in cells]
        empty = game.board.count(0)
        game.current_player = 1 if empty % 2 else 2
        return int(searches[empty - 1](game)) - 1

    return play


def open_spiel() -> Player:
    game = _module("pyspiel").load_game("tic_tac_toe")
    search = _module("open_spiel.python.algorithms.minimax").alpha_beta_search

    def play(cells: str) -> int:
        state = game.new_initial_state()
        crosses = [at for at, mark in enumerate(cells) if mark == "X"]
        noughts = [at for at, mark in enumerate(cells) if mark == "O"]
        for number in range(len(crosses) + len(noughts)):
            state.apply_action((noughts if number % 2 else crosses)[number // 2])
        return int(search(game, state=state)[1])

    return play


PLAYERS: Mapping[str, Callable[[], Player]] = {
    "Best Move": ours,
    "easyAI Negamax with table": lambda: easyai(True),
    "easyAI Negamax": lambda: easyai(False),
    "open_spiel alpha-beta": open_spiel,
    "usual minimax": usual_minimax,
}


def installed(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NotInstalled(name) from error
