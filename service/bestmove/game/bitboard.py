"""Represents a set of cells as bits of an integer. A few operations then find all runs of marks.

Cell (row, column) is bit `row * (columns + 1) + column`. The bit after each row, the gap, stays 0.
So no run continues from the end of a row into the next row.

     0  1  2   3        the bits of a board of three columns; 3, 7 and 11 are gaps
     4  5  6   7
     8  9 10  11
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

_LONGEST: Final = 20
"""The longest side of a board; no run is longer."""


def _extensions(length: int) -> tuple[int, ...]:
    """Return the increments by which a run grows from 1 bit to `length` bits. An increment never
    exceeds the run so far. To reach 5 bits, the run grows by 1, 2 and 1."""
    have, found = 1, []
    while have < length:
        found.append(min(have, length - have))
        have += found[-1]
    return tuple(found)


_EXTENSIONS: Final = tuple(_extensions(length) for length in range(_LONGEST + 2))

_DIGITS: Final = {
    mark: str.maketrans("XO.", digits)
    for mark, digits in (("X", "100"), ("O", "010"), (".", "001"))
}
"""For each mark, a table for `str.translate`: this mark becomes 1, the others become 0."""


def cells_with(cells: str, mark: str) -> int:
    """Return the set of cells with this mark (`X`, `O` or `.`), without gaps: cell i is bit i."""
    return int(cells[::-1].translate(_DIGITS[mark]), 2)


Bits = tuple[int, int, int]
"""Three sets of cells: those with X, those with O, and the empty cells."""


def bits_of(cells: str, columns: int) -> Bits:
    with_gaps = ""
    for start in range(0, len(cells), columns):
        with_gaps += cells[start : start + columns] + "0"
    backwards = with_gaps[::-1]  # the first cell is the lowest bit
    x = int(backwards.translate(_DIGITS["X"]), 2)
    o = int(backwards.translate(_DIGITS["O"]), 2)
    return x, o, _all_cells(len(cells), columns) ^ x ^ o


@cache
def _all_cells(count: int, columns: int) -> int:
    row = (1 << columns) - 1
    return sum(row << start for start in range(0, count + count // columns, columns + 1))


def bit(cell: int, columns: int) -> int:
    row, column = divmod(cell, columns)
    return 1 << row * (columns + 1) + column


def cells_in(bits: int, columns: int) -> list[int]:
    """Return the indices of the cells whose bits are set, ascending."""
    found = []
    while bits:
        lowest = bits & -bits
        row, column = divmod(lowest.bit_length() - 1, columns + 1)
        found.append(row * columns + column)
        bits ^= lowest
    return found


STEPS: Final = tuple((1, columns + 1, columns + 2, columns) for columns in range(_LONGEST + 1))
"""`STEPS[columns]`: for each of `rules.DIRECTIONS`, the distance between the bits of two
neighbouring cells."""


def runs(marks: int, steps: Sequence[int], length: int) -> list[int]:
    """For each direction in `steps` (see `STEPS`), return the bits at which a run of `length` marks
    begins."""
    extensions, found = _EXTENSIONS[length], []
    for step in steps:
        starts = marks
        for more in extensions:
            starts &= starts >> more * step
        found.append(starts)
    return found


def exact_runs(marks: int, steps: Sequence[int], length: int) -> list[int]:
    """Return the starts as `runs` does, but leave out runs that are part of a longer run."""
    return [
        starts & ~(marks << step) & ~(marks >> length * step)
        for step, starts in zip(steps, runs(marks, steps, length), strict=True)
    ]


def covered(starts: int, step: int, length: int) -> int:
    """Return all bits of the runs that begin at `starts`. Each run has `length` bits."""
    for more in _EXTENSIONS[length]:
        starts |= starts << more * step
    return starts


def filled(bits: int, step: int, within: int) -> int:
    """Extend each bit of `bits` along `step`, both ways, to the longest run in `within`. `within`
    must contain `bits`."""
    ahead = back = bits
    free_ahead = free_back = within
    reach = 1
    while reach < _LONGEST:
        ahead |= free_ahead & ahead << reach * step
        free_ahead &= free_ahead << reach * step
        back |= free_back & back >> reach * step
        free_back &= free_back >> reach * step
        reach *= 2
    return ahead | back
