"""`bestmove mcp`: tools for assistants."""

from __future__ import annotations

import click

from bestmove.cli.options import url_option


@click.command()
@url_option
def mcp(url: str | None) -> None:
    """Serve the tools best_move, analyze and play on standard input and output.

    They are for assistants that speak the Model Context Protocol.

    \b
    Install the protocol's official SDK:
      pip install 'bestmove[mcp]'
    Add the command to the assistant's settings:
      {"mcpServers": {"bestmove":
        {"command": "bestmove", "args": ["mcp"]}}}
    """
    from bestmove.cli.backends import backend

    try:
        from bestmove.bots.mcp import server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("mcp", "pydantic"):
            raise
        raise click.ClickException(
            "the SDK of the Model Context Protocol is missing: pip install 'bestmove[mcp]'"
        ) from None
    with backend(url) as answers:
        server(answers).run("stdio")
