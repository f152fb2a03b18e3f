"""The lines and symmetries of a board. In a set of cells, cell i is the bit `1 << i`."""

from __future__ import annotations

from collections.abc import Sequence

from bestmove.game.rules import DIRECTIONS

Image = Sequence[int]
"""A symmetry of the board, which takes each cell to `image[cell]`."""


def lanes(rows: int, columns: int) -> list[tuple[int, ...]]:
    """Every whole row, column and diagonal, as its cells in ascending order."""
    found: list[tuple[int, ...]] = []
    for down, right in DIRECTIONS:
        parallel: dict[int, list[int]] = {}
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            # The same along a lane, and different for each parallel lane.
            parallel.setdefault(row * right - column * down, []).append(cell)
        found += map(tuple, parallel.values())
    return found


def lines(rows: int, columns: int, k: int) -> tuple[list[int], list[int]]:
    """Every line of k cells and, for each, the number of its lane: a whole row, column or diagonal.

    The lines of a lane follow each other, each one cell further along.
    """
    masks = []
    lanes = []
    lane = -1
    # A line of one cell is the same in every direction.
    for down, right in DIRECTIONS[: 4 if k > 1 else 1]:
        starts = [
            # The first number is the same along a lane, and differs between parallel lanes.
            (row * right - column * down, row, column)
            for row in range(rows)
            for column in range(columns)
            if 0 <= row + down * (k - 1) < rows and 0 <= column + right * (k - 1) < columns
        ]
        before = None
        for which, row, column in sorted(starts):
            if which != before:
                lane += 1
                before = which
            masks.append(
                sum(1 << (row + down * i) * columns + column + right * i for i in range(k))
            )
            lanes.append(lane)
    return masks, lanes


def symmetries(rows: int, columns: int, gravity: bool = False) -> list[list[int]]:
    """The distinct symmetries of the board, at most 8; the first is the identity.

    With gravity only those that keep every cell in its row.
    """
    images = []
    for transpose in range(2 if rows == columns else 1):
        for flip_rows in (False, True):
            for flip_columns in (False, True):
                image = []
                for i in range(rows * columns):
                    row, column = divmod(i, columns)
                    if flip_rows:
                        row = rows - 1 - row
                    if flip_columns:
                        column = columns - 1 - column
                    if transpose:
                        row, column = column, row
                    image.append(row * columns + column)
                if image not in images:
                    images.append(image)
    if gravity:
        return [
            image
            for image in images
            if all(to // columns == cell // columns for cell, to in enumerate(image))
        ]
    return images


def moved(marks: int, image: Image) -> int:
    """Where a symmetry takes a set of cells."""
    return sum(1 << to for i, to in enumerate(image) if marks >> i & 1)


def inverse(image: Image) -> list[int]:
    """The symmetry that undoes another."""
    back = [0] * len(image)
    for i, to in enumerate(image):
        back[to] = i
    return back
