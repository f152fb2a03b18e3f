"""Shows progress on standard error: bars on a terminal, otherwise lines for a log."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, TypeVar

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
from bestmove.cli.exits import report
from bestmove.words import duration

if TYPE_CHECKING:
    from bestmove.cluster import Cluster
    from bestmove.label.tally import Tally

_COUNT_S: Final = 2.0
"""While a bar is shown, the workers' processors are counted again after this many seconds."""

_LOG_S: Final = 30.0
"""Seconds between two lines of a log."""

_LINES: Final = 10
"""The rate in a log line is the average over this many intervals of `_LOG_S` seconds."""

T = TypeVar("T")


def note(text: str) -> None:
    """Write text to standard error. Without a terminal, as in a log, begin with the time."""
    if not sys.stderr.isatty():
        text = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {text}"
    report(text)


def bar(items: Iterable[T], what: str, plain: bool = False) -> Iterable[T]:
    """Yield the items. On a terminal, a bar shows how many are done."""
    console = drawing.console(plain, stderr=True)
    return track(items, what, console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def labelling(rows: int, done: Tally, cluster: Cluster) -> Iterator[Callable[[Tally], None]]:
    """Show how much of a table is done. Yield a function to call with each finished part.

    On a terminal, show a bar. Otherwise, as in a log, write a line at the start, every half minute,
    and at the end.
    """
    console = drawing.console(stderr=True)
    if not console.is_terminal:
        log = _Log(rows, done, cluster)
        with _repeated(_LOG_S, log.write):
            yield log.add
        log.write_end()
        return
    with (
        Progress(
            TextColumn("rows"),
            MofNCompleteColumn(),
            BarColumn(),
            _Rate(cluster),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        ) as shown,
        _repeated(_COUNT_S, cluster.count),
    ):
        task = shown.add_task("rows", total=rows, completed=done.rows, exact=done.exact)

        def advance(part: Tally) -> None:
            exact = shown.tasks[0].fields["exact"] + part.exact
            shown.update(task, advance=part.rows, exact=exact)

        yield advance


@contextmanager
def _repeated(seconds: float, function: Callable[[], None]) -> Iterator[None]:
    """Call a function at once and then every `seconds`, in a thread, until the block ends."""
    ended = Event()

    def repeat() -> None:
        while True:
            function()
            if ended.wait(seconds):
                return

    Thread(target=repeat, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


class _Log:
    def __init__(self, rows: int, done: Tally, cluster: Cluster) -> None:
        self._rows, self._cluster = rows, cluster
        self._before = self._done = done.rows
        self._workers = 0
        self._started = time.monotonic()
        self._written = deque([(self._started, done.rows)], maxlen=_LINES)

    def add(self, part: Tally) -> None:
        self._done += part.rows

    def write_end(self) -> None:
        seconds = time.monotonic() - self._started
        rows = self._done - self._before
        if rows:
            rate = f"{rows / seconds:,.0f}/s"
            note(f"{rows:,} row{'s' * (rows != 1)} in {duration(seconds)}, {rate}")

    def write(self) -> None:
        self._cluster.count()
        now, done = time.monotonic(), self._done
        (since, before), workers = self._written[0], self._cluster.processors
        lost, self._workers = self._workers - workers, workers
        self._written.append((now, done))
        rate = (done - before) / max(now - since, 1e-6)
        text = f"{done:,} of {self._rows:,} rows ({done / max(1, self._rows):.0%})"
        if not workers:
            text += ", no workers: waiting for one, finished rows are kept"
        else:
            text += f" on {workers} processor{'s' * (workers > 1)}"
            if lost > 0:
                text += f" ({lost} fewer: others repeat the lost parts)"
            if rate:
                text += f", {rate:,.0f}/s, {duration((self._rows - done) / rate)} left"
        note(text)


class _Rate(ProgressColumn):
    def __init__(self, cluster: Cluster) -> None:
        super().__init__()
        self._cluster = cluster

    def render(self, task: Task) -> Text:
        if not self._cluster.processors:
            return Text("no workers: waiting for one", "red")
        done = task.fields["exact"] / task.completed if task.completed else 0.0
        speed = task.finished_speed or task.speed or 0.0
        return Text(f"{speed:,.0f}/s, {done:.0%} proven")
