"""Progress bars on standard error, erased at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
    track,
)
from rich.text import Text

from bestmove.cli import drawing

if TYPE_CHECKING:
    from bestmove.label.parts import Tally

T = TypeVar("T")


def bar(items: Iterable[T], what: str, plain: bool = False) -> Iterable[T]:
    """The items; on a terminal, a bar shows how many are done."""
    console = drawing.console(plain, stderr=True)
    return track(items, what, console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def labelling(rows: int, done: Tally) -> Iterator[Callable[[Tally], None]]:
    """Show a bar for a table of `rows` rows; yield a function that adds a finished part to it."""
    console = drawing.console(stderr=True)
    with Progress(
        TextColumn("rows"),
        MofNCompleteColumn(),
        BarColumn(),
        _Rate(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as shown:
        task = shown.add_task("rows", total=rows, completed=done.rows, exact=done.exact)

        def advance(part: Tally) -> None:
            exact = shown.tasks[0].fields["exact"] + part.exact
            shown.update(task, advance=part.rows, exact=exact)

        yield advance


class _Rate(ProgressColumn):
    """Positions per second, and the share of results that are proven."""

    def render(self, task: Task) -> Text:
        done = task.fields["exact"] / task.completed if task.completed else 0.0
        speed = task.finished_speed or task.speed or 0.0
        return Text(f"{speed:,.0f}/s, {done:.0%} proven")
