"""The schemas of requests, which check each field. The game checks what the fields mean together.

A schema collects the faults of all fields; `bestmove.api.requests` adds those of the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, missing

from bestmove.game import MAX_SIDE, PRESETS, O, X
from bestmove.search.limits import (
    ALGORITHMS,
    BEST_LEVEL,
    EVALUATIONS,
    MAX_DEPTH,
    MAX_LINES,
    MAX_SEED,
    MAX_THREADS,
)

MOST_BOARDS: Final = 1000
"""The most boards in one request to /best-moves."""

MOST_CELLS: Final = MAX_SIDE * MAX_SIDE

MOST_PLACE_FIELDS: Final = 20
"""The most fields of a move. A move needs two; one copied from an answer has a few more."""

REQUIRED: Final = "is missing"
UNKNOWN: Final = "is an unknown field"

_LONGEST_TYPO: Final = 40
"""Longer names are not compared with the known names, which are all shorter."""

_OTHER_NAMES: Final = MappingProxyType(
    {
        "top": "lines",
        "multipv": "lines",
        "position": "board",
        "size": "rows",
        "height": "rows",
        "width": "columns",
        "cols": "columns",
        "state": "board",
        "grid": "board",
        "cells": "board",
        "squares": "board",
        "fen": "board",
        "history": "moves",
        "difficulty": "level",
        "max_depth": "depth",
        "time": "time_ms",
        "movetime": "time_ms",
    }
)
"""Other engines' and services' names for our fields."""


_TURN: Final = frozenset({"player", "turn", "current_player", "to_move", "side_to_move", "side"})
"""Other services' names for whose turn it is."""


class Integer(fields.Field[int]):
    """A JSON integer: not `"3"`, `3.0` or `true`."""

    def __init__(self, least: int, most: int, **options: Any) -> None:
        super().__init__(**options)
        self.least = least
        self.most = most

    def _deserialize(self, value: object, *_: object, **__: object) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            raise ValidationError(f"must be an integer from {self.least} to {self.most}")
        return value


class Choice(fields.Field[str]):
    """A string that must be one of the given words."""

    def __init__(self, *words: str, **options: Any) -> None:
        super().__init__(**options)
        self.words = words

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise ValidationError(f"must be {_listed(self.words)}")
        return value


class Spelled(fields.Field[Any]):
    """A board or moves: a string or an array, which `Board` reads.

    Args:
        items: the name of the array's items in messages.
    """

    def __init__(self, items: str) -> None:
        super().__init__()
        self.items = items

    def _deserialize(self, value: object, *_: object, **__: object) -> Any:
        if not isinstance(value, str | list):
            raise ValidationError(f"must be a string or an array of {self.items}")
        return value


class Boolean(fields.Field[bool]):
    """A JSON boolean: not `"true"` or 1."""

    def _deserialize(self, value: object, *_: object, **__: object) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("must be true or false")
        return value


class Request(Schema):
    """The base of all requests: unknown fields and null are refused."""

    def __init__(self) -> None:
        super().__init__()
        self._expected = [
            name
            for name, field in self.fields.items()
            if field.required or field.load_default is not missing
        ]

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Use the same error messages for every field."""
        del field_name
        words = {"null": "must not be null", "required": REQUIRED}
        field_obj.error_messages = {**field_obj.error_messages, **words}

    def read(self, values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The valid fields, and the errors of the others: messages, or a mapping for nested fields.

        Loads the given fields in their order, then those that are required or have a default. A
        request with only a board takes 1.5 µs; `Schema.load`, which goes through its fifteen absent
        fields too, would take 14 µs.
        """
        found: dict[str, Any] = {}
        wrong: dict[str, Any] = {}
        absent = {name: missing for name in self._expected if name not in values}
        for name, value in {**values, **absent}.items():
            field = self.fields.get(name)
            if field is None:
                wrong[name] = [unknown(name, self.fields)]
                continue
            try:
                found[name] = field.deserialize(value)
            except ValidationError as error:
                wrong[name] = error.messages
        return found, wrong


class GameFields(Request):
    """The game."""

    game = Choice(*PRESETS)
    rows = Integer(1, MAX_SIDE)
    columns = Integer(1, MAX_SIDE)
    k = Integer(1, MAX_SIDE)
    gravity = Boolean()
    overline = Boolean()
    misere = Boolean()
    first = Choice(X, O)


