"""Asserts that a value is not None, in a way that type checkers understand."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    assert value is not None
    return value
