"""The service's answers as frozen records, with the contract's names and order.

Every record has `from_json`, which raises `InvalidAnswer` for anything that is not such an answer
and ignores fields that it does not know, and `as_json`, which gives the JSON object back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from bestmove.errors import InvalidAnswer

Json = Mapping[str, Any]
Path = tuple[int, ...]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Record:
    """What all answers share."""

    def as_json(self) -> dict[str, Any]:
        """The JSON object that the service sent; its arrays are tuples."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Move(Record):
    """A cell: `row, column = move` unpacks it.

    Attributes:
        index: counted from 0 along the rows.
        row: from 0, at the top.
        column: from 0, at the left.
    """

    index: int
    row: int
    column: int

    def __iter__(self) -> Iterator[int]:
        return iter((self.row, self.column))

    @classmethod
    def from_json(cls, document: object) -> Move:
        """Read `{"index", "row", "column"}`."""
        json = _object(document)
        return cls(_get(json, "index", int), _get(json, "row", int), _get(json, "column", int))


@dataclass(frozen=True, slots=True)
class Reason(Record):
    """Why a move was chosen.

    Attributes:
        code: stable, for programs.
        cells: indices of the cells that show it.
        text: a sentence for people.
    """

    code: str
    cells: Path
    text: str

    @classmethod
    def from_json(cls, document: object) -> Reason:
        """Read an answer's `reason`."""
        json = _object(document)
        return cls(_get(json, "code", str), _path(json.get("cells")), _get(json, "text", str))


@dataclass(frozen=True, slots=True)
class Search(Record):
    """What a search cost; `elapsed_ms` are wall-clock milliseconds."""

    algorithm: str
    nodes: int
    cutoffs: int
    table_hits: int
    depth: int
    elapsed_ms: float

    @classmethod
    def from_json(cls, document: object) -> Search:
        """Read an answer's `search`."""
        json = _object(document)
        return cls(
            _get(json, "algorithm", str),
            _get(json, "nodes", int),
            _get(json, "cutoffs", int),
            _get(json, "table_hits", int),
            _get(json, "depth", int),
            _get(json, "elapsed_ms", float),
        )


@dataclass(frozen=True, slots=True)
class Position(Record):
    """A position.

    Attributes:
        board: the canonical spelling.
        turn: "X", "O", or None when the game is over.
        status: "in_progress", "won" or "draw".
        winner: "X", "O" or None.
        gravity, overline, misere: the switches of the rules.
        winning_line: the cell indices of the line that ended the game, or None.
    """

    board: str
    rows: int
    columns: int
    k: int
    gravity: bool
    overline: bool
    misere: bool
    turn: str | None
    status: str
    winner: str | None
    winning_line: Path | None

    @property
    def is_over(self) -> bool:
        """Whether the game on `board` has ended."""
        return self.turn is None


@dataclass(frozen=True, slots=True)
class BestMove(Position):
    """The answer of `/best-move` and `/play`.

    Attributes:
        move: None when the game is over.
        board_after: the board with the move made.
        score: the expected result for X, an int when `exact`.
        outcome: "win", "draw", "loss" or "unknown" for the side to move; None when it is over.
        plies: moves to the end with best play; None when not exact.
        pv: the principal variation, cell indices from `move` on.
    """

    move: Move | None
    board_after: str | None
    score: float
    exact: bool
    outcome: str | None
    plies: int | None
    pv: Path
    reason: Reason | None
    search: Search

    @property
    def ends_game(self) -> bool:
        """Whether the game is over once `move` is made, or was over before."""
        return self.is_over or self.plies == 1

    @classmethod
    def from_json(cls, document: object) -> BestMove:
        """Read an answer of `/best-move` or `/play`."""
        json = _object(document)
        reason = json.get("reason")
        return cls(
            *_position(json),
            None if json.get("move") is None else Move.from_json(json["move"]),
            _maybe(json, "board_after", str),
            *_verdict(json),
            None if reason is None else Reason.from_json(reason),
            Search.from_json(json.get("search")),
        )


@dataclass(frozen=True, slots=True)
class Evaluation(Record):
    """One legal move and what it leads to; the fields mean what they do in `BestMove`.

    Attributes:
        depth: plies that were looked ahead.
    """

    index: int
    row: int
    column: int
    score: float
    exact: bool
    outcome: str | None
    plies: int | None
    pv: Path
    depth: int

    @classmethod
    def from_json(cls, document: object) -> Evaluation:
        """Read one of the `moves` of `/analyze`."""
        json = _object(document)
        cell = Move.from_json(json)
        return cls(cell.index, cell.row, cell.column, *_verdict(json), _get(json, "depth", int))


