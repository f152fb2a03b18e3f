"""An assertion that a value is not None, which type checkers understand."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    assert value is not None
    return value
