"""`bestmove gomocup`: a player (a “brain”) for the programs that run Gomocup matches."""

from __future__ import annotations

import io
import os
import signal
import sys

import click

from bestmove.cli.options import integer_option, limit_options
from bestmove.game import MAX_SIDE
from bestmove.search.limits import BEST_LEVEL


@click.command()
@integer_option("-k", most=MAX_SIDE, help="Marks in a row that win.  [default: 5]")
@limit_options("gomocup")
@integer_option(
    "--max-time",
    "max_time_ms",
    metavar="MS",
    help="The longest time for a move, even if the manager allows more.",
)
def gomocup(k: int | None, level: int | None, seed: int | None, max_time_ms: int | None) -> None:
    """Play by the Gomocup protocol on standard input and output.

    It is for match managers such as Piskvork. Boards have up to 20 columns and rows. The rules may
    be freestyle (rule 0) or exactly five (rule 1). If the manager sets no time, depth or nodes, a
    move takes one second.

    \b
    Try it by hand:
      printf 'START 15\\nBEGIN\\nEND\\n' | bestmove gomocup
    """
    from bestmove.bots.gomocup import Brain
    from bestmove.bots.pipes import run
    from bestmove.search.analysis import best_move

    # Ctrl-C ends the process at once, even during a search.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    source = io.TextIOWrapper(sys.stdin.buffer, encoding="ascii", errors="replace")
    brain = Brain(best_move, k=k, level=level or BEST_LEVEL, seed=seed, max_time_ms=max_time_ms)
    run(brain, source, sys.stdout, sys.stderr)
    os._exit(0)  # `sys.exit` would wait for the thread that reads the input
