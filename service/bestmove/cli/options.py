"""Options that several commands share."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, Final

import click

from bestmove.game import MAX_SIDE, PRESETS
from bestmove.game.inputs import given
from bestmove.game.rules import SWITCHES
from bestmove.search.limits import (
    ALGORITHMS,
    BEST_LEVEL,
    EVALUATIONS,
    MAX_DEPTH,
    MAX_LINES,
    MAX_NODES,
    MAX_THREADS,
    MAX_TIME_MS,
    TEXTBOOK,
)

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

MARK: Final = click.Choice(["X", "O"], case_sensitive=False)

_SIZE: Final = re.compile(r"(\d{1,2})(?:\s*[x×]\s*(\d{1,2}))?", re.ASCII | re.IGNORECASE)


def integer_option(
    *names: str, least: int = 1, most: int | None = None, metavar: str = "N", **settings: Any
) -> Decorator:
    return click.option(*names, type=click.IntRange(least, most), metavar=metavar, **settings)


def _size(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise click.BadParameter(f"{text!r} is not a size: give 15, or 6x7 for 6 rows of 7 columns")
    rows = int(found[1])
    columns = int(found[2] or rows)
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise click.BadParameter(f"{text} is out of range: 1 to {MAX_SIDE} rows and columns")
    return rows, columns


def options_of(values: dict[str, Any]) -> dict[str, Any]:
    """Return the given options under their names in the API."""
    rows, columns = values.pop("size", None) or (None, None)
    values |= {"rows": rows, "columns": columns}
    return given(values)


def together(*options: Decorator) -> Decorator:
    """Combine options into one decorator that adds them in the given order."""

    def add(command: Function) -> Function:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def algorithm_option(default: str) -> Decorator:
    return click.option(
        "--algorithm",
        type=click.Choice(ALGORITHMS if default == "auto" else TEXTBOOK),
        metavar="NAME",
        help=f"A textbook search: {', '.join(TEXTBOOK)}.  [default: {default}]",
    )


evaluation_option: Final = click.option(
    "--evaluation",
    type=click.Choice(EVALUATIONS),
    metavar="NAME",
    help=f"How a textbook search values positions: {', '.join(EVALUATIONS)}.  [default: bare]",
)

game_options: Final = together(
    click.option(
        "--game",
        type=click.Choice(list(PRESETS)),
        metavar="NAME",
        help=f"A game by name: {', '.join(PRESETS)}.",
    ),
    click.option(
        "--size",
        callback=_size,
        metavar="ROWS[xCOLUMNS]",
        help=f"15 for 15×15, 6x7 for 6 rows of 7 columns; up to {MAX_SIDE}.  "
        "[default: that of the board or the game, else 3]",
    ),
    integer_option(
        "-k",
        most=MAX_SIDE,
        help="Marks in a row that win.  [default: that of the game, else the shorter side, at most "
        "5]",
    ),
    *(
        click.option(
            f"--{each.name}/--no-{each.name}",
            default=None,
            help=f"{each.words}  [default: {'yes' if each.default else 'no'}]",
        )
        for each in SWITCHES.values()
    ),
    click.option("--first", type=MARK, metavar="X|O", help="Who moved first.  [default: X]"),
)

LINES: Final = "-"
"""The value of --moves that means standard input."""

moves_option: Final = click.option(
    "--moves",
    metavar="MOVES",
    help="The moves so far, instead of a board: 'h8 i9 g7'; with gravity also column numbers "
    "from 1, such as 4453; '' is the empty board; - reads moves from standard input, line by line.",
)

url_option: Final = click.option(
    "--url",
    metavar="URL",
    envvar="BESTMOVE_URL",
    help="Ask the service at this address.  [default: search here; env: BESTMOVE_URL]",
)

json_option: Final = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, one object per line."
)

plain_option: Final = click.option(
    "--plain", is_flag=True, help="ASCII without colours. NO_COLOR=1 turns off only the colours."
)

time_option: Final = integer_option(
    "--time",
    "time_ms",
    most=MAX_TIME_MS,
    metavar="MS",
    help="Milliseconds for a search.  [default: 1000]",
)

depth_option: Final = integer_option(
    "--depth", most=MAX_DEPTH, help="Look only this many moves ahead."
)

nodes_option: Final = integer_option(
    "--nodes",
    most=MAX_NODES,
    help="Search this many nodes, however long that takes: the answer is then the same every time. "
    "Not with --url.",
)

threads_option: Final = integer_option(
    "--threads",
    most=MAX_THREADS,
    help="Search with this many processors. The answer may then differ from one run to the next: "
    "not with --seed, --depth or --nodes.  [default: 1]",
)

lines_option: Final = integer_option(
    "--lines",
    most=MAX_LINES,
    help="Search this many of the best moves deeper than the others.  [default: all alike]",
)

level_option: Final = integer_option(
    "--level", most=BEST_LEVEL, help="1 (a child can beat it) to 10 (best play).  [default: 10]"
)

seed_option: Final = click.option(
    "--seed", type=int, metavar="N", help="Play the same moves again for the same seed."
)

search_options: Final = together(
    level_option,
    seed_option,
    time_option,
    depth_option,
    threads_option,
    algorithm_option("auto"),
    evaluation_option,
)


def board_or_moves(board: str | None, options: dict[str, Any]) -> None:
    if board is not None and "moves" in options:
        raise click.UsageError("give a board or --moves, not both")


def boards_from(arguments: tuple[str, ...], options: dict[str, Any]) -> list[str | None] | None:
    """Return the boards on the command line; None if standard input has them.

    If only the options describe the position, return [None].
    """
    if "moves" in options:
        if arguments:
            raise click.UsageError("give boards or --moves, not both")
        return None if options["moves"] == LINES else [None]
    if arguments == ("-",) or (not arguments and not sys.stdin.isatty()):
        return None
    if arguments:
        return list(arguments)
    if "game" in options or "rows" in options:
        return [None]
    raise click.UsageError("give a board, such as X...O...., a --game, or boards on standard input")
