"""The functions of `bits.pxd`, for kernels that run as plain Python."""

from __future__ import annotations


def trailing_zeros(word: int) -> int:
    """The index of the lowest set bit of a word that is not 0."""
    return (word & -word).bit_length() - 1
