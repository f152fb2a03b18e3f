"""A slow, plain oracle for boards with gravity: columns as strings, every game played out."""

from __future__ import annotations

import random

Columns = tuple[str, ...]
"""The discs of each column from the bottom, "X" or "O"."""

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Oracle:
    """Values of one game by plain minimax with a memory, by distance."""

    def __init__(self, rows: int, columns: int, k: int) -> None:
        self.rows, self.columns, self.k = rows, columns, k
        self._known: dict[Columns, int] = {}

    def completes(self, position: Columns, column: int) -> bool:
        """Whether the top disc of a column is in a line of k."""

        def at(c: int, r: int) -> str:
            inside = 0 <= c < self.columns and 0 <= r < len(position[c])
            return position[c][r] if inside else ""

        row = len(position[column]) - 1
        mark = at(column, row)
        for right, up in DIRECTIONS:
            length = 1
            for way in (1, -1):
                c, r = column + way * right, row + way * up
                while at(c, r) == mark:
                    length += 1
                    c, r = c + way * right, r + way * up
            if length >= self.k:
                return True
        return False

    def moves(self, position: Columns) -> dict[int, int]:
        """For each column that is not full the value of the move for its maker.

        n for a win in n plies, -n for a loss in n, 0 for a draw.
        """
        values = {}
        mark = mover(position)
        for column in range(self.columns):
            if len(position[column]) == self.rows:
                continue
            after = (*position[:column], position[column] + mark, *position[column + 1 :])
            if self.completes(after, column):
                values[column] = 1
                continue
            value = -self.value(after)
            values[column] = value + (value > 0) - (value < 0)
        return values

    def value(self, position: Columns) -> int:
        """The value for the side to move; nobody has a line."""
        if position not in self._known:
            values = self.moves(position).values()
            self._known[position] = max(values, key=rank, default=0)
        return self._known[position]


def rank(value: int) -> float:
    """Orders values: soon won, late won, drawn, late lost, soon lost."""
    return 1 / value if value else 0.0


def mover(position: Columns) -> str:
    """Whose turn it is; X moves first."""
    return "XO"[sum(map(len, position)) % 2]


def cells(position: Columns, rows: int) -> bytes:
    """The board as the engines take it: row by row from the top."""
    return bytes(
        "XO".index(column[row]) + 1 if row < len(column) else 0
        for row in range(rows - 1, -1, -1)
        for column in position
    )


def cell(position: Columns, rows: int, column: int) -> int:
    """The index of the cell where a disc in this column lands."""
    return (rows - 1 - len(position[column])) * len(position) + column


def dropped(position: Columns, column: int) -> Columns:
    return (*position[:column], position[column] + mover(position), *position[column + 1 :])


def scattered(rng: random.Random, oracle: Oracle, discs: int) -> Columns | None:
    """A position after so many drops by chance, or None when one of them ended the game."""
    position: Columns = ("",) * oracle.columns
    for _ in range(discs):
        open_ = [c for c in range(oracle.columns) if len(position[c]) < oracle.rows]
        column = rng.choice(open_)
        position = dropped(position, column)
        if oracle.completes(position, column):
            return None
    return position


def from_digits(digits: str, columns: int = 7) -> Columns:
    """The position after the columns played, from 1."""
    position: Columns = ("",) * columns
    for digit in digits:
        position = dropped(position, int(digit) - 1)
    return position
