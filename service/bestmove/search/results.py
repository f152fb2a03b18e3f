"""What a search answers with.

Two shapes: `Found` is what an engine says, in integers, from the point of view of the side to
move; `BestMove` and `Analysis` are what the library says, in the frame of the answers. An answer
makes its own dict, in the contract's names and order; the API, the command line and the bots all
write that one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Self, TypedDict, cast

from bestmove.game import EMPTY, Board, X
from bestmove.search.scores import expected_result, plies_to_end
from bestmove.search.shapes import Threat, threats

Outcome = Literal["win", "draw", "loss", "unknown"]
"""A result for the side to move."""

MaybeNone = Any
"""Marks what is None only once the game is over, as typeshed marks such results: type checkers let
`board.play(answer.move)` pass without a test that most callers, who ask about games in progress,
do not need."""

BY_RULES: Final = "rules"
"""The algorithm of an answer that took no search: the move ends the game, or it is over."""


class SearchStats(NamedTuple):
    """What the search cost.

    Attributes:
        algorithm: the search that gave the answer.
        nodes: calls of the search, the root among them.
        cutoffs: nodes left early because alpha met beta.
        table_hits: nodes answered by the transposition table.
        depth: plies of the last finished iteration; of a book's answer, of the search behind it.
        elapsed_ms: wall-clock milliseconds.
        timed_out: whether a search that is to be repeatable met the server's limit of time, so
            that the same question may get another answer.
        threads: how many searched together; None where the limits name no number.
    """

    algorithm: str
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    depth: int = 0
    elapsed_ms: float = 0.0
    timed_out: bool = False
    threads: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The field `search` of an answer; `timed_out` only where it is so, `threads` where they
        were asked for."""
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
        return fields


@dataclass(frozen=True, slots=True)
class Found:
    """What an engine (table, core, solver, textbook) found out about one position.

    Attributes:
        value: an integer of `scores`, from the point of view of the side to move.
        exact: whether `value` is proven; a proven draw is 0 with `exact`.
        pv: cell indices, the best move first. For a proven win or loss it ends with the winning
            move and its length is the distance in `value`. Empty only when nothing was searched.
        nodes, cutoffs, table_hits: counted from the start of the search that found this.
        threads: how many searched together.
    """

    value: int
    exact: bool
    pv: tuple[int, ...]
    depth: int = 0
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    threads: int = 1


LONGEST_DRAW: Final = 42
"""Plies of a proven draw's variation that are told, the cells of Connect Four: 300 drawn moves with
300 plies each would be half a megabyte of arbitrary moves."""

Report = Callable[[list[Found], bool], None]
"""Takes what a search has found so far, of the best move alone or of every one, and whether all
were searched alike."""


class Moves(NamedTuple):
    """What was found out about every legal move.

    Attributes:
        found: one for each move.
        complete: whether all were searched alike.
        algorithm: what searched them.
        best: the move that `search` answers, which is to come first; None where that is not
            known, or where the values are exact and tell it.
    """

    found: list[Found]
    complete: bool
    algorithm: str
    best: int | None = None


class Reason(NamedTuple):
    """Why a move was chosen.

    Attributes:
        code: stable, for programs.
        text: one plain sentence that names the cells.
        cells: indices. For `wins` the line, for `forks` and `blocks-fork` the cells that would
            complete one, otherwise the move's own.
    """

    code: str
    text: str
    cells: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """The field `reason` of an answer."""
        return {"code": self.code, "cells": list(self.cells), "text": self.text}


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """One legal move and what it leads to.

    Attributes:
        index: the cell, counted from 0 along the rows.
        score: the expected result for X after the move; an int (-1, 0, 1) when `exact`.
        exact: whether the score is proven.
        outcome: the result for the side that makes the move.
        plies: moves to the end, this one included; None when not exact.
        pv: the principal variation; it starts with `index`.
        depth: plies that were looked ahead, this one included: of a proven move to the end, as
            `plies`; 0 where the budget left no time for a look.
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
        """What an engine found about a move on `board`: the first of its variation."""
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
        """One of the `moves` of an analysis of a board with so many columns."""
        return {
            **_cell(self.index, columns),
            "score": self.score,
            "exact": self.exact,
            "outcome": self.outcome,
            "plies": self.plies,
            "pv": list(self.pv),
            "depth": self.depth,
        }


class _Shown:
    """Prints as lines of text, and in a notebook as a picture of the board."""

    __slots__ = ()

    def __str__(self) -> str:
        from bestmove.search import showing

        return showing.text(cast("BestMove | Analysis", self))

    def _repr_html_(self) -> str:
        from bestmove.search import showing

        return showing.html(cast("BestMove | Analysis", self))


@dataclass(frozen=True, slots=True)
class BestMove(_Shown):
    """The answer to `best_move`.

    `score`, `exact`, `outcome`, `plies` and `pv` describe the game that goes on with `move`. When
    the game on `board` is over `move`, `outcome` and `reason` are None, `pv` is empty, `plies` 0.
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
        """The board with the move made; None when the game was over before."""
        return None if self.move is None else self.board.play(self.move)

    def to_dict(self) -> dict[str, Any]:
        """The answer of `/best-move` and `/play`."""
        board, move, reason = self.board, self.move, self.reason
        return {
            **_position(board),
            "move": None if move is None else _cell(move, board.rules.columns),
            "board_after": None if move is None else str(board.play(move)),
            "score": self.score,
            "exact": self.exact,
            "outcome": self.outcome,
            "plies": self.plies,
            "pv": list(self.pv),
            "reason": None if reason is None else reason.to_dict(),
            "search": self.search.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Analysis(_Shown):
    """The answer to `analyze`: every legal move, best first, ties by index.

    With `lines` in its limits that many moves come first that were searched as a best move is, and
    the others follow. `complete` is False when the budget cut the search of some move short of the
    depth that the others reached, or left one unsearched: of all moves, or of those lines. The
    first is the best move's own search, which may have gone deeper.
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
    """What the one search cost that found these: each counts from its start."""
    return {
        "nodes": max(one.nodes for one in found),
        "cutoffs": max(one.cutoffs for one in found),
        "table_hits": max(one.table_hits for one in found),
        "depth": max(one.depth for one in found),
    }


def verdict(board: Board, found: Found) -> tuple[float, Outcome, int | None]:
    """The score for X, the outcome for the side to move and the plies that `found` comes to."""
    sign = 1 if board.turn == X else -1
    value = found.value
    if not found.exact:
        return sign * expected_result(value) + 0.0, "unknown", None  # never -0.0
    if not value:
        return 0, "draw", board.cells.count(EMPTY)
    plies = plies_to_end(value)
    return (sign, "win", plies) if value > 0 else (-sign, "loss", plies)


def variation(found: Found) -> tuple[int, ...]:
    """The principal variation as it is told: of a proven draw its beginning."""
    return found.pv[:LONGEST_DRAW] if found.exact and not found.value else found.pv


def _position(board: Board) -> dict[str, Any]:
    rules, line = board.rules, board.winning_line
    return {
        "board": str(board),
        "rows": rules.rows,
        "columns": rules.columns,
        "k": rules.k,
        "gravity": rules.gravity,
        "overline": rules.overline,
        "misere": rules.misere,
        "turn": board.turn,
        "status": board.status,
        "winner": board.winner,
        "winning_line": None if line is None else list(line),
    }


def _cell(index: int, columns: int) -> dict[str, int]:
    row, column = divmod(index, columns)
    return {"index": index, "row": row, "column": column}
