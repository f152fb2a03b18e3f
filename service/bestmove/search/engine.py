"""The interface of all engines.

An engine takes a task, and returns the best move or all moves. A prover returns only proven
results; a player always returns a move.

An engine is made for one set of rules, and does one task at a time. `searchers` keeps idle engines
for later searches, up to a memory limit.
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
from bestmove.search.engines.solver.parameters import CELLS
from bestmove.search.results import Found, Report

BESIDE_BYTES: Final = 3 << 20
"""The most memory, in bytes, that an engine was measured to need without its table. Each further
thread needs as much again."""

_TABLE_BYTES: Final = 16 << 20
_LARGE_TABLE_BYTES: Final = 32 << 20

SEARCH_BYTES: Final = _LARGE_TABLE_BYTES + BESIDE_BYTES
"""The most memory, in bytes, that a search with one thread needs."""

DEFAULT_BYTES: Final = 192 << 20

_TO_CODE: Final = str.maketrans({EMPTY: "\0", X: "\1", O: "\2"})
_CODES: Final = {X: 1, O: 2}


class Memory(Enum):
    """What a task may use of its engine's earlier searches.

    Attributes:
        NOTHING: nothing, so that equal tasks get equal results.
        GAME: everything from searches of the same game. The result depends on those searches, and
            the task uses all of its time.
        POSITION: everything from the last search, which sought the best move in the same position.
            The node count starts again at 0.
    """

    NOTHING = "nothing"
    GAME = "game"
    POSITION = "position"


class Task(NamedTuple):
    """One task for an engine: a position and a budget.

    Attributes:
        cells: a byte for each cell, row by row: 0 empty, 1 X, 2 O. The game is not over, and with
            gravity no empty cell is below a mark.
        mover: 1 for X, 2 for O.
        deadline: when to stop, in `time.monotonic()` seconds.
        nodes: the approximate node limit; variations may take more nodes.
        depth: the most plies to look ahead; 0 means no search. Searches for threats may look
            further. Provers ignore `depth`.
        due: when to stop the search for variations of proven results; None means `deadline`.
        counted: whether nodes or depth limit the search. The deadline is then the last resort.
        pv: whether the variation of a proven result is wanted.
        to_the_end: whether to search for the whole variation of a proven result. If not, the
            variation has only the part that needs no search.
        threads: how many threads search for the best move, if the engine supports several.
        moves: the moves to evaluate; the engine may evaluate more. None means all moves.
        lines: how many moves to search further than the others, if the engine supports that. None
            means that all are searched to the same depth.
        report: called with the findings so far, while the search continues.
        order: all legal moves. Of equally good proven moves, the engine chooses the first in this
            order. None means ascending indices.
        defences: returns the order that applies if every move loses; None means `order`.
        line_nodes: with gravity, a separate node limit for all variations of proven results
            together; None means no limit.
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
    defences: Callable[[], Sequence[int]] | None = None
    line_nodes: int | None = None

    @property
    def side(self) -> int:
        # The kernels number the sides 0 for X, 1 for O.
        return self.mover - 1

    def preferred(self, value: int) -> Sequence[int] | None:
        """Return the order that applies if the position has this value, as `order` has it."""
        return self.defences() if self.defences and value < 0 else self.order

    @property
    def last_call(self) -> float | None:
        """When the whole task must end, including the search for variations."""
        return self.deadline if self.due is None else self.due


class Every(NamedTuple):
    """The results of the moves of a task.

    Attributes:
        found: a prover returns the proven moves in order of index. A player returns all moves, best
            first, equally good moves in order of index.
        complete: whether all moves are proven, or were searched to the same depth.
        lines: how many moves at the beginning of `found` were searched further than the others.
    """

    found: list[Found]
    complete: bool
    lines: int = 0


class Searcher(ABC):
    """An engine: a prover or a player.

    Args:
        kernel: the object that searches, with `nodes`, `cutoffs`, `table_hits` and `cancel`.
        table_bytes: the most bytes that the transposition table takes.
    """

    def __init__(self, kernel: Any, table_bytes: int) -> None:
        self.kernel = kernel
        self.table_bytes = table_bytes

    @property
    def nodes(self) -> int:
        """The nodes visited in the current or last task."""
        return int(self.kernel.nodes)

    @property
    def size(self) -> int:
        return self.table_bytes + BESIDE_BYTES

    @abstractmethod
    def best(self, task: Task) -> Found | None:
        """Return the best move. A prover returns None if the budget does not suffice for a proof.

        Raises:
            ValueError: `cells` has the wrong length, or no game can reach the position.
        """

    @abstractmethod
    def every(self, task: Task) -> Every:
        """Return the values of the task's moves. Raise the same errors as `best`."""

    def found(self, value: int, pv: Iterable[int], depth: int = 0, exact: bool = False) -> Found:
        counts = self.kernel.nodes, self.kernel.cutoffs, self.kernel.table_hits
        return Found(value, exact, tuple(pv), depth, *counts)

    def cancel(self) -> None:
        """End the current task from another thread. Later tasks are not affected."""
        self.kernel.cancel()

    def heed(self, task: Task) -> None:
        """If the task was cancelled before it began, end it at once."""
        if task.cancellation is not None and task.cancellation.is_cancelled:
            self.cancel()


Make = Callable[[Rules], Searcher]


class Engines(NamedTuple):
    """The engines for certain rules.

    Attributes:
        switches: the switches that the engines understand.
        fits: whether the engines support the rules, if they understand the switches.
        player: makes the engine that always returns a move.
        prover: makes the engine that returns only proven results. None means that the player tries
            to prove its own results.
        player_rate, prover_rate: the nodes per millisecond.
        takes_threads: whether several threads can search for the player's best move.
    """

    switches: frozenset[str]
    fits: Callable[[Rules], bool]
    player: Make
    player_rate: Callable[[Rules], int]
    prover: Make | None = None
    prover_rate: Callable[[Rules], int] = lambda _: 1
    takes_threads: bool = False

    def takes(self, rules: Rules) -> bool:
        """Return True if the engines support the rules."""
        return rules.are_known(self.switches) and self.fits(rules)


class Searchers:
    """All engines of a process, busy and idle.

    Attributes:
        most: the memory limit in bytes. Above the limit, the engines that have been idle longest
            are dropped. Busy engines are never dropped, so the caller must limit how many searches
            run at once.
        idle: the idle engines, longest idle first, each with its maker and its rules.
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
        """Provide an engine for a `with` block. `cancellation` ends the engine's search."""
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


def search_bytes(rules: Rules) -> int:
    """Return the most memory, in bytes, that a search with one thread needs by these rules."""
    # Only the solver and the engines of games with gravity have large tables.
    is_large = rules.gravity or rules.size <= CELLS
    return SEARCH_BYTES if is_large else _TABLE_BYTES + BESIDE_BYTES


def encoded(cells: str, mover: str | None) -> tuple[bytes, int]:
    """Encode a position as the `cells` and `mover` of a `Task`. A `mover` of None means X."""
    return cells.translate(_TO_CODE).encode("ascii"), _CODES[mover or X]


def after_share(deadline: float | None, share: float) -> float | None:
    """Return the deadline of a first search that gets `share` of the remaining time."""
    if deadline is None:
        return None
    now = time.monotonic()
    return now + share * (deadline - now)
