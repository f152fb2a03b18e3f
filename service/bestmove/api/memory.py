"""What was found lately, remembered in a bounded number of bytes."""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from threading import Lock
from typing import Any, Final

ENTRY_BYTES: Final = 2048
"""What a remembered answer takes beside its own bytes: its question above all, 1.5 kB on 20×20."""


class Memory:
    """What was found lately, by what was asked, as bytes; the oldest goes first when it is full.

    Args:
        most: bytes of all of it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: dict[Hashable, bytes] = {}
        self._lock = Lock()
        self.size = 0

    def get(self, key: Hashable) -> Any:
        """What was remembered, or None."""
        entry = self._entries.get(key)
        return None if entry is None else pickle.loads(entry)

    def add(self, key: Hashable, value: object) -> None:
        """Remember, unless it alone is too much."""
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