@dataclass(frozen=True, slots=True)
class Threat(Record):
    """Marks of one side that threaten a line.

    Attributes:
        kind: "open-four", "four" or "open-three".
        cells: the marks' indices.
        open: indices of the cells that answer it.
    """

    kind: str
    cells: Path
    open: Path

    @classmethod
    def from_json(cls, document: object) -> Threat:
        """Read one of the `threats` of `/analyze`."""
        json = _object(document)
        return cls(_get(json, "kind", str), _path(json.get("cells")), _path(json.get("open")))


@dataclass(frozen=True, slots=True)
class Analysis(Position):
    """The answer of `/analyze`: every legal move, best first, ties by index.

    Attributes:
        complete: False when the budget cut the search of some move short.
        threats: by mark, strongest first.
    """

    moves: tuple[Evaluation, ...]
    complete: bool
    threats: Mapping[str, tuple[Threat, ...]]
    search: Search

    @classmethod
    def from_json(cls, document: object) -> Analysis:
        """Read an answer of `/analyze`."""
        json = _object(document)
        return cls(
            *_position(json),
            tuple(map(Evaluation.from_json, _get(json, "moves", list))),
            _get(json, "complete", bool),
            {
                mark: tuple(map(Threat.from_json, _get(threats, mark, list)))
                for threats in (_object(json.get("threats")),)
                for mark in threats
            },
            Search.from_json(json.get("search")),
        )


@dataclass(frozen=True, slots=True)
class GameTree(Record):
    """The answer of `/game-tree`.

    Attributes:
        value: the tree's value.
        path: child indices of the principal variation, from the root.
        evaluated: paths to the nodes that were evaluated, in the order met.
        pruned: paths to the roots of the subtrees that were skipped, in the order met.
    """

    value: float
    path: Path
    evaluated: tuple[Path, ...]
    pruned: tuple[Path, ...]
    search: Search

    @classmethod
    def from_json(cls, document: object) -> GameTree:
        """Read an answer of `/game-tree`."""
        json = _object(document)
        return cls(
            _get(json, "value", float),
            _path(json.get("path")),
            _paths(json, "evaluated"),
            _paths(json, "pruned"),
            Search.from_json(json.get("search")),
        )


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """What the service has against one board of a batch (RFC 9457).

    Attributes:
        errors: each with a `pointer` into the request and a `detail`.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[Json, ...] = ()

    @classmethod
    def from_json(cls, document: object) -> Problem:
        """Read a problem document; everything in one is optional."""
        json = _object(document)
        errors = json.get("errors")
        return cls(
            str(json.get("type", "about:blank")),
            str(json.get("title", "")),
            _get(json, "status", int) if "status" in json else 0,
            str(json.get("detail", "")),
            tuple(map(_object, errors)) if isinstance(errors, list) else (),
        )


_PositionFields = tuple[
    str, int, int, int, bool, bool, bool, str | None, str, str | None, Path | None
]


def _position(json: Json) -> _PositionFields:
    line = json.get("winning_line")
    return (
        _get(json, "board", str),
        _get(json, "rows", int),
        _get(json, "columns", int),
        _get(json, "k", int),
        _get(json, "gravity", bool),
        _get(json, "overline", bool),
        _get(json, "misere", bool),
        _maybe(json, "turn", str),
        _get(json, "status", str),
        _maybe(json, "winner", str),
        None if line is None else _path(line),
    )


def _verdict(json: Json) -> tuple[float, bool, str | None, int | None, Path]:
    return (
        _get(json, "score", float),
        _get(json, "exact", bool),
        _maybe(json, "outcome", str),
        _maybe(json, "plies", int),
        _path(json.get("pv")),
    )


def _object(document: object) -> Json:
    if not isinstance(document, Mapping):
        raise InvalidAnswer(f"an object was expected in the answer, not {type(document).__name__}")
    return document


def _get(json: Json, name: str, kind: type[_T]) -> _T:
    value = json.get(name)
    fits = isinstance(value, kind) or (kind is float and isinstance(value, int))
    if not fits or (isinstance(value, bool) and kind is not bool):
        raise InvalidAnswer(f"the answer has no usable {name!r}: {value!r}")
    return value  # type: ignore[return-value] # an int serves as a float, and stays exact


def _maybe(json: Json, name: str, kind: type[_T]) -> _T | None:
    return None if json.get(name) is None else _get(json, name, kind)


def _path(value: object) -> Path:
    if not isinstance(value, list | tuple) or not all(type(item) is int for item in value):
        raise InvalidAnswer(f"the answer has {value!r} for a list of indices")
    return tuple(value)


def _paths(json: Json, name: str) -> tuple[Path, ...]:
    value = json.get(name)
    if not isinstance(value, list | tuple):
        raise InvalidAnswer(f"the answer has no usable {name!r}: {value!r}")
    return tuple(map(_path, value))
