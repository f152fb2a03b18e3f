"""Replaces the module `cython` when kernels run as plain Python and Cython is not installed."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

compiled: Final = False
nogil: Final = nullcontext()
