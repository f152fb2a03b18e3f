"""Sets of cells as the bits of an integer, so that a few operations find all runs of marks.

In the set that `cells_with` returns, cell i is the bit `1 << i`. All other sets have a gap after
each row: cell (row, column) is bit `row * (columns + 1) + column`. The bit after each row
stays 0, so that no run continues from the end of a row into the next.

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
    """Return by how many bits a run grows each time, from one bit to `length`. At most it doubles:
    to reach 5 bits, it grows by 1, 2 and 1.
    """
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
"""For each mark, a table for `str.translate`: the digit 1 for this mark, 0 for the others."""


def cells_with(cells: str, mark: str) -> int:
    """Return the set of cells that hold `mark` (`X`, `O` or `.`). Cell i is the bit `1 << i`."""
    return int(cells[::-1].translate(_DIGITS[mark]), 2)


Bits = tuple[int, int, int]
"""The sets of cells that hold X, that hold O, and that are empty."""


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
"""`STEPS[columns]`: for each of `rules.DIRECTIONS`, the distance from a cell's bit to the next
cell's."""


def runs(marks: int, steps: Sequence[int], length: int) -> list[int]:
    """For each step, return the bits at which a run starts. A run is `length` set bits, each `step`
    above the one before."""
    extensions, found = _EXTENSIONS[length], []
    for step in steps:
        starts = marks
        for more in extensions:
            starts &= starts >> more * step
        found.append(starts)
    return found


def exact_runs(marks: int, steps: Sequence[int], length: int) -> list[int]:
    """Like `runs`, but leave out runs that are part of a longer run."""
    return [
        starts & ~(marks << step) & ~(marks >> length * step)
        for step, starts in zip(steps, runs(marks, steps, length), strict=True)
    ]


def covered(starts: int, step: int, length: int) -> int:
    """Return all bits of the runs that start at `starts`: `length` bits each, `step` apart."""
    for more in _EXTENSIONS[length]:
        starts |= starts << more * step
    return starts


def filled(bits: int, step: int, within: int) -> int:
    """Extend `bits` along `step`, forwards and backwards, for as long as the next bit is in
    `within`."""
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
