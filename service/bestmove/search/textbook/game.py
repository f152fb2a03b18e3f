"""The interface of games for textbook searches, and the searches' counts and results."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar


class Game(Protocol):
    """An immutable position of a game."""

    @property
    def maximizing(self) -> bool:
        """Whether the side to move wants the larger value. The sides take turns."""

    def is_over(self) -> bool:
        """Whether the game has ended here."""

    def utility(self) -> float:
        """The value of a position where the game has ended, for the maximiser."""

    def moves(self) -> Sequence[int]:
        """The moves in the order to try them, at least one; only called in a game in progress."""

    def play(self, move: int) -> Self:
        """The position after a move."""

    def key(self) -> Hashable:
        """Equal for equal positions, however they were reached."""


G = TypeVar("G", bound=Game)

Line = tuple[int, ...]
"""A sequence of moves."""


@dataclass(slots=True)
class Counts:
    """What a search did.

    Attributes:
        nodes: calls of the search, including the root.
        leaves: nodes at the end of the game or at the horizon.
        cutoffs: nodes left before their last move because alpha reached beta.
        table_hits: nodes answered by the transposition table.
        horizon_met: whether any value is an estimate.
    """

    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    horizon_met: bool = False

    def leaf(self, position: G, evaluate: Callable[[G], float]) -> float:
        """Count a leaf, and return its value."""
        self.leaves += 1
        if position.is_over():
            return position.utility()
        self.horizon_met = True
        return evaluate(position)

    def cut(self, move: int, moves: Sequence[int]) -> None:
        """Count a cutoff after `move`, unless it was the last move."""
        self.cutoffs += move != moves[-1]


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    Attributes:
        value: for the maximiser. A value outside the window is only a bound: at or below `alpha`
            an upper one, at or above `beta` a lower one.
        pv: the principal variation, best move first. If the value is inside the window, it goes to
            the end of the game or to the horizon.
        counts: what the search did.
    """

    value: float
    pv: Line
    counts: Counts = field(default_factory=Counts)


def zero(_position: Game) -> float:
    """An evaluation that is always 0."""
    return 0.0
