"""The answers of the library, of the client, of the command and of the service: one class for each.

The fields of a class are those of the HTTP contract, in its order, and `to_dict` returns the JSON
object. An answer about a position has a `Board`, of which
the JSON object has the text, the rules, the turn and the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Final, Generic, Self, TypeVar

from bestmove import words
from bestmove.game import Board, Preset, Rules, Status
from bestmove.game.moves import square
from bestmove.game.picture import svg
from bestmove.words import Outcome

MaybeNone = Any
"""The type `Any`, for fields that are None only when the game is over. Type checkers then accept
`board.play(answer.move)` without a check for None, which games in progress do not need. Typeshed
does the same."""

Cells = tuple[int, ...]
"""Cell indices, counted from 0 along the rows."""

BY_RULES: Final = "rules"
"""The `algorithm` of an answer without a search: the move ends the game, or the game is over."""

AnswerT_co = TypeVar("AnswerT_co", covariant=True)

_NOT_SENT: Final = {"sent": False}
_OPTIONAL: Final = {"optional": True}
"""The metadata of fields that the JSON object never has, or has only if they differ from their
default."""


@dataclass(frozen=True, slots=True)
class Record:
    """The base class of all answers."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON object, with lists for tuples."""
        return {
            name: _plain(value)
            for name, default in _sent(type(self))  # type: ignore[arg-type] # a class is hashable
            if (value := getattr(self, name)) is not default
        }


@dataclass(frozen=True, slots=True, eq=False)
class Move(Record):
    """A cell. It serves as its index (`int(move)`, `move == 4`, `board.play(move)`, `cells[move]`),
    and can be unpacked: `row, column = move`."""

    index: int
    """The cell's number, counted from 0 along the rows."""
    row: int
    """The row, counted from 0 at the top."""
    column: int
    """The column, counted from 0 at the left."""
    name: str = field(default="", kw_only=True, repr=False, metadata=_NOT_SENT)
    """Column letter, and row number from the bottom, such as `b3`."""

    @classmethod
    def of(cls, index: int, rules: Rules) -> Move:
        """The cell with this index on a board with these rules."""
        return Move(index, *rules.coordinates(index), name=square(index, rules))

    def __index__(self) -> int:
        return self.index

    __int__ = __index__

    def __iter__(self) -> Iterator[int]:
        return iter((self.row, self.column))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Move):
            return type(self) is type(other) and self.to_dict() == other.to_dict()
        return self.index == other

    def __hash__(self) -> int:
        return hash(self.index)


@dataclass(frozen=True, slots=True)
class Reason(Record):
    """Why a move was chosen."""

    code: str
    """A word for programs, which does not change."""
    cells: Cells
    """For `wins`: the completed line. For `forks`: the cells where the mover can now win. For
    `blocks-fork`: the cells where the other side could have won next. For any other code: the
    move."""
    text: str
    """One sentence that names the cells."""


@dataclass(frozen=True, slots=True)
class SearchStats(Record):
    """What the search cost."""

    algorithm: str
    """The search that gave the answer."""
    nodes: int = 0
    """Calls of the search, including the root."""
    cutoffs: int = 0
    """Nodes left early because alpha reached beta."""
    table_hits: int = 0
    """Nodes answered by the transposition table."""
    depth: int = 0
    """Plies of the last finished iteration."""
    elapsed_ms: float = 0.0
    """Wall-clock milliseconds."""
    timed_out: bool = field(default=False, metadata=_OPTIONAL)
    """Whether the server's time limit ended a repeatable search, so that the same question may get
    another answer."""
    threads: int | None = field(default=None, metadata=_OPTIONAL)
    """How many threads searched; None unless the question says how many."""
    value: float | None = field(default=None, metadata=_OPTIONAL)
    """The value for X that a textbook search found, in the unit of its evaluation."""


