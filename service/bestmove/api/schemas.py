"""The schemas of requests. A schema checks each field by itself; `bestmove.api.requests` checks the
position.

`make document` copies the fields' descriptions to openapi.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import UnionType
from typing import Any, ClassVar, Final, TypeVar

from marshmallow import RAISE, Schema, ValidationError, fields, missing

from bestmove.api.settings import Settings
from bestmove.game import MAX_SIDE, PRESETS, O, X
from bestmove.game.rules import SWITCHES
from bestmove.search.limits import BEST_LEVEL, DEFAULT_TIME_MS, MAX_DEPTH, OPTIONS, TEXTBOOK
from bestmove.search.textbook.tree import MOST_TRACED
from bestmove.words import EXACT_CELLS

T = TypeVar("T")

MOST_BOARDS: Final = 1000
"""The most boards in one request to /best-moves."""

MOST_CELLS: Final = MAX_SIDE * MAX_SIDE

MOST_PLACE_FIELDS: Final = 20
"""An object that names a move may have at most this many fields. Moves in answers have fewer."""

REQUIRED: Final = "is missing"
UNKNOWN: Final = "is an unknown field"

_LONGEST_TYPO: Final = 40
"""A name with more characters is not checked for typos."""

_OTHER_NAMES: Final = {
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
"""Other services' names for our fields."""


_TURN: Final = frozenset({"player", "turn", "current_player", "to_move", "side_to_move", "side"})
"""Other services' names for the side to move."""


class Described(fields.Field[T]):
    """A field with a description for openapi.yaml.

    Args:
        words: the description.
        schema: the name of the field's schema in openapi.yaml; by default the field's name in
            CamelCase.
    """

    def __init__(self, words: str = "", *, schema: str | None = None, **options: Any) -> None:
        super().__init__(**options, metadata={"description": words, "schema": schema})


class Integer(Described[int]):
    """A JSON integer: not `"3"`, `3.5` or `true`."""

    def __init__(self, least: int, most: int, words: str = "", **options: Any) -> None:
        super().__init__(words, **options)
        self.least = least
        self.most = most

    def _deserialize(self, value: object, *_: object, **__: object) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            raise ValidationError(f"must be an integer from {self.least} to {self.most}")
        return value


class Choice(Described[str]):
    """A string that must be one of the given values."""

    def __init__(self, values: Iterable[str], words: str = "", **options: Any) -> None:
        super().__init__(words, **options)
        self.values = tuple(values)

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if not isinstance(value, str) or value not in self.values:
            raise ValidationError(f"must be {_listed(self.values)}")
        return value


class Spelled(Described[Any]):
    """A value that `bestmove.game` reads: a board, a list of moves, or the name of a cell.

    Args:
        kind: the type of the value.
        words: the type in error messages.
    """

    def __init__(self, kind: type | UnionType, words: str, **options: Any) -> None:
        super().__init__(**options)
        self.kind, self.words = kind, words

    def _deserialize(self, value: object, *_: object, **__: object) -> Any:
        if not isinstance(value, self.kind):
            raise ValidationError(f"must be {self.words}")
        return value


class Boolean(Described[bool]):
    """A JSON boolean: not `"true"` or 1."""

    def _deserialize(self, value: object, *_: object, **__: object) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("must be true or false")
        return value


class Request(Schema):
    """The base class of all requests. It refuses unknown fields and null."""

    class Meta:
        unknown = RAISE

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
        """Return the valid fields, and the errors of the other fields.

        A request with only a board takes 1.5 µs. `Schema.load` would take 14 µs, because it also
        looks at each absent field.
        """
        found: dict[str, Any] = {}
        wrong: dict[str, Any] = {}
        given = dict(values)
        for name in self._expected:
            given.setdefault(name, missing)
        for name, value in given.items():
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
    """The fields that choose the game."""

    class Meta(Request.Meta):
        include: ClassVar = {
            each.name: Boolean(f"{each.words} {each.default} unless given.")
            for each in SWITCHES.values()
        }

    game = Choice(
        PRESETS,
        "A game by name; `GET /games` describes each. `rows`, `columns`, `k` and `first` override "
        "those of the game, and so does the shape of a board with rows. A switch that differs from "
        "the game's is refused.",
    )
    rows = Integer(1, MAX_SIDE, "The number of rows.")
    columns = Integer(1, MAX_SIDE, "The number of columns.")
    k = Integer(
        1,
        MAX_SIDE,
        "How many marks in a line end the game; at most the longer side, by default "
        "min(rows, columns, 5).",
    )
    first = Choice((X, O), "Who moved first. X unless given.")