class OptionFields(GameFields):
    """The game, and the options of a search."""

    level = Integer(1, BEST_LEVEL)
    seed = Integer(-MAX_SEED - 1, MAX_SEED)
    time_ms = Integer(1, 10_000)
    depth = Integer(1, MAX_DEPTH)
    algorithm = Choice(*ALGORITHMS)
    evaluation = Choice(*EVALUATIONS)

    def __init__(self, *, max_time_ms: int = 10_000) -> None:
        super().__init__()
        time_ms = self.fields["time_ms"]
        assert isinstance(time_ms, Integer)
        time_ms.most = max_time_ms


class PositionFields(OptionFields):
    """A position: `board`, `moves`, or the empty board of the game."""

    board = Spelled("cells or rows")
    moves = Spelled("moves")


class PositionRequest(PositionFields):
    """`POST /best-move` and `GET /best-move`, which refuses `threads` later."""

    threads = Integer(1, MAX_THREADS)


class AnalysisRequest(PositionFields):
    """`POST /analyze` and `GET /analyze`."""

    lines = Integer(1, MAX_LINES)


class CellInput(Request):
    """A cell as an object."""

    index = Integer(0, MOST_CELLS - 1)
    row = Integer(0, MAX_SIDE - 1)
    column = Integer(0, MAX_SIDE - 1, required=True)


class MoveField(fields.Field[Any]):
    """A cell: its index, an object or text, which `game.moves.cell_of` reads."""

    _index = Integer(0, MOST_CELLS - 1)
    _place: Final = CellInput()

    def _deserialize(self, value: object, *_: object, **__: object) -> int | str | dict[str, int]:
        if isinstance(value, str):
            return value
        if not isinstance(value, dict):
            if type(value) is not int:
                raise ValidationError('must be an index, {"row", "column"} or text such as "a1"')
            return self._index.deserialize(value)
        if len(value) > MOST_PLACE_FIELDS:
            raise ValidationError(
                f"has {len(value)} fields; at most {MOST_PLACE_FIELDS} are allowed"
            )
        place, wrong = self._place.read(value)
        if wrong:
            raise ValidationError(wrong)
        return dict(place)


class PlayRequest(PositionRequest):
    """`POST /play`."""

    move = MoveField(required=True)


class Boards(fields.Field[list[Any]]):
    """The boards of a batch. They are read later, so that an invalid one does not affect others."""

    def _deserialize(self, value: object, *_: object, **__: object) -> list[Any]:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_BOARDS:
            raise ValidationError(f"must be an array of 1 to {MOST_BOARDS} boards")
        return value


class BatchBoard(GameFields):
    """A board of a batch, with its own game."""

    board = Spelled("cells or rows")
    moves = Spelled("moves")


class BatchRequest(OptionFields):
    """`POST /best-moves`."""

    boards = Boards(required=True)


class TreeRequest(Request):
    """`POST /game-tree`. `bestmove.search.textbook.tree` reads the tree itself."""

    tree = fields.Raw(required=True, allow_none=True)
    maximizing = Boolean(load_default=True)
    depth = Integer(0, MAX_DEPTH)
    algorithm = Choice(*(name for name in ALGORITHMS if name != "auto"), load_default="alpha-beta")


def unknown(name: str, known: Iterable[str]) -> str:
    """The error message for an unknown field, with the name that may be meant."""
    known = tuple(known)
    if name.lower() in _TURN and "first" in known:
        return (
            f"{UNKNOWN}: leave it out, as the turn follows from the numbers of marks; "
            "first says who moved first"
        )
    meant = likely(name, known)
    return UNKNOWN if meant is None else f"{UNKNOWN}: did you mean {meant}?"


def likely(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` most likely stands for; None if there is none.

    `name` may be another service's name for the field, or have a typo: one letter wrong, missing,
    added, or swapped with the next. The number of look-ups does not depend on the number of known
    names.
    """
    if len(name) > _LONGEST_TYPO:
        return None
    names = _names(tuple(known))
    return next((names[typo] for typo in _typos(name.lower()) if typo in names), None)


@lru_cache(maxsize=32)
def _names(known: tuple[str, ...]) -> dict[str, str]:
    """The known names, by their possible spellings. A spelling of several names maps to the most
    likely one."""
    names = {name: name for name in known}
    for other, name in _OTHER_NAMES.items():
        if name in known:
            names.setdefault(other, name)
    for name in known:
        if len(name) > 1:
            for typo in _typos(name):
                names.setdefault(typo, name)
    return names


def _typos(name: str) -> Iterator[str]:
    """The name itself, and the name with each one of its letters left out. A name with one typo has
    at least one of these spellings in common with the correct name."""
    yield name
    for place in range(len(name)):
        yield name[:place] + name[place + 1 :]


def _listed(words: tuple[str, ...]) -> str:
    return f'"{words[0]}"' if len(words) == 1 else "one of " + ", ".join(f'"{w}"' for w in words)
