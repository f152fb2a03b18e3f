"""`bestmove suggest` and `bestmove analyze`: answers for boards, one or many."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar, cast

import click
from rich import box
from rich.progress import track
from rich.table import Table

from bestmove.cli import drawing, words
from bestmove.cli.backends import Interrupted, backend, spelling
from bestmove.cli.live import SearchView
from bestmove.cli.options import (
    boards_from,
    depth_option,
    game_options,
    json_option,
    lines_option,
    moves_option,
    options_of,
    plain_option,
    search_options,
    time_option,
    told,
    url_option,
)
from bestmove.client.answers import Analysis, BestMove, Position
from bestmove.client.questions import AnalysisOptions, Options
from bestmove.errors import InvalidInput, RequestRefused
from bestmove.game import Board
from bestmove.game.moves import square

BAD_INPUT: Final = 2

Answer = TypeVar("Answer", BestMove, Analysis)

_Numbered = tuple[int, str | None]


@click.command(short_help="The best move on each board.")
@click.argument("boards", nargs=-1)
@game_options
@moves_option
@search_options
@url_option
@json_option
@plain_option
def suggest(
    boards: tuple[str, ...], url: str | None, as_json: bool, plain: bool, **values: Any
) -> int:
    """Say what to play on each of BOARDS.

    A board is a string (X...O...., or rows: 'X../.O./...') or a JSON array. Boards also come on
    standard input, one a line; a bad one is reported with its line and the others are answered.
    Cells are named by column letter, from the left, and row number, from the bottom.

    \b
    bestmove suggest X...O....
    bestmove suggest --game connect-four --moves 4453
    bestmove suggest --json 'X../.O./...' | jq .move.index
    bestmove suggest --level 3 --seed 7 < boards.txt
    """
    options: Options = options_of(values)
    printer = Printer(options, plain)
    with backend(url) as source:
        return _answer_all(
            boards_from(boards, options),
            lambda board, seen: source.best_move(board, on_progress=seen, **options),
            None if as_json else printer.best_move,
            plain,
        )


@click.command(short_help="Every legal move on each board, best first.")
@click.argument("boards", nargs=-1)
@game_options
@moves_option
@time_option
@depth_option
@lines_option
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    default=10,
    show_default=True,
    help="Moves to list.",
)
@url_option
@json_option
@plain_option
def analyze(
    boards: tuple[str, ...], top: int, url: str | None, as_json: bool, plain: bool, **values: Any
) -> int:
    """Say what every legal move on each of BOARDS leads to, best first.

    Results are for the side to move: an estimate of +1 is its win, -1 its loss.

    \b
    bestmove analyze X...O....
    bestmove analyze --game gomoku --moves 'h8 i9 h9'
    bestmove analyze --json 'X../.O./...' | jq '.moves[0].index'
    """
    options: AnalysisOptions = options_of(values)
    printer = Printer(options, plain, top)
    with backend(url) as source:
        return _answer_all(
            boards_from(boards, options),
            lambda board, seen: source.analyze(board, on_progress=seen, **options),
            None if as_json else printer.analysis,
            plain,
        )


def _answer_all(
    named: list[str | None] | None,
    ask: Callable[[str | list[Any] | None, SearchView | None], Answer],
    show: Callable[[Answer, bool], None] | None,
    plain: bool,
) -> int:
    """Answer every board in turn; a bad one is reported and the rest goes on.

    Boards that are not `named` are the lines of standard input. Without `show` the answers go out
    as JSON, a line each, a bad board's `problem` in its place. Ctrl-C ends it with what was found
    by then.
    """
    alone = named is not None and len(named) == 1
    code = 0
    for number, text in _with_progress(_lines() if named is None else enumerate(named, 1), alone):
        is_interrupted = False
        try:
            with SearchView(plain or not alone) as view:
                board = None if text is None else spelling(text)
                answer = ask(board, view if alone else None)
        except Interrupted as stopped:
            is_interrupted = True
            answer = cast(Answer, stopped.answer)
        except (InvalidInput, RequestRefused) as error:
            code = BAD_INPUT
            where = "" if alone else f"{'line' if named is None else 'board'} {number}: "
            click.echo(f"bestmove: {where}{told(error)}", err=True)
            if show is None and not alone:
                click.echo(json.dumps({"problem": {"detail": told(error)}}))
            continue
        if show is None:
            click.echo(json.dumps(answer.as_json()))
        else:
            show(answer, alone)
        if is_interrupted:
            raise click.exceptions.Abort
    return code


def _lines() -> Iterator[_Numbered]:
    """The numbered lines of standard input; a line of nothing at all is no board."""
    for number, line in enumerate(sys.stdin, 1):
        if text := line.rstrip("\r\n"):
            yield number, text


def _with_progress(
    items: Iterable[tuple[int, str | None]], alone: bool
) -> Iterable[tuple[int, str | None]]:
    """A progress bar, where there is a terminal to show it that shows nothing else."""
    if alone or not sys.stderr.isatty() or sys.stdout.isatty():
        return items
    return track(items, "boards", console=drawing.console(stderr=True), transient=True)


class Printer:
    """Answers for people: a drawing for a single board, a line for each of many."""

    def __init__(self, options: Options, plain: bool, top: int = 10) -> None:
        self.options = options
        self.plain = plain
        self.top = top
        self.console = drawing.console(plain)

    def best_move(self, answer: BestMove, alone: bool) -> None:
        """What to play, and why."""
        move = answer.move
        verdict = words.ending(answer) if move is None else words.plays(answer, answer, move.index)
        if not alone:
            self.console.print(f"{answer.board}  {verdict}")
            return
        self._draw(answer, answer.board_after or answer.board, move.index if move else None)
        self.console.print(verdict)
        if reason := words.why(answer):
            self.console.print(reason)
        if len(answer.pv) > 1:
            then = words.line(answer.pv[1:], words.rules_of(answer))
            self.console.print(f"then {then}", style="dim")

    def analysis(self, answer: Analysis, alone: bool) -> None:
        """The best moves of all, as a table."""
        if not answer.moves:
            self.console.print(f"{answer.board}  {words.ending(answer)}")
            return
        if not alone:
            best = answer.moves[0]
            self.console.print(f"{answer.board}  {words.plays(answer, best, best.index)}")
            return
        self._draw(answer, answer.board)
        rules = words.rules_of(answer)
        table = Table(box=box.ASCII2 if self.plain else box.SIMPLE)
        table.add_column("move")
        table.add_column(f"result for {answer.turn}")
        table.add_column("then", style="dim")
        for move in answer.moves[: self.top]:
            table.add_row(
                square(move.index, rules),
                words.result(move, answer.turn),
                words.line(move.pv[1:], rules, 6),
            )
        self.console.print(table)
        hidden = len(answer.moves) - self.top
        if hidden > 0:
            self.console.print(f"and {hidden} more: --top {len(answer.moves)} lists them all")
        if not answer.complete:
            self.console.print("Some moves had less time than others: --time gives more.")

    def _draw(self, answer: Position, board: str, last: int | None = None) -> None:
        rules, first = words.rules_of(answer), self.options.get("first") or "X"
        cells = board.replace("/", "")
        self.console.print(drawing.draw(Board(cells, rules, first), last, self.plain))
