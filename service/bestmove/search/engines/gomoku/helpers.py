"""More threads for one search: Lazy SMP, as in Stockfish since 2016.

Each helper searches the position of the main search, on its own board. The threads share only the
transposition table. Results are not repeatable, because the timing of threads depends on chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Final

from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.parameters import MAX_EVALUATION, PROVEN, UNKNOWN, WON
from bestmove.search.engines.gomoku.search import Search

_LEAST_BITS: Final = 4
"""A helper's own table is as small as possible, because the kernel's table replaces it."""


def adjust(helpers: list[Search], kernel: Search, count: int) -> None:
    """Make or drop helpers of a kernel, so that there are `count`."""
    del helpers[count:]
    while len(helpers) < count:
        helpers.append(Search(kernel.rows, kernel.columns, kernel.k, _LEAST_BITS, kernel.overline))


@contextmanager
def at_work(helpers: Sequence[Search], kernel: Search, cells: bytes, side: int) -> Iterator[None]:
    """While the block runs, let helpers search the position that `kernel` searches.

    Args:
        helpers: each gets a thread.
        kernel: the search to help; its `begin` has been called.
        cells: a byte for each cell: 0 empty, 1 X, 2 O.
        side: the side to move: 0 for X, 1 for O.
    """
    for helper in helpers:
        helper.begin(cells, None, None)
        helper.table.share(kernel.table)
    # The helpers start at depths 2, 1, 2, 1 ..., so that the helpers search different trees.
    threads = [
        Thread(target=_deepen, args=(helper, side, 2 - number % 2), daemon=True)
        for number, helper in enumerate(helpers)
    ]
    try:
        for thread in threads:
            thread.start()
        yield
    finally:
        for helper in helpers:
            helper.cancelled = True
        for thread in threads:
            if thread.ident is not None:
                thread.join()


def _deepen(helper: Search, side: int, first: int) -> None:
    helper.list_root(side)
    value = UNKNOWN
    for plies in range(first, min(parameters.DEEPEST, helper.empty) + 1):
        alpha, beta = -UNKNOWN, WON
        if plies >= parameters.ASPIRATION_DEPTH and abs(value) < MAX_EVALUATION:
            alpha = value - parameters.ASPIRATION_WINDOW
            beta = value + parameters.ASPIRATION_WINDOW
        value = helper.search_root(side, plies, alpha, beta)
        if not alpha < value < beta and value < WON and not helper.stopped:
            value = helper.search_root(side, plies, -UNKNOWN, WON)
        if helper.stopped or helper.cancelled or abs(value) >= PROVEN:
            break
