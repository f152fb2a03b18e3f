"""Options that several commands share, and what they mean."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import click

from bestmove.client.questions import AnalysisOptions, MoveOptions, Options
from bestmove.errors import InvalidInput
from bestmove.game import MAX_SIDE, PRESETS
from bestmove.search.limits import (
    ALGORITHMS,
    BEST_LEVEL,
    MAX_DEPTH,
    MAX_LINES,
    MAX_THREADS,
    MAX_TIME_MS,
)

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

MARK: Final = click.Choice(["X", "O"], case_sensitive=False)
NUMBER: Final = "N"

_SIZE: Final = re.compile(r"(\d{1,2})(?:\s*[x×]\s*(\d{1,2}))?", re.ASCII | re.IGNORECASE)


class Size(click.ParamType[tuple[int, int]]):
    """Rows and columns: 15, or 6x7 for 6 rows of 7 columns."""

    name = "size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """The rows and columns that a text names."""
        if isinstance(value, tuple):
            return value
        found = _SIZE.fullmatch(value.strip())
        if not found:
            self.fail(f"{value!r} is no size: 15, or 6x7 for 6 rows of 7 columns", param, ctx)
        rows = int(found[1])
        columns = int(found[2] or rows)
        if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
            self.fail(f"{value} is out of range: 1 to {MAX_SIDE} rows and columns", param, ctx)
        return rows, columns


class AllOptions(AnalysisOptions, MoveOptions, total=False):
    """What goes with any question about a board."""


def options_of(values: dict[str, Any]) -> AllOptions:
    """The options that were given, by the contract's names; None is not given."""
    size = values.get("size")
    rows, columns = size or (None, None)
    values = {**values, "rows": rows, "columns": columns}
    names = AllOptions.__optional_keys__
    given = {name: value for name, value in values.items() if name in names and value is not None}
    return cast(AllOptions, given)


def game_options(command: Command) -> Command:
    """Which game it is."""
    return _with(
        command,
        click.option(
            "--game",
            type=click.Choice(list(PRESETS)),
            metavar="NAME",
            help=f"A game by name: {', '.join(PRESETS)}.",
        ),
        click.option(
            "--size",
            type=Size(),
            metavar="ROWS[xCOLUMNS]",
            help=f"15 for 15×15, 6x7 for 6 rows of 7 columns; up to {MAX_SIDE}.  "
            "[default: as the board or the game has it, else 3]",
        ),
        click.option(
            "-k",
            type=click.IntRange(1, MAX_SIDE),
            metavar=NUMBER,
            help="Marks in a line that win.  [default: the game's, else the shorter side, at most "
            "5]",
        ),
        click.option(
            "--gravity/--no-gravity",
            default=None,
            help="A mark falls to the bottom of its column, as in Connect Four.",
        ),
        click.option(
            "--overline/--no-overline",
            default=None,
            help="Whether more than K in a row win too, or exactly K only.  [default: they do]",
        ),
        click.option("--misere", is_flag=True, default=None, help="Who completes a line loses."),
        click.option("--first", type=MARK, metavar="X|O", help="Who moved first.  [default: X]"),
    )


moves_option: Final = click.option(
    "--moves",
    metavar="MOVES",
    help="The moves so far, in place of a board: 'h8 i9 g7'; with gravity also column numbers "
    "from 1, such as 4453; '' is the empty board.",
)
"""The position as the moves that led to it."""


def search_options(command: Command) -> Command:
    """How a move is to be found."""
    return _with(
        command,
        click.option(
            "--level",
            type=click.IntRange(1, BEST_LEVEL),
            metavar=NUMBER,
            help="1 (a child can beat it) to 10 (best play).  [default: 10]",
        ),
        click.option(
            "--seed",
            type=int,
            metavar=NUMBER,
            help="Play the same moves again for the same seed.",
        ),
        time_option,
        depth_option,
        click.option(
            "--algorithm",
            type=click.Choice(ALGORITHMS),
            metavar="NAME",
            help=f"A textbook search in place of the strongest: {', '.join(ALGORITHMS[1:])}.  "
            "[default: auto]",
        ),
    )


url_option: Final = click.option(
    "--url",
    metavar="URL",
    envvar="BESTMOVE_URL",
    help="Ask the service at this address; without it the engine runs here.  [env: BESTMOVE_URL]",
)
"""Ask a server."""


json_option: Final = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON as the service sends it, a line each."
)
"""Output for scripts."""


plain_option: Final = click.option(
    "--plain", is_flag=True, help="ASCII without colours; NO_COLOR=1 turns off colours alone."
)
"""No colours."""


time_option: Final = click.option(
    "--time",
    "time_ms",
    type=click.IntRange(1, MAX_TIME_MS),
    metavar="MS",
    help="Milliseconds for a move.  [default: 1000]",
)
"""The search budget."""


depth_option: Final = click.option(
    "--depth",
    type=click.IntRange(1, MAX_DEPTH),
    metavar=NUMBER,
    help="Look so many moves ahead, not to the end.",
)
"""Plies to look ahead."""


threads_option: Final = click.option(
    "--threads",
    type=click.IntRange(1, MAX_THREADS),
    metavar=NUMBER,
    help="Search with so many processors; no game is then played again move by move.  [default: 1]",
)
"""Processors for one search."""


def told(error: Exception) -> str:
    """An error in a line, with the place in the input where it names one."""
    place = error.field if isinstance(error, InvalidInput) and "/" in error.field else ""
    return f"{place}: {error}" if place else str(error)


lines_option: Final = click.option(
    "--lines",
    type=click.IntRange(1, MAX_LINES),
    metavar=NUMBER,
    help="Search so many of the best moves deepest.  [default: all moves alike]",
)
"""The best moves of an analysis."""


def boards_from(arguments: tuple[str, ...], options: Options) -> list[str | None] | None:
    """The boards that the command line names; None when they come by standard input.

    A board that is None is the one that the options describe: by its moves, or the empty one.

    Raises:
        click.UsageError: none was given, and standard input is a terminal; or a board and moves.
    """
    if "moves" in options:
        if arguments:
            raise click.UsageError("give boards or --moves, not both")
        return [None]
    if arguments == ("-",) or (not arguments and not sys.stdin.isatty()):
        return None
    if not arguments and ("game" in options or "rows" in options):
        return [None]
    if not arguments:
        raise click.UsageError(
            "give a board, such as X...O...., a --game, or boards on standard input"
        )
    return list(arguments)


def _with(command: Command, *decorators: Decorator[Command]) -> Command:
    for decorator in reversed(decorators):
        command = decorator(command)
    return command
