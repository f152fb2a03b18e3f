"""Answers for boards, one or many: as text, as JSON or as a CSV table."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol

import click
from rich import box
from rich.console import RenderableType
from rich.table import Table

from bestmove.cli import ctrl_c, drawing, progress, words
from bestmove.cli.backends import Interrupted, Options, spelling
from bestmove.cli.exits import BAD_INPUT, OK, one_line, report
from bestmove.cli.live import SearchView
from bestmove.client.answers import Analysis, BestMove, Position
from bestmove.errors import InvalidInput, RequestRefused
from bestmove.game import Board
from bestmove.game.moves import square

_GAP: Final = 2
"""Columns between a board and a table beside it."""

Answer = BestMove | Analysis

_Numbered = tuple[int, str | None]


class Output(Protocol):
    """Takes the answers one by one."""

    def answer(self, answer: Answer, line: int | None) -> None:
        """Write an answer; `line` is that of standard input which had the board."""

    def problem(self, detail: str, line: int | None, board: str) -> None:
        """Write why a board has no answer, in the answer's place."""


def answer_all(
    named: list[str | None] | None,
    ask: Callable[..., Answer],
    options: Options,
    output: str | None,
    plain: bool,
    top: int = 0,
) -> int:
    """Answer every board in turn; a bad one is reported, and the next is answered.

    If no boards are `named`, they are the lines of standard input. Ctrl-C ends the work with the
    best answer so far.
    """
    ctrl_c.raise_error()
    alone = named is not None and len(named) == 1
    out: Output
    match output:
        case "json":
            out = JsonLines()
        case "csv":
            out = CsvTable()
        case _:
            out = People(options, plain, alone, top)
    code = OK
    boards = _lines() if named is None else enumerate(named, 1)
    for number, text in _with_progress(boards, alone):
        line = number if named is None else None
        is_interrupted = False
        try:
            board = None if text is None else spelling(text)
            with SearchView(plain or not alone) as view:
                answer = ask(board, on_progress=view if alone else None, **options)
        except Interrupted as stopped:
            is_interrupted = True
            answer = stopped.answer
        except (InvalidInput, RequestRefused) as error:
            code = BAD_INPUT
            where = "" if alone else f"{'line' if named is None else 'board'} {number}: "
            report(f"bestmove: {where}{one_line(error)}")
            if not alone:
                out.problem(one_line(error), line, text or "")
            continue
        out.answer(answer, line)
        if is_interrupted:
            raise click.exceptions.Abort
    return code


def _lines() -> Iterator[_Numbered]:
    """The numbered lines of standard input, without the empty ones."""
    for number, line in enumerate(sys.stdin, 1):
        if text := line.rstrip("\r\n"):
            yield number, text


def _with_progress(boards: Iterable[_Numbered], alone: bool) -> Iterable[_Numbered]:
    """A progress bar, if standard error is a terminal and the answers do not go there, too."""
    if alone or not sys.stderr.isatty() or sys.stdout.isatty():
        return boards
    return progress.bar(boards, "boards")


class JsonLines:
    """The service's own answers, a line each."""

    def answer(self, answer: Answer, _: int | None) -> None:
        """Write the answer."""
        click.echo(json.dumps(answer.as_json()))

    def problem(self, detail: str, line: int | None, board: str) -> None:
        """Write an object with the problem alone."""
        place = {} if line is None else {"line": line}
        click.echo(json.dumps({"problem": {"detail": detail, **place, "board": board}}))


