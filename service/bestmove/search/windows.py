"""The windows and symmetries of a board, for proofs.

A window is a possible line. A set of cells is an integer in which cell i is the bit `1 << i`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from bestmove.game import Rules
from bestmove.search.common import geometry


class BoardSymmetry(NamedTuple):
    """A symmetry of the board.

    Attributes:
        name: one of `geometry.SYMMETRIES`.
        back: `back[cell]` is the cell whose image is `cell`.
        marks: returns the characters of a position's image.
    """

    name: str
    back: tuple[int, ...]
    marks: Callable[[str], Iterable[str]]

    def moved(self, cells: str) -> str:
        return "".join(self.marks(cells))

    def undone(self, cells: int) -> int:
        """Return the set of cells whose image is the set `cells`."""
        return geometry.moved(cells, self.back)


class Shape:
    """The windows and symmetries of a game's board.

    Attributes:
        windows: for each window, two sets of cells. The first set has the window's cells. If only
            exactly k in a row win, the second set has the cells just before and after the window,
            where the side that fills the window must have no mark.
        symmetries: the symmetries that the rules allow, without the identity.
    """

    def __init__(self, rules: Rules) -> None:
        exactly = not rules.counts_longer
        # `replace` copies `rules`. The copy, with its cached `ends`, is freed after the loop.
        self.windows = [
            (geometry.set_of(line), geometry.set_of(ends) if exactly else 0)
            for line, ends in replace(rules).ends.items()
        ]
        _, *others = geometry.named_symmetries(rules.rows, rules.columns, rules.gravity).items()
        self.symmetries: list[BoardSymmetry] = []
        for name, image in others:
            back = tuple(geometry.inverse(image))
            self.symmetries.append(BoardSymmetry(name, back, itemgetter(*back)))

    def least(self, cells: str) -> str:
        """Return the alphabetically first of a position and the position's images."""
        return min([cells, *(symmetry.moved(cells) for symmetry in self.symmetries)])

    def named(self, name: str) -> BoardSymmetry:
        return next(each for each in self.symmetries if each.name == name)

    def combined(self, first: BoardSymmetry, then: str | None) -> BoardSymmetry | None:
        """Return the symmetry that has the effect of `first` followed by the symmetry named `then`.

        Return None if the two cancel out.
        """
        if then is None:
            return first
        back = tuple(first.back[cell] for cell in self.named(then).back)
        return next((each for each in self.symmetries if each.back == back), None)

    def left(self, filler: int, foe: int) -> list[int]:
        """Return the empty cells of each window that a side can still fill.

        Args:
            filler: the cells with the side's marks.
            foe: the cells with the opponent's marks.
        """
        return [
            window & ~filler
            for window, ends in self.windows
            if not window & foe and not ends & filler
        ]


@lru_cache(maxsize=16)
def shape_of(rules: Rules) -> Shape:
    return Shape(rules)


def played(cells: str, move: int, mark: str) -> str:
    return cells[:move] + mark + cells[move + 1 :]
