"""The lines and the symmetries of a board, as sets of cells: cell i is the bit `1 << i`."""

from __future__ import annotations

from collections.abc import Sequence

from bestmove.game.rules import DIRECTIONS

Image = Sequence[int]
"""A symmetry of the board: `image[cell]` is where it takes the cell."""


def lines(rows: int, columns: int, k: int) -> tuple[list[int], list[int]]:
    """Every line of k cells and, for each, the number of its lane.

    A lane is a whole row, column or diagonal. Lines of one lane follow each other, each one cell
    further along.
    """
    masks = []
    lanes = []
    lane = -1
    # In every direction a line of one cell is the same line.
    for down, right in DIRECTIONS[: 4 if k > 1 else 1]:
        starts = [
            # Along a lane the first number stays the same, and no parallel lane has it.
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
    """The symmetries of the board without repeats, 8 at most; the first leaves all as it is.

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
    """The symmetry that takes everything back."""
    back = [0] * len(image)
    for i, to in enumerate(image):
        back[to] = i
    return back
