"""Says whether a kernel is compiled, and reads the `.pxd` files of kernels that are not.

Only these files declare the sizes of arrays and some constants, in lines such as
`cdef int[2 * CELLS] history` and, in an enum, `CELLS = SIDE * SIDE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_ARRAYS = re.compile(r"^    cdef [\w ]+\[([^]:]+)\] (\w+(?:, \w+)*)", re.MULTILINE)
_CONSTANT = re.compile(r"^    ([A-Z]\w*) = ([^#\n]+)", re.MULTILINE)


class _Constants(dict[str, int]):
    def __init__(self, texts: Iterable[str]) -> None:
        super().__init__()
        self._expressions = {
            name: value for text in texts for name, value in _CONSTANT.findall(text)
        }
        for name in self._expressions:
            self[name]

    def __missing__(self, name: str) -> int:
        self[name] = eval(self._expressions[name], {}, self)
        return self[name]


def is_compiled(source: str, base: bool | None = None) -> bool:
    """Return True if a module is compiled.

    Args:
        source: the module's `__file__`.
        base: whether the module of the base class is compiled; None if there is no base class.

    Raises:
        ImportError: only one of the two modules is compiled.
    """
    compiled = not source.endswith(".py")
    if base is not None and base != compiled:
        raise ImportError("only a part of the engine is compiled: build it again")
    return compiled


def require_current(package: str) -> None:
    """Raise ImportError if a compiled module of a checkout is older than its source.

    Such a module may lack what other modules use. An installed package is not checked, because the
    times of its files do not say when they were written.

    Args:
        package: the `__file__` of `bestmove.search`.
    """
    folder = Path(package).parent
    if not (folder / "../../../pyproject.toml").exists():
        return
    for binary in (*folder.glob("common/*.so"), *folder.glob("engines/*/*.so")):
        for source in binary.parent.glob(f"{binary.name.partition('.')[0]}.p*"):
            if source.stat().st_mtime > binary.stat().st_mtime:
                raise ImportError(f"{source} is newer than the compiled module: run `make build`")


@cache
def _arrays(source: str) -> dict[str, int]:
    text = Path(source).with_suffix(".pxd").read_text(encoding="utf-8")
    return {
        name: eval(length, {}, constants(source))
        for length, names in _ARRAYS.findall(text)
        for name in names.split(", ")
    }


def make_arrays(kernel: object, source: str) -> None:
    """Give a kernel the arrays that its `.pxd` file declares, as lists of zeros."""
    for name, length in _arrays(source).items():
        setattr(kernel, name, [0] * length)


@cache
def constants(source: str) -> dict[str, int]:
    """Return the constants that the `.pxd` files in the source's folder declare."""
    paths = Path(source).parent.glob("*.pxd")
    return _Constants(path.read_text(encoding="utf-8") for path in paths)
