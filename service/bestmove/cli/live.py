"""A search as it goes, on a terminal: depth, nodes and the best lines so far."""

from __future__ import annotations

import time
from typing import Final, Self

from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from bestmove.cli import drawing, words
from bestmove.client.answers import Analysis, BestMove, Evaluation
from bestmove.game.moves import square

_QUIET_SECONDS: Final = 0.3
"""A search that takes no longer shows nothing: it would only flicker."""

_LINES: Final = 5
"""The best moves of an analysis that are shown."""

_MOVES: Final = 8
"""The moves of a line that are shown."""


class SearchView:
    """Shown on standard error while it is entered, and wiped away afterwards.

    It is called with the answer so far. Where standard error is no terminal nothing is shown.
    """

    def __init__(self, plain: bool, what: str = "searching") -> None:
        console = drawing.console(plain, stderr=True)
        self._what = what
        self._latest: BestMove | Analysis | None = None
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

    def __call__(self, answer: BestMove | Analysis) -> None:
        """The answer so far, from any thread."""
        self._latest = answer

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def _picture(self) -> Group | Text:
        seconds = time.monotonic() - self._began
        if seconds < _QUIET_SECONDS:
            return Text("")
        answer = self._latest
        so_far = f"{self._what}, {seconds:.0f} s"
        if answer is not None:
            so_far += f", depth {answer.search.depth}, {answer.search.nodes:,} nodes"
        self._spinner.update(text=f"{so_far}; Ctrl-C for the best so far")
        return Group(self._spinner, *([] if answer is None else [_lines(answer)]))


def _lines(answer: BestMove | Analysis) -> Table:
    """The best moves so far, what they lead to, and how the game may go on."""
    rules = words.rules_of(answer)
    table = Table.grid(padding=(0, 2))
    best: list[tuple[int, BestMove | Evaluation]]
    if isinstance(answer, Analysis):
        best = [(move.index, move) for move in answer.moves[:_LINES]]
    else:
        best = [(answer.move.index, answer)] if answer.move else []
    for index, move in best:
        table.add_row(
            f"  {square(index, rules)}",
            words.result(move, answer.turn),
            Text(words.line(move.pv[1:], rules, _MOVES), "dim"),
        )
    return table
