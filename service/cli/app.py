"""The command `bestmove` and what all its subcommands share."""

from __future__ import annotations

import click

from service.cli.gomocup import gomocup


@click.group()
def main() -> None:
    """Best Move."""


main.add_command(gomocup)
