"""Options that several commands share, and what they mean."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import click

from bestmove.client.connection import Options
from bestmove.errors import InvalidInput
from bestmove.search.limits import ALGORITHMS, BEST_LEVEL, MAX_DEPTH, MAX_TIME_MS

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

SIDE: Final = click.IntRange(1, 19)
MARK: Final = click.Choice(["X", "O"], case_sensitive=False)
NUMBER: Final = "N"


def options_of(values: dict[str, Any]) -> Options:
    """The options that were given, by the contract's names; None is not given."""
    names = Options.__optional_keys__
    given = {name: value for name, value in values.items() if name in names and value is not None}
    return cast(Options, given)


def board_options(command: Command) -> Command:
    """How the board is to be read."""
    return _with(
        command,
        click.option(
            "--rows", type=SIDE, metavar=NUMBER, help="Rows of a board given without separators."
        ),
        click.option(
            "--columns",
            type=SIDE,
            metavar=NUMBER,
            help="Columns of a board given without separators.",
        ),
        k_option,
        first_option,
    )


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


def url_option(command: Command) -> Command:
    """Ask a server."""
    return click.option(
        "--url",
        metavar="URL",
        envvar="BESTMOVE_URL",
        help="Ask the service at this address; without it the engine runs here.  "
        "[env: BESTMOVE_URL]",
    )(command)


def json_option(command: Command) -> Command:
    """Output for scripts."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON as the service sends it, a line each."
    )(command)


def plain_option(command: Command) -> Command:
    """No colours."""
    return click.option(
        "--plain", is_flag=True, help="ASCII without colours; NO_COLOR=1 turns off colours alone."
    )(command)


def k_option(command: Command) -> Command:
    """k in a row."""
    return click.option(
        "-k",
        "--k",
        type=SIDE,
        metavar=NUMBER,
        help="Marks in a line that win.  [default: the shorter side, at most 5]",
    )(command)


def first_option(command: Command) -> Command:
    """Who moved first."""
    return click.option("--first", type=MARK, metavar="X|O", help="Who moved first.  [default: X]")(
        command
    )


def time_option(command: Command) -> Command:
    """The search budget."""
    return click.option(
        "--time",
        "time_ms",
        type=click.IntRange(1, MAX_TIME_MS),
        metavar="MS",
        help="Milliseconds for a move.  [default: 1000]",
    )(command)


def depth_option(command: Command) -> Command:
    """Plies to look ahead."""
    return click.option(
        "--depth",
        type=click.IntRange(1, MAX_DEPTH),
        metavar=NUMBER,
        help="Look so many moves ahead, not to the end.",
    )(command)


def boards_from(arguments: tuple[str, ...]) -> list[str] | None:
    """The boards named on the command line; None when they come by standard input.

    Raises:
        click.UsageError: none was given, and standard input is a terminal.
    """
    if arguments == ("-",) or (not arguments and not sys.stdin.isatty()):
        return None
    if not arguments:
        raise click.UsageError("give a board, such as X...O...., or boards on standard input")
    return list(arguments)


def told(error: Exception) -> str:
    """An error in a line, with the place in the input where it names one."""
    place = error.field if isinstance(error, InvalidInput) and "/" in error.field else ""
    return f"{place}: {error}" if place else str(error)


def _with(command: Command, *decorators: Decorator[Command]) -> Command:
    for decorator in reversed(decorators):
        command = decorator(command)
    return command
