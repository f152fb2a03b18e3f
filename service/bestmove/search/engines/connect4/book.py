"""The book of Connect Four on 7×6: the exact score of every position with up to 8 discs.

`benchmarks/engine/connect4_book.py` computes the scores from Markus Thill's list of positions with
12 discs (see `twelve_discs`) and writes the file opening.bin. The scores agree with the 129,498
scores of the book in benjaminrall/connect-four-ai (MIT licence).

The file is little-endian. A position and its mirror image have one entry. The entries are sorted by
the number of discs, then by name.

    9 × uint32      how many positions have 0, 1, … 8 discs
    uint32 each     the name of each position: see `name`
    int8 each       the score of each position with fewer than 8 discs
    uint64 each     for each position with 8 discs, from the lowest bit:
                    7 × 6 bits   for each column from the left: 0 if the column is full, else 32
                                 plus the mover's score for a move there
                    3 × 3 bits   three columns: best play after move A (7: the game has ended)
                    3 × 3 bits   three columns: best play after move B

Moves A and B are the best moves that land highest on the board. Of equally high moves, A is the
leftmost, and B the rightmost.
"""

from __future__ import annotations

import logging
import mmap
from bisect import bisect_left
from functools import cache, lru_cache
from importlib import resources, util
from pathlib import Path
from typing import Final

from bestmove.game import EMPTY, Board, Rules
from bestmove.search.packed import numbers

ROWS: Final = 6
COLUMNS: Final = 7
K: Final = 4
DISCS: Final = 8
"""The most discs of a position in the book."""

CONNECT_FOUR: Final = Rules(ROWS, COLUMNS, K, gravity=True)

LISTED_DISCS: Final = 12

_PACKAGE: Final = "bitbully_databases"
_LIST: Final = Path("assets", "book_12ply_distances.dat")
_LIST_BYTES: Final = 21_004_495

BIAS: Final = 32
_HEIGHT: Final = ROWS + 1
_LINE: Final = 3
_COLUMN_BITS: Final = 3
_SCORE_BITS: Final = 6


_BOTTOM: Final = sum(1 << _HEIGHT * column for column in range(COLUMNS))


def covers(board: Board) -> bool:
    """Return True if the book has the position."""
    marks = board.rules.size - board.cells.count(EMPTY)
    return board.rules == CONNECT_FOUR and marks <= DISCS and not board.is_over


def _digits(code: int) -> tuple[int, int]:
    """Return two numbers for a column: the value of its digits (see `name`), and 3**n for n digits.

    Args:
        code: the column in binary: a leading 1, then a bit for each disc from the top. A disc of
            the side to move has the bit 1.
    """
    length, number = code.bit_length(), 0
    while code > 1:
        number = 3 * number + (1 if code & 1 else 2)
        code >>= 1
    return 3 * number, 3**length


_COLUMN_DIGITS: Final = tuple(map(_digits, range(2 << ROWS)))


@lru_cache(1)
def name(own: int, mask: int) -> tuple[int, bool]:
    """Return the name of a position, and whether the name comes from the mirror image.

    A position is written as a number in base 3, column by column from the left, each column from
    the bottom. The digit 1 is a disc of the side to move, 2 is a disc of the opponent, and 0 ends a
    column. The mirror image is written in the same way. The name is the smaller of the two numbers,
    without the last 0.
    """
    position = own + mask + _BOTTOM
    columns = [_COLUMN_DIGITS[position >> _HEIGHT * column & 127] for column in range(COLUMNS)]
    number = image = 0
    for digits, factor in columns:
        number = number * factor + digits
    for digits, factor in reversed(columns):
        image = image * factor + digits
    return min(number, image) // 3, image < number


class Book:
    """The book in memory, about a megabyte.

    Args:
        data: the bytes of opening.bin.

    Raises:
        ValueError: the data have the wrong length.
    """

    def __init__(self, data: bytes) -> None:
        head = 4 * (DISCS + 1)
        counts = numbers("I", data[:head])
        total, few = sum(counts), sum(counts[:-1])
        keys, scores = head + 4 * total, head + 4 * total + few
        if len(data) != scores + 8 * counts[-1]:
            raise ValueError(f"a book of {total} positions does not have {len(data)} bytes")
        self._starts = [sum(counts[:discs]) for discs in range(DISCS + 2)]
        self._names = numbers("I", data[head:keys])
        self._scores = numbers("b", data[keys:scores])
        self._following = numbers("Q", data[scores:])

    def __len__(self) -> int:
        return len(self._names)

    def score(self, own: int, mask: int) -> int | None:
        """Return the score for the side to move; None if the position is not in the book.

        `kernel.py` defines the score.
        """
        place, _ = self._find(own, mask)
        if place is None:
            return None
        if place < len(self._scores):
            return self._scores[place]
        return max(self._moves(self._following[place - len(self._scores)]).values())

    def moves(self, own: int, mask: int) -> dict[int, int] | None:
        """Return the score of a move in each column that is not full.

        Return None unless the position has 8 discs and is in the book.
        """
        place, flipped = self._find(own, mask)
        if place is None or place < len(self._scores):
            return None
        moves = self._moves(self._following[place - len(self._scores)])
        return {COLUMNS - 1 - at: score for at, score in moves.items()} if flipped else moves

    def line(self, own: int, mask: int) -> list[int]:
        """Return the columns of up to three moves: how best play continues after the best move.

        If several moves are best, the move of lowest cell index counts. The list is empty unless
        the position has 8 discs and is in the book.
        """
        place, flipped = self._find(own, mask)
        if place is None or place < len(self._scores):
            return []
        word = self._following[place - len(self._scores)] >> _SCORE_BITS * COLUMNS
        if flipped:
            word >>= _LINE * _COLUMN_BITS
        columns = [word >> _COLUMN_BITS * i & 7 for i in range(_LINE)]
        if 7 in columns:
            columns = columns[: columns.index(7)]
        return [COLUMNS - 1 - column for column in columns] if flipped else columns

    def _find(self, own: int, mask: int) -> tuple[int | None, bool]:
        discs = mask.bit_count()
        if discs > DISCS:
            return None, False
        wanted, flipped = name(own, mask)
        end = self._starts[discs + 1]
        place = bisect_left(self._names, wanted, self._starts[discs], end)
        if place == end or self._names[place] != wanted:
            return None, False
        return place, flipped

    @staticmethod
    def _moves(word: int) -> dict[int, int]:
        codes = ((column, word >> _SCORE_BITS * column & 63) for column in range(COLUMNS))
        return {column: code - BIAS for column, code in codes if code}


@cache
def opening() -> Book:
    return Book(resources.files(__package__).joinpath("opening.bin").read_bytes())


@cache
def twelve_discs() -> memoryview:
    """Return Markus Thill's list of positions with 12 discs, or no bytes if it is not installed.

    The list is bookDeepDist.dat from MarkusThill/Connect-Four (MIT licence). The extra
    `connect-four` installs the list with bitbully-databases 0.0.2 from PyPI.

    The list lacks the positions in which the side to move can win at once. `DropKernel.listed`
    describes an entry. The file is memory-mapped, so all processes use one copy.
    """
    package = util.find_spec(_PACKAGE)
    if package is None or package.origin is None:
        return memoryview(b"")
    path = Path(package.origin).parent / _LIST
    with path.open("rb") as file:
        listed = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    if len(listed) == _LIST_BYTES:
        return listed
    logging.getLogger(__name__).warning(
        "Connect Four ignores %s: the file is not that of version 0.0.2", path
    )
    return memoryview(b"")
