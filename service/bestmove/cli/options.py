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
from bestmove.search.limits import OPTIONS, Option

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


def limit_options(command: str, **words: str) -> Decorator:
    """Return the options of a search that a command takes.

    Args:
        words: the help of an option, instead of its usual words.
    """
    taken = ((name, each) for name, each in OPTIONS.items() if command in each.doors)
    return together(*(_limit(name, each, command, words.get(name)) for name, each in taken))


def _limit(name: str, option: Option, command: str, words: str | None) -> Decorator:
    text = words or option.words
    if not words and option.choices:
        text += f" One of {', '.join(option.choices)}."
    if not words and option.default is not None:
        text += f"  [default: {option.default}]"
    if command in _ASKS and _ASKS[command] not in option.doors:
        text += " Not with --url."
    flag = f"--{name.removesuffix('_ms')}"
    kind: Any = click.Choice(option.choices)
    metavar = "NAME"
    if not option.choices:
        # The help shows the range, unless it is that of 64 bits.
        kind = click.INT
        if option.least > 0:
            kind = click.IntRange(option.least, option.most)
            kind.name = f"integer from {option.least} to {option.most}"  # for click's errors
        metavar = "MS" if name.endswith("_ms") else "N"
    return click.option(flag, name, type=kind, metavar=metavar, help=text)


_ASKS: Final = {"suggest": "/best-move", "analyze": "/analyze"}
"""What a command asks the service at --url. `play` and `prove` take only what the service takes."""


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
