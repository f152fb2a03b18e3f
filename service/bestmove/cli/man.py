"""`bestmove man`: manual pages, generated from the commands' help."""

from __future__ import annotations

import inspect
from typing import Final

import click

from bestmove.cli.exits import EXIT_CODES

NAME: Final = "bestmove"

_PREFORMATTED: Final = "\b\n"
"""click's mark for a paragraph that keeps its line breaks."""


@click.command()
@click.argument("command", required=False)
@click.pass_context
def man(context: click.Context, command: str | None) -> None:
    """Print the manual page of COMMAND, or that of bestmove itself.

    \b
    bestmove man play | man -l -
    bestmove man > bestmove.1
    bestmove man suggest > bestmove-suggest.1
    """
    group = context.find_root().command
    assert isinstance(group, click.Group)
    root = click.Context(group, info_name=NAME, **group.context_settings)
    if command is None:
        click.echo(page(root))
        return
    found = group.get_command(root, command)
    if found is None:
        raise click.UsageError(f"there is no command {command!r}")
    click.echo(page(click.Context(found, root, command)))


def page(context: click.Context) -> str:
    """The manual page of a command, in the macros of man(7)."""
    from bestmove.cli.app import COMMANDS
    from bestmove.version import __version__

    command, group = context.command, context.find_root().command
    name = context.command_path.replace(" ", "-")
    text = inspect.cleandoc(command.help or "")
    about = COMMANDS.get(command.name or "", text.partition("\n")[0])
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH {name.upper()} 1 "" "{NAME} {__version__}"',
        *(".SH NAME", f"{_escaped(name)} \\- {_escaped(about.rstrip('.?'))}"),
        *(".SH SYNOPSIS", f".B {_escaped(context.command_path)}", _escaped(usage)),
        *(".SH DESCRIPTION", *_paragraphs(text)),
    ]
    if command is group:
        lines += [
            ".SH COMMANDS",
            *_list([(f"{NAME}-{each}(1)", COMMANDS[each]) for each in COMMANDS]),
        ]
    options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    lines += [".SH OPTIONS", *_list([each.get_help_record(context) for each in options])]
    lines += [".SH EXIT STATUS", *_paragraphs(EXIT_CODES.replace("Exit codes:\n", ""))]
    if command is not group:
        lines += [".SH SEE ALSO", f".BR {NAME} (1)"]
    return "\n".join(lines)


def _paragraphs(text: str) -> list[str]:
    lines = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith(_PREFORMATTED):
            kept = paragraph.removeprefix(_PREFORMATTED)
            lines += [".PP", ".EX", *map(_escaped, kept.splitlines()), ".EE"]
        else:
            lines += [".PP", _escaped(" ".join(paragraph.split()))]
    return lines


def _list(items: list[tuple[str, str] | None]) -> list[str]:
    """The lines of a list of terms with their meanings."""
    lines = []
    for term, meaning in filter(None, items):
        lines += [".TP", f".B {_escaped(term)}", _escaped(meaning)]
    return lines


def _escaped(text: str) -> str:
    """The text, escaped so that roff prints it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in text)
    return f"\\&{text}" if text.startswith((".", "'")) else text
