"""What `bits.pxd` declares in C, for where the kernels run as plain Python."""

from __future__ import annotations


def trailing_zeros(word: int) -> int:
    """The place of the lowest bit that is set; one is."""
    return (word & -word).bit_length() - 1
