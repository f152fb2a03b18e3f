"""The classes of the answers that the library, the client, the command and the service give.

A class has the fields of the HTTP contract; `to_dict` returns the JSON object, with the fields in
the contract's order. In the JSON object, a `Board` is its text. `make document` copies the fields,
with their types and descriptions, to openapi.yaml and to the types of client.js.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, lru_cache
from typing import Any, ClassVar, Final, Generic, Literal, Self, TypeVar

from bestmove import words
from bestmove.game import Board, Preset, Rules, Status, X
from bestmove.game.picture import svg
from bestmove.game.rules import SWITCHES
from bestmove.words import Outcome, ReasonCode

ThreatKind = Literal["open-four", "four", "open-three"]
"""The kind of a threat."""

MaybeNone = Any
"""The type of fields that are None only when the game is over. It is `Any`, so that type checkers
accept `board.play(answer.move)` without a check for None."""

Cells = tuple[int, ...]
"""Indices of cells, counted from 0 along the rows."""

Mark = str
"""A side: X or O."""

Score = float
"""An expected result for X: 1 if X wins, -1 if O wins, 0 for a draw. A proven result is an integer;
an estimate lies strictly between -1 and 1."""

Certificate = Mapping[str, Any]
"""The evidence for a result, which anybody can check; docs/proofs.md describes it."""

ServerLimits = Mapping[str, Any]
"""The largest values that a server accepts, such as the most `boards` of a batch."""

Path = tuple[int, ...]
"""The way from the root of a tree to a node: at each step, the index of the child. The path of the
root is empty."""

BY_RULES: Final = "rules"
"""The `algorithm` of an answer that needs no search: the game is over, or the move ends it."""

AnswerT_co = TypeVar("AnswerT_co", covariant=True)

_OPTIONAL: Final = {"optional": True}
"""Marks a field that the JSON object omits when the field has its default value."""

VARIES: Final = {"varies": True}
"""Marks a field that differs from run to run, even if the question and the answer are the same."""

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
"""The types of values that JSON takes unchanged."""


@dataclass(frozen=True, slots=True)
class Record:
    """The base class of all answers."""

    ORDER: ClassVar[tuple[str, ...]] = ()
    """The names of the JSON object's fields, in order; a name may be a property's. By default the
    class's fields."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        found: dict[str, Any] = {}
        for name, default in _sent(type(self)):  # type: ignore[arg-type] # a class is hashable
            value = getattr(self, name)
            if value is default:
                continue
            if type(value) in _SCALARS:
                found[name] = value
            elif isinstance(value, Record):
                found[name] = value.to_dict()
            elif type(value) is tuple and (not value or type(value[0]) is int):
                found[name] = list(value)
            else:
                found[name] = str(value) if isinstance(value, Board) else _plain(value)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Move(Record):
    """A cell.

    A move can stand for its index (`int(move)`, `move == 4`, `board.play(move)`, `cells[move]`),
    and can be unpacked: `row, column = move`.
    """

    index: int
    """The index of a cell, counted from 0 along the rows."""
    row: int
    """Counted from 0 at the top."""
    column: int
    """Counted from 0 at the left."""
    name: str
    """Column letter and row number, such as `b3`; rows count from the bottom."""

    @classmethod
    def of(cls, index: int, rules: Rules) -> Move:
        """Return the cell with this index on a board with these rules."""
        return Move(index, *divmod(index, rules.columns), rules.squares[index])

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
    """The reason why a move was chosen."""

    code: ReasonCode
    """A stable code for programs. `weakened` means that a level below 10 overlooked a win or a
    threat, or drew a move at random that it did not find to be as good as the best."""
    cells: Cells
    """The cells that the reason is about. For `wins`: the completed line. For `forks`: all cells
    where the mover now threatens to win. For `blocks-fork`: all cells where the opponent
    would threaten to win after making this move. For other codes: the move's cell."""
    text: str
    """One plain sentence for people, which names the cells."""


