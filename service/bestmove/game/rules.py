"""The rules of an (m,n,k)-game, with its switches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, TypedDict

from bestmove.errors import InvalidRules
from bestmove.game import bitboard

MAX_SIDE: Final = 20
"""The most rows, and the most columns: Gomocup plays on 20×20."""

DEFAULT_K: Final = 5

EMPTY: Final = "."
X: Final = "X"
O: Final = "O"  # noqa: E741 - the mark's name

DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of a row, a column and both diagonals, each as (rows down, columns right)."""


@dataclass(frozen=True)
class Switch:
    """A field of `Rules` that is true or false.

    Attributes:
        words: what true means.
        changed: what a value that is not the default means, after a comma: "3×3, 3 in a row, …".
    """

    name: str
    default: bool
    words: str
    changed: str


SWITCHES: Final = MappingProxyType(
    {
        each.name: each
        for each in (
            Switch(
                "gravity",
                False,
                "A mark falls to the lowest empty cell of its column; the last row is the bottom.",
                "marks fall",
            ),
            Switch(
                "overline",
                True,
                "More than k in a row count too, not only exactly k.",
                "longer rows do not count",
            ),
            Switch("misere", False, "Whoever completes a line loses.", "a line loses"),
        )
    }
)
"""The switches by name, in the order in which answers list them."""


class Variant(TypedDict, total=False):
    """The options that choose a variant of the game. None means not given."""

    game: str | None
    gravity: bool | None
    overline: bool | None
    misere: bool | None


@dataclass(frozen=True, slots=True)
class VariantFields:
    """The options of `Variant` as the first fields of a dataclass."""

    game: str | None = None
    gravity: bool | None = None
    overline: bool | None = None
    misere: bool | None = None


def require_known(options: Iterable[str], known: Set[str]) -> None:
    """Raise TypeError if an option is not in `known`."""
    if unknown := set(options) - known:
        raise TypeError(f"unknown option: {', '.join(sorted(unknown))}")


def other(mark: str) -> str:
    """Return the opponent's mark."""
    return O if mark == X else X


