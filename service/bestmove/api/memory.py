"""Remembers answers in a limited number of bytes."""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from threading import Lock
from typing import Any, Final

ENTRY_BYTES: Final = 2048
"""Bytes that an entry needs besides its answer, mostly for its key: 1.5 kB on 20×20."""


class AnswerMemory:
    """Stores values as bytes, by key. When it is full, it drops the oldest entries.

    Args:
        most: the most bytes that all entries may take together.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: dict[Hashable, bytes] = {}
        self._lock = Lock()
        self.size = 0

    def get(self, key: Hashable) -> Any:
        entry = self._entries.get(key)
        return None if entry is None else pickle.loads(entry)

    def add(self, key: Hashable, value: object) -> None:
        """Store a value, unless its entry alone takes more than `most` bytes."""
        entry = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        size = len(entry) + ENTRY_BYTES
        if size > self._most:
            return
        with self._lock:
            self._forget(key)
            while self.size + size > self._most:
                self._forget(next(iter(self._entries)))
            self._entries[key] = entry
            self.size += size

    def _forget(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.size -= len(entry) + ENTRY_BYTES
