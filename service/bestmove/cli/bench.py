"""`bestmove bench`: the engine's speed on this machine."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

import click

from bestmove.cli import ctrl_c
from bestmove.cli.options import (
    game_options,
    integer_option,
    json_option,
    options_of,
    plain_option,
)

_WIDE: Final = 80


@click.command()
@game_options
@integer_option(
    "--time",
    "time_ms",
    least=10,
    most=600_000,
    default=5_000,
    show_default=True,
    metavar="MS",
    help="The longest time for one search.",
)
@click.option(
    "--signature",
    "only_signature",
    is_flag=True,
    help="Only print how many nodes a fixed set of searches visits, the same on every machine.",
)
@json_option
@plain_option
def bench(time_ms: int, only_signature: bool, as_json: bool, plain: bool, **values: Any) -> None:
    """Measure the engine on this machine.

    A game or a size names the empty board to search. Without one, the command searches
    3×3 and 15×15, and solves small empty boards. Nodes are counted per second of processor time.

    \b
    bestmove bench
    bestmove bench --game connect-four
    bestmove bench --size 5x6 -k 4 --time 60000
    """
    from rich import box
    from rich.table import Table

    from bestmove.cli import drawing, measuring, progress
    from bestmove.game.inputs import position_of

    ctrl_c.raise_error()
    if only_signature:
        click.echo(measuring.signature())
        return
    options = options_of(values)
    board = position_of(None, options) if options else None
    tasks = measuring.tasks(board, time_ms)
    figures = [task() for task in progress.bar(tasks, "measuring", plain)]
    if as_json:
        for figure in figures:
            click.echo(json.dumps({**asdict(figure), "nodes_per_second": figure.nodes_per_second}))
        return
    console = drawing.console(plain)
    is_narrow = console.width < _WIDE
    table = Table(box=None if plain or is_narrow else box.SIMPLE, pad_edge=False)
    table.add_column("from empty", width=20 if is_narrow else None)
    table.add_column("result", width=9 if is_narrow else None)
    for heading in ("nodes", "ms", "nodes/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for figure in figures:
        speed = f"{figure.nodes_per_second / 1000:,.0f} k" if figure.nodes_per_second else ""
        ms = f"{figure.ms:,.1f}" if figure.ms >= 1 else f"{figure.ms:.4f}"
        table.add_row(figure.what, figure.result, f"{figure.nodes:,}", ms, speed)
    console.print(table)
