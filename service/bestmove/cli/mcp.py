"""`bestmove mcp`: tools for assistants."""

from __future__ import annotations

import click

from bestmove.cli.exits import require_extra
from bestmove.cli.options import url_option


@click.command()
@url_option
def mcp(url: str | None) -> None:
    """Serve the tools best_move, analyze and play on standard input and output.

    They are for assistants that speak the Model Context Protocol.

    \b
    Add the command to the assistant's settings:
      {"mcpServers": {"bestmove":
        {"command": "bestmove", "args": ["mcp"]}}}
    """
    require_extra("mcp")
    from bestmove.bots.mcp import server
    from bestmove.cli.backends import backend

    with backend(url) as answers:
        server(answers).run("stdio")
