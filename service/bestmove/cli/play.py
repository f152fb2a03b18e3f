"""`bestmove play`: a game in the terminal."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final, cast

import click
from rich.console import Console

from bestmove.cli import drawing, words
from bestmove.cli.asking import Input, input_for
from bestmove.cli.backends import Backend, Interrupted, backend, spelling
from bestmove.cli.live import SearchView
from bestmove.cli.options import (
    MARK,
    game_options,
    moves_option,
    options_of,
    plain_option,
    search_options,
    threads_option,
    url_option,
)
from bestmove.client.answers import BestMove
from bestmove.client.boards import position_of
from bestmove.client.questions import MoveOptions
from bestmove.errors import BestMoveError, InvalidNotation
from bestmove.game import EMPTY, Board, Rules, X
from bestmove.game.moves import LETTERS, MOST_DIGIT_COLUMNS, in_order, square

INTERRUPTED: Final = 130

_SEARCH: Final = ("level", "seed", "time_ms", "depth", "algorithm", "threads")

HELP: Final = """\
hint    what the engine would play for you, and why
undo    take back your last move and the answer to it
board   draw the board again
quit    leave; so do Ctrl-D and Ctrl-C"""


@click.command(short_help="A game in the terminal, against the engine.")
@click.argument("board", required=False)
@game_options
@moves_option
@click.option("--mark", type=MARK, metavar="X|O", default=X, show_default=True, help="Your mark.")
@search_options
@threads_option
@click.option("--why", is_flag=True, help="Say why the engine plays each of its moves.")
@url_option
@plain_option
def play(
    board: str | None,
    mark: str,
    why: bool,
    url: str | None,
    plain: bool,
    **values: Any,
) -> None:
    """Play against the engine, from the empty board or from BOARD.

    Move with the arrow keys and Enter, or type a cell: column letter, from the left, and row
    number, from the bottom, such as b2; in a game with gravity the column alone. Type help for
    more. Without a terminal, and with --plain, moves are lines of input.

    \b
    bestmove play                            you are X and begin, 3×3
    bestmove play --mark O                   the engine begins
    bestmove play --mark O --first O         you are O and begin
    bestmove play --game connect-four        drop your discs by column
    bestmove play --game gomoku --level 4    five in a row, at your level
    bestmove play --algorithm minimax        against plain minimax
    """
    options = options_of(values)
    if board is not None and "moves" in options:
        raise click.UsageError("give a board or --moves, not both")
    start = position_of(None if board is None else spelling(board), options)
    asked: MoveOptions = {name: options[name] for name in _SEARCH if name in options}  # type: ignore
    console = drawing.console(plain)
    with backend(url, in_game=True) as source:
        person = input_for(start, console, plain)
        game = Game(source, asked, start, mark, why, console, plain, person)
        try:
            with person.ready():
                game.run()
        except (EOFError, KeyboardInterrupt) as left:
            game.leave()
            if isinstance(left, KeyboardInterrupt):
                raise click.exceptions.Exit(INTERRUPTED) from left
        except BestMoveError:
            game.say(f"The game stops here; to go on: {game.command()}")
            raise


@dataclass
class Game:
    """One game of a person against the engine."""

    source: Backend
    options: MoveOptions
    board: Board
    mark: str
    why: bool
    console: Console
    plain: bool
    input: Input
    last: int | None = None
    history: list[tuple[Board, int | None]] = field(default_factory=list)

    def run(self) -> None:
        """Play to the end.

        Raises:
            EOFError, KeyboardInterrupt: the person left.
            BestMoveError: the engine or the service failed.
        """
        turn = self.board.turn or self.board.first
        self.say(
            f"{words.title(self.board.rules)} You are {self.mark}, {turn} is to move. "
            "Type help for help."
        )
        if self.board.is_over or turn != self.mark:
            self.draw()
        else:
            self._draw_to_ask()
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
        board = self.board
        position = f"'{board}' --mark {self.mark} --first {board.first}{_flags(board.rules)}"
        flags = [f" --{name.removesuffix('_ms')} {value}" for name, value in self.options.items()]
        return f"bestmove play {position}{''.join(flags)}"

    def _persons_turn(self) -> bool:
        """Ask until there is a move or another decision; False to leave."""
        what = "column" if self.board.rules.gravity else "move"
        while True:
            said = self.input.ask(self.board, self.last, f"{self.mark}: {what}? ").strip().lower()
            match said:
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
                    self._undo()
                    return True
                case _:
                    index = self._move_from(said)
                    if isinstance(index, str):
                        self.say(index)
                        continue
                    self.history.append((self.board, self.last))
                    self.board, self.last = self.board.play(index), index
                    self.draw()
                    return True

    def _how_to_move(self) -> str:
        rules = self.board.rules
        arrows = "The arrow keys and Enter play; or type " if self.input.draws else "Type "
        falls = ": your mark falls to its bottom" if rules.gravity else ""
        return f"{arrows}{_places(rules)}{falls}."

    def _move_from(self, said: str) -> int | str:
        """The cell that the person names, or why there is none."""
        rules, cells = self.board.rules, self.board.cells
        named = _named(said, rules)
        if named is None:
            return f"{said[:20]!r} is no move: type {_places(rules)}; or help."
        index, column = named, rules.coordinates(named)[1]
        if rules.gravity:
            landing = rules.landing(cells, column)
            if landing is None:
                return f"Column {LETTERS[column]} is full: choose another."
            if len(said) > 1 and landing != index:
                return f"In column {LETTERS[column]} a mark falls to {square(landing, rules)}."
            index = landing
        if cells[index] != EMPTY:
            return f"{square(index, rules)} is taken by {cells[index]}: choose an empty cell."
        return index

    def _engines_turn(self) -> None:
        with self._thinking():
            answer = self.source.best_move(self.board, **self.options)
        assert answer.move is not None
        self.board, self.last = self.board.play(answer.move.index), answer.move.index
        self.say(f"{answer.turn} plays {square(self.last, self.board.rules)}.")
        if self.why and (reason := words.why(answer)):
            self.say(reason)
        self._draw_to_ask()

    def _hint(self) -> None:
        """Best play for the person, whatever level the engine plays at; Ctrl-C hurries it."""
        options: MoveOptions = {}
        if time_ms := self.options.get("time_ms"):
            options["time_ms"] = time_ms
        if threads := self.options.get("threads"):
            options["threads"] = threads
        try:
            with SearchView(self.plain, "looking for a hint") as view:
                answer = self.source.best_move(self.board, on_progress=view, **options)
        except Interrupted as stopped:
            answer = cast(BestMove, stopped.answer)
        assert answer.move is not None
        self.say(words.plays(answer, answer, answer.move.index))
        if reason := words.why(answer):
            self.say(reason)

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
        self._draw_to_ask()

    def _draw_to_ask(self) -> None:
        """The board, unless the question that follows shows it."""
        if self.board.is_over or not self.input.draws:
            self.draw()

    def _announce(self) -> None:
        self.say(words.over(self.board, self.mark))


def _named(said: str, rules: Rules) -> int | None:
    """The cell that the words name, with gravity any of the column; None if they name none."""
    if rules.gravity and len(said) == 1 and said in LETTERS[: rules.columns]:
        return LETTERS.index(said)
    if not rules.gravity and said.isascii() and said.isdecimal():
        return int(said) if len(said) < 4 and int(said) < rules.size else None
    try:
        moves = [move for _, _, move in in_order(said, rules)]
    except InvalidNotation:
        return None
    if len(moves) != 1:
        return None
    (move,) = moves
    return move if isinstance(move, int) else move["column"]  # type: ignore[index]


def _places(rules: Rules) -> str:
    """What a person may type for a move."""
    if not rules.gravity:
        top_right = square(rules.columns - 1, rules)
        return f"a cell, from a1 at the bottom left to {top_right} at the top right"
    digits = f" (or 1 to {rules.columns})" if rules.columns <= MOST_DIGIT_COLUMNS else ""
    return f"a column, a to {LETTERS[rules.columns - 1]}{digits}"


def _flags(rules: Rules) -> str:
    """The rules that a board does not show, as options."""
    switches = (
        " --gravity" * rules.gravity,
        " --no-overline" * (not rules.overline),
        " --misere" * rules.misere,
    )
    return f" -k {rules.k}{''.join(switches)}"
