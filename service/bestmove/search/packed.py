"""Numbers as the package's data files hold them: little-endian, one after the other."""

from __future__ import annotations

import sys
from array import array


def numbers(kind: str, data: bytes) -> array[int]:
    """The numbers in these bytes, by the type code of `array`.

    Raises:
        ValueError: the bytes are not a whole number of them.
    """
    found = array(kind)
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