@dataclass(frozen=True, slots=True)
class SearchStats(Record):
    """The cost of a search."""

    algorithm: str
    """The search that found the answer, such as `alpha-beta` or `proof-search`; `rules` if no
    search was needed."""
    nodes: int = 0
    """Calls of the search function, including the call for the root."""
    cutoffs: int = 0
    """Nodes left early because alpha reached beta."""
    table_hits: int = 0
    """Nodes answered by the transposition table."""
    depth: int = 0
    """Plies that the last finished iteration looked ahead."""
    elapsed_ms: float = field(default=0.0, metadata=VARIES)
    """Wall-clock milliseconds of this request."""
    cached: bool = field(default=False, metadata=VARIES)
    """True if the answer was looked up or remembered. The counts are then those of the search that
    found the answer."""
    timed_out: bool = field(default=False, metadata=_OPTIONAL)
    """True if the server's time limit ended the search of a GET, or of a request with `seed` or
    `depth`. The same request may get a different answer the next time."""
    granted_ms: int | None = field(default=None, metadata=_OPTIONAL)
    """The milliseconds after which the search ended because other requests waited for their
    turn."""
    threads: int | None = field(default=None, metadata=_OPTIONAL)
    """How many threads searched, if the request has `threads`."""
    value: float | None = field(default=None, metadata=_OPTIONAL)
    """The value that a textbook search found for X, in the unit of its `evaluation`."""


@dataclass(frozen=True, slots=True)
class GameRules(Record):
    """The rules of a game, under the names of a request's fields.

    `**answer.rules` gives them to the next question, or to `Board.parse`. A client gives a switch
    that an older service does not know its default.
    """

    rows: int
    columns: int
    k: int
    gravity: bool = SWITCHES["gravity"].default
    overline: bool = SWITCHES["overline"].default
    misere: bool = SWITCHES["misere"].default
    first: Mark = X
    """Who moved first."""

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, rules: Rules, first: Mark = X) -> Self:
        return cls(**rules.to_dict(), first=first)  # type: ignore[arg-type] # each has its own type

    def keys(self) -> Iterable[str]:
        """Return the names, so that `**` can take the rules apart."""
        return [each.name for each in fields(self)]

    def __getitem__(self, name: str) -> int | bool | Mark:
        if name not in self.keys():
            raise KeyError(name)
        value: int | bool | Mark = getattr(self, name)
        return value


@dataclass(frozen=True, slots=True)
class GameState(Record):
    """A position, whose turn it is, and whether the game is over."""

    ORDER: ClassVar[tuple[str, ...]] = ("board", "turn", "status", "winner", "winning_line")

    board: Board
    """The position."""

    turn: Mark | MaybeNone = field(init=False, repr=False)
    """Whose move it is; None when the game is over."""
    status: Status = field(init=False, repr=False)
    """Whether the game goes on in this position, was won, or is a draw."""
    winner: Mark | MaybeNone = field(init=False, repr=False)
    """Who has won; None if nobody has."""
    winning_line: Cells | None = field(init=False, repr=False)
    """The k cells of the line that ended the game. In misère, it is the loser's line. None if there
    is no such line."""

    def __post_init__(self) -> None:
        known = self.board.__dict__
        for name in ("turn", "status", "winner", "winning_line"):
            object.__setattr__(self, name, known[name])

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.board.is_over


@dataclass(frozen=True, slots=True)
class Answer(GameState):
    """The position of the request, and the game's rules."""

    ORDER: ClassVar[tuple[str, ...]] = (
        "status",
        "winner",
        "winning_line",
        "turn",
        "board",
        "rules",
    )

    @property
    def rules(self) -> GameRules:
        """The rules of the game."""
        return GameRules.of(self.board.rules, self.board.first)


