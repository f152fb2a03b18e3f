"""A way to end a search from another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock


class Cancellation:
    """Ends every search that it is passed to, whether it is running or starts later.

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
        """End the searches within a few milliseconds; they return what they have found by then.

        May be called from any thread. A textbook search has no partial result: it raises
        `OutOfTime`.
        """
        with self._lock:
            self.is_cancelled = True
            for end in self._enders:
                end()

    @contextmanager
    def reaching(self, end: Callable[[], None]) -> Iterator[None]:
        """Make `cancel` call `end` as long as the block runs."""
        with self._lock:
            self._enders.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._enders.remove(end)
