"""The opening book of gomoku on 15×15, where five or more in a row win.

It has positions with few marks, each with its best move, its value and the depth of the search. All
come from long searches of this engine. `benchmarks/engine/gomoku_book.py` makes the file.

The file, opening.bin, is little-endian. A position and its images share one entry:

    uint64 each         the names of the positions, ascending: see `name`
    int16 each          the values for the side to move, estimates of `scores`
    uint8 each          the cells of the best moves
    uint8 each          the plies of the searches
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from bestmove.search.common import geometry
from bestmove.search.packed import numbers

SIZE: Final = 15
K: Final = 5
MARKS: Final = 8
"""The most marks of a position in the book. Its name has a byte for each."""

_ENTRY_BYTES: Final = 12


class Entry(NamedTuple):
    """What the book says about a position.

    Attributes:
        move: the cell of the best move.
        value: an estimate, for the side to move.
        depth: the plies of the search that found it.
    """

    move: int
    value: int
    depth: int


def covers(rows: int, columns: int, k: int, overline: bool) -> bool:
    """Whether the book is about the game with these rules."""
    return (rows, columns, k, overline) == (SIZE, SIZE, K, True)


def sides(cells: bytes, to_move: int) -> tuple[list[int], list[int]] | None:
    """The marks of the side to move and of the opponent; None if the position has no name.

    Positions with 1 to 8 marks have names, if the opponent has as many marks as the side to move,
    or one more.
    """
    own_count, other_count = cells.count(to_move), cells.count(3 - to_move)
    if not 0 < own_count + other_count <= MARKS or not 0 <= other_count - own_count <= 1:
        return None
    own = [cell for cell, mark in enumerate(cells) if mark == to_move]
    return own, [cell for cell, mark in enumerate(cells) if mark == 3 - to_move]


def name(own: Iterable[int], other: Iterable[int]) -> tuple[int, geometry.Image]:
    """The name of a position, and the symmetry whose image has that number.

    Each image has a number. Its bytes, the highest first, are the cells of the side to move,
    ascending and counted from 1, then those of the opponent, then zeros. The smallest of these
    numbers is the name, which a position and its images therefore share.
    """
    own, other = list(own), list(other)
    return min(
        ((_number(own, other, image), image) for image in images()), key=lambda named: named[0]
    )


def position(number: int) -> bytes:
    """The cells of the position with this name: 1 for the side to move, 2 for the opponent."""
    marked = [code - 1 for code in number.to_bytes(MARKS, "big") if code]
    cells = bytearray(SIZE * SIZE)
    for place, cell in enumerate(marked):
        cells[cell] = 1 if place < len(marked) // 2 else 2
    return bytes(cells)


@cache
def images() -> list[list[int]]:
    return geometry.symmetries(SIZE, SIZE)


class Book:
    """A book in memory.

    Args:
        data: the bytes of the file.

    Raises:
        ValueError: the bytes end within an entry.
    """

    def __init__(self, data: bytes) -> None:
        count, rest = divmod(len(data), _ENTRY_BYTES)
        if rest:
            raise ValueError(f"a book does not have {len(data)} bytes")
        self.names = numbers("Q", data[: 8 * count])
        self._values = numbers("h", data[8 * count : 10 * count])
        self._moves = data[10 * count : 11 * count]
        self._depths = data[11 * count :]

    def __len__(self) -> int:
        return len(self.names)

    def entry(self, place: int) -> Entry:
        """The entry of the position whose name is `names[place]`."""
        return Entry(self._moves[place], self._values[place], self._depths[place])

    def find(self, cells: bytes, to_move: int) -> Entry | None:
        """The entry of a position, or None.

        Args:
            cells: a byte for each cell along the rows: 0 empty, 1 X, 2 O.
            to_move: 1 for X, 2 for O.
        """
        marks = sides(cells, to_move)
        if marks is None:
            return None
        number, image = name(*marks)
        place = bisect_left(self.names, number)
        if place == len(self) or self.names[place] != number:
            return None
        known = self.entry(place)
        return known._replace(move=image.index(known.move))

    def line(self, cells: bytes, to_move: int) -> list[int]:
        """The best moves from a position, as far as the book goes."""
        after = bytearray(cells)
        line = []
        while known := self.find(bytes(after), to_move):
            line.append(known.move)
            after[known.move] = to_move
            to_move = 3 - to_move
        return line


def packed(entries: dict[int, Entry]) -> bytes:
    """The bytes of a book with these entries, which are keyed by name."""
    ordered = sorted(entries.items())
    columns = (
        array("Q", (number for number, _ in ordered)),
        array("h", (entry.value for _, entry in ordered)),
    )
    if sys.byteorder == "big":
        for column in columns:
            column.byteswap()
    moves = bytes(entry.move for _, entry in ordered)
    depths = bytes(entry.depth for _, entry in ordered)
    return b"".join((*(column.tobytes() for column in columns), moves, depths))


@cache
def opening() -> Book:
    """The book that comes with the package; its file is read only once."""
    return Book(resources.files(__package__).joinpath("opening.bin").read_bytes())


def _number(own: Sequence[int], other: Sequence[int], image: geometry.Image) -> int:
    codes = sorted(image[cell] + 1 for cell in own) + sorted(image[cell] + 1 for cell in other)
    return int.from_bytes(bytes(codes).ljust(MARKS, b"\0"), "big")