_MORE: Final = {
    "level": f" {BEST_LEVEL} unless given.",
    "seed": " See `TimeMs`. At level 10, on boards of up to "
    f"{EXACT_CELLS} cells and in Connect Four, the seed draws one of the moves that are proven to "
    "be equally good. Without a seed, the answer is the move with the lowest index.",
    "time_ms": " They count from the arrival of the request, and are at most the server's "
    f"BESTMOVE_MAX_TIME_MS. The default is {DEFAULT_TIME_MS}, or that maximum if it is less."
    "\n\nA textbook algorithm has no answer before its end. Its default is the maximum, and it "
    "gets a 503 if it does not finish in time.\n\n"
    "Equal requests with a `seed` or a `depth` get equal answers, and so do equal GETs. With "
    "`auto`, their `time_ms` is at most half the maximum, and stands for the number of nodes "
    "that the engine visits in that time on a modest processor. With a `depth`, the default is "
    "half the maximum.",
    "depth": " 3×3 is always solved to the end unless a textbook algorithm is chosen.",
    "algorithm": " They have no move ordering, run to the end, and need level 10; a position that "
    "is too large for them is refused.",
    "evaluation": "\n\n"
    "- `bare`, the default: a finished game is worth 1, 0 or −1, where a win is better and a loss "
    "worse than any estimate. A position at the `depth` limit is worth 10^m for each line with m "
    "marks of X and none of O, less the same for O.\n"
    "- `lines`: a win counts the same sum, but at least 10^k; a draw counts 0.\n"
    "- `shapes`: the shapes of five in a row, without gravity. Only cells beside marks are "
    "tried.\n"
    "- `ten-less-depth`: ±10 less the plies, for at most 9 plies.\n\n"
    "`search.value` is the value in this unit. If the result is not proven, `score` is how games "
    "of this engine ended from positions with this estimate (a hundredth of it for `shapes`), "
    "read from measured curves.",
    "lines": " They come first, and are searched as deep as the best move. The others share the "
    "time that is left.",
    "threads": " The search uses the processors that are free when it begins, at most "
    "BESTMOVE_SEARCH_THREADS; `search.threads` in the answer says how many. Look-ups, proofs of "
    "small boards, textbook searches, levels below 10, gravity and misère use one processor.",
}
"""What only a request's options mean, after the words that the option has everywhere."""


def _options(path: str) -> dict[str, fields.Field[Any]]:
    """Return the fields for the options that the endpoint at `path` takes."""
    found: dict[str, fields.Field[Any]] = {}
    for name, option in OPTIONS.items():
        if path in option.doors:
            words = option.words + _MORE.get(name, "")
            most = Settings.max_time_ms if name == "time_ms" else option.most
            found[name] = (
                Choice(option.choices, words)
                if option.choices
                else Integer(option.least, most, words)
            )
    return found


class OptionFields(GameFields):
    """The fields of a game, and the options of a search."""

    def __init__(self, *, max_time_ms: int | None = None) -> None:
        super().__init__()
        time_ms = self.fields["time_ms"]
        assert isinstance(time_ms, Integer)
        time_ms.most = max_time_ms or time_ms.most


class PositionFields(OptionFields):
    """The fields of a position: `board`, `moves`, or neither for the game's empty board."""

    board = Spelled(str | list, "a string or an array of cells or rows")
    moves = Spelled(str | list, "a string or an array of moves")


class MoveFields(PositionFields):
    """The fields of a position, and the options for one move."""

    class Meta(Request.Meta):
        include: ClassVar = _options("/best-move")


_STREAM_TIME: Final = Integer(
    1,
    Settings.max_stream_ms,
    "Like `TimeMs`, but with `Accept: text/event-stream` the maximum is the server's "
    "BESTMOVE_MAX_STREAM_MS. After BESTMOVE_MAX_TIME_MS the stream ends as soon as another "
    "request waits, and sends its answer so far. `GET /games` has both limits, `time_ms` and "
    "`stream_ms`.",
    schema="StreamTimeMs",
)


class PositionRequest(MoveFields):
    """A request to /best-move. `bestmove.api.requests` refuses `threads` in a GET."""

    class Meta(Request.Meta):
        include: ClassVar = {"time_ms": _STREAM_TIME}


class ProofRequest(MoveFields):
    """A request to /proof."""

    exactly = Boolean(
        "Whether to prove, if possible, also that no shorter win exists. The certificate then says "
        "“exactly”. False unless given."
    )


