"""Ends one search from another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

BESIDE_BYTES: Final = 3 << 20
"""What a searcher takes beside its table, and each thread that helps it: the most measured."""


class Cancellation:
    """Given to a search, it can end it, and every later one that it is given to.

    >>> cancellation = Cancellation()
    >>> cancellation.cancel()
    >>> cancellation.is_cancelled
    True
    """

    def __init__(self) -> None:
        self.is_cancelled = False
        self._enders: list[Callable[[], None]] = []
        self._lock = Lock()

    def cancel(self) -> None:
        """From any thread: the search ends within some milliseconds and answers what it has.

        A textbook search has nothing before its end: it raises OutOfTime.
        """
        with self._lock:
            self.is_cancelled = True
            for end in self._enders:
                end()

    @contextmanager
    def reaching(self, end: Callable[[], None]) -> Iterator[None]:
        """While a searcher is at work: `cancel` calls its `end`."""
        with self._lock:
            self._enders.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._enders.remove(end)


class Cancellable:
    """A searcher that is lent to one search after another.

    Attributes:
        cancellation: what may end the search that is at work.
        table_bytes: what its transposition table takes once it is full.
    """

    cancellation: Cancellation | None = None
    table_bytes: int

    @property
    def size(self) -> int:
        """Bytes that it takes once its table is full."""
        return self.table_bytes + BESIDE_BYTES

    def cancel(self) -> None:
        """From another thread: end the search that is at work; beginning one forgets it."""
        raise NotImplementedError

    def heed(self) -> None:
        """For a search that has just begun: end it if it was cancelled before."""
        if self.cancellation is not None and self.cancellation.is_cancelled:
            self.cancel()
