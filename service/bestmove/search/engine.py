"""The protocol that every engine speaks: a task, and what is found of one move or of every one.

A prover answers only what it proves, a player always answers. Each is made for a board and its
rules, is of bounded memory, and does one task at a time.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from bestmove.game import EMPTY, O, X
from bestmove.search.cancellation import Cancellation
from bestmove.search.results import Found, Report

BESIDE_BYTES: Final = 3 << 20
"""What an engine takes beside its table, and each thread that helps it: the most measured."""

_TO_CODE: Final = str.maketrans({EMPTY: "\0", X: "\1", O: "\2"})
_CODES: Final = {X: 1, O: 2}


class Memory(Enum):
    """What a task may use of what its engine did before; otherwise equal tasks get equal answers.

    Attributes:
        NOTHING: nothing.
        GAME: all, as of the same game: the answer then depends on it, and all of the time is used.
        POSITION: all, as of the same position, just searched for its best move; nodes are counted
            from here.
    """

    NOTHING = "nothing"
    GAME = "game"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Task:
    """What is searched, within which budget, and who hears of it.

    Attributes:
        cells: rows * columns bytes along the rows: 0 empty, 1 X, 2 O; nobody has a line, a cell is
            empty, and with gravity none is below a mark.
        mover: 1 for X, 2 for O.
        deadline: when to stop, by `time.monotonic()`.
        nodes: at most about so many calls of the search; what is proven by then may take more for
            its line.
        depth: at most so many plies, threats apart; 0 values the moves at sight. A prover has no
            use for it.
        due: when a line that is proven must be told; None is the deadline.
        counted: whether the deadline is a last resort: before it, the clock has no say.
        to_the_end: whether the line of what is proven matters.
        memory: what may be used of earlier tasks.
        from_book: whether the book of the opening may answer for a player.
        threads: how many search together for the best move, where that is possible.
        moves: these at least are told, by index; every legal one unless given.
        lines: so many of the moves are searched further than the others and come first, where the
            engine does so; None searches all alike.
        report: takes what is found so far, after every depth that does not end the search.
        cancellation: ends it.
    """

    cells: bytes
    mover: int
    deadline: float | None = None
    nodes: int | None = None
    depth: int | None = None
    due: float | None = None
    counted: bool = False
    to_the_end: bool = True
    memory: Memory = Memory.NOTHING
    from_book: bool = False
    threads: int = 1
    moves: Sequence[int] | None = None
    lines: int | None = None
    report: Report | None = None
    cancellation: Cancellation | None = None

    @property
    def side(self) -> int:
        """The mover as the kernels number the sides: 0 for X, 1 for O."""
        return self.mover - 1

    @property
    def last_call(self) -> float | None:
        """When all must end."""
        return self.deadline if self.due is None else self.due


class Every(NamedTuple):
    """What is found of every move that was asked for.

    Attributes:
        found: of a prover what it has proven, in the order of the cells; of a player every move,
            the best first, ties by index.
        complete: whether all is proven, or none was cut short of the depth of the others.
        lines: so many of the first were searched further than the others.
    """

    found: list[Found]
    complete: bool
    lines: int = 0


class Engine(ABC):
    """A searcher that is lent to one search after another.

    Args:
        kernel: counts its `nodes`, and ends when it is told to `cancel`.
        table_bytes: what its transposition table takes once it is full.
    """

    def __init__(self, kernel: Any, table_bytes: int) -> None:
        self.kernel = kernel
        self.table_bytes = table_bytes

    @property
    def nodes(self) -> int:
        """Nodes of the task that is at work or was the last."""
        return int(self.kernel.nodes)

    @property
    def size(self) -> int:
        """Bytes that it takes once its table is full."""
        return self.table_bytes + BESIDE_BYTES

    @abstractmethod
    def best(self, task: Task) -> Found | None:
        """The best move for the mover; of a prover None where the budget ran out.

        Raises:
            ValueError: cells of another size, or that no game can have.
        """

    @abstractmethod
    def every(self, task: Task) -> Every:
        """Every move of the task with its own value for the mover.

        Raises:
            ValueError: as of `best`.
        """

    def cancel(self) -> None:
        """From another thread: end the task that is at work; beginning one forgets it."""
        self.kernel.cancel()

    def heed(self, task: Task) -> None:
        """For a task that has just begun: end it if it was cancelled before."""
        if task.cancellation is not None and task.cancellation.is_cancelled:
            self.cancel()


def encoded(cells: str, mover: str | None) -> tuple[bytes, int]:
    """A position as a task has it; without a mover it is X's turn."""
    return cells.translate(_TO_CODE).encode("ascii"), _CODES[mover or X]


def after_share(deadline: float | None, share: float) -> float | None:
    """When a share of the time that is left until a deadline has gone by."""
    if deadline is None:
        return None
    now = time.monotonic()
    return now + share * (deadline - now)
