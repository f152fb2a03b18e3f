"""The functions of `bits.pxd`, for kernels that run as plain Python."""

from __future__ import annotations


def trailing_zeros(word: int) -> int:
    """Return the index of the lowest set bit. The word must not be 0."""
    assert word
    return (word & -word).bit_length() - 1
