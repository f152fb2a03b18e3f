"""`bestmove play`: a game in the terminal."""

from __future__ import annotations

import os
import re
import select
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

import click
from rich.console import Console

from bestmove.cli import drawing
from bestmove.cli.backends import Backend, backend, position_of, spelling
from bestmove.cli.options import (
    MARK,
    first_option,
    k_option,
    options_of,
    plain_option,
    search_options,
    url_option,
)
from bestmove.client.answers import BestMove
from bestmove.client.connection import Options
from bestmove.errors import BestMoveError, IllegalMove
from bestmove.game import Board, X

_SIZE: Final = re.compile(r"(\d{1,2})(?:\s*[x×,]\s*(\d{1,2}))?", re.ASCII | re.IGNORECASE)
_MOVE: Final = re.compile(r"\(?\s*(-?\d{1,6})\s*[\s,;]\s*(-?\d{1,6})\s*\)?", re.ASCII)

INTERRUPTED: Final = 130

LISTEN_SECONDS: Final = 0.1
"""How often the prompt looks whether there was a Ctrl-C."""

HELP: Final = """\
row column   your move, such as 0 2: both count from 0, as the board's edges show
hint         what the engine would play for you, and why
undo         take back your last move and the answer to it
board        draw the board again
quit         leave; so do Ctrl-D and Ctrl-C"""


