"""Reads the package's data files: sequences of little-endian numbers, and fitted tables in JSON."""

from __future__ import annotations

import json
import sys
from array import array
from pathlib import Path
from typing import Any


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


def tables(source: str) -> Any:
    """Return the tables in the JSON file beside a module. `source`: the module's `__file__`."""
    return json.loads(Path(source).with_suffix(".json").read_text(encoding="utf-8"))
