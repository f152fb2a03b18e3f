"""What a textbook search asks of a game, what it counts and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar


class Game(Protocol):
    """A game seen from one of its positions, which never changes."""

    @property
    def maximizing(self) -> bool:
        """Whether the side to move wants the larger value. The sides take turns."""

    def is_over(self) -> bool:
        """Whether the game has ended here."""

    def utility(self) -> float:
        """The value of a position where the game has ended, for the maximiser."""

    def moves(self) -> Sequence[int]:
        """The moves in the order to try them, at least one; only asked of a game in progress."""

    def play(self, move: int) -> Self:
        """The position after a move."""

    def key(self) -> Hashable:
        """Equal for positions that are the same however they were reached."""


G = TypeVar("G", bound=Game)

Line = tuple[int, ...]
"""Moves that follow each other."""


@dataclass(slots=True)
class Counts:
    """What a search did.

    Attributes:
        nodes: calls of the search, the root among them.
        leaves: nodes that ended the game or lay on the horizon.
        cutoffs: nodes left before their last move because alpha met beta.
        table_hits: nodes answered by the transposition table.
        horizon_met: whether any value is an estimate.
    """

    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    horizon_met: bool = False

    def leaf(self, position: G, evaluate: Callable[[G], float]) -> float:
        """The value of a node without moves to try, counted."""
        self.leaves += 1
        if position.is_over():
            return position.utility()
        self.horizon_met = True
        return evaluate(position)

    def cut(self, move: int, moves: Sequence[int]) -> None:
        """Count a cutoff after `move`, unless it was the last one and nothing is left out."""
        self.cutoffs += move != moves[-1]


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    Attributes:
        value: for the maximiser. Of a search with a window it may be a bound only: at most `alpha`
            says that the value is no larger, at least `beta` that it is no smaller.
        pv: the principal variation, best move first. Inside the window it goes on to the end of
            the game or to the horizon.
        counts: what the search did.
    """

    value: float
    pv: Line
    counts: Counts = field(default_factory=Counts)


def zero(_position: Game) -> float:
    """The evaluation that is 0 everywhere."""
    return 0.0
