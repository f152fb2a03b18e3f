"""Which opening book should gomoku have? Makes one from our engine's searches alone.

    python -m benchmarks.engine.gomoku_book --minutes 20
    python -m benchmarks.engine.gomoku_book --minutes 3 --nodes 30000 --target opening.bin
    python -m benchmarks.engine.gomoku_book --mend --nodes 200000

Drop-out expansion (T. R. Lincke, "Strategies for the automatic construction of opening books",
2000). The book begins with the empty board. To expand a position is to search the position after
each of its promising moves: the best one, and those that a shallow search of all moves finds good.
For the first two marks, the promising moves are all cells where a person is likely to play. An
expanded position is worth what its best move is worth, and its value is carried back to the
positions before it, so a move whose line turns out bad gives way to another. The next position to
expand is the one closest to best play: its cost is the sum of the values lost on the way from the
empty board, plus a charge for every ply.

Only expanded positions are written: their values are based on searches of the next positions, not
on a single search, which any caller could make. Positions with a proven result are left out,
because the engine proves them as fast without a book.

`--mend` reads the existing book and searches each of its positions. Where the search prefers
another move, the positions after both moves are searched in all their images (rotated and
reflected), and the entry takes the other move if it is clearly better.
"""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median_low
from typing import Final

from benchmarks.options import asked
from bestmove.search.engine import Task
from bestmove.search.engines.gomoku import book
from bestmove.search.engines.gomoku.driver import Engine
from bestmove.search.engines.gomoku.parameters import PRESUMED
from bestmove.search.scores import is_proven

TARGET: Final = Path(book.__file__).with_name("opening.bin")
NODES: Final = 1_000_000
TABLE_BITS: Final = 20
PLY: Final = 10
"""The cost of each ply, in addition to the values lost on the way, in the unit of the values."""

GLANCE_DEPTH: Final = 4
GLANCE_NODES: Final = 50_000
LINES: Final = 6
"""How many of the shallow search's best moves are searched when a position is expanded."""

CENTRE: Final = 3
"""A first mark is central if it is at most this many rows and columns from the middle. After such a
mark, all second marks at most REACH rows and columns from it are searched."""

REACH: Final = 2
CLEARLY: Final = 40
"""How much better another move must be to replace that of an entry, in the unit of the values."""

EMPTY: Final = 0
"""The name of the empty board."""

_MOST: Final = PRESUMED - 1


@dataclass(slots=True)
class Node:
    """A position that has been searched.

    Attributes:
        name: its name by `book.name`; all moves here refer to the image that this names.
        value, move, depth: from its own search or, once it is expanded, from the moves tried.
        replies: the moves to try when it is expanded.
        is_proven: whether its own search has proven the value.
        following: once it is expanded, the moves tried and the names of the positions after them.
        cost: the values lost on the way to it, plus the charge for its plies.
    """

    name: int
    value: int
    move: int
    depth: int
    replies: list[int]
    is_proven: bool
    following: dict[int, int] | None = None
    cost: float = 0.0

    @property
    def marks(self) -> int:
        """How many marks are on the board."""
        return sum(map(bool, self.name.to_bytes(book.MARKS, "big")))


@cache
def engine() -> Engine:
    """The engine of this process."""
    return Engine(book.SIZE, book.SIZE, book.K, TABLE_BITS)


def study(name: int, nodes: int) -> Node:
    """Search a position, and find the moves to try when it is expanded."""
    cells = book.position(name)
    found = engine().search(Task(cells, 1, nodes=nodes))
    if name == EMPTY or found.exact:
        replies: list[int] = []
    else:
        moves, _, _ = engine().search_moves(
            Task(cells, 1, depth=GLANCE_DEPTH, nodes=min(nodes, GLANCE_NODES), lines=LINES)
        )
        replies = [move.pv[0] for move in moves[:LINES]]
    replies += [move for move in likely(cells) if move not in replies]
    if found.pv[0] in replies:
        replies.remove(found.pv[0])
    replies.insert(0, found.pv[0])
    return Node(name, found.value, found.pv[0], found.depth, replies, found.exact)


def likely(cells: bytes) -> Iterator[int]:
    """Where a person may put the first mark, and the second after one near the middle."""
    marked = [divmod(cell, book.SIZE) for cell, mark in enumerate(cells) if mark]
    middle = book.SIZE // 2
    for cell, mark in enumerate(cells):
        row, column = divmod(cell, book.SIZE)
        if not marked or (
            len(marked) == 1
            and not mark
            and all(abs(at - middle) <= CENTRE for at in marked[0])
            and max(abs(row - marked[0][0]), abs(column - marked[0][1])) <= REACH
        ):
            yield cell


def after(name: int, move: int) -> int:
    """The name of the position after a move."""
    cells = book.position(name)
    own = [cell for cell, mark in enumerate(cells) if mark == 1]
    other = [cell for cell, mark in enumerate(cells) if mark == 2]
    return book.name(other, [*own, move])[0]


def reviewed(name: int, entry: book.Entry, nodes: int) -> book.Entry:
    """The entry, with the move that a search prefers if that move is clearly better.

    One search says little in the opening: searches of a position's eight images differ by 100 and
    more. So the positions after the two moves are searched in all images, and the medians compared.
    """
    move = engine().search(Task(book.position(name), 1, nodes=nodes)).pv[0]
    kept, better = (after(name, each) for each in (entry.move, move))
    if kept == better:
        return entry
    (value, _), (other, depth) = (of_images(following, nodes) for following in (kept, better))
    gain = value - other  # the values are the opponent's
    if gain < CLEARLY:
        return entry
    print(f"{entry.move} gives way to {move}, which is better by {gain}", flush=True)
    return book.Entry(move, _estimate(-other), min(depth + 1, 255))


