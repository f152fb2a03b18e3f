"""`bestmove bench`: what the engine does on this machine, without any peer to compare with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

import click
from rich.progress import Progress
from rich.table import Table

from bestmove.cli import drawing
from bestmove.cli.options import game_options, json_option, options_of, plain_option
from bestmove.client.boards import position_of
from bestmove.game import Board, Rules
from bestmove.game.board import Variant
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import ALGORITHMS, Limits

_LOOKUPS: Final = 5_000
_COUNTABLE: Final = 1_000
"""Nodes below which a speed means nothing."""

_SOLVED: Final = ((3, 4, 3), (4, 4, 4), (4, 5, 4), (5, 5, 4), (5, 6, 4), (5, 5, 5))
"""Rows, columns and k of boards that are solved from empty."""

_MIDDLE_GAME: Final = (112, 97, 113, 111, 128, 96, 98)
"""Cells of an opening on 15×15, X first."""

_SIGNED_LINES: Final = 2
_GRAVITY: Final[Variant] = {"gravity": True}
_EXACTLY: Final[Variant] = {"overline": False}
_MISERE: Final[Variant] = {"misere": True}
_SIGNED: Final[tuple[tuple[tuple[int, int, int], Variant, tuple[int, ...], int, int], ...]] = (
    ((3, 4, 3), {}, (), 1, 1),
    ((5, 4, 4), {}, (9, 6, 5), 1, 1),
    ((4, 5, 4), _EXACTLY, (7, 12, 6), 1, 1),
    ((4, 5, 4), _GRAVITY, (17, 18, 12, 13, 19), 1, 1),
    ((4, 4, 3), _MISERE, (5, 6, 9, 0, 15), 1, 1),
    ((5, 5, 4), {}, (12, 6), 4, 3),
    ((6, 6, 5), {}, (14, 21, 15), 5, 3),
    ((6, 7, 5), _GRAVITY, (38, 31), 4, 3),
    ((7, 7, 4), _MISERE, (24,), 4, 3),
    ((9, 7, 5), {}, (31, 24, 30, 32), 6, 2),
    ((9, 9, 5), _EXACTLY, (40, 41), 4, 2),
    ((12, 12, 6), {}, (65, 66, 78, 54, 53), 5, 1),
    ((15, 15, 5), {}, _MIDDLE_GAME, 8, 4),
    ((15, 15, 5), {}, (51, 21, 65, 98, 67, 115, 69, 139), 4, 1),
    ((15, 15, 5), _EXACTLY, (66, 39, 67, 115, 80, 130, 100, 160), 4, 1),
    ((19, 19, 5), {}, (180, 160, 162, 198, 161), 5, 1),
)
"""The searches that the signature counts: rows, columns and k; the rules that differ; cells marked
in turn; and the depths of a search and of an analysis. By nodes they would count that limit."""


@dataclass(frozen=True)
class Figure:
    """One measured thing.

    Attributes:
        what: what was done.
        result: what came of it, in a word.
        nodes: nodes searched.
        ms: wall-clock milliseconds.
        cpu_ms: milliseconds of processor time, which other work on the machine changes less.
    """

    what: str
    result: str
    nodes: int
    ms: float
    cpu_ms: float

    @property
    def nodes_per_second(self) -> int:
        """By processor time; zero where next to nothing was searched."""
        return round(self.nodes / self.cpu_ms * 1000) if self.nodes >= _COUNTABLE else 0


@click.command(short_help="What the engine does on this machine.")
@game_options
@click.option(
    "--time",
    "time_ms",
    type=click.IntRange(10, 600_000),
    default=5_000,
    show_default=True,
    metavar="MS",
    help="The longest that one search may take.",
)
@click.option(
    "--signature",
    "only_signature",
    is_flag=True,
    help="Only print the nodes of a fixed set of searches, a number that speed does not change.",
)
@json_option
@plain_option
def bench(time_ms: int, only_signature: bool, as_json: bool, plain: bool, **values: Any) -> None:
    """Measure the engine on this machine.

    A look-up on 3×3, the textbook searches from the empty 3×3 board, the search on 15×15, and
    small boards solved from empty. A game or a size measures that empty board alone. Nodes per
    second are of processor time.

    \b
    bestmove bench
    bestmove bench --game connect-four
    bestmove bench --size 5x6 -k 4 --time 60000
    """
    if only_signature:
        click.echo(signature())
        return
    options = options_of(values)
    tasks = list(_tasks(time_ms))
    if options:
        board = position_of(None, options)
        tasks = [partial(_searched, _named(board.rules), board, Limits(time_ms=time_ms))]
    progress_console = drawing.console(plain, stderr=True)
    figures = []
    with Progress(
        console=progress_console, transient=True, disable=not progress_console.is_terminal
    ) as progress:
        bar = progress.add_task("measuring", total=len(tasks))
        for task in tasks:
            figures.append(task())
            progress.advance(bar)
    if as_json:
        for figure in figures:
            click.echo(json.dumps({**asdict(figure), "nodes_per_second": figure.nodes_per_second}))
        return
    table = Table(box=None if plain else Table().box)
    table.add_column("from empty", no_wrap=True)
    table.add_column("result", no_wrap=True)
    for heading in ("nodes", "ms", "nodes/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for figure in figures:
        speed = f"{figure.nodes_per_second / 1000:,.0f} k" if figure.nodes_per_second else ""
        ms = f"{figure.ms:,.1f}" if figure.ms >= 1 else f"{figure.ms:.4f}"
        table.add_row(figure.what, figure.result, f"{figure.nodes:,}", ms, speed)
    drawing.console(plain).print(table)


def signature() -> int:
    """The nodes of a fixed set of searches and analyses, small enough for plain Python.

    Two builds of one engine have the same, so that a change which should change nothing can be seen
    to: it is pinned by a test.
    """
    total = 0
    for size, variant, marked, depth, analysis_depth in _SIGNED:
        board = Board.empty(*size, **variant)
        for cell in marked:
            board = board.play(cell)
        total += best_move(board, Limits(time_ms=None, depth=depth)).search.nodes
        limits = Limits(time_ms=None, depth=analysis_depth, lines=_SIGNED_LINES)
        total += analyze(board, limits).search.nodes
    return total


def _tasks(time_ms: int) -> Iterator[Callable[[], Figure]]:
    yield _lookup
    for name in ALGORITHMS[1:]:
        yield partial(_searched, f"3x3, {name}", Board.empty(), Limits(algorithm=name))
    board = Board.empty(15, 15)
    for cell in _MIDDLE_GAME:
        board = board.play(cell)
    yield partial(_searched, "15x15 k5, opening", board, Limits(time_ms=min(time_ms, 1000)))
    for rows, columns, k in _SOLVED:
        empty = Board.empty(rows, columns, k)
        yield partial(_searched, _named(empty.rules), empty, Limits(time_ms=time_ms))


def _named(rules: Rules) -> str:
    switches = (
        " gravity" * rules.gravity,
        " exactly" * (not rules.overline),
        " misere" * rules.misere,
    )
    return f"{rules.rows}x{rules.columns} k{rules.k}{''.join(switches)}"


def _lookup() -> Figure:
    board = Board.parse("X...O....")
    best_move(board)
    started, cpu = time.perf_counter(), time.process_time()
    for _ in range(_LOOKUPS):
        answer = best_move(board)
    ms = (time.perf_counter() - started) * 1000 / _LOOKUPS
    cpu_ms = (time.process_time() - cpu) * 1000 / _LOOKUPS
    return Figure("3x3, look-up", str(answer.outcome), 1, round(ms, 4), round(cpu_ms, 4))


def _searched(what: str, board: Board, limits: Limits) -> Figure:
    started, cpu = time.perf_counter(), time.process_time()
    answer = best_move(board, limits)
    ms = (time.perf_counter() - started) * 1000
    cpu_ms = (time.process_time() - cpu) * 1000
    depth = answer.search.depth
    distance = "" if answer.outcome == "draw" else f" in {answer.plies} plies"
    result = f"{answer.outcome}{distance}" if answer.exact else f"unproven, depth {depth}"
    return Figure(what, result, answer.search.nodes, round(ms, 3), round(cpu_ms, 3))
