"""The results of searches.

`Found` is the result of an engine: its value is an integer, for the side to move.
`BestMove` and `Analysis` are the answers of the library, with scores for X. Their `to_dict` has the
fields of the HTTP contract, in order; the API, the command line and the bots all use it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self, TypedDict

from bestmove.game import EMPTY, Board, X
from bestmove.search.reasons import Outcome, Reason
from bestmove.search.scores import expected_result, plies_to_end
from bestmove.search.shapes import Threat, threats
from bestmove.search.showing import Shown

MaybeNone = Any
"""The type `Any`, for fields that are None only when the game is over. Type checkers then accept
`board.play(answer.move)` without a check for None, which games in progress do not need. Typeshed
does the same."""

BY_RULES: Final = "rules"
"""The `algorithm` of an answer without a search: the move ends the game, or the game is over."""


class SearchStats(NamedTuple):
    """What the search cost.

    Attributes:
        algorithm: the search that gave the answer.
        nodes: calls of the search, including the root.
        cutoffs: nodes left early because alpha reached beta.
        table_hits: nodes answered by the transposition table.
        depth: plies of the last finished iteration.
        elapsed_ms: wall-clock milliseconds.
        timed_out: whether the server's time limit ended a repeatable search, so that the same
            question may get another answer.
        threads: how many threads searched; None unless the limits say how many.
        value: the value for X that a textbook search found, in the unit of its evaluation.
    """

    algorithm: str
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    depth: int = 0
    elapsed_ms: float = 0.0
    timed_out: bool = False
    threads: int | None = None
    value: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The field `search` of an answer; the last three only if set."""
        fields: dict[str, Any] = {
            "algorithm": self.algorithm,
            "nodes": self.nodes,
            "cutoffs": self.cutoffs,
            "table_hits": self.table_hits,
            "depth": self.depth,
            "elapsed_ms": round(self.elapsed_ms, 3),
        }
        if self.timed_out:
            fields["timed_out"] = True
        if self.threads is not None:
            fields["threads"] = self.threads
        if self.value is not None:
            fields["value"] = self.value
        return fields


class Found(NamedTuple):
    """What an engine, the 3×3 table or a textbook search found out about a position.

    Attributes:
        value: the value for the side to move, an integer as described in `scores`.
        exact: whether `value` is proven; a proven draw is 0 with `exact`.
        pv: cell indices, the best move first. For a proven win or loss it ends with the winning
            move, and its length is the distance in `value`. Empty only if nothing was searched.
        nodes, cutoffs, table_hits: as in `SearchStats`, counted from the start of the search.
        threads: how many threads searched.
        evaluated: the value for X that a textbook search found, in the unit of its evaluation.
    """

    value: int
    exact: bool
    pv: tuple[int, ...]
    depth: int = 0
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    threads: int = 1
    evaluated: float | None = None


LONGEST_DRAW: Final = 42
"""How many plies of a proven draw an answer shows, at most: as many as Connect Four has cells.
Otherwise 300 drawn moves with 300 plies each would be half a megabyte of arbitrary moves."""

Report = Callable[[list[Found], bool], None]
"""Called with the findings of a search so far, for one move or for all. The second argument says
whether all were searched to the same depth."""


class Moves(NamedTuple):
    """What was found out about every legal move.

    Attributes:
        found: one result for each move.
        complete: whether all were searched to one depth.
        algorithm: the search that found it.
        best: the move that must come first, as it is the answer of `best_move`; or None.
    """

    found: list[Found]
    complete: bool
    algorithm: str
    best: int | None = None


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """One legal move and what it leads to.

    Attributes:
        index: the cell, from 0 along the rows.
        score: the expected result for X after the move; an int (-1, 0, 1) when `exact`.
        exact: whether the score is proven.
        outcome: the result for the side that makes the move.
        plies: plies to the end, including this move; None when not exact.
        pv: the principal variation, starting with `index`.
        depth: plies searched, including this move. For a proven move, it equals `plies`; it is 0 if
            the budget left no time for a search.
    """

    index: int
    score: float
    exact: bool
    outcome: Outcome
    plies: int | None
    pv: tuple[int, ...]
    depth: int

    @classmethod
    def of(cls, board: Board, found: Found) -> Self:
        """The evaluation of the first move of an engine's result."""
        score, outcome, plies = verdict(board, found)
        return cls(
            index=found.pv[0],
            score=score,
            exact=found.exact,
            outcome=outcome,
            plies=plies,
            pv=variation(found),
            depth=found.depth if plies is None else plies,
        )

    def to_dict(self, columns: int) -> dict[str, Any]:
        """One of the `moves` in the answer of `/analyze`."""
        return {
            **_cell(self.index, columns),
            **_claim(self),
            "depth": self.depth,
        }