@dataclass(frozen=True)
class Rules:
    """A game: the size of the board, the length of a line, and the switches.

    Attributes:
        rows: 1 to 20.
        columns: 1 to 20.
        k: how many marks in a line end the game: 1 to the greater of rows and columns.
        gravity: a mark falls to the lowest empty cell of its column; row `rows - 1` is the bottom.
        overline: if True, more than k marks in a row are a line, too; if False, only exactly k.
        misere: whoever completes a line loses.
    """

    rows: int = 3
    columns: int = 3
    k: int = 3
    gravity: bool = SWITCHES["gravity"].default
    overline: bool = SWITCHES["overline"].default
    misere: bool = SWITCHES["misere"].default

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
    def of(cls, rows: int, columns: int, k: int | None = None, **switches: bool) -> Rules:
        """Return the rules of a board. k defaults to min(rows, columns, 5)."""
        if k is None:
            k = min(rows, columns, DEFAULT_K)
        return _rules(rows, columns, k, **switches)

    @cached_property
    def size(self) -> int:
        return self.rows * self.columns

    @cached_property
    def changed(self) -> dict[str, bool]:
        """The switches that differ from their defaults, with their values."""
        values = {name: getattr(self, name) for name in SWITCHES}
        return {name: on for name, on in values.items() if on != SWITCHES[name].default}

    @cached_property
    def is_plain(self) -> bool:
        return not self.changed

    def are_known(self, switches: Set[str]) -> bool:
        """Return True if `switches` has every switch that differs from its default.

        An engine, an evaluation or a proof lists the switches that it understands. So a new switch
        is refused by each until it is added to its list.
        """
        return self.changed.keys() <= switches

    def to_dict(self) -> dict[str, int | bool]:
        return {name: getattr(self, name) for name in _FIELDS}

    def index(self, row: int, column: int) -> int:
        """Return a cell's index. Indices, rows and columns count from 0."""
        return row * self.columns + column

    def coordinates(self, index: int) -> tuple[int, int]:
        return divmod(index, self.columns)

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every possible line, as k indices: first along rows, then columns, then diagonals."""
        return tuple(line for step in DIRECTIONS for line in self._lines_along(*step))

    @cached_property
    def ends(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """For each possible line, the cells just before and after the line; none if k is 1."""
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

    def full_lines(self, marks: int) -> list[tuple[int, ...]]:
        """Return the lines that these marks of one side fill, in the order of `lines`.

        If `overline` is False, k cells of a longer run are no line.
        """
        if marks.bit_count() < self.k:
            return []
        runs = bitboard.runs if self.counts_longer else bitboard.exact_runs
        starting = runs(marks, bitboard.STEPS[self.columns], self.k)
        if not any(starting):
            return []
        found = []
        for starts, (down, right) in zip(starting, DIRECTIONS, strict=True):
            if starts:
                between = self.index(down, right)
                for cell in bitboard.cells_in(starts, self.columns):
                    found.append(tuple([cell + between * at for at in range(self.k)]))
        return found

    @cached_property
    def counts_longer(self) -> bool:
        """True if a run longer than k is a line. If k is 1, the value does not matter, because the
        first mark ends the game."""
        return self.overline or self.k == 1

    def completes_line(self, cells: Sequence[str], index: int, mark: str) -> bool:
        """Return True if playing `mark` on the cell `index` completes a line."""
        if cells.count(mark) < self.k - 1:
            return False
        row, column = self.coordinates(index)
        for down, right in DIRECTIONS:
            run = 1 + self._in_a_row(cells, row, column, -down, -right, mark)
            run += self._in_a_row(cells, row, column, down, right, mark)
            if run == self.k or (run > self.k and self.counts_longer):
                return True
        return False

    def _in_a_row(
        self, cells: Sequence[str], row: int, column: int, down: int, right: int, mark: str
    ) -> int:
        for found in range(self.k):
            row += down
            column += right
            if not (0 <= row < self.rows and 0 <= column < self.columns):
                return found
            if cells[row * self.columns + column] != mark:
                return found
        return self.k

    def completing(self, cells: str, mark: str) -> tuple[int, ...]:
        """Return the legal moves with which `mark` would complete a line, ascending."""
        x, o, empty = bitboard.bits_of(cells, self.columns)
        found = self.gaps(x if mark == X else o, empty)
        return tuple(bitboard.cells_in(found, self.columns))

    def gaps(self, marks: int, empty: int) -> int:
        """Return the legal moves with which the side with these marks completes a line, as bits."""
        k, exactly = self.k, not self.counts_longer
        if marks.bit_count() < k - 1:
            return 0
        found = 0
        for step in bitboard.STEPS[self.columns]:
            starts = [-1]  # `starts[i]`: the cells where a run of at least i marks begins
            for length in range(k if exactly else k - 1):
                starts.append(starts[-1] & marks >> length * step)
            for before in range(k):
                after = k - 1 - before
                run = starts[before] << before * step & starts[after] >> step
                if exactly:
                    longer_before = starts[before + 1] << (before + 1) * step
                    run &= ~(longer_before | starts[after + 1] >> step)
                found |= run
        return found and found & self.playable(empty)

    def playable(self, empty: int) -> int:
        """Return the legal moves as bits; with gravity, the lowest empty cell of each column."""
        return empty & ~(empty >> self.columns + 1) if self.gravity else empty

    def moves(self, cells: Sequence[str]) -> tuple[int, ...]:
        """Return the legal moves, ascending: the empty cells, or with gravity the lowest empty cell
        of each column."""
        if not self.gravity:
            return tuple([index for index, mark in enumerate(cells) if mark == EMPTY])
        found = (self.landing(cells, column) for column in range(self.columns))
        return tuple(sorted(cell for cell in found if cell is not None))

    def landing(self, cells: Sequence[str], column: int) -> int | None:
        """Return the lowest empty cell of a column; None if the column is full."""
        for index in range(self.size - self.columns + column, -1, -self.columns):
            if cells[index] == EMPTY:
                return index
        return None


_FIELDS: Final = ("rows", "columns", "k", *SWITCHES)


@lru_cache(maxsize=32, typed=True)
def _rules(rows: int, columns: int, k: int, **switches: bool) -> Rules:
    # Cached, because `lines` of a large board takes up to 0.3 MB. Typed, because `Rules` must
    # refuse 3.0 and True, which equal 3 and 1.
    return Rules(rows, columns, k, **switches)


def is_integer(value: object) -> bool:
    """Return True if `value` is an int, but not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)