def of_images(name: int, nodes: int) -> tuple[int, int]:
    """The median of a position's values in its eight images, and the least depth of the searches.

    Of the two middle values it takes the lower.
    """
    cells = book.position(name)
    images = (bytes(cells[cell] for cell in image) for image in book.images())
    found = [engine().search(Task(image, 1, nodes=nodes)) for image in images]
    return median_low(search.value for search in found), min(search.depth for search in found)


def mended(old: book.Book, nodes: int, workers: int) -> dict[int, book.Entry]:
    """The entries of a book after review; new values are carried back to the positions before."""
    names = list(old.names)
    entries = [old.entry(place) for place in range(len(old))]
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(reviewed, names, entries, [nodes] * len(names))
        return settled(dict(zip(names, found, strict=True)))


def settled(entries: dict[int, book.Entry]) -> dict[int, book.Entry]:
    """Entries with the same moves; a move's value is that of the entry for the position after it,
    if there is one."""
    new = dict(entries)
    for name in sorted(new, key=lambda name: sum(map(bool, book.position(name))), reverse=True):
        following = new.get(after(name, new[name].move))
        if following is not None:
            depth = min(following.depth + 1, 255)
            new[name] = new[name]._replace(value=-following.value, depth=depth)
    return new


class Maker:
    """A book in the making.

    Args:
        nodes: how many each search may visit.
    """

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.known = {EMPTY: study(EMPTY, nodes)}

    def grow(self, minutes: float, most: int, workers: int) -> None:
        """Expand positions until the time is over or the book knows `most` of them."""
        until = time.monotonic() + 60 * minutes
        with ProcessPoolExecutor(workers) as pool:
            while time.monotonic() < until and len(self.known) < most:
                chosen = self._next(2 * workers)
                if not chosen:
                    break
                names: set[int] = set()
                for node in chosen:
                    node.following = _one_of_each(node)
                    names.update(node.following.values())
                fresh = sorted(names - self.known.keys())
                studied = pool.map(study, fresh, [self.nodes] * len(fresh))
                self.known.update(zip(fresh, studied, strict=True))
                self._settle()
                deepest = max(node.marks for node in self.known.values())
                print(f"{len(self.known):,} positions, up to {deepest} marks", flush=True)

    def entries(self) -> dict[int, book.Entry]:
        """The entries to write, by the names of their positions."""
        return {
            name: book.Entry(node.move, _estimate(node.value), min(node.depth, 255))
            for name, node in self.known.items()
            if name != EMPTY and node.following and not node.is_proven
        }

    def _next(self, count: int) -> list[Node]:
        """The positions to expand: those with at most one mark come first, then the cheapest."""
        leaves = [
            node
            for node in self.known.values()
            if node.following is None and not node.is_proven and node.marks < book.MARKS
        ]
        first = [node for node in leaves if node.marks <= 1 and any(_likely_after(node))]
        return first or sorted(leaves, key=lambda node: (node.cost, node.name))[:count]

    def _settle(self) -> None:
        """Carry the values back to the positions before, and the costs on to those after."""
        nodes = sorted(self.known.values(), key=lambda node: (node.marks, node.name))
        for node in reversed(nodes):
            if node.following:
                node.move = max(node.following, key=lambda move: self._worth(node, move))
                node.value = self._worth(node, node.move)
                node.depth = self.known[node.following[node.move]].depth + 1
        for node in nodes[1:]:
            node.cost = float("inf")
        for node in nodes:
            for move, name in (node.following or {}).items():
                lost = node.value - self._worth(node, move)
                following = self.known[name]
                following.cost = min(following.cost, node.cost + PLY + lost)

    def _worth(self, node: Node, move: int) -> int:
        """A move's value for its maker."""
        assert node.following is not None
        value = -self.known[node.following[move]].value
        if is_proven(value):
            value -= 1 if value > 0 else -1  # a ply farther away
        return value


def _estimate(value: int) -> int:
    """The value limited to what an entry may hold, so that it does not count as certain."""
    return max(-_MOST, min(_MOST, value))


def _one_of_each(node: Node) -> dict[int, int]:
    """The moves to try, by the positions that they lead to. If several moves lead to images of the
    same position, only the first is kept."""
    moves: dict[int, int] = {}
    for move in node.replies:
        moves.setdefault(after(node.name, move), move)
    return {move: name for name, move in moves.items()}


def _likely_after(node: Node) -> Iterator[int]:
    return likely(book.position(node.name))


def main() -> None:
    """Make the book, or mend it, and write it."""
    processes = os.cpu_count() or 1
    options = asked(
        __doc__,
        minutes=20.0,
        nodes=NODES,
        positions=16_000,
        workers=processes,
        target=TARGET,
        mend=False,
    )
    if options.mend:
        entries = mended(book.Book(options.target.read_bytes()), options.nodes, options.workers)
    else:
        maker = Maker(options.nodes)
        maker.grow(options.minutes, options.positions, options.workers)
        entries = maker.entries()
    data = book.packed(entries)
    options.target.write_bytes(data)
    made = book.Book(data)
    lines = [len(made.line(book.position(number), 1)) for number in made.names]
    print(f"{len(made):,} positions, {len(data):,} bytes, longest line {max(lines, default=0)}")


if __name__ == "__main__":
    main()
