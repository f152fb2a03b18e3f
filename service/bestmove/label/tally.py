"""Counts the rows of a table by problem and by size of board."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bestmove.game import Board
from bestmove.game.presets import preset
from bestmove.label.options import Options

_MOST_KINDS: Final = 1000
"""Further problems are counted together."""

_VARYING: Final = re.compile(r"'[^']*'|\b[a-t]?[0-9]+\b")


@dataclass
class Tally:
    """Counts of results.

    Attributes:
        exact: rows with a proven result.
        kinds: the rows without an answer, by kind of problem: problems that differ only in numbers,
            squares and quoted words are of one kind. For each kind: the number of rows, and the
            first row: the number of its table, its own number (from 1), and its problem.
        sizes: the other rows, by the size of the board, such as 3x3: for each size the number of
            rows, and the first row, as in `kinds`.
    """

    rows: int = 0
    exact: int = 0
    kinds: dict[str, list[Any]] = field(default_factory=dict)
    sizes: dict[str, list[int]] = field(default_factory=dict)

    @property
    def problems(self) -> int:
        return sum(count for count, *_ in self.kinds.values())

    def add(self, other: Tally) -> None:
        self.rows += other.rows
        self.exact += other.exact
        for counts, more in ((self.kinds, other.kinds), (self.sizes, other.sizes)):
            for kind, found in more.items():
                if len(counts) >= _MOST_KINDS and kind not in counts:
                    kind = ""
                known = counts.get(kind, [0, *found[1:]])
                counts[kind] = [known[0] + found[0], *min(known[1:], found[1:])]

    def odd_sizes(self, options: Options, place: Callable[[int, int], str]) -> str:
        """Return a text with all sizes of boards, or an empty text if each board has the one size
        that is expected.

        Args:
            place: returns the words for a row, from the number of its table and its own number.
        """
        sizes, named = set(self.sizes), ""
        if options.game is not None:
            rules = preset(options.game).rules
            expected = f"{options.rows or rules.rows}x{options.columns or rules.columns}"
            sizes.add(expected)
            named = f" ({options.game}: {expected})"
        if len(sizes) < 2:
            return ""
        shown = [
            f"{size} {count:,} row{'s' * (count > 1)} (first {place(*first)})"
            for size, (count, *first) in sorted(self.sizes.items(), key=lambda item: -item[1][0])
        ]
        return f"sizes of boards{named}: {', '.join(shown)}"


def tally_of(positions: Sequence[Board | str], exact: int, number: int, start: int) -> Tally:
    """Count rows. `positions`: the board of each row, or the text of its problem."""
    tally = Tally(len(positions), exact)
    for row, found in enumerate(positions, start + 1):
        if isinstance(found, str):
            known = tally.kinds.setdefault(_VARYING.sub("", found), [0, number, row, found])
        else:
            size = f"{found.rules.rows}x{found.rules.columns}"
            known = tally.sizes.setdefault(size, [0, number, row])
        known[0] += 1
    return tally
