"""The command line: `bestmove serve | suggest | play | analyze | tree | gomocup | mcp | bench`."""

from bestmove.cli.app import main

__all__ = ["main"]
