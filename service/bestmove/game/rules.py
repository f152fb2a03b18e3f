"""What an (m,n,k)-game is: slow and obvious, the oracle for everything faster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from bestmove.errors import InvalidRules

MAX_SIDE: Final = 19
"""The most rows, and the most columns."""

DEFAULT_K: Final = 5
"""k where the board has room for it: 15×15 plays five in a row."""

EMPTY: Final = "."
X: Final = "X"
O: Final = "O"  # noqa: E741 - the mark's name

DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Row and column steps: along a row, down a column, down both diagonals."""


def other(mark: str) -> str:
    """The opponent's mark."""
    return O if mark == X else X


@dataclass(frozen=True)
class Rules:
    """The size of a board and the number of marks in a line that win, freestyle: k or more.

    Attributes:
        rows: 1 to 19.
        columns: 1 to 19.
        k: 1 to the longer side.
    """

    rows: int = 3
    columns: int = 3
    k: int = 3

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            side = getattr(self, name)
            if not is_integer(side) or not 1 <= side <= MAX_SIDE:
                raise InvalidRules(f"{name} must be an integer from 1 to {MAX_SIDE}", name)
        longest = max(self.rows, self.columns)
        if not is_integer(self.k) or not 1 <= self.k <= longest:
            raise InvalidRules(
                f"k must be an integer from 1 to {longest}, the longer side of the board", "k"
            )

    @classmethod
    def of(cls, rows: int, columns: int, k: int | None = None) -> Rules:
        """The rules for a board, with k = min(rows, columns, 5) unless it is given."""
        return _rules(rows, columns, default_k(rows, columns) if k is None else k)

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    def index(self, row: int, column: int) -> int:
        """The cell's index, counted from 0 along the rows."""
        return row * self.columns + column

    def coordinates(self, index: int) -> tuple[int, int]:
        """The cell's (row, column), from 0."""
        return divmod(index, self.columns)

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every k-long line as its cell indices: rows, columns, then both diagonals."""
        return tuple(line for step in DIRECTIONS for line in self._lines_along(*step))

    @cached_property
    def _cuts(self) -> tuple[slice, ...]:
        """Each of `lines` as a slice of the cells."""
        steps = (line[1] - line[0] if self.k > 1 else 1 for line in self.lines)
        return tuple(
            slice(line[0], line[-1] + 1, step) for line, step in zip(self.lines, steps, strict=True)
        )

    @cached_property
    def lines_through(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each cell, the lines that run through it."""
        through: list[list[tuple[int, ...]]] = [[] for _ in range(self.size)]
        for line in self.lines:
            for cell in line:
                through[cell].append(line)
        return tuple(map(tuple, through))

    def _lines_along(self, down: int, right: int) -> Iterator[tuple[int, ...]]:
        for row in range(self.rows):
            for column in range(self.columns):
                last_row = row + down * (self.k - 1)
                last_column = column + right * (self.k - 1)
                if last_row < self.rows and 0 <= last_column < self.columns:
                    yield tuple(
                        self.index(row + down * step, column + right * step)
                        for step in range(self.k)
                    )

    def full_lines(self, cells: str) -> list[tuple[int, ...]]:
        """The lines that one side fills, in the order of `lines`."""
        if cells.count(X) < self.k and cells.count(O) < self.k:
            return []
        full = (X * self.k, O * self.k)
        return [
            line for line, cut in zip(self.lines, self._cuts, strict=True) if cells[cut] in full
        ]

    def completes_line(self, cells: Sequence[str], index: int, mark: str) -> bool:
        """Whether `mark` on the cell `index` would fill a line."""
        return any(
            all(cell == index or cells[cell] == mark for cell in line)
            for line in self.lines_through[index]
        )


def default_k(rows: int, columns: int) -> int:
    """k unless it is given: 3×3 plays 3, 15×15 plays 5."""
    return min(rows, columns, DEFAULT_K)


@lru_cache(maxsize=32)  # about 0.3 MB each on 19×19
def _rules(rows: int, columns: int, k: int) -> Rules:
    # Boards of one size share their lists of lines.
    return Rules(rows, columns, k)


def is_integer(value: object) -> bool:
    """Whether `value` is an int and no bool, which Python counts among the ints."""
    return isinstance(value, int) and not isinstance(value, bool)
