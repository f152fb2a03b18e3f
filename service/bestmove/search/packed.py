"""Reads the package's data files, which are sequences of little-endian numbers."""

from __future__ import annotations

import sys
from array import array


def numbers(kind: str, data: bytes) -> array[int]:
    """Return the numbers in the bytes. `kind` is a type code of `array`.

    Raises:
        ValueError: the bytes end within a number.
    """
    found = array(kind)
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
