"""What an (m,n,k)-game is: slow and obvious, the oracle for everything faster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from bestmove.errors import InvalidRules

MAX_SIDE: Final = 20
"""The most rows, and the most columns: Gomocup plays on 20×20."""

DEFAULT_K: Final = 5
"""k where the board has room for it: 15×15 plays five in a row."""

EMPTY: Final = "."
X: Final = "X"
O: Final = "O"  # noqa: E741 - the mark's name

DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Row and column steps: along a row, down a column, down both diagonals."""

SWITCHES: Final = ("gravity", "overline", "misere")
"""The three fields of `Rules` that are true or false."""


def other(mark: str) -> str:
    """The opponent's mark."""
    return O if mark == X else X


@dataclass(frozen=True)
class Rules:
    """A game of the family: the size of the board, the length of a line, and three switches.

    Attributes:
        rows: 1 to 20.
        columns: 1 to 20.
        k: marks in a line that end the game, 1 to the longer side.
        gravity: a mark falls to the lowest empty cell of its column; row `rows - 1` is the bottom.
        overline: more than k in a row count too; False: exactly k.
        misere: who completes a line loses.
    """

    rows: int = 3
    columns: int = 3
    k: int = 3
    gravity: bool = False
    overline: bool = True
    misere: bool = False

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
        for name in SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise InvalidRules(f"{name} must be true or false", name)

    @classmethod
    def of(
        cls,
        rows: int,
        columns: int,
        k: int | None = None,
        *,
        gravity: bool = False,
        overline: bool = True,
        misere: bool = False,
    ) -> Rules:
        """The rules for a board, with k = min(rows, columns, 5) unless it is given."""
        k = default_k(rows, columns) if k is None else k
        return _rules(rows, columns, k, gravity, overline, misere)

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def is_plain(self) -> bool:
        """Whether every switch has its default: no gravity, k or more in a row win."""
        return self.overline and not self.gravity and not self.misere

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
    def ends(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """For each of `lines`, the cells on the board that would make it longer by one.

        Lines of a single cell have no direction; where k is 1 the first move ends the game, so
        no longer line is ever asked about.
        """
        return {line: tuple(self._beyond(line)) for line in self.lines}

    def _beyond(self, line: tuple[int, ...]) -> Iterator[int]:
        if self.k == 1:
            return
        (row, column), (next_row, next_column) = map(self.coordinates, line[:2])
        down, right = next_row - row, next_column - column
        for steps in (-1, self.k):
            end_row, end_column = row + down * steps, column + right * steps
            if 0 <= end_row < self.rows and 0 <= end_column < self.columns:
                yield self.index(end_row, end_column)

    @cached_property
    def lines_through(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each cell, the lines that run through it."""
        through: list[list[tuple[int, ...]]] = [[] for _ in range(self.size)]
        for line in self.lines:
            for cell in line:
                through[cell].append(line)
        return tuple(map(tuple, through))

    @cached_property
    def cuts_through(self) -> tuple[tuple[tuple[tuple[int, ...], slice], ...], ...]:
        """For each cell, the lines that run through it, each with its slice of the cells."""
        cuts = dict(zip(self.lines, self._cuts, strict=True))
        return tuple(tuple((line, cuts[line]) for line in lines) for lines in self.lines_through)

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

    def full_lines(self, cells: Sequence[str]) -> list[tuple[int, ...]]:
        """The lines that one side fills, in the order of `lines`.

        Without `overline` a line counts only where it cannot be made longer by a mark beside it.
        """
        text = cells if isinstance(cells, str) else "".join(cells)
        if text.count(X) < self.k and text.count(O) < self.k:
            return []
        full = (X * self.k, O * self.k)
        found = [
            line for line, cut in zip(self.lines, self._cuts, strict=True) if text[cut] in full
        ]
        if self.overline:
            return found
        return [line for line in found if self._is_exact(text, line, text[line[0]])]

    def line_completed(self, cells: Sequence[str], index: int, mark: str) -> tuple[int, ...] | None:
        """The first line that `mark` on the cell `index` fills, if there is one."""
        text = cells if isinstance(cells, str) else "".join(cells)
        after, full = f"{text[:index]}{mark}{text[index + 1 :]}", mark * self.k
        for line, cut in self.cuts_through[index]:
            if after[cut] == full and (self.overline or self._is_exact(cells, line, mark)):
                return line
        return None

    def completes_line(self, cells: Sequence[str], index: int, mark: str) -> bool:
        """Whether `mark` on the cell `index` would fill a line."""
        return self.line_completed(cells, index, mark) is not None

    def _is_exact(self, cells: Sequence[str], line: tuple[int, ...], mark: str) -> bool:
        return all(cells[end] != mark for end in self.ends[line])

    def moves(self, cells: Sequence[str]) -> tuple[int, ...]:
        """The cells that can be played, ascending: the empty ones, with gravity the lowest empty
        one of each column."""
        if not self.gravity:
            return tuple(index for index, mark in enumerate(cells) if mark == EMPTY)
        found = (self.landing(cells, column) for column in range(self.columns))
        return tuple(sorted(cell for cell in found if cell is not None))

    def landing(self, cells: Sequence[str], column: int) -> int | None:
        """The lowest empty cell of a column; None if the column is full."""
        for index in range(self.size - self.columns + column, -1, -self.columns):
            if cells[index] == EMPTY:
                return index
        return None


def default_k(rows: int, columns: int) -> int:
    """k unless it is given: 3×3 plays 3, 15×15 plays 5."""
    return min(rows, columns, DEFAULT_K)


@lru_cache(maxsize=32)  # about 0.3 MB each on 20×20
def _rules(rows: int, columns: int, k: int, gravity: bool, overline: bool, misere: bool) -> Rules:
    # Boards of one size share their lists of lines.
    return Rules(rows, columns, k, gravity, overline, misere)


def is_integer(value: object) -> bool:
    """Whether `value` is an int and no bool, which Python counts among the ints."""
    return isinstance(value, int) and not isinstance(value, bool)
