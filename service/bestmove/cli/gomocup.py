"""`bestmove gomocup`: a brain for match managers."""

from __future__ import annotations

import io
import os
import signal
import sys
from functools import partial

import click

from bestmove.game import MAX_SIDE


@click.command(short_help="A brain for Gomocup's match managers.")
@click.option(
    "-k",
    type=click.IntRange(1, MAX_SIDE),
    metavar="N",
    help="Marks in a line that win.  [default: 5]",
)
@click.option(
    "--level",
    type=click.IntRange(1, 10),
    metavar="N",
    default=10,
    show_default=True,
    help="1 (a child can beat it) to 10 (best play).",
)
@click.option("--seed", type=int, metavar="N", help="Play the same moves again for the same seed.")
@click.option(
    "--max-time",
    "max_time_ms",
    type=click.IntRange(min=1),
    metavar="MS",
    help="The longest that a move may take, whatever the manager allows.",
)
def gomocup(k: int | None, level: int, seed: int | None, max_time_ms: int | None) -> None:
    """Play through the Gomocup protocol on standard input and output.

    For match managers such as Piskvork. Boards have up to 20 columns and rows; the rules are
    freestyle (rule 0) and exactly five (rule 1). Without a time from the manager a move takes a
    second.

    \b
    Try it by hand:
      printf 'START 15\\nBEGIN\\nEND\\n' | bestmove gomocup
    """
    from bestmove.bots.gomocup import Brain
    from bestmove.bots.pipes import run
    from bestmove.search.analysis import best_move
    from bestmove.search.cancellation import Cancellation

    # Ctrl-C ends the process at once, also in the middle of a search.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    source = io.TextIOWrapper(sys.stdin.buffer, encoding="ascii", errors="replace")
    cancellation = Cancellation()
    engine = partial(best_move, cancellation=cancellation)
    brain = Brain(engine, k=k, level=level, seed=seed, max_time_ms=max_time_ms)
    run(brain, source, sys.stdout, sys.stderr, hurry=cancellation.cancel)
    sys.stdout.flush()
    os._exit(0)  # the thread that waits for input must not hold up the end
