"""A way to end a search from another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock


class Cancellation:
    """Ends every search that receives it, whether the search is running or starts later.

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
        """End the searches within a few milliseconds. Any thread may call this.

        A textbook search raises `OutOfTime`; any other search returns what it has found so far.
        """
        with self._lock:
            self.is_cancelled = True
            for end in self._enders:
                end()

    @contextmanager
    def reaching(self, end: Callable[[], None]) -> Iterator[None]:
        """While the block runs, `cancel` calls `end`."""
        with self._lock:
            self._enders.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._enders.remove(end)