@dataclass(frozen=True, slots=True)
class BestMove(Answer):
    """The best move.

    It is the answer of `best_move`, `/best-move` and `/play`. `score`, `exact`, `outcome`, `plies`
    and `pv` describe the game after `move`. `print` shows lines of text; a notebook shows a
    picture.
    """

    ORDER: ClassVar[tuple[str, ...]] = (
        *("move", "score", "exact", "outcome", "plies"),
        *("status", "winner", "winning_line", "turn", "after"),
        *("pv", "reason", "board", "rules", "search"),
    )

    move: Move | MaybeNone
    """The best move; None if the game is already over. On boards of up to 20 cells and for Connect
    Four, `move` has the lowest index of all moves proven equally good, unless a seed draws
    another."""
    after: GameState
    """The position after the move; if the game is already over, the position itself. A game goes on
    while `after.status` is `in_progress`."""
    score: Score
    """The expected result for X; -1, 0 or 1 when proven, strictly between -1 and 1 otherwise."""
    exact: bool
    """True if the score is proven."""
    outcome: Outcome | MaybeNone
    """The result for the side to move, while `score` is for X; None if there is no move."""
    plies: int | None
    """The number of plies to the end with best play; None for an estimate. The winner wins as soon
    as possible, and the loser loses as late as possible.

    On boards of up to 20 cells and for Connect Four, the number is exact. On other boards a shorter
    win may exist.

    A textbook `algorithm` ignores distances, so its move need not be the quickest. `plies` assumes
    best play after that move.

    For a proven draw, `plies` is the number of empty cells; `pv` has at most 42 moves."""
    pv: Cells
    """The principal variation; it begins with the move.

    In a proven win or loss, it has `plies` moves and goes to the end of the game. With gravity, it
    may be shorter if a seed, a depth or nodes do not limit the search: it then ends when its search
    has used a tenth of the budget."""
    reason: Reason | MaybeNone
    """The reason why the move was chosen; None if there is no move."""
    search: SearchStats
    """The cost of the search."""

    def __str__(self) -> str:
        """Return the board after the move, and the reason for the move."""
        board = self.board
        if board.is_over:
            return f"{words.rows(board)}\n{words.ending(board)}"
        return f"{words.rows(self.after.board)}\n{self._sentence()}\n{self.reason.text}"

    def __repr__(self) -> str:
        board = self.board
        text = words.ending(board) if board.is_over else self._sentence()
        return f"<BestMove: {text.removesuffix('.')}>"

    def _repr_html_(self) -> str:
        if self.board.is_over:
            return f"{svg(self.board)}<p>{words.ending(self.board)}</p>"
        picture = svg(self.after.board, highlighted=[self.move.index])
        return f"{picture}<p>{self._sentence()} {self.reason.text}</p>"

    def _sentence(self) -> str:
        return f"{self.turn} plays {self.move.name}: {words.result(self, self.board)}."


@dataclass(frozen=True, slots=True, eq=False)
class MoveEvaluation(Move):
    """A legal move and what it leads to."""

    score: Score
    """The expected result for X after the move, as in `BestMove`."""
    exact: bool
    """True if the score is proven."""
    outcome: Outcome
    """The result for the side that makes the move."""
    plies: int | None
    """Plies to the end, counting this move, as in `BestMove`; None for an estimate. If the best
    move is proven to lose and time runs out, the other moves lose within as many plies as it, and
    `pv` has only the move."""
    pv: Cells
    """The principal variation; it begins with this move. With gravity, the variation of a proven
    move that is not the best goes only as far as a short search finds it."""
    depth: int
    """Plies searched, counting the move. For a proven move, the same as `plies`. 0 if there was no
    time to search the move."""


@dataclass(frozen=True, slots=True)
class Threat(Record):
    """Marks of one side that threaten to complete a line under the rules.

    Without `overline`, more than k in a row is not a line. With `gravity`, a cell counts even if it
    cannot be played yet. With `misere`, threats are the same, although completing a line loses.
    """

    kind: ThreatKind
    """The kind of the threat. The names suit k = 5, but stand for any k. `four`: k - 1 marks; one
    more completes a line. `open-four`: a four that can be completed at either end. `open-three`:
    k - 2 marks; one more makes an open four."""
    cells: Cells
    """The cells of the marks, ascending."""
    open: Cells
    """The cells that stop the threat, ascending. For a four: the cells that complete a line. For an
    open three: the cells where the other side's mark prevents an open four."""


Threats = Mapping[Mark, tuple[Threat, ...]]
"""The threats of X and of O."""


