"""The interface of all engines: an engine takes a task, and returns the best move or all moves.

A prover returns only what it can prove; a player always returns a move. An engine is made for one
set of rules, takes a bounded amount of memory, and does one task at a time. `searchers` keeps
engines for later searches, as many as the memory limit allows.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from enum import Enum
from threading import Lock
from typing import Any, Final, NamedTuple

from bestmove.game import EMPTY, O, Rules, X
from bestmove.search.cancellation import Cancellation
from bestmove.search.results import Found, Report

BESIDE_BYTES: Final = 3 << 20
"""The bytes that one engine needs besides its table: the largest amount measured. Each additional
thread needs as many bytes again."""

SEARCH_BYTES: Final = (32 << 20) + BESIDE_BYTES
"""The most bytes that a search with one thread takes."""

DEFAULT_BYTES: Final = 192 << 20
"""The default limit in bytes for the memory of all engines of a process."""

_TO_CODE: Final = str.maketrans({EMPTY: "\0", X: "\1", O: "\2"})
_CODES: Final = {X: 1, O: 2}


class Memory(Enum):
    """What a task may use of its engine's earlier searches.

    Attributes:
        NOTHING: nothing, so equal tasks get equal answers.
        GAME: everything, because the earlier searches were of the same game. The answer depends on
            those searches, and the task uses all of its time.
        POSITION: everything, because the engine has just searched the same position for its best
            move. The node count starts again at 0.
    """

    NOTHING = "nothing"
    GAME = "game"
    POSITION = "position"


class Task(NamedTuple):
    """What to search, the budget, and the function that gets reports.

    Attributes:
        cells: a byte for each cell, row by row: 0 empty, 1 X, 2 O. Neither side has a line, some
            cell is empty, and with gravity no empty cell is below a mark.
        mover: 1 for X, 2 for O.
        deadline: when to stop, by `time.monotonic()`.
        nodes: the approximate node limit; finding the variation of a proven result may take more.
        depth: the most plies to look ahead, not counting searches for threats; 0 evaluates the
            moves without a search. Provers ignore it.
        due: when to stop looking for the variation of a proven result; None means `deadline`.
        counted: whether nodes limit the search; the deadline is then only the last resort.
        pv: whether variations are wanted; if not, a proven move may come without the moves after
            it.
        to_the_end: whether to search for the whole variation of a proven result. The part that
            needs no search is always included.
        memory: which findings of earlier tasks may be used.
        threads: how many threads search together for the best move, where that is possible.
        moves: the indices of the moves to evaluate; the engine may add others. None means all.
        lines: how many moves to search further than the others, if the engine supports it; these
            moves come first. None means that all are searched to the same depth.
        report: called with the findings so far, after every depth that does not end the search.
        cancellation: ends the search.
        order: all legal moves. Of equally good proven moves, the first in this order is the answer.
            None means the ascending order of the indices.
        line_nodes: with gravity, the most nodes for the variations of all proven results together,
            in addition to `nodes`; None means no such limit.
    """

    cells: bytes
    mover: int
    deadline: float | None = None
    nodes: int | None = None
    depth: int | None = None
    due: float | None = None
    counted: bool = False
    pv: bool = True
    to_the_end: bool = True
    memory: Memory = Memory.NOTHING
    threads: int = 1
    moves: Sequence[int] | None = None
    lines: int | None = None
    report: Report | None = None
    cancellation: Cancellation | None = None
    order: Sequence[int] | None = None
    line_nodes: int | None = None

    @property
    def side(self) -> int:
        """The mover's number in the kernels: 0 for X, 1 for O."""
        return self.mover - 1

    @property
    def last_call(self) -> float | None:
        """The deadline of the whole task, including the search for variations."""
        return self.deadline if self.due is None else self.due


class Every(NamedTuple):
    """The results of the moves of a task.

    Attributes:
        found: from a prover, the proven moves in order of index; from a player, all moves, best
            first, equally good moves in order of index.
        complete: whether all moves are proven, or were searched to the same depth.
        lines: how many moves at the beginning of `found` were searched further than the others.
    """

    found: list[Found]
    complete: bool
    lines: int = 0


