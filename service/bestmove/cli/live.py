"""Shows the progress of a search on a terminal: depth, nodes and the best lines so far."""

from __future__ import annotations

import time
from typing import Final, Self

from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from bestmove import words
from bestmove.answers import Analysis, BestMove, MoveEvaluation, Progress
from bestmove.cli import drawing
from bestmove.cli.words import line

_QUIET_SECONDS: Final = 0.3
"""Seconds before the progress is shown, so that the screen does not flicker in short searches."""

_LINES: Final = 5
"""The most moves of an analysis that are shown."""

_MOVES: Final = 8


class SearchView:
    """A context that shows the answer so far on standard error, and erases it at the end.

    Call the context with each new answer. Without a terminal it shows nothing.

    Args:
        plain: whether to show nothing even on a terminal.
        what: a text that names the search.

    Attributes:
        latest: the answer so far; None if there is none yet.
    """

    def __init__(self, plain: bool, what: str = "searching") -> None:
        console = drawing.console(plain, stderr=True)
        self._what = what
        self.latest: BestMove | Analysis | None = None
        self._began = 0.0
        self._spinner = Spinner("dots")
        self._live: Live | None = None
        if console.is_terminal and not console.is_dumb_terminal and not plain:
            self._live = Live(
                console=console,
                transient=True,
                refresh_per_second=8,
                get_renderable=self._picture,
            )

    def __call__(self, found: Progress[BestMove] | Progress[Analysis]) -> None:
        """Show a new answer. Any thread may call this method."""
        self.latest = found.answer

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def _picture(self) -> Group:
        seconds = time.monotonic() - self._began
        if seconds < _QUIET_SECONDS:
            return Group()
        answer = self.latest
        so_far = f"{self._what}, {seconds:.0f} s"
        if answer is not None:
            so_far += f", depth {answer.search.depth}, {answer.search.nodes:,} nodes"
        self._spinner.update(text=f"{so_far}; Ctrl-C for the best so far")
        return Group(self._spinner, *([] if answer is None else [_best(answer)]))


def _best(answer: BestMove | Analysis) -> Table:
    rules = answer.board.rules
    table = Table.grid(padding=(0, 2))
    best: list[tuple[int, BestMove | MoveEvaluation]]
    if isinstance(answer, Analysis):
        best = [(move.index, move) for move in answer.moves[:_LINES]]
    else:
        best = [(answer.move.index, answer)] if answer.move else []
    for index, move in best:
        table.add_row(
            f"  {rules.squares[index]}",
            words.result(move, answer.board),
            Text(line(move.pv[1:], rules, _MOVES), "dim"),
        )
    return table