class CsvTable:
    """A table with a row for each best move, or for each move of an analysis.

    The columns that `bestmove label` has, too, mean the same in both.
    """

    columns = (
        *("line", "board", "turn", "status", "winner", "move", "cell", "score", "exact"),
        *("outcome", "plies", "pv", "reason", "nodes", "problem"),
    )

    def __init__(self) -> None:
        self._writer = csv.DictWriter(sys.stdout, self.columns, lineterminator="\n")
        self._has_header = False

    def answer(self, answer: Answer, line: int | None) -> None:
        """Write a row for each move, or for the result of a game that is over."""
        whole = answer.as_json()
        moves = whole.get("moves")
        if moves is None:
            moves = [{**whole, **(whole["move"] or {"index": None})}]
        rules = words.rules_of(answer)
        for move in moves or [{"index": None, "score": None, "exact": True}]:
            index = move["index"]
            self._write(
                {
                    "line": line,
                    **{name: whole[name] for name in ("board", "turn", "status", "winner")},
                    "move": index,
                    "cell": None if index is None else square(index, rules),
                    **{name: move.get(name) for name in ("score", "outcome", "plies")},
                    "exact": json.dumps(move["exact"]),
                    "pv": json.dumps(move.get("pv", [])),
                    "reason": words.why(answer) if isinstance(answer, BestMove) else None,
                    "nodes": whole["search"]["nodes"],
                }
            )

    def problem(self, detail: str, line: int | None, board: str) -> None:
        """Write a row with the problem alone."""
        self._write({"line": line, "board": board, "problem": detail})

    def _write(self, row: dict[str, Any]) -> None:
        if not self._has_header:
            self._has_header = True
            self._writer.writeheader()
        self._writer.writerow(row)
        sys.stdout.flush()


class People:
    """Text: a drawing for a board that comes alone, a line for each of many."""

    def __init__(self, options: Options, plain: bool, alone: bool, top: int) -> None:
        self._options = options
        self._plain = plain
        self._alone = alone
        self._top = top
        self._console = drawing.console(plain)

    def answer(self, answer: Answer, _: int | None) -> None:
        """Show the answer."""
        if isinstance(answer, BestMove):
            self._best_move(answer)
        else:
            self._analysis(answer)

    def problem(self, *_: object) -> None:
        """Standard error has it."""

    def _best_move(self, answer: BestMove) -> None:
        """Show what to play, and why."""
        move = answer.move
        verdict = words.ending(answer) if move is None else words.plays(answer, answer, move.index)
        if not self._alone:
            self._console.print(f"{answer.board}  {verdict}")
            return
        last = move.index if move else None
        self._console.print(self._drawn(answer, answer.board_after or answer.board, last))
        self._console.print(verdict)
        if reason := words.why(answer):
            self._console.print(reason)
        if len(answer.pv) > 1:
            then = words.line(answer.pv[1:], words.rules_of(answer))
            self._console.print(f"then {then}", style="dim")

    def _analysis(self, answer: Analysis) -> None:
        """Show the best moves in a table, beside the board if there is room on a terminal."""
        if not answer.moves:
            self._console.print(f"{answer.board}  {words.ending(answer)}")
            return
        if not self._alone:
            best = answer.moves[0]
            self._console.print(f"{answer.board}  {words.plays(answer, best, best.index)}")
            return
        board = self._drawn(answer, answer.board)
        rules = words.rules_of(answer)
        table = Table(box=box.ASCII2 if self._plain else box.SIMPLE)
        table.add_column("move")
        table.add_column(f"result for {answer.turn}")
        table.add_column("then", style="dim")
        for move in answer.moves[: self._top]:
            table.add_row(
                square(move.index, rules),
                words.result(move, answer.turn),
                words.line(move.pv[1:], rules, 6),
            )
        console = self._console
        width = sum(console.measure(part).maximum for part in (board, table)) + _GAP
        if console.is_terminal and width <= console.width:
            beside = Table.grid(padding=(0, _GAP))
            beside.add_row(board, table)
            console.print(beside)
        else:
            console.print(board)
            console.print(table)
        hidden = len(answer.moves) - self._top
        if hidden > 0:
            self._console.print(f"and {hidden} more: --top {len(answer.moves)} lists them all")
        if not answer.complete:
            self._console.print("Some moves had less time than others: --time gives more.")

    def _drawn(self, answer: Position, board: str, last: int | None = None) -> RenderableType:
        rules, first = words.rules_of(answer), self._options.get("first") or "X"
        return drawing.draw(Board(board.replace("/", ""), rules, first), last, self._plain)
