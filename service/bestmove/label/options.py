"""The options for labelling a table of positions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import index
from typing import Any, Final

from bestmove.errors import InvalidInput, InvalidLimits
from bestmove.game.inputs import RULES, require_usable
from bestmove.game.rules import Rules, VariantFields
from bestmove.label.positions import COLUMNS, MOVE_LISTS, ORDERS
from bestmove.search.limits import OPTIONS, Limits, SearchLimits
from bestmove.words import EXACT_CELLS

_SMALL_CELLS: Final = 49

EXACT_NODES: Final = 200_000
SMALL_NODES: Final = 250_000
GRAVITY_NODES: Final = 500_000
LARGE_NODES: Final = 20_000
"""The default budgets of a row, in nodes. docs/labelling.md says what each budget proves."""


def default_nodes(rules: Rules) -> int:
    if rules.size <= EXACT_CELLS:
        return EXACT_NODES
    if rules.gravity:
        return GRAVITY_NODES
    return SMALL_NODES if rules.size <= _SMALL_CELLS else LARGE_NODES


@dataclass(frozen=True, slots=True)
class Options(VariantFields):
    """What to find for each row, and the budget of a row.

    Attributes:
        rows, columns, k, first: as in a request, for rows that do not give these values themselves;
            `game` and the switches, too.
        nodes: the budget (see `Limits.nodes`). If no budget is given, `default_nodes` applies.
        depth: plies to look ahead.
        time_ms: milliseconds for each row, instead of nodes and depth. The answers then depend on
            the machine.
        all_moves: whether to add `scores` and `scores_exact`.
        pv, reason: whether to add the column with this name.
        keep: the columns of the result, in this order; None means all.
        sources: pairs of a field and the column from which the field is read, or a dict such as
            `{"board": "fen"}`.
        cells: the columns that each hold one cell of the board. `a*` means all columns whose names
            begin with `a`, and `*a` those that end with it. Beside x and o, b is an empty cell; so
            is a missing value.
        order: the order of `cells`, or of the cells in a board without rows, such as a list or
            `x,o,b,…`: `rows` (along the rows, from the top), `columns` (down the columns, from the
            left) or `columns-up` (up the columns).
        move_lists: what a number in a list of moves is: the `index` of a cell, or a column, counted
            from 0 (`column0`) or from 1 (`column1`). Both mean the same in
            text. By default a text such as `4453` has columns from 1.
        ignore: columns that have the name of a field, but are not read as that field.
        prefix: begins the names of the added columns.

    Raises:
        InvalidInput: an option is out of range or excludes another; `field` names the option.
    """

    rows: int | None = None
    columns: int | None = None
    k: int | None = None
    first: str | None = None
    nodes: int | None = None
    depth: int | None = None
    time_ms: int | None = None
    all_moves: bool = False
    pv: bool = False
    reason: bool = False
    keep: tuple[str, ...] | None = None
    sources: tuple[tuple[str, str], ...] = ()
    cells: tuple[str, ...] = ()
    order: str = ORDERS[0]
    move_lists: str = MOVE_LISTS[0]
    ignore: tuple[str, ...] = ()
    prefix: str = ""

    def __post_init__(self) -> None:
        for name in ("keep", "cells", "ignore"):  # pandas may number its columns
            if (names := getattr(self, name)) is not None:
                given = (names,) if isinstance(names, str) else map(str, names)
                object.__setattr__(self, name, tuple(given))
        sources: Any = self.sources
        pairs = sources.items() if isinstance(sources, dict) else sources
        object.__setattr__(self, "sources", tuple((name, str(each)) for name, each in pairs))
        for name in ("rows", "columns", "k", *self._limits):
            value = getattr(self, name)
            if hasattr(value, "__index__") and not isinstance(value, bool):  # as NumPy's integers
                object.__setattr__(self, name, index(value))
        Limits(**self._limits)
        if self.time_ms is not None and (self.nodes is not None or self.depth is not None):
            other = "nodes" if self.nodes is not None else "depth"
            raise InvalidLimits(
                f"time_ms and {other} exclude each other: only with {other} are the labels the "
                "same on every machine",
                "time_ms",
            )
        require_usable(self.position)
        if self.keep is not None and len(set(self.keep)) < len(self.keep):
            raise InvalidInput("a column is named twice", "keep")
        for name, known in (("order", ORDERS), ("move_lists", MOVE_LISTS)):
            if getattr(self, name) not in known:
                raise InvalidInput(f"{name} must be one of {', '.join(known)}", name)
        named = [name for name, _ in self.sources]
        for name in named:
            if name not in COLUMNS:
                raise InvalidInput(
                    f"{name} is no field of a position: use one of {', '.join(COLUMNS)}", "sources"
                )
        if len(set(named)) < len(named) or ("board" in named and self.cells):
            raise InvalidInput("a field is read from two columns", "sources")

    @property
    def position(self) -> dict[str, Any]:
        """The default values of fields, for rows that lack them."""
        return {name: value for name in RULES if (value := getattr(self, name)) is not None}

    def limits(self, rules: Rules) -> SearchLimits:
        found = SearchLimits(**self._limits, pv=self.pv)
        if self.time_ms is self.depth is self.nodes is None:
            return replace(found, nodes=default_nodes(rules))
        return found

    @property
    def _limits(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OPTIONS if "label" in OPTIONS[name].doors}
