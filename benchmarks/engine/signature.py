"""Does a change alter the search, or slow it down? Counts the nodes of fixed searches.

    python -m benchmarks.engine.signature             the nodes, the same on every machine
    python -m benchmarks.engine.signature --speed     nodes per second of processor time

To compare the speed of two versions, run each in its checkout, in turn, several times, and compare
the best runs.
"""

import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from benchmarks.options import asked
from bestmove.game import Board
from bestmove.game.rules import Variant
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import Limits

_LINES: Final = 2
_GRAVITY: Final[Variant] = {"gravity": True}
_EXACTLY: Final[Variant] = {"overline": False}
_MISERE: Final[Variant] = {"misere": True}
_SEARCHED: Final[tuple[tuple[tuple[int, int, int], Variant, tuple[int, ...], int, int], ...]] = (
    ((3, 4, 3), {}, (), 1, 1),
    ((5, 4, 4), {}, (9, 6, 5), 1, 1),
    ((4, 5, 4), _EXACTLY, (7, 12, 6), 1, 1),
    ((4, 5, 4), _GRAVITY, (17, 18, 12, 13, 19), 1, 1),
    ((4, 4, 3), _MISERE, (5, 6, 9, 0, 15), 1, 1),
    ((5, 5, 4), {}, (12, 6), 4, 3),
    ((6, 6, 5), {}, (14, 21, 15), 5, 3),
    ((6, 7, 5), _GRAVITY, (38, 31), 4, 3),
    ((7, 7, 4), _MISERE, (24,), 4, 3),
    ((9, 7, 5), {}, (31, 24, 30, 32), 6, 2),
    ((9, 9, 5), _EXACTLY, (40, 41), 4, 2),
    ((12, 12, 6), {}, (65, 66, 78, 54, 53), 5, 1),
    ((15, 15, 5), {}, (112, 97, 113, 111, 128, 96, 98), 8, 4),
    ((15, 15, 5), {}, (51, 21, 65, 98, 67, 115, 69, 139), 4, 1),
    ((15, 15, 5), _EXACTLY, (66, 39, 67, 115, 80, 130, 100, 160), 4, 1),
    ((19, 19, 5), {}, (180, 160, 162, 198, 161), 5, 1),
)
"""The positions that `signature` searches, each with

- rows, columns and k,
- the other rules,
- the cells of the moves so far,
- the depths of a search and of an analysis.

The searches are limited by depth, because their nodes are counted.
"""

_TIMED: Final[dict[str, tuple[tuple[int, int, int], Variant, tuple[int, ...]]]] = {
    "gomoku, 15×15": ((15, 15, 5), {}, (112, 97, 113, 111, 128, 96, 98)),
    "solver, 7×7 k5": ((7, 7, 5), {}, ()),
    "gravity, 9×9 k5": ((9, 9, 5), _GRAVITY, (76, 67)),
    "misère, 9×9 k4": ((9, 9, 4), _MISERE, (40,)),
}
"""A position for each engine: rows, columns and k, the other rules, and the moves so far."""

NODES: Final = 2_000_000


class Speed(NamedTuple):
    """How long the engine of a game searched: nodes, and seconds of processor time."""

    game: str
    nodes: int
    seconds: float


def signature() -> int:
    """Count the nodes of fixed searches and analyses. They are small enough for plain Python.

    The number is the same whether the engine is compiled or not. A test compares it with a fixed
    number, and so notices every change of the search.
    """
    total = 0
    for shape, variant, played, depth, analysis_depth in _SEARCHED:
        board = _board(shape, variant, played)
        total += best_move(board, Limits(time_ms=None, depth=depth)).search.nodes
        limits = Limits(time_ms=None, depth=analysis_depth, lines=_LINES)
        total += analyze(board, limits).search.nodes
    return total


def speeds(nodes: int = NODES) -> Iterator[Speed]:
    """Search a position of each kind with this number of nodes."""
    for game, position in _TIMED.items():
        board = _board(*position)
        began = time.process_time()
        found = best_move(board, Limits(time_ms=None, nodes=nodes))
        yield Speed(game, found.search.nodes, time.process_time() - began)


def _board(shape: tuple[int, int, int], variant: Variant, played: tuple[int, ...]) -> Board:
    board = Board.empty(*shape, **variant)
    for cell in played:
        board = board.play(cell)
    return board


def main() -> None:
    if not asked(__doc__, speed=False).speed:
        print(signature())
        return
    for game, nodes, seconds in speeds():
        print(f"{game:16} {nodes:10,} nodes {nodes / seconds / 1000:8,.0f} k/s", flush=True)


if __name__ == "__main__":
    main()
