"""The symmetries of a position. Only one of several symmetric moves needs a search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from bestmove.game import Board
from bestmove.search.results import Found

_KEPT: Final = frozenset({"gravity", "overline", "misere"})
"""Under these switches, the symmetries of the board are symmetries of the game."""


class Symmetry:
    """The symmetries of the board that leave one position unchanged.

    With gravity, only the reflection of left and right can be a symmetry.
    """

    def __init__(self, board: Board) -> None:
        rules, cells = board.rules, board.cells
        self.board = board
        identity, *others = rules.geometry.symmetries
        others = others if rules.are_known(_KEPT) else []
        self._images = [identity.image]
        self._images += [each.image for each in others if each.moved(cells) == cells]

    @cached_property
    def moves(self) -> list[int]:
        """The move of lowest index from each set of symmetric moves, in ascending order."""
        if len(self._images) == 1:
            return list(self.board.moves)
        lowest = tuple(map(min, zip(*self._images, strict=True)))
        return [move for move in self.board.moves if lowest[move] == move]

    def lowest(self, found: Found) -> Found:
        """Turn or mirror the moves of `found` so that the first move gets the lowest index."""
        return min(self._images_of(found), key=lambda image: image.pv[0])

    def of_all(self, found: Sequence[Found]) -> list[Found]:
        """Copy each result to the symmetric moves that have no result. Return all results."""
        own = {known.pv[0] for known in found}
        return [
            image
            for known in found
            for move, image in {image.pv[0]: image for image in self._images_of(known)}.items()
            if move == known.pv[0] or move not in own
        ]

    def first(self, found: Found) -> int:
        """Return the move of lowest index that is symmetric to the result's move."""
        return min(image[found.pv[0]] for image in self._images)

    def count(self, found: Found) -> int:
        """Return how many moves are symmetric to the result's move, including that move."""
        return len({image[found.pv[0]] for image in self._images})

    def _images_of(self, found: Found) -> list[Found]:
        # `of_all` keeps the last of several results for a move, so the original result comes last.
        images = [
            found._replace(pv=tuple(image[cell] for cell in found.pv))
            for image in reversed(self._images[1:])
        ]
        return [*images, found]
