"""The names that the kernels take from Cython, for where they run as plain Python without it.

Cython itself is only needed to compile a kernel.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

compiled: Final = False
nogil: Final = nullcontext()
