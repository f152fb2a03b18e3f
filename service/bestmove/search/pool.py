"""Engines kept for the next search, as many as the memory limit allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Final

from bestmove.game import Rules
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import BESIDE_BYTES, Engine

DEFAULT_BYTES: Final = 192 << 20
"""The default memory limit for all engines of a process."""

SEARCH_BYTES: Final = (32 << 20) + BESIDE_BYTES
"""The most memory that one search takes; it uses one engine at a time. Each additional thread takes
`BESIDE_BYTES` more."""


Make = Callable[[Rules], Engine]


class Searchers:
    """All engines of a process, busy and idle.

    Attributes:
        most: the memory limit in bytes. Beyond it the engine that has been idle longest is dropped.
            Busy engines are never dropped, so the caller must limit how many searches run at once.
        idle: for each idle engine the function that made it, its rules and the engine itself, the
            longest idle first.
    """

    def __init__(self, most: int = DEFAULT_BYTES) -> None:
        self.most = most
        self.idle: list[tuple[Make, Rules, Engine]] = []
        self._working: list[Engine] = []
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The bytes of all engines."""
        idle = (searcher for _, _, searcher in self.idle)
        return sum(searcher.size for searcher in (*idle, *self._working))

    @contextmanager
    def lend(
        self, make: Make, rules: Rules, cancellation: Cancellation | None = None
    ) -> Iterator[Engine]:
        """Lend an idle engine, or a new one, for one search, which `cancellation` can end."""
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
"""The engines of this process."""
