"""Console, Python bot, HTTP bot, curl script and Gomocup play each other: one engine, one game."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Self

import pytest

from bestmove import Board, Limits, best_move
from bestmove.bots import Engine
from bestmove.client import Bot, Client
from bestmove.game.moves import square
from tests.cli.terminal import Terminal
from tests.client.serving import BESTMOVE, service
from tests.support.needs import require

LEVEL, SEED = 4, 11
SIZES = {"3x3": (3, 3, 3), "6x6 k4": (6, 6, 4)}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with service() as address:
        yield address


class Player:
    """One side of a game: told the opponent's moves, it answers with its own."""

    def __init__(self, mark: str, start: Board, url: str) -> None:
        self.mark = mark
        self.start = start
        self.url = url

    def move(self, board: Board, last: int | None) -> int:
        """The player's move on `board`, which its opponent reached with the cell `last`."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return


class InProcess(Player):
    """`Bot` with the engine in this process."""

    def move(self, board: Board, last: int | None) -> int:
        del last
        rules = board.rules
        return Bot(Engine(), self.mark, k=rules.k, level=LEVEL, seed=SEED)(board.rows()).index


class OverHttp(Player):
    """`Bot` with a client."""

    def move(self, board: Board, last: int | None) -> int:
        del last
        with Client(self.url) as client:
            return Bot(client, self.mark, level=LEVEL, seed=SEED)(board).index


class Curl(Player):
    """A shell script with curl, which takes the board after the move as text."""

    def __enter__(self) -> Self:
        require("curl", "curl")
        return self

    def move(self, board: Board, last: int | None) -> int:
        del last
        body = {"board": str(board), "k": board.rules.k, "level": LEVEL, "seed": SEED}
        after = subprocess.run(
            [
                *["curl", "-sS", "--fail", "-H", "Accept: text/plain"],
                *["-H", "Content-Type: application/json", "-d", json.dumps(body)],
                f"{self.url}/best-move",
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        cells = Board.parse(after.rstrip("\n"), k=board.rules.k).cells
        (index,) = (cell for cell in board.moves if cells[cell] != ".")
        return index


class Gomocup(Player):
    """`bestmove gomocup`, as a match manager runs it."""

    def __enter__(self) -> Self:
        rules = self.start.rules
        options = ["--level", str(LEVEL), "--seed", str(SEED), "-k", str(rules.k)]
        self.process = subprocess.Popen(
            [BESTMOVE, "gomocup", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.say(f"START {rules.rows}") == "OK"
        return self

    def say(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\r\n")
        self.process.stdin.flush()
        while (answer := self.process.stdout.readline().strip()).startswith("MESSAGE"):
            pass
        return answer

    def move(self, board: Board, last: int | None) -> int:
        if last is None:
            answer = self.say("BEGIN")
        else:
            row, column = board.rules.coordinates(last)
            answer = self.say(f"TURN {column},{row}")
        column, row = map(int, answer.split(","))
        return board.rules.index(row, column)

    def __exit__(self, *_: object) -> None:
        with self.process:
            assert self.process.stdin is not None
            self.process.stdin.write("END\r\n")
            self.process.stdin.close()
            assert self.process.wait(30) == 0


class Console(Player):
    """`bestmove play`, in which the opponent is the person."""

    def __enter__(self) -> Self:
        rules = self.start.rules
        opponent = "O" if self.mark == "X" else "X"
        size = ["--size", f"{rules.rows}x{rules.columns}", "-k", str(rules.k)]
        options = ["--level", str(LEVEL), "--seed", str(SEED), "--plain"]
        self.terminal = Terminal(BESTMOVE, "play", "--mark", opponent, *size, *options)
        return self

    def move(self, board: Board, last: int | None) -> int:
        if last is not None:
            self.terminal.expect("move? ")
            self.terminal.enter(square(last, board.rules))
        self.terminal.expect(f"{self.mark} plays ")
        said = self.terminal.expect(".").removesuffix(".")
        return next(cell for cell in board.moves if square(cell, board.rules) == said)

    def __exit__(self, *_: object) -> None:
        self.terminal.__exit__(None, None, None)


PLAYERS: tuple[type[Player], ...] = (Console, InProcess, OverHttp, Curl, Gomocup)


def game(start: Board, x: Player, o: Player) -> list[int]:
    """The moves of a whole game."""
    board, moves = start, list[int]()
    while board.turn:
        player = x if board.turn == "X" else o
        moves.append(player.move(board, moves[-1] if moves else None))
        board = board.play(moves[-1])
    return moves


def library_game(start: Board) -> list[int]:
    """The same game by calls of the library alone."""
    board, moves = start, list[int]()
    while board.turn:
        move = best_move(board, Limits(level=LEVEL, seed=SEED)).move
        assert move is not None
        moves.append(move)
        board = board.play(move)
    return moves


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("x", "o"),
    list(itertools.combinations_with_replacement(PLAYERS, 2)),
    ids=lambda kind: kind.__name__,
)
def test_every_pairing_plays_the_same_game(
    x: Callable[[str, Board, str], Player],
    o: Callable[[str, Board, str], Player],
    size: str,
    url: str,
) -> None:
    start = Board.empty(*SIZES[size])
    with ExitStack() as stack:
        sides = [stack.enter_context(kind(mark, start, url)) for kind, mark in ((x, "X"), (o, "O"))]
        assert game(start, *sides) == library_game(start)
