"""Ends one search from another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock


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
