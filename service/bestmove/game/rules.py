"""The rules of an (m,n,k)-game, with its switches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Final, TypedDict

from bestmove.errors import InvalidRules
from bestmove.game.geometry import Geometry, bits_of, cells_of, cells_with

MAX_SIDE: Final = 20
"""The most rows, and the most columns: Gomocup plays on 20×20."""

LETTERS: Final = "abcdefghijklmnopqrst"
"""The letter of each column, from the left. No letter is skipped."""

DEFAULT_K: Final = 5

EMPTY: Final = "."
X: Final = "X"
O: Final = "O"  # noqa: E741 - the mark's name


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


SWITCHES: Final[Mapping[str, Switch]] = {
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
"""The switches by name, in the order in which answers list them."""

_DEFAULTS: Final = {name: switch.default for name, switch in SWITCHES.items()}


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
        return _rules(rows, columns, k, **(_DEFAULTS | switches))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the fields. What is computed from them is large."""
        return partial(Rules.of, **self.to_dict()), ()  # type: ignore[arg-type] # the values fit

    @cached_property
    def size(self) -> int:
        return self.rows * self.columns

    @cached_property
    def changed(self) -> dict[str, bool]:
        """The switches that differ from their defaults, with their values."""
        values = {name: getattr(self, name) for name in SWITCHES}
        return {name: on for name, on in values.items() if on != SWITCHES[name].default}

    def are_known(self, switches: Set[str]) -> bool:
        """Return True if `switches` has every switch that differs from its default.

        An engine, an evaluation or a proof lists the switches that it understands. So a new switch
        is refused by each until it is added to its list.
        """
        return self.changed.keys() <= switches

    def to_dict(self) -> dict[str, int | bool]:
        return {name: getattr(self, name) for name in ("rows", "columns", "k", *SWITCHES)}

    def index(self, row: int, column: int) -> int:
        """Return a cell's index. Indices, rows and columns count from 0."""
        return row * self.columns + column

    def coordinates(self, index: int) -> tuple[int, int]:
        return divmod(index, self.columns)

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """The names of all cells, such as `h8`: the column's letter, and the row's number from the
        bottom."""
        rows, letters = range(self.rows, 0, -1), LETTERS[: self.columns]
        return tuple([f"{letter}{row}" for row in rows for letter in letters])

    @cached_property
    def is_3x3(self) -> bool:
        return self.rows == self.columns == 3

    @cached_property
    def geometry(self) -> Geometry:
        return Geometry(self)

    @cached_property
    def counts_longer(self) -> bool:
        """True if a run longer than k is a line. If k is 1, the value does not matter, because the
        first mark ends the game."""
        return self.overline or self.k == 1

    def completing(self, cells: str, mark: str) -> list[int]:
        """Return the legal moves with which `mark` would complete a line, ascending."""
        x, o, empty = bits_of(cells)
        return cells_of(self.geometry.gaps(x if mark == X else o, self.playable(empty)))

    def playable(self, empty: int) -> int:
        """Return the legal moves as bits; with gravity, the lowest empty cell of each column."""
        return empty & ~(empty >> self.columns) if self.gravity else empty

    def moves(self, cells: str) -> tuple[int, ...]:
        """Return the legal moves, ascending: the empty cells, or with gravity the lowest empty cell
        of each column."""
        if not self.gravity:
            return tuple([cell for cell, mark in enumerate(cells) if mark == EMPTY])
        return tuple(cells_of(self.playable(cells_with(cells, EMPTY))))

    def landing(self, cells: Sequence[str], column: int) -> int | None:
        """Return the lowest empty cell of a column; None if the column is full."""
        for index in range(self.size - self.columns + column, -1, -self.columns):
            if cells[index] == EMPTY:
                return index
        return None


@lru_cache(maxsize=32, typed=True)
def _rules(rows: int, columns: int, k: int, **switches: bool) -> Rules:
    # Cached, because the geometry of a large board takes up to 0.7 MB. Typed, because `Rules` must
    # refuse 3.0 and True, which equal 3 and 1.
    return Rules(rows, columns, k, **switches)


def is_integer(value: object) -> bool:
    """Return True if `value` is an int, but not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)