class Searcher(ABC):
    """A prover or a player, used for one search after another.

    Args:
        kernel: the object that searches, with `nodes`, `cutoffs`, `table_hits` and `cancel`.
        table_bytes: the most bytes that the transposition table takes.
    """

    def __init__(self, kernel: Any, table_bytes: int) -> None:
        self.kernel = kernel
        self.table_bytes = table_bytes

    @property
    def nodes(self) -> int:
        """The nodes of the current task; between tasks, of the last task."""
        return int(self.kernel.nodes)

    @property
    def size(self) -> int:
        """The most bytes of memory that the engine takes."""
        return self.table_bytes + BESIDE_BYTES

    @abstractmethod
    def best(self, task: Task) -> Found | None:
        """Return the best move for the mover; None from a prover that ran out of budget.

        Raises:
            ValueError: `cells` has the wrong length, or no game can have this position.
        """

    @abstractmethod
    def every(self, task: Task) -> Every:
        """Return every move of the task, with its own value for the mover.

        Raises:
            ValueError: as in `best`.
        """

    def found(self, value: int, pv: Iterable[int], depth: int = 0, exact: bool = False) -> Found:
        """Make a result with the counts of the current task."""
        counts = self.kernel.nodes, self.kernel.cutoffs, self.kernel.table_hits
        return Found(value, exact, tuple(pv), depth, *counts)

    def cancel(self) -> None:
        """End the current task. Other threads call this. Later tasks are not affected."""
        self.kernel.cancel()

    def heed(self, task: Task) -> None:
        """If the task was cancelled before it began, end it at once."""
        if task.cancellation is not None and task.cancellation.is_cancelled:
            self.cancel()


Make = Callable[[Rules], Searcher]


class Searchers:
    """All engines of a process, busy and idle.

    Attributes:
        most: the memory limit in bytes. Above it, the engine that has been idle longest is dropped.
            Busy engines are never dropped, so the caller must limit how many searches run at once.
        idle: for each idle engine, the function that made it, its rules and the engine; the longest
            idle comes first.
    """

    def __init__(self, most: int = DEFAULT_BYTES) -> None:
        self.most = most
        self.idle: list[tuple[Make, Rules, Searcher]] = []
        self._working: list[Searcher] = []
        self._lock = Lock()

    @property
    def size(self) -> int:
        idle = (searcher for _, _, searcher in self.idle)
        return sum(searcher.size for searcher in (*idle, *self._working))

    @contextmanager
    def lend(
        self, make: Make, rules: Rules, cancellation: Cancellation | None = None
    ) -> Iterator[Searcher]:
        """Provide an idle or a new engine while the block runs. `cancellation` ends its search."""
        with self._lock:
            known = (at for at, each in enumerate(self.idle) if each[:2] == (make, rules))
            at = next(known, None)
            found = None if at is None else self.idle.pop(at)[2]
        searcher = found or make(rules)
        with self._lock:
            self._working.append(searcher)
            if found is None:
                self._make_room()
        try:
            with cancellation.reaching(searcher.cancel) if cancellation else nullcontext():
                yield searcher
        finally:
            with self._lock:
                self._working = [each for each in self._working if each is not searcher]
                self.idle.append((make, rules, searcher))
                self._make_room()

    def _make_room(self) -> None:
        while self.idle and self.size > self.most:
            del self.idle[0]


searchers: Final = Searchers()


def encoded(cells: str, mover: str | None) -> tuple[bytes, int]:
    """Encode a position as the `cells` and `mover` of a `Task`. A `mover` of None means X."""
    return cells.translate(_TO_CODE).encode("ascii"), _CODES[mover or X]


def after_share(deadline: float | None, share: float) -> float | None:
    """Return the moment at which `share` of the time to the deadline will have passed."""
    if deadline is None:
        return None
    now = time.monotonic()
    return now + share * (deadline - now)
