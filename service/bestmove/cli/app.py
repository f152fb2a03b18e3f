"""The command `bestmove`: its subcommands and its exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from bestmove.cli import ctrl_c
from bestmove.cli.exits import BAD_INPUT, EXIT_CODES, FAILED, OK, one_line, report
from bestmove.errors import BestMoveError, InvalidInput, InvalidSetting, RequestRefused

COMMANDS: Final = {
    "play": "Play against the engine in the terminal.",
    "suggest": "Suggest the best move on each board.",
    "analyze": "Show the result of every legal move, best first.",
    "label": "Add the answers to a table of positions.",
    "tree": "Search a game tree, and show what is pruned.",
    "prove": "Write a certificate of a board's result.",
    "verify": "Check a certificate.",
    "serve": "Start the HTTP service, with a page to play on.",
    "gomocup": "Play for Gomocup's match managers.",
    "mcp": "Offer tools to assistants (Model Context Protocol).",
    "completion": "Print the script for a shell's completion.",
}

_MODULES: Final = {"analyze": "suggest", "verify": "prove"}
"""The commands that are in the module of another command."""

_UNBROKEN: Final = "\u2011"


class Help(click.HelpFormatter):
    """Breaks lines between words, not at the hyphens of names and options."""

    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", _UNBROKEN))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        unbroken = [(term, text.replace("-", _UNBROKEN)) for term, text in rows]
        super().write_dl(unbroken, col_max, col_spacing)

    def getvalue(self) -> str:
        return super().getvalue().replace(_UNBROKEN, "-")


class Context(click.Context):
    formatter_class = Help


class CommandGroup(click.Group):
    """Imports only the command that is run, and turns errors into exit codes."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"bestmove.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        command.context_class = Context
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [name for name in COMMANDS if name.startswith(incomplete)]
        items = [CompletionItem(name, help=COMMANDS[name]) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command. With `standalone_mode=False`, the caller handles errors."""
        run: Callable[[], Any] = partial(
            super().main, args, prog_name, complete_var, standalone_mode=False, **extra
        )
        if not standalone_mode:
            return run()
        if sys.stdin is None or sys.stdout is None:  # the shell closed the stream, as with `>&-`
            report(f"bestmove: standard {'input' if sys.stdin is None else 'output'} is closed")
            sys.exit(FAILED)
        _replace_unknown_characters()
        stdout = sys.stdout
        try:
            code = run()
            sys.stdout.flush()
        except click.exceptions.Abort:
            report("interrupted")
            code = ctrl_c.INTERRUPTED
        except click.ClickException as error:
            shown = io.StringIO()
            error.show(shown)
            report(shown.getvalue().rstrip())
            code = error.exit_code
        except (InvalidInput, RequestRefused, InvalidSetting) as error:
            report(f"bestmove: {one_line(error)}")
            code = BAD_INPUT
        except BestMoveError as error:
            report(f"bestmove: {one_line(error)}")
            code = FAILED
        except BrokenPipeError:
            _discard_output()
            code = OK
        except OSError as error:  # such as a full disk or a missing folder
            place = f"{error.filename}: " if error.filename else ""
            report(f"bestmove: {place}{error.strerror or error}")
            code = FAILED
        except SystemExit:
            # At a BrokenPipeError, click replaces sys.stdout by a wrapper and exits with code 1.
            if sys.stdout is stdout:
                raise
            sys.stdout = stdout
            _discard_output()
            code = OK
        ctrl_c.end_at_once()
        sys.exit(code if isinstance(code, int) else OK)


def _discard_output() -> None:
    """Discard further output. Otherwise Python would fail when it flushes a closed pipe at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_unknown_characters() -> None:
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


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
    cls=CommandGroup,
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
def bestmove() -> None:
    """Best Move answers one question: what is the best move on this board?

    Tic-tac-toe and Connect Four are solved. Best Move also plays gomoku, and every other game of k
    in a row on boards of up to 20×20.

    Cells have names: a1 is at the bottom left, b1 is on its right. JSON uses indices: 0 is at the
    top left, 1 is on its right.

    \b
    bestmove play --game connect-four
    bestmove suggest X...O....
    bestmove suggest < boards.txt
    bestmove suggest --game gomoku --moves 'h8 i9'
    bestmove analyze 'XX./.O./...'
    bestmove prove X...O.... -o draw.proof
    bestmove verify draw.proof
    bestmove label boards.parquet labelled.parquet
    bestmove serve
    """