@dataclass(frozen=True, slots=True)
class Position(Record):
    """An answer about a position."""

    board: Board
    """The position that was asked about."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.board.rules

    @property
    def turn(self) -> str | MaybeNone:
        """Whose move it is, `"X"` or `"O"`; None when the game is over."""
        return self.board.turn

    @property
    def status(self) -> Status:
        """`"in_progress"`, `"won"` or `"draw"`."""
        return self.board.status

    @property
    def winner(self) -> str | MaybeNone:
        """`"X"`, `"O"` or None."""
        return self.board.winner

    @property
    def winning_line(self) -> Cells | None:
        """The line that ended the game, if any. In misère it is the loser's."""
        return self.board.winning_line

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.board.is_over

    def to_dict(self) -> dict[str, Any]:
        """The JSON object."""
        board, line = self.board, self.board.winning_line
        return {
            "board": str(board),
            **board.rules.to_dict(),
            "turn": board.turn,
            "status": board.status,
            "winner": board.winner,
            "winning_line": None if line is None else list(line),
            **Record.to_dict(self),
        }


@dataclass(frozen=True, slots=True)
class BestMove(Position):
    """The answer of `best_move`, `/best-move` and `/play`.

    `score`, `exact`, `outcome`, `plies` and `pv` describe the game after `move`. It prints as lines
    of text, and in a notebook as a picture.
    """

    move: Move | MaybeNone
    """The best move; None when the game is over."""
    board_after: Board | MaybeNone
    """The board with the move made; None when the game is over."""
    score: float
    """The expected result for X; an int (-1, 0, 1) when `exact`."""
    exact: bool
    """Whether the score is proven."""
    outcome: Outcome | MaybeNone
    """The result for the side to move; None when the game is over."""
    plies: int | None
    """Plies to the end with best play, including the move; None when not exact."""
    pv: Cells
    """The principal variation, from the move on."""
    reason: Reason | MaybeNone
    """Why the move was chosen; None when the game is over."""
    search: SearchStats
    """What the search cost."""

    def __str__(self) -> str:
        """The board after the move and the reason for it."""
        board = self.board
        if board.is_over:
            return f"{words.rows(board)}\n{words.ending(board)}"
        return f"{words.rows(self.board_after)}\n{self._sentence()}\n{self.reason.text}"

    def _repr_html_(self) -> str:
        if self.board.is_over:
            return f"{svg(self.board)}<p>{words.ending(self.board)}</p>"
        picture = svg(self.board_after, highlighted=[self.move.index])
        return f"{picture}<p>{self._sentence()} {self.reason.text}</p>"

    def _sentence(self) -> str:
        cell = words.cell_name(self.move.index, self.rules)
        return f"{self.turn} plays {cell}: {words.result(self, self.board)}."


@dataclass(frozen=True, slots=True, eq=False)
class MoveEvaluation(Move):
    """A legal move and what it leads to."""

    score: float
    """The expected result for X after the move; an int (-1, 0, 1) when `exact`."""
    exact: bool
    """Whether the score is proven."""
    outcome: Outcome
    """The result for the side that makes the move."""
    plies: int | None
    """Plies to the end, including this move; None when not exact."""
    pv: Cells
    """The principal variation, from this move on."""
    depth: int
    """Plies searched, including this move. For a proven move, it equals `plies`; it is 0 if the
    budget left no time for a search."""


@dataclass(frozen=True, slots=True)
class Threat(Record):
    """Marks of one side that threaten a line."""

    kind: str
    """`four`: one cell completes a line; `open-four`: two cells do, one at each end; `open-three`:
    one more mark makes an open four."""
    cells: Cells
    """The marks, ascending: k - 1, or k - 2 for a three."""
    open: Cells
    """The empty cells that answer the threat, ascending: for a four, the cells that complete a
    line; for a three, the cells where a mark of the other side prevents every open four of these
    marks."""


