"""`bestmove label`: a table of positions, written again with what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from bestmove.cli import drawing
from bestmove.cli.options import NUMBER, game_options
from bestmove.search.limits import MAX_DEPTH, MAX_NODES, MAX_TIME_MS

if TYPE_CHECKING:
    from bestmove.label.job import Job
    from bestmove.label.parts import Tally

NEEDED: Final = ("dask", "distributed", "fsspec", "pyarrow")
"""Packages that `bestmove[label]` brings."""

_BAD_INPUT: Final = 2


@click.command(short_help="A table of positions, with the answers.")
@click.argument("source", metavar="INPUT")
@click.argument("output", metavar="OUTPUT")
@game_options
@click.option(
    "--nodes",
    type=click.IntRange(1, MAX_NODES),
    metavar=NUMBER,
    help="What a position is worth, in nodes of a search.  [default: by its game, see "
    "docs/labelling.md]",
)
@click.option(
    "--depth",
    type=click.IntRange(1, MAX_DEPTH),
    metavar=NUMBER,
    help="Look so many moves ahead, not to the end.",
)
@click.option(
    "--time-ms",
    type=click.IntRange(1, MAX_TIME_MS),
    metavar="MS",
    help="Milliseconds a position; the labels then depend on the machine.",
)
@click.option("--moves", is_flag=True, help="Add scores and scores_exact: what each move leads to.")
@click.option("--pv", is_flag=True, help="Add pv, the line of best play.")
@click.option("--reason", is_flag=True, help="Add reason, why the move was chosen, in a sentence.")
@click.option(
    "--columns",
    "keep",
    metavar="NAMES",
    help="The columns to write, by comma: of INPUT and of those found.  [default: all]",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar=NUMBER,
    help="Processes.  [default: one per CPU]",
)
@click.option("--scheduler", metavar="URL", help="A Dask scheduler, such as tcp://host:8786.")
@click.option("--dry-run", is_flag=True, help="Read and check INPUT, and estimate; write nothing.")
def label(
    source: str,
    output: str,
    keep: str | None,
    jobs: int | None,
    scheduler: str | None,
    dry_run: bool,
    **values: Any,
) -> int:
    """Read the table INPUT and write it to OUTPUT with the best move on each board.

    Parquet, CSV or JSON lines (.parquet, .csv, .jsonl, the texts also .gz, .bz2, .zst); a file, a
    folder of them, or an address such as s3://bucket/boards.parquet. A column board or moves gives
    the position; game, rows, columns, k, first, gravity, overline and misere may be columns, too.

    Stopped, the same command goes on where it was. A row that is no position has the reason in the
    column problem; the exit code is 2 then. It needs: pip install 'bestmove[label]'

    \b
    bestmove label boards.parquet labelled.parquet
    bestmove label games.csv labelled.csv --game connect-four --pv
    bestmove label boards/ labelled/ --nodes 100000 --scheduler tcp://10.0.0.1:8786
    """
    if jobs is not None and scheduler is not None:
        raise click.UsageError("--scheduler has its own workers: leave --jobs out")
    try:
        from bestmove.label.estimate import estimate
        from bestmove.label.job import Job
        from bestmove.label.options import Options
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in NEEDED:
            raise
        raise click.ClickException(
            "the packages for tables are not installed: pip install 'bestmove[label]'"
        ) from None
    values["rows"], values["columns"] = values.pop("size") or (None, None)
    names = None if keep is None else tuple(name.strip() for name in keep.split(","))
    options = Options(**values, keep=names)
    job = Job(source, output, options)
    if dry_run:
        found = estimate(job)
        click.echo(found.text)
        return _told(found.tally, job)
    return _run(job, jobs, scheduler)


def _run(job: Job, jobs: int | None, scheduler: str | None) -> int:
    from bestmove.cluster import cluster

    total = job.begin()
    if total.rows:
        click.echo(f"going on after {total.rows:,} of {job.rows:,} rows", err=True)
    try:
        with cluster(jobs, scheduler) as workers, _progress(job.rows, total) as seen:

            def count(tally: Tally) -> None:
                total.add(tally)
                seen(tally)

            job.run(workers, count)
    except KeyboardInterrupt:
        click.echo(
            f"{total.rows:,} of {job.rows:,} rows are kept: the same command goes on", err=True
        )
        raise click.exceptions.Abort from None
    return _told(total, job)


def _told(tally: Tally, job: Job) -> int:
    """Say what came of it, and what the exit code is."""
    share = f", {tally.exact / tally.rows:.0%} proven" if tally.exact else ""
    click.echo(f"{tally.rows:,} rows{share}", err=True)
    if not tally.problems:
        return 0
    click.echo(f"{tally.problems:,} of them have a problem, such as", err=True)
    for number, row, problem in tally.examples:
        place = f"row {row}" if len(job.files) == 1 else f"{job.files[number].name}, row {row}"
        click.echo(f"  {place}: {problem}", err=True)
    return _BAD_INPUT


class _Rate(ProgressColumn):
    """Positions a second, and the share of results that are proven."""

    def render(self, task: Task) -> Text:
        """As it stands."""
        done = task.fields["exact"] / task.completed if task.completed else 0.0
        speed = task.finished_speed or task.speed or 0.0
        return Text(f"{speed:,.0f}/s, {done:.0%} proven")


@contextmanager
def _progress(rows: int, done: Tally) -> Iterator[Callable[[Tally], None]]:
    """What shows on a terminal how far it is, and is called with each part."""
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
