"""What goes to a terminal: consoles and boards."""

from __future__ import annotations

from collections.abc import Collection

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bestmove.game import EMPTY, Board, Rules, X
from bestmove.game.moves import LETTERS

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


def draw(
    board: Board, last: int | None = None, plain: bool = False, cursor: int | None = None
) -> Table:
    """The board, its columns lettered from the left and its rows numbered from the bottom.

    Marks speak without colour too: `[X]` is the last move, `*X*` a cell of the winning line, and
    `>.<` the cell under the cursor.
    """
    rules = board.rules
    lines = _has_lines(rules)
    style = box.ASCII2 if plain else box.SQUARE
    table = Table(box=style if lines else None, show_lines=lines, padding=0, header_style="dim")
    table.add_column("", style="dim", justify="right")
    for letter in LETTERS[: rules.columns]:
        table.add_column(f"{letter:^3}", width=3, no_wrap=True)
    won = board.winning_line or ()
    for row in range(rules.rows):
        cells = range(row * rules.columns, (row + 1) * rules.columns)
        table.add_row(
            f"{rules.rows - row} ",
            *(_cell(board.cells[cell], cell, last, won, cursor) for cell in cells),
        )
    return table


def height(rules: Rules) -> int:
    """The lines of a screen that a drawn board takes."""
    return 2 * rules.rows + 3 if _has_lines(rules) else rules.rows + 1


def _has_lines(rules: Rules) -> bool:
    return max(rules.rows, rules.columns) <= _LARGEST_WITH_LINES


def _cell(
    mark: str, index: int, last: int | None, won: Collection[int], cursor: int | None
) -> Text:
    if index == cursor:
        return Text(f">{mark}<", "bold reverse")
    if mark == EMPTY:
        return Text(" . ", "dim")
    colour = "cyan" if mark == X else "magenta"
    if index in won:
        return Text(f"*{mark}*", "bold black on green")
    if index == last:
        return Text(f"[{mark}]", f"bold reverse {colour}")
    return Text(f" {mark} ", f"bold {colour}")
