"""Searchers kept for the next request, as many as the memory for all of them has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Final

from bestmove.game import Rules
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import BESIDE_BYTES, Engine

DEFAULT_BYTES: Final = 192 << 20
"""What the searchers of a process may take together unless it says otherwise."""

SEARCH_BYTES: Final = (32 << 20) + BESIDE_BYTES
"""The most that one search takes, of which one searcher is at work at a time. Each thread that
helps it adds `BESIDE_BYTES`."""


Make = Callable[[Rules], Engine]


class Searchers:
    """All the searchers of a process: those at work, and those that are idle.

    Attributes:
        most: bytes that all of them may take. Past it the longest idle goes first; one that is at
            work never does, so that whoever lets searches begin must count those.
        idle: what makes one like it, the rules of its board, and the searcher itself, the longest
            idle first.
    """

    def __init__(self, most: int = DEFAULT_BYTES) -> None:
        self.most = most
        self.idle: list[tuple[Make, Rules, Engine]] = []
        self._working: list[Engine] = []
        self._lock = Lock()

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        idle = (searcher for _, _, searcher in self.idle)
        return sum(searcher.size for searcher in (*idle, *self._working))

    @contextmanager
    def lend(
        self, make: Make, rules: Rules, cancellation: Cancellation | None = None
    ) -> Iterator[Engine]:
        """Lend one that is idle, or a new one, to one search, which may be cancelled."""
        with self._lock:
            known = (at for at, each in enumerate(self.idle) if each[:2] == (make, rules))
            at = next(known, None)
            found = None if at is None else self.idle.pop(at)[2]
        searcher = found or make(rules)
        with self._lock:
            self._working.append(searcher)
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
"""Those of this process."""
