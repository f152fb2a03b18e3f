"""Moves that a symmetry of the position takes into each other: one is searched for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from operator import itemgetter

from bestmove.game import Board
from bestmove.search.common import geometry
from bestmove.search.results import Found


class Symmetry:
    """The symmetries of the board that leave a position as it is.

    With gravity only the one that keeps every cell in its row.
    """

    def __init__(self, board: Board) -> None:
        rules, cells = board.rules, board.cells
        self._board = board
        self._images = [
            image
            for image, marks_of in _symmetries(rules.rows, rules.columns, rules.gravity)
            if "".join(marks_of(cells)) == cells
        ]

    @cached_property
    def moves(self) -> list[int]:
        """Of the moves that are images of each other the lowest, ascending."""
        lowest = tuple(map(min, zip(*self._images, strict=True)))
        return [move for move in self._board.moves if lowest[move] == move]

    def lowest(self, found: Found) -> Found:
        """What was found of a move, told of the lowest of its images."""
        return min(self._told(found), key=lambda image: image.pv[0])

    def of_all(self, found: Sequence[Found]) -> list[Found]:
        """What was found of some moves, told of each of their images in turn.

        A move that is among them keeps what was found of it.
        """
        own = {known.pv[0] for known in found}
        return [
            image
            for known in found
            for move, image in {image.pv[0]: image for image in self._told(known)}.items()
            if move == known.pv[0] or move not in own
        ]

    def first(self, found: Found) -> int:
        """The lowest image of a move: of `moves` the one that stands for it."""
        return min(image[found.pv[0]] for image in self._images)

    def count(self, found: Found) -> int:
        """The moves that are images of this one, itself among them."""
        return len({image[found.pv[0]] for image in self._images})

    def _told(self, found: Found) -> list[Found]:
        # The first symmetry leaves all as it is: that line comes last, to stay its move's.
        images = [
            replace(found, pv=tuple(image[cell] for cell in found.pv))
            for image in reversed(self._images[1:])
        ]
        return [*images, found]


@lru_cache(maxsize=64)
def _symmetries(
    rows: int, columns: int, gravity: bool
) -> list[tuple[list[int], Callable[[str], Iterable[str]]]]:
    """Each symmetry as the image of every cell, and what takes the marks of a position along."""
    return [(image, itemgetter(*image)) for image in geometry.symmetries(rows, columns, gravity)]