@dataclass(frozen=True, slots=True)
class Analysis(Position):
    """The answer of `analyze` and `/analyze`: every legal move, best first, ties by index.

    With `lines` in the question, that many moves come first, searched as thoroughly as a best move;
    the others follow. It prints as lines of text, and in a notebook as a picture.
    """

    moves: tuple[MoveEvaluation, ...]
    """Every legal move; none when the game is over."""
    complete: bool
    """False if the budget ended before all moves (or all `lines`) were searched to the same depth.
    The first move may have been searched deeper."""
    threats: Mapping[str, tuple[Threat, ...]]
    """The fours and open threes of X and of O, strongest first."""
    search: SearchStats
    """What the search cost."""

    @property
    def exact(self) -> bool:
        """Whether every move is proven."""
        return self.complete and all(move.exact for move in self.moves)

    def __str__(self) -> str:
        """The board and a line for each move."""
        board = self.board
        if board.is_over:
            return f"{words.rows(board)}\n{words.ending(board)}"
        lines = (
            f"{words.cell_name(move.index, board.rules)}: {words.result(move, board)}"
            for move in self.moves
        )
        return "\n".join([words.rows(board), *lines])

    def _repr_html_(self) -> str:
        board = self.board
        if board.is_over:
            return f"{svg(board)}<p>{words.ending(board)}</p>"
        notes = {
            move.index: move.outcome
            if move.exact
            else f"{words.score_for_mover(move.score, board):+.2f}"
            for move in self.moves
        }
        picture = svg(board, highlighted=[self.moves[0].index], notes=notes)
        return f"{picture}<p>{board.turn} to move: each move's result, or its estimated score.</p>"


AnswerT = TypeVar("AnswerT", BestMove, Analysis)


@dataclass(frozen=True, slots=True)
class Progress(Generic[AnswerT_co]):
    """The answer so far, after a depth of the search."""

    depth: int
    """The depth in plies."""
    nodes: int
    """Nodes visited so far."""
    elapsed_ms: float
    """Milliseconds since the start of the search."""
    answer: AnswerT_co
    """The answer so far, of the same type as the final one."""


@dataclass(frozen=True, slots=True)
class GameTree(Record):
    """The answer about an explicit tree.

    A path is the index of the child to take at each node, from the root; the root's path is empty.
    """

    value: float
    """The root's value, for the maximiser."""
    path: Cells
    """The principal variation, to a leaf or to the depth of the search."""
    evaluated: tuple[Cells, ...]
    """The nodes whose own values were used, in order."""
    pruned: tuple[Cells, ...]
    """The roots of the subtrees that were skipped, in order."""
    search: SearchStats
    """What the search cost."""


@dataclass(frozen=True, slots=True)
class NamedGame(Record):
    """A game with a name."""

    name: str
    """The name as requests spell it."""
    title: str
    """The name as people read it."""
    rows: int
    columns: int
    k: int
    gravity: bool
    overline: bool
    misere: bool

    @classmethod
    def of(cls, game: Preset) -> Self:
        """A named game as an answer shows it."""
        rules: dict[str, Any] = {**game.rules.to_dict()}
        return cls(game.name, game.title, **rules)


@dataclass(frozen=True, slots=True)
class Games(Record):
    """The answer of `/games`."""

    games: tuple[NamedGame, ...]
    """The named games."""
    limits: Mapping[str, Any]
    """The server's limits, such as the most `boards` of a batch and the largest `time_ms`."""


@dataclass(frozen=True, slots=True)
class Proven(Record):
    """The answer of `/proof`."""

    proof: Mapping[str, Any] | None = None
    """The certificate, in the format of docs/proofs.md; None if there is none."""
    detail: str | None = field(default=None, metadata=_OPTIONAL)
    """Why there is no certificate, otherwise None."""


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """Why a board of a batch has no answer (RFC 9457)."""

    type: str = "about:blank"
    title: str = ""
    status: int = 0
    detail: str = ""
    """What to change."""
    errors: tuple[Mapping[str, Any], ...] = field(default=(), metadata=_OPTIONAL)
    """The faults, each with a `pointer` into the request and a `detail`."""


@cache
def _sent(kind: type[Record]) -> list[tuple[str, Any]]:
    """The fields of a class in its JSON object, each with the value for which it is left out."""
    return [
        (each.name, each.default if each.metadata.get("optional") else MISSING)
        for each in fields(kind)
        if each.metadata.get("sent", True)
    ]


def _plain(value: Any) -> Any:
    """A value as JSON has it. Tuples of tuples stay: lists of 25,000 paths would take time."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Board):
        return str(value)
    if isinstance(value, tuple):
        if value and isinstance(value[0], Record):
            return [each.to_dict() for each in value]
        return value if value and isinstance(value[0], tuple) else list(value)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value
