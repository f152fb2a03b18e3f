"""Searchers kept for the next request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Final, Generic, TypeVar

from bestmove.game import Rules
from bestmove.search.cancellation import Cancellable, Cancellation

_IDLE_SEARCHERS: Final = 2
"""Searchers of each kind kept for the next request, each with its table."""


_S = TypeVar("_S", bound=Cancellable)


class Pool(Generic[_S]):
    """Idle searchers by rules, each lent to one search at a time; the longest idle goes first."""

    def __init__(self, make: Callable[[Rules], _S]) -> None:
        self._make = make
        self._idle: list[tuple[Rules, _S]] = []
        self._lock = Lock()

    @contextmanager
    def borrow(self, rules: Rules, cancellation: Cancellation | None = None) -> Iterator[_S]:
        """Lend a searcher for a board of these rules to one search, which may be cancelled."""
        with self._lock:
            place = next((at for at, (kept, _) in enumerate(self._idle) if kept == rules), None)
            searcher = None if place is None else self._idle.pop(place)[1]
        if searcher is None:
            searcher = self._make(rules)
        searcher.cancellation = cancellation
        try:
            with cancellation.reaching(searcher.cancel) if cancellation else nullcontext():
                yield searcher
        finally:
            searcher.cancellation = None
            with self._lock:
                self._idle.append((rules, searcher))
                del self._idle[:-_IDLE_SEARCHERS]
