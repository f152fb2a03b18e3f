"""Reads the service's answers into records, by the types of the records' fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from bestmove.errors import InvalidAnswer

Json = Mapping[str, Any]
FieldPath = tuple[int, ...]
Mark = Literal["X", "O"]
Outcome = Literal["win", "draw", "loss", "unknown"]
"""A result for the side to move."""

Reader = Callable[[Any], Any]
"""Converts JSON to the value of a field; raises `ValueError` if the type is wrong."""

T = TypeVar("T")

_ABSENT: Final = object()


def object_of(document: object) -> Json:
    """Check that `document` is a JSON object, and return it."""
    if not isinstance(document, Mapping):
        raise InvalidAnswer(f"the answer has a {type(document).__name__} instead of an object")
    return document


def read(record: type[T], document: object) -> T:
    """Make a record (a dataclass) from a JSON object.

    Raises:
        InvalidAnswer: a field without a default is missing, or a field has the wrong type.
    """
    json = object_of(document)
    values = []
    for name, reader, default in _readers(record):  # type: ignore[arg-type] # a class is hashable
        value = json.get(name, _ABSENT)
        if value is _ABSENT and default is not MISSING:
            values.append(default)
            continue
        try:
            values.append(reader(None if value is _ABSENT else value))
        except ValueError:
            raise InvalidAnswer(f"the answer has no usable {name!r}: {json.get(name)!r}") from None
    return record(*values)


@cache
def _readers(record: type[Any]) -> list[tuple[str, Reader, Any]]:
    hints = get_type_hints(record)
    return [(each.name, _reader(hints[each.name]), each.default) for each in fields(record)]


def _reader(hint: Any) -> Reader:
    """The function that reads a field of the type `hint`."""
    kind, of = get_origin(hint), get_args(hint)
    if hasattr(hint, "from_json"):
        return hint.from_json  # type: ignore[no-any-return] # a record
    if hint is NoneType:
        return lambda _: None
    if kind is Literal:
        return lambda value: _require(value, value in of)
    if kind in (Union, UnionType):
        (other,) = (_reader(each) for each in of if each is not NoneType)
        return lambda value: None if value is None else other(value)
    if kind is tuple:
        item = _reader(of[0])
        return lambda value: tuple(map(item, _require(value, isinstance(value, list | tuple))))
    if kind is dict:
        item = _reader(of[1])
        return lambda value: {name: item(each) for name, each in object_of(value).items()}
    if kind is Mapping:
        return object_of
    kinds = (int, float) if hint is float else (hint,)  # an integer stays an int
    return lambda value: _require(value, type(value) in kinds)


def _require(value: T, fits: bool) -> T:
    if not fits:
        raise ValueError
    return value
