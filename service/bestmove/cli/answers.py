"""Answers for one or many boards: as text, as JSON or as a CSV table."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

import click
from rich import box
from rich.table import Table

from bestmove.answers import Analysis, BestMove
from bestmove.cli import ctrl_c, drawing, progress, words
from bestmove.cli.exits import BAD_INPUT, OK, one_line, report
from bestmove.cli.live import SearchView
from bestmove.cli.options import LINES
from bestmove.errors import InvalidInput, RequestRefused, printable
from bestmove.game import Board
from bestmove.game.inputs import position_of, without_position
from bestmove.words import result

_GAP: Final = 2
"""The number of spaces between a board and the table next to it."""

AnyAnswer = BestMove | Analysis


def answer_all(
    named: list[str | None] | None,
    ask: Callable[..., AnyAnswer],
    options: dict[str, Any],
    output: str | None,
    plain: bool,
    top: int = 0,
) -> int:
    """Answer every board in turn. Report invalid boards.

    If `named` is None, the boards are the lines of standard input. At Ctrl-C, print the best answer
    so far, and end the command.
    """
    ctrl_c.raise_error()
    is_alone = named is not None and len(named) == 1
    out: JsonLines | CsvTable | Text
    match output:
        case "json":
            out = JsonLines()
        case "csv":
            out = CsvTable()
        case _:
            out = Text(plain, is_alone, top)
    code = OK
    limits = without_position(options)
    boards = _lines() if named is None else enumerate(named, 1)
    # Answers on the same terminal would overwrite a progress bar.
    if not is_alone and sys.stderr.isatty() and not sys.stdout.isatty():
        boards = progress.bar(boards, "boards")
    number = 0
    for number, text in boards:
        line = number if named is None else None
        is_interrupted = False
        view = SearchView(plain or not is_alone)
        try:
            board = position_of(None, options) if text is None else _position(text, options)
            with view:
                answer = ask(board, on_progress=view, **limits)
        except KeyboardInterrupt:
            if view.latest is None:
                raise
            is_interrupted = True
            answer = view.latest
        except (InvalidInput, RequestRefused) as error:
            code = BAD_INPUT
            where = "" if is_alone else f"{'line' if named is None else 'board'} {number}: "
            report(f"bestmove: {where}{one_line(error)}")
            if not is_alone:
                out.problem(one_line(error), line, text or "")
            continue
        out.answer(answer, line)
        if is_interrupted:
            raise click.exceptions.Abort
    if not number:
        report("bestmove: standard input has no board; for the empty board of a game: --moves ''")
        code = BAD_INPUT
    return code


def _position(text: str, options: dict[str, Any]) -> Board:
    """Return the board in the text, or the position after the moves in the text.

    Raises:
        InvalidInput: neither; the error is about the moves if the text looks like moves.
    """
    moves = {**options, "moves": text}
    if options.get("moves") == LINES:
        return position_of(None, moves)
    try:
        return position_of(text, options)
    except InvalidInput as no_board:
        if not text.strip():
            raise
        try:
            return position_of(None, moves)
        except InvalidInput:
            if _LIKE_MOVES.match(text):
                raise
            raise no_board from None


_LIKE_MOVES: Final = re.compile(r"\s*(?:\d+\.+\s*)?[a-t][1-9]|[1-9\s,;]+\Z", re.IGNORECASE)


def _lines() -> Iterable[tuple[int, str | None]]:
    for number, line in enumerate(sys.stdin, 1):
        if text := line.rstrip("\r\n"):
            yield number, text


class JsonLines:
    """Writes each answer on a line, as the JSON that the service sends."""

    def answer(self, answer: AnyAnswer, _: int | None) -> None:
        click.echo(json.dumps(answer.to_dict()))

    def problem(self, detail: str, line: int | None, board: str) -> None:
        place = {} if line is None else {"line": line}
        click.echo(json.dumps({"problem": {"detail": detail, **place, "board": board}}))


class CsvTable:
    """Writes a table with a row for each best move, or for each move of an analysis.

    A column that `bestmove label` also writes has the same meaning there.
    """

    columns = (
        *("line", "board", "turn", "status", "winner", "move", "cell", "score", "exact"),
        *("outcome", "plies", "pv", "reason", "nodes", "problem"),
    )

    def __init__(self) -> None:
        self._writer = csv.DictWriter(sys.stdout, self.columns, lineterminator="\n")
        self._has_header = False

    def answer(self, answer: AnyAnswer, line: int | None) -> None:
        whole = answer.to_dict()
        moves = whole.get("moves")
        if moves is None:
            moves = [{**whole, **(whole["move"] or {})}]
        reason = whole.get("reason") or {}
        # The analysis of a finished game has no moves.
        for move in moves or [{"exact": True}]:
            self._write(
                {
                    "line": line,
                    **{name: whole[name] for name in ("board", "turn", "status", "winner")},
                    "move": move.get("index"),
                    "cell": move.get("name"),
                    **{name: move.get(name) for name in ("score", "outcome", "plies")},
                    "exact": json.dumps(move["exact"]),
                    "pv": json.dumps(move.get("pv", [])),
                    "reason": reason.get("text"),
                    "nodes": whole["search"]["nodes"],
                }
            )

    def problem(self, detail: str, line: int | None, board: str) -> None:
        self._write({"line": line, "board": board, "problem": detail})

    def _write(self, row: dict[str, Any]) -> None:
        if not self._has_header:
            self._has_header = True
            self._writer.writeheader()
        self._writer.writerow(
            {
                name: printable(value) if isinstance(value, str) else value
                for name, value in row.items()
            }
        )
        sys.stdout.flush()


class Text:
    """Prints answers for people to read."""

    def __init__(self, plain: bool, is_alone: bool, top: int) -> None:
        self._plain = plain
        self._is_alone = is_alone
        self._top = top
        self._console = drawing.console(plain)

    def answer(self, answer: AnyAnswer, _: int | None) -> None:
        if isinstance(answer, BestMove):
            self._best_move(answer)
        else:
            self._analysis(answer)

    def problem(self, *_: object) -> None:
        """Print nothing: the problem is already on standard error."""

    def _best_move(self, answer: BestMove) -> None:
        move = answer.move
        board = answer.board
        verdict = words.ending(board) if move is None else words.plays(board, answer, move.index)
        search = answer.search
        value = (
            "" if search.value is None else f"value {search.value:,} for X, {search.nodes:,} nodes"
        )
        if not self._is_alone:
            self._console.print(f"{answer.board}  {verdict}{value and f'; {value}'}")
            return
        last = move.index if move else None
        self._console.print(drawing.draw(answer.after.board, last, self._plain))
        self._console.print(verdict)
        if answer.reason:
            self._console.print(answer.reason.text)
        if len(answer.pv) > 1:
            then = words.line(answer.pv[1:], answer.board.rules)
            self._console.print(f"then {then}", style="dim")
        if value:
            self._console.print(f"{search.algorithm}: {value}, {search.cutoffs:,} cutoffs")

    def _analysis(self, answer: Analysis) -> None:
        if not answer.moves:
            self._console.print(f"{answer.board}  {words.ending(answer.board)}")
            return
        board = drawing.draw(answer.board, plain=self._plain)
        table = Table(box=box.ASCII2 if self._plain else box.SIMPLE)
        table.add_column("move")
        table.add_column(f"result for {answer.turn}")
        table.add_column("then", style="dim")
        for move in answer.moves[: self._top]:
            table.add_row(
                move.name,
                result(move, answer.board),
                words.line(move.pv[1:], answer.board.rules, 6),
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
            console.print(f"and {hidden} more: --top {len(answer.moves)} lists them all")
        if not answer.complete:
            console.print("Some moves had less time than others: --time gives more.")
