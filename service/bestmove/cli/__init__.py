"""The command line: `bestmove play | suggest | analyze | …`.

The module of a command contains its help and options. It imports little, so that the help and the
shell's completion are quick. Everything else is imported when the command runs.
"""

from bestmove.cli import ctrl_c

__all__ = ["main"]


def main(args: list[str] | None = None, prog_name: str = "bestmove") -> None:
    """Run the command. Without `args`, use the arguments of the process."""
    ctrl_c.end_at_once()
    from bestmove.cli.app import bestmove

    bestmove(args, prog_name)
