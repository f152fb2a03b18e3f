"""The lines and symmetries of a board. In a set of cells, cell i is the bit `1 << i`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final

from bestmove.game.rules import DIRECTIONS

Image = Sequence[int]
"""A symmetry of the board: it moves each cell to `image[cell]`."""


SYMMETRIES: Final = (
    *("identity", "left-right", "top-bottom", "half-turn"),
    *("diagonal", "three-quarter-turn", "quarter-turn", "antidiagonal"),
)
"""The names of a square's symmetries in docs/proofs.md. The first four do not swap rows and
columns."""


def lanes(rows: int, columns: int) -> list[tuple[int, ...]]:
    """Return the cells of every row, column and diagonal, ascending; rows come first."""
    found: list[tuple[int, ...]] = []
    for down, right in DIRECTIONS:
        parallel: dict[int, list[int]] = {}
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            # All cells of a row, column or diagonal have the same key.
            parallel.setdefault(row * right - column * down, []).append(cell)
        found += (tuple(cells) for _, cells in sorted(parallel.items()))
    return found


def lines(rows: int, columns: int, k: int) -> tuple[list[int], list[int]]:
    """Return every line of k cells, and for each line the number of its lane.

    A lane is a whole row, column or diagonal. The lines of a lane follow each other in the list,
    each shifted by one cell.
    """
    # If k is 1, each cell is a line. The rows contain each cell once, so the rows suffice.
    every = lanes(rows, columns)[: rows if k == 1 else None]
    placed = [
        (set_of(lane[start : start + k]), number)
        for number, lane in enumerate(lane for lane in every if len(lane) >= k)
        for start in range(len(lane) - k + 1)
    ]
    return [line for line, _ in placed], [number for _, number in placed]


def named_symmetries(rows: int, columns: int, gravity: bool = False) -> dict[str, list[int]]:
    """Return the distinct symmetries of the board with their names, at most 8; the identity is
    first.

    With gravity, return only symmetries that keep every cell in its row.
    """
    images: dict[str, list[int]] = {}
    flips = product((False, True), repeat=3)
    for name, (transpose, flip_rows, flip_columns) in zip(SYMMETRIES, flips, strict=True):
        if transpose and rows != columns:
            continue
        image = []
        for row, column in product(range(rows), range(columns)):
            to_row = rows - 1 - row if flip_rows else row
            to_column = columns - 1 - column if flip_columns else column
            if transpose:
                to_row, to_column = to_column, to_row
            image.append(to_row * columns + to_column)
        keeps_rows = all(to // columns == cell // columns for cell, to in enumerate(image))
        if image not in images.values() and (keeps_rows or not gravity):
            images[name] = image
    return images


def symmetries(rows: int, columns: int, gravity: bool = False) -> list[list[int]]:
    """Return the distinct symmetries of the board; the first is the identity."""
    return list(named_symmetries(rows, columns, gravity).values())


def set_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def cells_of(marks: int) -> Iterator[int]:
    """Yield the cells of a set, in ascending order."""
    while marks:
        yield (marks & -marks).bit_length() - 1
        marks &= marks - 1


def moved(marks: int, image: Image) -> int:
    return sum(1 << to for i, to in enumerate(image) if marks >> i & 1)


def inverse(image: Image) -> list[int]:
    """Return the symmetry that undoes `image`."""
    back = [0] * len(image)
    for i, to in enumerate(image):
        back[to] = i
    return back
