"""Searchers kept for the next request, as many as the memory for all of them has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Final, Generic, TypeVar, cast

from bestmove.game import Rules
from bestmove.search.cancellation import BESIDE_BYTES, Cancellable, Cancellation

DEFAULT_BYTES: Final = 192 << 20
"""What the searchers of a process may take together unless it says otherwise."""

SEARCH_BYTES: Final = (32 << 20) + BESIDE_BYTES
"""The most that one search takes, of which one searcher is at work at a time. Each thread that
helps it adds `BESIDE_BYTES`."""


_S = TypeVar("_S", bound=Cancellable)


class Searchers:
    """All the searchers of a process: those at work, and those that are idle.

    Attributes:
        most: bytes that all of them may take. Past it the longest idle goes first; one that is at
            work never does, so that whoever lets searches begin must count those.
        idle: what each is for, the rules of its board, and the searcher itself, the longest idle
            first.
    """

    def __init__(self, most: int = DEFAULT_BYTES) -> None:
        self.most = most
        self.idle: list[tuple[object, Rules, Cancellable]] = []
        self._working: list[Cancellable] = []
        self._lock = Lock()

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        idle = (searcher for _, _, searcher in self.idle)
        return sum(searcher.size for searcher in (*idle, *self._working))

    def take(self, kind: Callable[[Rules], _S], rules: Rules) -> _S:
        """One that is idle, or a new one."""
        with self._lock:
            known = (at for at, each in enumerate(self.idle) if each[:2] == (kind, rules))
            at = next(known, None)
            found = None if at is None else self.idle.pop(at)[2]
        searcher = kind(rules) if found is None else cast(_S, found)
        with self._lock:
            self._working.append(searcher)
            self._make_room()
        return searcher

    def give_back(self, kind: Callable[[Rules], _S], rules: Rules, searcher: _S) -> None:
        """Keep one that has done its work for the next."""
        with self._lock:
            self._working = [each for each in self._working if each is not searcher]
            self.idle.append((kind, rules, searcher))
            self._make_room()

    def _make_room(self) -> None:
        while self.idle and self.size > self.most:
            del self.idle[0]


searchers: Final = Searchers()
"""Those of this process."""


class Pool(Generic[_S]):
    """Searchers of one kind, each lent to one search at a time."""

    def __init__(self, make: Callable[[Rules], _S], kept: Searchers = searchers) -> None:
        self._make = make
        self._kept = kept

    @contextmanager
    def borrow(self, rules: Rules, cancellation: Cancellation | None = None) -> Iterator[_S]:
        """Lend a searcher for a board of these rules to one search, which may be cancelled."""
        searcher = self._kept.take(self._make, rules)
        searcher.cancellation = cancellation
        try:
            with cancellation.reaching(searcher.cancel) if cancellation else nullcontext():
                yield searcher
        finally:
            searcher.cancellation = None
            self._kept.give_back(self._make, rules, searcher)
