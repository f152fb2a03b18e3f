"""A game in the terminal: a person against the engine."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console

from bestmove.answers import BestMove
from bestmove.bots.engine import Engine
from bestmove.cli import drawing, words
from bestmove.cli.live import SearchView
from bestmove.errors import IllegalMove
from bestmove.game import EMPTY, Board, Rules
from bestmove.game.moves import MOST_DIGIT_COLUMNS, cell_of
from bestmove.game.rules import LETTERS

if TYPE_CHECKING:
    from bestmove.client.connection import Client

HELP: Final = """\
hint    show the best move for you, and why it is best
undo    take back your last move and the engine's reply
board   draw the board again
quit    leave the game, like Ctrl-D and Ctrl-C"""


_OF_HINTS: Final = ("time_ms", "threads")
"""The options of the game that a hint takes."""

_LISTEN_SECONDS: Final = 0.1
"""Input is awaited in steps of this many seconds. A Ctrl-C just before a step is noticed when the
step ends."""


@dataclass
class TerminalGame:
    """A game of a person against the engine. The engine is in this process or at `url`."""

    source: Engine | Client
    options: dict[str, Any]
    board: Board
    mark: str
    why: bool
    console: Console
    plain: bool
    url: str | None = None
    last: int | None = None
    history: list[tuple[Board, int | None]] = field(default_factory=list)

    def run(self) -> None:
        """Play the game to its end.

        Raises:
            EOFError, KeyboardInterrupt: the person has left.
            BestMoveError: the engine or the service failed.
        """
        turn = self.board.turn or self.board.first
        self.say(
            f"{words.title(self.board.rules)} You are {self.mark}, {turn} is to move. "
            "Type help for help."
        )
        if turn != self.mark:
            self.draw()
        while not self.board.is_over:
            if self.board.turn == self.mark:
                if not self._persons_turn():
                    self.leave()
                    return
            else:
                self._engines_turn()
        self.draw()
        self.say(words.over(self.board, self.mark))

    def say(self, text: str, *, soft_wrap: bool | None = None) -> None:
        """Print a line. With `soft_wrap`, do not break a long line, so that it can be copied."""
        ascii_only = self.plain or self.console.options.ascii_only
        self.console.print(text.replace("×", "x") if ascii_only else text, soft_wrap=soft_wrap)

    def draw(self) -> None:
        self.console.print(drawing.draw(self.board, self.last, self.plain))

    def leave(self, words: str = "\nGoodbye.") -> None:
        """Print `words`, and the command that resumes the game."""
        resume = "" if self.board.is_over else f" To resume: {self.command()}"
        self.say(words + resume, soft_wrap=True)

    def command(self) -> str:
        board = self.board
        rules = f"-k {board.rules.k}{words.flags(board.rules)}"
        position = f"'{board}' --mark {self.mark} --first {board.first} {rules}"
        flags = [f" --{name.removesuffix('_ms')} {value}" for name, value in self.options.items()]
        flags += [" --why"] * self.why + [" --plain"] * self.plain
        if self.url is not None:
            flags.append(f" --url {shlex.quote(self.url)}")
        is_found = shutil.which("bestmove") or not sys.argv[0].endswith("/bestmove")
        program = "bestmove" if is_found else shlex.quote(sys.argv[0])  # such as .venv/bin/bestmove
        return f"{program} play {position}{''.join(flags)}"

    def _persons_turn(self) -> bool:
        """Ask until the person makes or takes back a move. Return False if the person leaves."""
        self.draw()
        what = "column" if self.board.rules.gravity else "move"
        while True:
            typed = self._ask(f"{self.mark}: {what}? ").strip().lower()
            match typed:
                case "":
                    continue
                case "quit" | "exit":
                    return False
                case "help" | "?":
                    self.say(self._how_to_move())
                    self.say(HELP)
                case "board":
                    self.draw()
                case "hint":
                    self._hint()
                case "undo":
                    if self._undo():
                        return True
                case _:
                    index = self._move_from(typed)
                    if isinstance(index, str):
                        self.say(index)
                        continue
                    self.history.append((self.board, self.last))
                    self.board, self.last = self.board.play(index), index
                    return True

    def _ask(self, prompt: str) -> str:
        """Return a line that the person types.

        Raises:
            EOFError, KeyboardInterrupt: the person has left.
        """
        if os.name != "posix" or not sys.stdin.isatty():
            return input(prompt)
        # `input(prompt)` would ignore Ctrl-C between printing the prompt and reading.
        print(prompt, end="", flush=True)
        while not select.select([sys.stdin], [], [], _LISTEN_SECONDS)[0]:
            pass
        return input()

    def _thinking(self) -> AbstractContextManager[object]:
        if self.plain or not self.console.is_terminal:
            return nullcontext()
        return self.console.status(f"{self.board.turn} thinks", spinner="dots")

    def _how_to_move(self) -> str:
        falls = ": your mark falls to its bottom" if self.board.rules.gravity else ""
        return f"Type {_places(self.board.rules)}{falls}."

    def _move_from(self, typed: str) -> int | str:
        """Return the cell that the person named, or why no mark can be placed there."""
        rules, cells = self.board.rules, self.board.cells
        named = _named(typed, rules)
        if named is None:
            return f"{typed[:20]!r} is not a move: type {_places(rules)}, or help."
        index, column = named, rules.coordinates(named)[1]
        if rules.gravity:
            landing = rules.landing(cells, column)
            if landing is None:
                return f"Column {LETTERS[column]} is full: choose another."
            if len(typed) > 1 and landing != index:
                return f"In column {LETTERS[column]} a mark falls to {rules.squares[landing]}."
            index = landing
        if cells[index] != EMPTY:
            return f"{rules.squares[index]} is taken by {cells[index]}: choose an empty cell."
        return index

    def _engines_turn(self) -> None:
        with self._thinking():
            answer = self.source.best_move(self.board, **self.options)
        self.board, self.last = answer.after.board, answer.move.index
        self.say(f"{answer.turn} plays {answer.move.name}.")
        if self.why:
            self.say(answer.reason.text)

    def _hint(self) -> None:
        """Print the best move at full strength. Ctrl-C ends the search."""
        options = {name: self.options[name] for name in _OF_HINTS if name in self.options}
        view = SearchView(self.plain, "looking for a hint")
        try:
            with view:
                answer = self.source.best_move(self.board, on_progress=view, **options)
        except KeyboardInterrupt:
            if not isinstance(view.latest, BestMove):
                raise
            answer = view.latest
        self.say(f"Hint: {words.plays(answer.board, answer, answer.move.index)}")
        self.say(answer.reason.text)

    def _undo(self) -> bool:
        if not self.history:
            self.say("There is no move of yours to take back.")
            return False
        self.board, self.last = self.history.pop()
        return True


def _named(typed: str, rules: Rules) -> int | None:
    """Return the named cell, or None. For a column, return the cell in its bottom row."""
    try:
        return cell_of(typed, rules, ())
    except IllegalMove:
        return None


def _places(rules: Rules) -> str:
    """Return what a person may type for a move."""
    if not rules.gravity:
        top_right = rules.squares[rules.columns - 1]
        return f"a cell, from a1 at the bottom left to {top_right} at the top right"
    digits = f" (or 1 to {rules.columns})" if rules.columns <= MOST_DIGIT_COLUMNS else ""
    return f"a column, a to {LETTERS[rules.columns - 1]}{digits}"
