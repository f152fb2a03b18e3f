"""The command `bestmove`: its subcommands, and the exit codes that they share."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import click

from bestmove.cli.bench import bench
from bestmove.cli.completion import completion
from bestmove.cli.gomocup import gomocup
from bestmove.cli.label import label
from bestmove.cli.mcp import mcp
from bestmove.cli.options import told
from bestmove.cli.play import play
from bestmove.cli.prove import prove, verify
from bestmove.cli.serve import serve
from bestmove.cli.suggest import analyze, suggest
from bestmove.cli.tree import tree
from bestmove.errors import BestMoveError, InvalidInput, InvalidSetting, RequestRefused

OK: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130

EXIT_CODES: Final = """\b
Exit codes:
  0    done
  1    the service or the search failed
  2    wrong usage, or input that must change: no board, an illegal move
  130  interrupted by Ctrl-C; suggest and analyze print the best so far before"""


class Application(click.Group):
    """A group that turns errors into one line and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; `standalone_mode=False` leaves errors to the caller."""
        run: Callable[[], Any] = partial(
            super().main, args, prog_name, complete_var, standalone_mode=False, **extra
        )
        if not standalone_mode:
            return run()
        _never_fail_on_a_character()
        try:
            code = run()
            sys.stdout.flush()
        except click.exceptions.Abort:
            click.echo("interrupted", err=True)
            code = INTERRUPTED
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (InvalidInput, RequestRefused, InvalidSetting) as error:
            code = _complain(error, BAD_INPUT)
        except BestMoveError as error:
            code = _complain(error, FAILED)
        except BrokenPipeError:
            # Whoever read the output, `head` perhaps, has enough of it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = OK
        sys.exit(code if isinstance(code, int) else OK)


def _never_fail_on_a_character() -> None:
    """Show ? for what the terminal cannot show or the input does not spell."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(error: Exception, code: int) -> int:
    click.echo(f"bestmove: {told(error)}", err=True)
    return code


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from bestmove.search.engines.gomoku import search
    from bestmove.search.engines.solver import kernel
    from bestmove.version import __version__

    compiled = search.compiled and kernel.compiled
    engine = "compiled" if compiled else "in plain Python, much slower"
    click.echo(f"bestmove {__version__} (engine {engine})")
    context.exit()


@click.group(
    cls=Application,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and whether the engine is compiled.",
)
def main() -> None:
    """Best Move answers one question: this is the board, what should be played?

    From tic-tac-toe and Connect Four, which it plays perfectly, to gomoku on 20×20. Cells are
    named by column letter, from the left, and row number, from the bottom: a1 is at the bottom
    left. JSON has indices, from 0 at the top left.

    \b
    bestmove play                              play against it
    bestmove play --game connect-four
    bestmove suggest X...O....                 the best move on a board
    bestmove suggest < boards.txt              on many, one a line
    bestmove suggest --game gomoku --moves 'h8 i9'
    bestmove analyze 'XX./.O./...'             every move and what it leads to
    bestmove prove X...O.... -o draw.proof     a certificate of the result
    bestmove verify draw.proof                 checked
    bestmove label boards.parquet out.parquet  a table of positions, with the answers
    bestmove serve                             the service, with a page to play on
    """


for command in (
    play,
    suggest,
    analyze,
    label,
    tree,
    prove,
    verify,
    serve,
    gomocup,
    mcp,
    bench,
    completion,
):
    main.add_command(command)
