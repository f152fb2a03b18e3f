"""The command line: `bestmove play | suggest | analyze | …`.

The module of a command contains the command's help and options, and imports little, so that the
help and the shell's completion are quick. The command imports everything else when it runs.
"""

from bestmove.cli import ctrl_c

__all__ = ["main"]


def main(args: list[str] | None = None, prog_name: str = "bestmove") -> None:
    """Run the command, with the arguments of the process if none are given."""
    ctrl_c.end_at_once()
    from bestmove.cli.app import bestmove

    bestmove(args, prog_name)
