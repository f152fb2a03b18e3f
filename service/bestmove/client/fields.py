"""The fields of the service's answers: each is as the contract has it, or `InvalidAnswer`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args

from bestmove.errors import InvalidAnswer
from bestmove.game import Status

Json = Mapping[str, Any]
Path = tuple[int, ...]
Mark = Literal["X", "O"]
Outcome = Literal["win", "draw", "loss", "unknown"]
"""A result for the side to move."""

_Rules = tuple[int, int, int, bool, bool, bool]
_PositionFields = tuple[str, int, int, int, bool, bool, bool, Any, Any, Any, Path | None]

T = TypeVar("T")


def object_of(document: object) -> Json:
    """A JSON object."""
    if not isinstance(document, Mapping):
        raise InvalidAnswer(f"an object was expected in the answer, not {type(document).__name__}")
    return document


def get(json: Json, name: str, kind: type[T]) -> T:
    """A field of one kind; an int serves as a float."""
    value = json.get(name)
    fits = isinstance(value, kind) or (kind is float and isinstance(value, int))
    if not fits or (isinstance(value, bool) and kind is not bool):
        raise InvalidAnswer(f"the answer has no usable {name!r}: {value!r}")
    return value  # type: ignore[return-value] # an int serves as a float, and stays exact


def one_of(json: Json, name: str, values: tuple[object, ...]) -> Any:
    """A field that has one of these values."""
    if name not in json or json[name] not in values:
        raise InvalidAnswer(f"the answer has no usable {name!r}: {json.get(name)!r}")
    return json[name]


def path_of(value: object) -> Path:
    """A list of indices."""
    if not isinstance(value, list | tuple) or not all(type(item) is int for item in value):
        raise InvalidAnswer(f"the answer has {value!r} for a list of indices")
    return tuple(value)


def paths_of(json: Json, name: str) -> tuple[Path, ...]:
    """A field that is a list of such lists."""
    value = json.get(name)
    if not isinstance(value, list | tuple):
        raise InvalidAnswer(f"the answer has no usable {name!r}: {value!r}")
    return tuple(map(path_of, value))


def rules_of(json: Json) -> _Rules:
    """The rules of a game."""
    return (
        get(json, "rows", int),
        get(json, "columns", int),
        get(json, "k", int),
        get(json, "gravity", bool),
        get(json, "overline", bool),
        get(json, "misere", bool),
    )


def position_of(json: Json) -> _PositionFields:
    """The fields of a position, in the order of `Position`."""
    line = json.get("winning_line")
    return (
        get(json, "board", str),
        *rules_of(json),
        one_of(json, "turn", (*get_args(Mark), None)),
        one_of(json, "status", get_args(Status)),
        one_of(json, "winner", (*get_args(Mark), None)),
        None if line is None else path_of(line),
    )


def verdict_of(json: Json) -> tuple[float, bool, Any, int | None, Path]:
    """What a move leads to, in the order of `BestMove`."""
    over = json.get("turn", "") is None
    return (
        get(json, "score", float),
        get(json, "exact", bool),
        None if over else one_of(json, "outcome", get_args(Outcome)),
        None if json.get("plies") is None else get(json, "plies", int),
        path_of(json.get("pv")),
    )
