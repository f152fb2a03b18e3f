"""Converts the service's JSON to the classes of `bestmove.answers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from bestmove.answers import Answer, BestMove, GameRules, GameState, Record
from bestmove.errors import BestMoveError, IllegalMove, InvalidAnswer
from bestmove.game import Board, O, Rules, X, notation

Json = Mapping[str, Any]

Reader = Callable[[Any, Rules], Any]
"""Converts JSON to the value of a field; raises `ValueError` if the type is wrong."""

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_ABSENT: Final = object()


def object_of(document: object) -> Json:
    if not isinstance(document, Mapping):
        raise InvalidAnswer(f"the answer has a {type(document).__name__} instead of an object")
    return document


def read(kind: type[R], document: object) -> R:
    """Read an answer of the given class from JSON. Ignore unknown fields.

    Raises:
        InvalidAnswer: a field is missing, has the wrong type, or contradicts the board.
    """
    json = object_of(document)
    if not issubclass(kind, Answer):
        return _record(kind, json, Rules())
    board = _board(json)
    answer = _record(kind, {**json, "board": board, "after": {"board": board}}, board.rules)
    _require_state(answer, json)
    if isinstance(answer, BestMove):
        for name in ("move", "outcome", "reason"):
            if (getattr(answer, name) is None) != board.is_over:
                raise _unusable(name, json)
        try:
            after = board if answer.move is None else board.play(answer.move)
        except IllegalMove:
            raise _unusable("move", json) from None
        object.__setattr__(answer, "after", GameState(after))
        _require_state(answer.after, _object_in(json, "after"))
    return answer


def _board(json: Json) -> Board:
    given = _object_in(json, "rules")
    rules = _record(GameRules, given, Rules()).to_dict()
    first = rules.pop("first")
    if first not in (X, O):
        raise _unusable("first", given)
    try:
        cells, read_rules = notation.parse(json["board"], **rules)
    except (BestMoveError, KeyError, TypeError, ValueError):
        raise _unusable("board", json) from None
    return Board.unchecked(cells, read_rules, first)


def _object_in(json: Json, name: str) -> Json:
    value = json.get(name)
    if not isinstance(value, Mapping):
        raise _unusable(name, json)
    return value


def _require_state(state: GameState, json: Json) -> None:
    """Raise `InvalidAnswer` if the service's view of a position contradicts ours."""
    for name in ("board", "turn", "status", "winner"):
        value = getattr(state, name)
        if json.get(name, _ABSENT) != (str(value) if name == "board" else value):
            raise _unusable(name, json)


def _record(kind: type[R], json: Json, rules: Rules) -> R:
    values: dict[str, Any] = {}
    for name, reader, default in _readers(kind):  # type: ignore[arg-type] # a class is hashable
        value = json.get(name, _ABSENT)
        if value is _ABSENT and default is not MISSING:
            continue
        try:
            values[name] = reader(None if value is _ABSENT else value, rules)
        except ValueError:
            raise _unusable(name, json) from None
    return kind(**values)


def _unusable(name: str, json: Json) -> InvalidAnswer:
    return InvalidAnswer(f"the answer has no usable {name!r}: {json.get(name)!r}")


@cache
def _readers(kind: type[Any]) -> list[tuple[str, Reader, Any]]:
    hints = get_type_hints(kind)
    return [
        (each.name, _reader(hints[each.name]), each.default) for each in fields(kind) if each.init
    ]


def _reader(hint: Any) -> Reader:
    kind, of = get_origin(hint), get_args(hint)
    if kind is Literal:  # A newer service may use other words, so accept any text.
        return lambda value, _: _require(value, type(value) is str)
    if kind in (Union, UnionType):  # `T | None` or `T | Any`: both allow None.
        (inner,) = (_reader(each) for each in of if each not in (type(None), Any))
        return lambda value, rules: None if value is None else inner(value, rules)
    if kind is tuple:
        item = _reader(of[0])
        return lambda value, rules: tuple(
            item(each, rules) for each in _require(value, isinstance(value, list | tuple))
        )
    if kind is Mapping:
        item = _reader(of[1])
        return lambda value, rules: {
            name: item(each, rules) for name, each in object_of(value).items()
        }
    if hint is Any or hint is Board:
        return lambda value, _: value
    if issubclass(hint, Record):
        return lambda value, rules: _record(hint, object_of(value), rules)
    kinds = (int, float) if hint is float else (hint,)  # an int is a valid float
    return lambda value, _: _require(value, type(value) in kinds)


def _require(value: T, fits: bool) -> T:
    if not fits:
        raise ValueError
    return value
