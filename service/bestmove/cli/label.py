"""`bestmove label`: adds the answers to a table of positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import click

from bestmove.cli import ctrl_c
from bestmove.cli.exits import OK, SOME_PROBLEMS, report, require_extra
from bestmove.cli.options import game_options, integer_option, limit_options, options_of
from bestmove.errors import ClusterFailed

if TYPE_CHECKING:
    from bestmove.label.job import LabelJob
    from bestmove.label.tally import Tally

_SHOWN: Final = 5
"""The report shows the most frequent kinds of problems, each with one row."""

_ADDRESS: Final = re.compile(
    r"(\w+://)?(\[[0-9a-f:.]+\]|[^\s:/\[\]]+):\d{1,5}(/.*)?", re.IGNORECASE
)


def _address(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    if text is not None and not _ADDRESS.fullmatch(text):
        raise click.BadParameter(f"{text!r} is not an address: write tcp://host:8786")
    return text


@click.command()
@click.argument("source", metavar="INPUT")
@click.argument("output", metavar="OUTPUT")
@game_options
@limit_options(
    "label",
    nodes="Search this many nodes for each position.  [default: depends on the game, see "
    "docs/labelling.md]",
    time_ms="Milliseconds for each position; the labels then depend on the machine.",
)
@click.option(
    "--all-moves",
    is_flag=True,
    help="Add scores and scores_exact, the score of each move.",
)
@click.option("--pv", is_flag=True, help="Add pv, the line of best play.")
@click.option("--reason", is_flag=True, help="Add reason: a sentence on why the move was chosen.")
@click.option(
    "--keep",
    metavar="NAMES",
    multiple=True,
    help="The columns to write, of INPUT and of the answers, separated by commas.  [default: all]",
)
@click.option(
    "--from",
    "sources",
    metavar="FIELD=COLUMN",
    multiple=True,
    help="Read a field of the position, such as board, from this column.",
)
@click.option(
    "--cells",
    metavar="NAMES",
    multiple=True,
    help="Read the board from columns of one cell each: names separated by commas, or a* for all "
    "that begin with a, and *a for all that end with a. A missing value is an empty cell, and so "
    "is b beside x and o.",
)
@click.option(
    "--order",
    metavar="ORDER",
    help="The order of cells, in columns, lists or text without rows: along the rows from the top, "
    "down the columns (columns), or up the columns (columns-up).  [default: rows]",
)
@click.option(
    "--move-lists",
    metavar="KIND",
    help="What numbers are moves: cells (index; only in lists), columns from 0 (column0), or "
    "columns from 1 (column1).  [default: index in lists, column1 in text]",
)
@click.option(
    "--ignore",
    metavar="NAMES",
    multiple=True,
    help="Only copy these columns, although they are named like fields.",
)
@click.option(
    "--names",
    metavar="NAMES",
    multiple=True,
    help="The names of the columns, separated by commas, if CSV has no line with them.",
)
@click.option(
    "--delimiter",
    metavar="CHARACTER",
    help="What separates the fields of CSV.  [default: the one in the first line: , ; | or \\t, a "
    "tab]",
)
@click.option(
    "--encoding",
    metavar="NAME",
    help="The encoding of text, such as latin-1.  [default: UTF-8, or UTF-16 with a byte order "
    "mark]",
)
@click.option("--prefix", default="", metavar="TEXT", help="Put before the names of added columns.")
@click.option(
    "--allow-problems",
    is_flag=True,
    help="Exit with 0 even if rows have problems.",
)
@integer_option("--jobs", help="Processes.  [default: one per CPU]")
@click.option(
    "--scheduler",
    metavar="URL",
    callback=_address,
    help="Use the workers of this Dask scheduler instead, such as tcp://host:8786.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Read and check INPUT, and estimate the time; write nothing.",
)
def label(
    source: str,
    output: str,
    keep: tuple[str, ...],
    sources: tuple[str, ...],
    cells: tuple[str, ...],
    ignore: tuple[str, ...],
    names: tuple[str, ...],
    delimiter: str | None,
    encoding: str | None,
    allow_problems: bool,
    jobs: int | None,
    scheduler: str | None,
    dry_run: bool,
    **values: Any,
) -> int:
    """Read the table INPUT and write it to OUTPUT with the best move on each board.

    INPUT and OUTPUT are two files or two folders of files; each may be an address such as
    s3://bucket/boards.parquet. If OUTPUT is a folder such as labelled.parquet, its files are
    Parquet. Formats are .parquet, .csv, .tsv, .jsonl, .json and .npz (NumPy).
    INPUT may also be .npy, .data, or .txt with a board on each line. Text may be compressed, such
    as .csv.gz.

    The column "board" or "moves" has the position. Columns may also set game, rows, columns, k,
    first and the switches, such as gravity. Each row gets the best play that its nodes can find:
    there is no level.

    If you stop the command, run it again to resume. If a row is not a position, the exit code is
    3, and the column "problem" says why. OUTPUT is still complete.

    \b
    bestmove label boards.parquet labelled.parquet
    bestmove label games.csv labelled.csv --pv
    bestmove label in/ out/ --nodes 100000 --jobs 4
    bestmove label a.csv b.csv --from board=fen --prefix our_
    """
    if jobs is not None and scheduler is not None:
        raise click.UsageError("--scheduler has its own workers: leave out --jobs")
    require_extra("label")
    from bestmove.cli.estimate import estimate
    from bestmove.label.job import LabelJob
    from bestmove.label.options import Options
    from bestmove.label.texts import TextForm

    options = Options(
        **options_of(values),
        keep=_names(keep) or None,
        sources=tuple(map(_source, sources)),
        cells=_names(cells),
        ignore=_names(ignore),
    )
    ctrl_c.raise_error()
    ctrl_c.raise_error_on_term()
    form = TextForm(encoding, "\t" if delimiter == "\\t" else delimiter, _names(names) or None)
    job = LabelJob(source, output, options, form)
    if dry_run:
        text, tally = estimate(job)
        click.echo(text)
        code = _report(tally, job)
    else:
        code = _run(job, output, jobs, scheduler)
    return OK if allow_problems else code


def _names(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for text in texts for name in text.split(","))


def _source(text: str) -> tuple[str, str]:
    field, equals, column = text.partition("=")
    if not equals:
        raise click.UsageError(f"--from {text}: write FIELD=COLUMN, such as board=fen")
    return field.strip(), column


def _run(job: LabelJob, output: str, jobs: int | None, scheduler: str | None) -> int:
    from bestmove.cli import progress
    from bestmove.cluster import cluster

    total = job.begin()
    if total.rows:
        progress.note(f"resuming after {total.rows:,} of {job.rows:,} rows")
    try:
        with (
            cluster(jobs, scheduler) as workers,
            progress.labelling(job.rows, total, workers) as advance,
        ):

            def count(tally: Tally) -> None:
                total.add(tally)
                advance(tally)

            job.run(workers, count)
    except (KeyboardInterrupt, ClusterFailed, OSError) as error:
        progress.note(
            f"{total.rows:,} of {job.rows:,} rows are done: run the same command again to resume"
        )
        if isinstance(error, KeyboardInterrupt):
            raise click.exceptions.Abort from None
        raise
    progress.note(f"{output} is complete")
    return _report(total, job)


def _report(tally: Tally, job: LabelJob) -> int:
    share = f", {tally.exact / tally.rows:.0%} proven" if tally.exact else ""
    rows = "row" if tally.rows == 1 else "rows"
    report(f"{tally.rows:,} {rows}{share}")

    def place(number: int, row: int) -> str:
        return f"row {row}" if len(job.files) == 1 else f"{job.files[number].name}, row {row}"

    if sizes := tally.odd_sizes(job.options, place):
        report(f"{sizes}; give --size to refuse others")
    if not tally.problems:
        return OK
    report(f"{tally.problems:,} with a problem, for example:")
    kinds = sorted(tally.kinds.values(), key=lambda kind: -kind[0])
    for count, number, row, problem in kinds[:_SHOWN]:
        report(f"  {f'{count:,} such as ' if count > 1 else ''}{place(number, row)}: {problem}")
    if others := sum(count for count, *_ in kinds[_SHOWN:]):
        report(f"  {others:,} of other kinds")
    return SOME_PROBLEMS