class AnalysisRequest(PositionFields):
    """A request to /analyze."""

    class Meta(Request.Meta):
        include: ClassVar = _options("/analyze") | {"time_ms": _STREAM_TIME}


class CellInput(Request):
    """A cell: `row` and `column`, or the `move` of an answer. Fields that name different cells are
    refused. With gravity, `column` is enough."""

    index = Integer(
        0,
        MOST_CELLS - 1,
        "The index of a cell, counted from 0 along the rows.",
        schema="CellIndex",
    )
    row = Integer(0, MAX_SIDE - 1, "Counted from 0 at the top.", schema="RowIndex")
    column = Integer(
        0, MAX_SIDE - 1, "Counted from 0 at the left.", schema="ColumnIndex", required=True
    )
    # `game.moves.cell_of` compares it with the cell.
    name = Spelled(str, 'text such as "a1"', schema="SquareName")


class MoveField(Described[Any]):
    """A cell, given as an index, an object or text. `game.moves.cell_of` parses it."""

    _index = Integer(0, MOST_CELLS - 1)
    _place: Final = CellInput()

    def _deserialize(
        self, value: object, *_: object, **__: object
    ) -> int | str | dict[str, int | str]:
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


class PlayRequest(MoveFields):
    """A request to /play."""

    move = MoveField(schema="MoveInput", required=True)


class Boards(Described[list[Any]]):
    """The boards of a batch, not yet parsed."""

    def _deserialize(self, value: object, *_: object, **__: object) -> list[Any]:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_BOARDS:
            raise ValidationError(f"must be an array of 1 to {MOST_BOARDS} boards")
        return value


class BatchBoard(GameFields):
    """A board of a batch, with its own game. Without `board` and `moves`, it is the game's empty
    board."""

    board = Spelled(str | list, "a string or an array of cells or rows")
    moves = Spelled(str | list, "a string or an array of moves")


class BatchRequest(OptionFields):
    """A request to /best-moves."""

    class Meta(Request.Meta):
        include: ClassVar = _options("/best-moves")

    boards = Boards(required=True)


class TreeRequest(Request):
    """A request to /game-tree."""

    # `bestmove.search.textbook.tree` parses it.
    tree = Described[Any](schema="TreeNode", required=True, allow_none=True)
    maximizing = Boolean(
        "Whether the side to move at the root wants the larger value. True unless given.",
        load_default=True,
    )
    depth = Integer(
        0,
        MAX_DEPTH,
        "Plies to look ahead; nodes at this depth count as leaves and need a value.",
        schema="TreeDepth",
    )
    algorithm = Choice(
        TEXTBOOK,
        "alpha-beta unless given.",
        schema="TextbookAlgorithm",
        load_default="alpha-beta",
    )
    trace = Boolean(
        "Whether to list each visited node's value, window and cutoff. A trace that could have "
        f"more than {MOST_TRACED:,} bytes is refused.",
        load_default=False,
    )


def unknown(name: str, known: Iterable[str]) -> str:
    """Return the error message for an unknown field; it suggests the most likely known name."""
    known = tuple(known)
    if name == "rules" and "rows" in known:
        return f"{UNKNOWN}: put its fields (rows, columns, k …) beside the board"
    if name.lower() in _TURN and "first" in known:
        return (
            f"{UNKNOWN}: leave it out, as the turn follows from the numbers of marks; "
            "first says who moved first"
        )
    meant = likely(name, known)
    return UNKNOWN if meant is None else f"{UNKNOWN}: did you mean {meant}?"


def likely(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that `name` most likely means; None if there is none.

    `name` may be another service's name for the field, or contain a typo: one letter wrong,
    missing, added, or swapped with the next.
    """
    if len(name) > _LONGEST_TYPO:
        return None
    names = _names(tuple(known))
    return next((names[typo] for typo in _typos(name.lower()) if typo in names), None)


@lru_cache(maxsize=32)
def _names(known: tuple[str, ...]) -> dict[str, str]:
    """Map known names, other services' names and typos to the known name that is meant."""
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
    """Yield `name`, and every spelling of it without one letter. Names that differ by one typo have
    a spelling in common."""
    yield name
    for place in range(len(name)):
        yield name[:place] + name[place + 1 :]


def _listed(words: tuple[str, ...]) -> str:
    return f'"{words[0]}"' if len(words) == 1 else "one of " + ", ".join(f'"{w}"' for w in words)
