"""The service's answers as frozen records, with the API's names and order.

Every record has `from_json`, which ignores unknown fields but raises `InvalidAnswer` if a field is
missing or has the wrong type, and `as_json`, which returns the JSON object.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, Self

from bestmove.client.fields import FieldPath, Json, Mark, Outcome, object_of, read
from bestmove.game import Status

_LEFT_OUT: Final = (("timed_out", False), ("threads", None), ("value", None))
"""Fields that the service omits when they have this value."""


@dataclass(frozen=True, slots=True)
class Record:
    """The base class of all answers."""

    @classmethod
    def from_json(cls, document: object) -> Self:
        """Read the JSON object from the service.

        Raises:
            InvalidAnswer: it is not an object, or a field is missing or has the wrong type.
        """
        return read(cls, document)

    def as_json(self) -> dict[str, Any]:
        """The JSON object from the service, with tuples for its arrays."""
        return asdict(
            self, dict_factory=lambda fields: {n: v for n, v in fields if (n, v) not in _LEFT_OUT}
        )


@dataclass(frozen=True, slots=True)
class Move(Record):
    """A cell; you can unpack it: `row, column = move`.

    Attributes:
        index: the cell's number, counted from 0 along the rows.
        row: the row, counted from 0 at the top.
        column: the column, counted from 0 at the left.
    """

    index: int
    row: int
    column: int

    def __iter__(self) -> Iterator[int]:
        return iter((self.row, self.column))


@dataclass(frozen=True, slots=True)
class Reason(Record):
    """Why a move was chosen.

    Attributes:
        code: a word for programs; codes never change.
        cells: indices of the cells in the reason.
        text: a sentence for people.
    """

    code: str
    cells: FieldPath
    text: str


@dataclass(frozen=True, slots=True)
class Search(Record):
    """The cost of a search.

    Attributes:
        timed_out: whether the server's time limit ended a repeatable search early.
        threads: how many threads searched; None unless the request had the option `threads`.
        value: the value for X that a textbook search found, in the unit of its evaluation.
    """

    algorithm: str
    nodes: int
    cutoffs: int
    table_hits: int
    depth: int
    elapsed_ms: float
    timed_out: bool = False
    threads: int | None = None
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Position(Record):
    """A position.

    Attributes:
        board: the board in canonical form.
        turn: "X", "O", or None when the game is over.
        winner: "X", "O", or None.
        status: "in_progress", "won" or "draw".
        gravity, overline, misere: switches of the rules.
        winning_line: the cell indices of the line that ended the game, or None.
    """

    board: str
    rows: int
    columns: int
    k: int
    gravity: bool
    overline: bool
    misere: bool
    turn: Mark | None
    status: Status
    winner: Mark | None
    winning_line: FieldPath | None

    @property
    def is_over(self) -> bool:
        """Whether the game on `board` has ended."""
        return self.turn is None


@dataclass(frozen=True, slots=True)
class BestMove(Position):
    """The answer of `/best-move` and `/play`: an `InProgress` or a `Finished`.

    Type checkers distinguish them by `status == "in_progress"` or `move is None`.

    Attributes:
        move: None when the game is over.
        board_after: the board after the move.
        score: the expected result for X, an int when `exact`.
        outcome: the result for the side to move; None when the game is over.
        plies: the plies to the end with best play; None when not exact.
        pv: the principal variation, cell indices from `move` on.
    """

    move: Move | None
    board_after: str | None
    score: float
    exact: bool
    outcome: Outcome | None
    plies: int | None
    pv: FieldPath
    reason: Reason | None
    search: Search

    @classmethod
    def from_json(cls, document: object) -> InProgress | Finished:
        """Read an answer of `/best-move` or `/play`."""
        if object_of(document).get("turn", "") is None:
            return read(Finished, document)
        return read(InProgress, document)


@dataclass(frozen=True, slots=True)
class InProgress(BestMove):
    """The answer for a game in progress: it has a move."""

    turn: Mark
    status: Literal["in_progress"]
    move: Move
    board_after: str
    outcome: Outcome
    reason: Reason

    @property
    def is_over(self) -> Literal[False]:
        """The game is in progress."""
        return False


@dataclass(frozen=True, slots=True)
class Finished(BestMove):
    """The answer for a game that has ended."""

    turn: None
    status: Literal["won", "draw"]
    move: None
    board_after: None
    outcome: None
    reason: None

    @property
    def is_over(self) -> Literal[True]:
        """The game has ended."""
        return True


Answer = InProgress | Finished
"""The answer of `/best-move` and `/play`."""


@dataclass(frozen=True, slots=True)
class Evaluation(Record):
    """A legal move and its result, searched `depth` plies ahead. The fields that `BestMove` has too
    mean the same."""

    index: int
    row: int
    column: int
    score: float
    exact: bool
    outcome: Outcome
    plies: int | None
    pv: FieldPath
    depth: int


@dataclass(frozen=True, slots=True)
class Threat(Record):
    """Marks that threaten to complete a line; a reply in an `open` cell can prevent it."""

    kind: str
    cells: FieldPath
    open: FieldPath


@dataclass(frozen=True, slots=True)
class Analysis(Position):
    """The answer of `/analyze`: every legal move, best first, and the threats of each mark.

    `complete` is False if the time was over before every move was searched equally deep.
    """

    moves: tuple[Evaluation, ...]
    complete: bool
    threats: dict[str, tuple[Threat, ...]]
    search: Search


@dataclass(frozen=True, slots=True)
class Game(Record):
    """A named game: its `name` for requests, its `title` for people, and its rules."""

    name: str
    title: str
    rows: int
    columns: int
    k: int
    gravity: bool
    overline: bool
    misere: bool


@dataclass(frozen=True, slots=True)
class Games(Record):
    """The answer of `/games`.

    Attributes:
        limits: the server's limits, such as the most `boards` of a batch and the largest `time_ms`.
    """

    games: tuple[Game, ...]
    limits: Json


@dataclass(frozen=True, slots=True)
class GameTree(Record):
    """The answer of `/game-tree`.

    Attributes:
        value: the tree's value.
        path: child indices of the principal variation, from the root.
        evaluated: paths to the evaluated nodes, in order.
        pruned: paths to the roots of the pruned subtrees, in order.
    """

    value: float
    path: FieldPath
    evaluated: tuple[FieldPath, ...]
    pruned: tuple[FieldPath, ...]
    search: Search


@dataclass(frozen=True, slots=True)
class Proven(Record):
    """The answer of `/proof`.

    Attributes:
        proof: the certificate, in the format of docs/proofs.md; None if there is none.
        detail: why there is no certificate, otherwise None.
    """

    proof: Json | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """Why a board of a batch has no answer (RFC 9457).

    Attributes:
        errors: the errors, each with a `pointer` into the request and a `detail`.
    """

    type: str = "about:blank"
    title: str = ""
    status: int = 0
    detail: str = ""
    errors: tuple[Json, ...] = ()