@dataclass(frozen=True, slots=True)
class Analysis(Answer):
    """Every legal move.

    It is the answer of `analyze` and `/analyze`. `print` shows lines of text; a notebook shows a
    picture.
    """

    ORDER: ClassVar[tuple[str, ...]] = ("moves", "complete", "threats", *Answer.ORDER, "search")

    moves: tuple[MoveEvaluation, ...]
    """Every legal move, best first, ties by index; none when the game is over. With `lines`, the
    first `lines` moves were searched as deep as the best move."""
    complete: bool
    """True if there was time to search all moves (with `lines`, the first `lines` moves) equally
    deep. The first move may have been searched deeper. An answer so far is complete only if every
    move is proven."""
    threats: Threats
    """The fours and open threes of either side, strongest first; none when the game is over."""
    search: SearchStats
    """The cost of the search."""

    @property
    def exact(self) -> bool:
        """True if every move is proven."""
        return self.complete and all(move.exact for move in self.moves)

    def __str__(self) -> str:
        board = self.board
        if board.is_over:
            return f"{words.rows(board)}\n{words.ending(board)}"
        lines = (f"{move.name}: {words.result(move, board)}" for move in self.moves)
        return "\n".join([words.rows(board), *lines])

    def __repr__(self) -> str:
        if not self.moves:
            return f"<Analysis: {words.ending(self.board).removesuffix('.')}>"
        best = self.moves[0]
        found = f"{best.name}: {words.result(best, self.board)}"
        return f"<Analysis: {len(self.moves)} moves, the best {found}>"

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
    """The answer so far, reported after each depth of the search."""

    depth: int
    """The depth in plies."""
    nodes: int
    """Nodes visited so far."""
    elapsed_ms: float
    """Milliseconds since the start of the search."""
    answer: AnswerT_co
    """The answer so far, of the same type as the final one."""


@dataclass(frozen=True, slots=True)
class VisitedNode(Record):
    """What a search found at a node of an explicit tree."""

    path: Path
    """The child indices from the root to the node."""
    value: float
    """What the search of the node returned. If children were cut off at or below the node, and in
    fail-hard always, a value of alpha or less is an upper bound, and one of beta or more a lower
    bound. In negamax, the value and the window are for the side to move at the node, otherwise for
    the maximiser."""
    alpha: float | None
    """The maximiser is sure of at least this when the search enters the node. None: minus infinity,
    as always in minimax."""
    beta: float | None
    """The minimiser is sure of at most this when the search enters the node. None: infinity."""
    cutoff: bool
    """Whether alpha reached beta before all children were tried."""


@dataclass(frozen=True, slots=True)
class GameTree(Record):
    """The value of an explicit tree, and how it was found."""

    value: float
    """The value of the root, for the maximiser."""
    path: Path
    """The principal variation, to a leaf or to the depth of the search."""
    evaluated: tuple[Path, ...]
    """The leaves and the nodes at the depth limit that the search evaluated, in search order."""
    pruned: tuple[Path, ...]
    """The roots of the pruned subtrees, in search order."""
    search: SearchStats
    """The cost of the search."""
    trace: tuple[VisitedNode, ...] | None = field(default=None, metadata=_OPTIONAL)
    """The visited nodes, in search order; only if the request asks for it."""


@dataclass(frozen=True, slots=True)
class NamedGame(Record):
    """A game with a name."""

    name: str
    """The value of the field `game` that chooses this game."""
    title: str
    """The title to show to people."""
    rules: GameRules
    """The rules of the game."""

    @classmethod
    def of(cls, game: Preset) -> Self:
        return cls(game.name, game.title, GameRules.of(game.rules))


@dataclass(frozen=True, slots=True)
class Games(Record):
    """The named games, and the limits of a server."""

    games: tuple[NamedGame, ...]
    """The named games."""
    limits: ServerLimits
    """The largest values that the server accepts."""


@dataclass(frozen=True, slots=True)
class Proven(Record):
    """A certificate, or why there is none."""

    proof: Certificate | None = None
    """The certificate; None if there is none."""
    detail: str | None = field(default=None, metadata=_OPTIONAL)
    """The reason why there is no certificate."""


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """The reason why a board of a batch has no answer (RFC 9457)."""

    type: str = "about:blank"
    title: str = ""
    status: int = 0
    detail: str = ""
    """A sentence that says what to change."""
    errors: tuple[Mapping[str, Any], ...] = field(default=(), metadata=_OPTIONAL)
    """The faults, each with a `pointer` into the request and a `detail`."""


@cache
def _sent(kind: type[Record]) -> list[tuple[str, Any]]:
    """Return (name, default) of each JSON field. MISSING means that the field is always sent."""
    optional = {each.name: each.default for each in fields(kind) if each.metadata == _OPTIONAL}
    names = kind.ORDER or [each.name for each in fields(kind)]
    return [(name, optional.get(name, MISSING)) for name in names]


def _plain(value: Any) -> Any:
    """Convert a value for JSON. Nested tuples stay tuples: converting 25,000 paths takes time."""
    if isinstance(value, tuple):
        if value and isinstance(value[0], Record):
            return [each.to_dict() for each in value]
        return value if value and isinstance(value[0], tuple) else list(value)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value
