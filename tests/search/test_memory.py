"""The memory of tables is empty, of the size asked for, and each one's own."""

from __future__ import annotations

from bestmove.search import memory


def test_words_are_zero_and_can_be_written() -> None:
    words = memory.words(1 << 12)
    assert len(words) == 1 << 12
    assert not any(words)
    words[-1] = 2**64 - 1
    assert words[-1] == 2**64 - 1
    assert not any(memory.words(1 << 12))
