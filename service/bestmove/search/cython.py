"""The names that the kernels take from Cython, for where they run as plain Python without it.

A compiled kernel needs none of this, and Cython itself is only needed to compile one. A kernel that
was not compiled and finds no Cython takes this module in its place: types convert a value, marks
leave a function as it is, and locks lock nothing.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, TypeVar

_Marked = TypeVar("_Marked")

compiled: Final = False


class _Type:
    """A type of C, which converts a value, or makes the first one."""

    def __init__(self, convert: Callable[..., Any]) -> None:
        self._convert = convert

    def __call__(self, *value: Any) -> Any:
        return self._convert(*value)

    def __getitem__(self, shape: object) -> _Type:
        """An array of a length; what else stands in brackets is a view, which is only annotated."""
        length = shape if isinstance(shape, builtins.int) else 0
        return _Type(lambda: [self()] * length)


class _Lock:
    """`@cython.nogil` marks a function, `with cython.nogil:` a block."""

    def __call__(self, marked: _Marked) -> _Marked:
        return marked

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass


# Python's integers have no width: where C would cut one, the kernels cut it themselves.
uchar = short = ushort = uint = longlong = ulonglong = _Type(builtins.int)
int = uint  # noqa: A001
double: Final = _Type(float)
bint: Final = _Type(bool)
void: Final = None
nogil: Final = _Lock()
gil: Final = _Lock()


def declare(kind: _Type, *value: Any, visibility: str = "private") -> Any:
    """A variable's first value, 0 unless it is given; of an attribute, who may see it."""
    del visibility
    return kind(*value)


def cast(kind: _Type, value: Any) -> Any:
    """The value as that type."""
    return kind(value)


def cfunc(marked: _Marked) -> _Marked:
    """The function or class as it is."""
    return marked


inline = final = cclass = cfunc


def exceptval(*_: object, check: bool = True) -> Callable[[_Marked], _Marked]:
    """A mark that leaves the function as it is."""
    del check
    return cfunc