def _size(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """Rows and columns: 15, or 6x7 for 6 rows of 7 columns."""
    if text is None:
        return None
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise click.BadParameter(f"{text!r} is no size: 15, or 6x7 for 6 rows of 7 columns")
    rows = int(found[1])
    return rows, int(found[2] or rows)


@click.command()
@click.option(
    "--size",
    callback=_size,
    metavar="ROWS[xCOLUMNS]",
    help="3 for 3×3, 15 for 15×15, 6x7 for 6 rows of 7 columns; up to 19.  [default: 3]",
)
@k_option
@click.option("--mark", type=MARK, metavar="X|O", default=X, show_default=True, help="Your mark.")
@first_option
@click.option("--board", metavar="BOARD", help="Go on from this board.")
@search_options
@click.option("--why", is_flag=True, help="Say why the engine plays each of its moves.")
@url_option
@plain_option
def play(
    size: tuple[int, int] | None,
    mark: str,
    board: str | None,
    why: bool,
    url: str | None,
    plain: bool,
    **values: Any,
) -> None:
    """Play against the engine.

    Type your moves as row and column, both counted from 0; type help for more.

    \b
    bestmove play                            you are X and begin, 3×3
    bestmove play --mark O --first X         the engine begins
    bestmove play --mark O --first O         you are O and begin
    bestmove play --size 15 --level 4        five in a row, at your level
    bestmove play --algorithm minimax        against plain minimax
    """
    options = options_of(values)
    if board is None:
        start = Board.empty(*(size or (3, 3)), options.get("k"), options.get("first") or X)
    else:
        shape: Options = {"rows": size[0], "columns": size[1]} if size else {}
        start = position_of(spelling(board), {**options, **shape})
    with backend(url) as source:
        game = Game(source, options, start, mark, why, drawing.console(plain), plain)
        try:
            game.run()
        except (EOFError, KeyboardInterrupt) as left:
            game.leave()
            if isinstance(left, KeyboardInterrupt):
                raise click.exceptions.Exit(INTERRUPTED) from left
        except BestMoveError:
            game.say(f"The game stops here; to go on: {game.command()}")
            raise


def _ask(prompt: str) -> str:
    """As `input`, but a Ctrl-C between the prompt and the wait for a line is heard as well."""
    if os.name != "posix" or not sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    while not select.select([sys.stdin], [], [], LISTEN_SECONDS)[0]:
        pass  # here Python looks whether there was a signal; within one long read it would not
    return input()


@dataclass
class Game:
    """One game of a person against the engine."""

    source: Backend
    options: Options
    board: Board
    mark: str
    why: bool
    console: Console
    plain: bool
    last: int | None = None
    history: list[tuple[Board, int | None]] = field(default_factory=list)

    def run(self) -> None:
        """Play to the end.

        Raises:
            EOFError, KeyboardInterrupt: the person left.
            BestMoveError: the engine or the service failed.
        """
        rules = self.board.rules
        self.say(
            f"{rules.rows}×{rules.columns}, {rules.k} in a row win. You are {self.mark}, "
            f"{self.board.turn or self.board.first} is to move. Type help for help."
        )
        self.draw()
        while not self.board.is_over:
            if self.board.turn == self.mark:
                if not self._persons_turn():
                    self.leave()
                    return
            else:
                self._engines_turn()
        self._announce()

    def say(self, text: str) -> None:
        """A line to the person."""
        ascii_only = self.plain or self.console.options.ascii_only
        self.console.print(text.replace("×", "x") if ascii_only else text)

    def draw(self) -> None:
        """The board."""
        self.console.print(drawing.draw(self.board, self.last, self.plain))

    def leave(self) -> None:
        """Words for a game that is left."""
        self.say("\nGoodbye." if self.board.is_over else f"\nGoodbye. To go on: {self.command()}")

    def command(self) -> str:
        """The command that takes the game up again."""
        rules = self.board.rules
        position = (
            f"--mark {self.mark} --first {self.board.first} --size {rules.rows}x{rules.columns} "
            f"-k {rules.k} --board '{self.board}'"
        )
        names = ("level", "seed", "time_ms", "depth", "algorithm")
        flags = [
            f" --{name.removesuffix('_ms')} {self.options[name]}"  # type: ignore[literal-required]
            for name in names
            if name in self.options
        ]
        return f"bestmove play {position}{''.join(flags)}"

    def _persons_turn(self) -> bool:
        """Ask until there is a move or another decision; False to leave."""
        while True:
            words = _ask(f"{self.mark}: row column? ").strip().lower()
            match words:
                case "":
                    continue
                case "q" | "quit" | "exit":
                    return False
                case "h" | "help" | "?":
                    self.say(HELP)
                case "b" | "board":
                    self.draw()
                case "hint":
                    self._hint()
                case "u" | "undo":
                    self._undo()
                    return True
                case _:
                    if (index := self._move_from(words)) is not None:
                        self.history.append((self.board, self.last))
                        self.board, self.last = self.board.play(index), index
                        self.draw()
                        return True

    def _move_from(self, words: str) -> int | None:
        """The cell that the words name; None, once told why, if they name none."""
        rules = self.board.rules
        found = _MOVE.fullmatch(words)
        if not found:
            self.say("Type two numbers, row and column, such as 0 2; or help.")
            return None
        row, column = int(found[1]), int(found[2])
        if not (0 <= row < rules.rows and 0 <= column < rules.columns):
            self.say(
                f"Row {row}, column {column} is not on the board: rows are 0 to {rules.rows - 1}, "
                f"columns 0 to {rules.columns - 1}."
            )
            return None
        index = rules.index(row, column)
        try:
            self.board.play(index)
        except IllegalMove:
            taken = self.board.cells[index]
            self.say(f"Row {row}, column {column} is taken by {taken}: choose an empty cell.")
            return None
        return index

    def _engines_turn(self) -> None:
        answer = self._answer(self.options)
        assert answer.move is not None
        self.board, self.last = self.board.play(answer.move.index), answer.move.index
        self.say(f"{answer.turn} plays {drawing.place(self.last, answer.columns)}.")
        if self.why and answer.reason:
            self.say(answer.reason.text)
        self.draw()

    def _hint(self) -> None:
        """Best play for the person, whatever level the engine plays at."""
        options: Options = {}
        if time_ms := self.options.get("time_ms"):
            options["time_ms"] = time_ms
        answer = self._answer(options)
        assert answer.move is not None
        self.say(f"{drawing.place(answer.move.index, answer.columns).capitalize()}.")
        if answer.reason:
            self.say(answer.reason.text)

    def _answer(self, options: Options) -> BestMove:
        rules = self.board.rules
        size: Options = {"rows": rules.rows, "columns": rules.columns, "k": rules.k}
        asked: Options = {**options, **size, "first": self.board.first}
        with self._thinking():
            return self.source.best_move(str(self.board), **asked)

    def _thinking(self) -> AbstractContextManager[object]:
        """Something that moves while the engine thinks, on a terminal."""
        if self.plain or not self.console.is_terminal:
            return nullcontext()
        return self.console.status(f"{self.board.turn} thinks", spinner="dots")

    def _undo(self) -> None:
        if not self.history:
            self.say("There is no move of yours to take back.")
            return
        self.board, self.last = self.history.pop()
        self.draw()

    def _announce(self) -> None:
        winner = self.board.winner
        if winner is None:
            self.say("A draw: the board is full.")
        elif winner == self.mark:
            self.say(f"You win! {winner} has {self.board.rules.k} in a row.")
        else:
            self.say(f"The engine wins: {winner} has {self.board.rules.k} in a row.")
