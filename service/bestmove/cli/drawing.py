"""What goes to a terminal: boards, tables, and the words for moves and results."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bestmove.client.answers import BestMove, Evaluation
from bestmove.game import EMPTY, Board, X

_LARGEST_WITH_LINES = 9
"""Boards with more rows are drawn without lines between the cells, to fit on a screen."""


def console(plain: bool = False, stderr: bool = False) -> Console:
    """A console that prints text as it is; `plain` sends no control sequence ever."""
    if plain:
        return Console(
            stderr=stderr,
            highlight=False,
            markup=False,
            soft_wrap=True,
            color_system=None,
            force_terminal=False,
        )
    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=True)


def draw(board: Board, last: int | None = None, plain: bool = False) -> Table:
    """The board with its rows and columns numbered.

    Marks speak without colour too: `[X]` is the last move, `*X*` a cell of the winning line.
    """
    rules = board.rules
    lines = max(rules.rows, rules.columns) <= _LARGEST_WITH_LINES
    style = box.ASCII2 if plain else box.SQUARE
    table = Table(box=style if lines else None, show_lines=lines, padding=0, header_style="dim")
    table.add_column("", style="dim", justify="right")
    for column in range(rules.columns):
        table.add_column(f"{column:^3}", width=3, no_wrap=True)
    won = board.winning_line or ()
    for row in range(rules.rows):
        cells = range(row * rules.columns, (row + 1) * rules.columns)
        table.add_row(f"{row} ", *(_cell(board.cells[cell], cell, last, won) for cell in cells))
    return table


def _cell(mark: str, index: int, last: int | None, won: Collection[int]) -> Text:
    if mark == EMPTY:
        return Text(" . ", "dim")
    colour = "cyan" if mark == X else "magenta"
    if index in won:
        return Text(f"*{mark}*", "bold black on green")
    if index == last:
        return Text(f"[{mark}]", f"bold reverse {colour}")
    return Text(f" {mark} ", f"bold {colour}")


def place(index: int, columns: int) -> str:
    """A cell in words."""
    row, column = divmod(index, columns)
    return f"row {row}, column {column}"


def result(answer: BestMove | Evaluation) -> str:
    """What a move leads to, for the side that makes it."""
    if not answer.exact:
        return f"estimate {answer.score:+.2f} for X"
    plies = f"{answer.plies} {'move' if answer.plies == 1 else 'moves'}"
    return f"{answer.outcome} in {plies}"


def line(cells: Sequence[int], columns: int, most: int = 12) -> str:
    """A line of play as (row,column) pairs."""
    pairs = [f"({cell // columns},{cell % columns})" for cell in cells[:most]]
    return " ".join(pairs) + (" ..." if len(cells) > most else "")