@dataclass(frozen=True, slots=True)
class BestMove(Shown):
    """The answer to `best_move`.

    `score`, `exact`, `outcome`, `plies` and `pv` describe the game after `move`. When the game is
    over, `move`, `outcome` and `reason` are None, `pv` is empty and `plies` is 0.
    """

    board: Board
    move: int | MaybeNone
    score: float
    exact: bool
    outcome: Outcome | MaybeNone
    plies: int | None
    pv: tuple[int, ...]
    reason: Reason | MaybeNone
    search: SearchStats

    @property
    def board_after(self) -> Board | MaybeNone:
        """The board with the move made; None when the game is over."""
        return None if self.move is None else self.board.play(self.move)

    def to_dict(self) -> dict[str, Any]:
        """The answer of `/best-move` and `/play`."""
        board, move, reason = self.board, self.move, self.reason
        return {
            **_position(board),
            "move": None if move is None else _cell(move, board.rules.columns),
            "board_after": None if move is None else str(board.play(move)),
            **_claim(self),
            "reason": None if reason is None else reason.to_dict(),
            "search": self.search.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Analysis(Shown):
    """The answer to `analyze`: every legal move, best first, ties by index.

    With `lines` in the limits, that many moves come first, searched as thoroughly as a best move;
    the others follow. `complete` is False if the budget ended before all moves (or all `lines`)
    were searched to the same depth. The first move may have been searched deeper.
    """

    board: Board
    moves: tuple[MoveEvaluation, ...]
    complete: bool
    search: SearchStats

    @property
    def exact(self) -> bool:
        """Whether every move is proven."""
        return self.complete and all(move.exact for move in self.moves)

    @property
    def threats(self) -> dict[str, tuple[Threat, ...]]:
        """The fours and open threes of X and of O, strongest first."""
        return threats(self.board)

    def to_dict(self) -> dict[str, Any]:
        """The answer of `/analyze`."""
        columns = self.board.rules.columns
        return {
            **_position(self.board),
            "moves": [move.to_dict(columns) for move in self.moves],
            "complete": self.complete,
            "threats": {
                mark: [threat.to_dict() for threat in found] for mark, found in self.threats.items()
            },
            "search": self.search.to_dict(),
        }


class Cost(TypedDict):
    """The counts that `Found` and `SearchStats` share."""

    nodes: int
    cutoffs: int
    table_hits: int
    depth: int


def cost_of(found: Sequence[Found]) -> Cost:
    """The cost of the search that found these results, which all count from its beginning."""
    return {
        "nodes": max(one.nodes for one in found),
        "cutoffs": max(one.cutoffs for one in found),
        "table_hits": max(one.table_hits for one in found),
        "depth": max(one.depth for one in found),
    }


def verdict(board: Board, found: Found) -> tuple[float, Outcome, int | None]:
    """The score for X, the outcome for the side to move and the plies of a result."""
    sign = 1 if board.turn == X else -1
    value = found.value
    if not found.exact:
        return sign * expected_result(value) + 0.0, "unknown", None  # never -0.0
    if not value:
        return 0, "draw", board.cells.count(EMPTY)
    plies = plies_to_end(value)
    return (sign, "win", plies) if value > 0 else (-sign, "loss", plies)


def variation(found: Found) -> tuple[int, ...]:
    """The principal variation as answers show it; for a proven draw, only its beginning."""
    return found.pv[:LONGEST_DRAW] if found.exact and not found.value else found.pv


def _position(board: Board) -> dict[str, Any]:
    line = board.winning_line
    return {
        "board": str(board),
        **board.rules.to_dict(),
        "turn": board.turn,
        "status": board.status,
        "winner": board.winner,
        "winning_line": None if line is None else list(line),
    }


def _claim(answer: BestMove | MoveEvaluation) -> dict[str, Any]:
    return {
        "score": answer.score,
        "exact": answer.exact,
        "outcome": answer.outcome,
        "plies": answer.plies,
        "pv": list(answer.pv),
    }


def _cell(index: int, columns: int) -> dict[str, int]:
    row, column = divmod(index, columns)
    return {"index": index, "row": row, "column": column}
