"""What a search answers with: plain frozen records, no logic of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["win", "draw", "loss", "unknown"]
"""A result for the side to move."""


@dataclass(frozen=True, slots=True)
class SearchStats:
    """What the search cost.

    Attributes:
        algorithm: the search that gave the answer.
        nodes: calls of the search, the root among them.
        cutoffs: nodes left early because alpha met beta.
        table_hits: nodes answered by the transposition table.
        depth: plies of the last finished iteration.
        elapsed_ms: wall-clock milliseconds.
    """

    algorithm: str
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    depth: int = 0
    elapsed_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """What an engine (core, solver, reference) found out about one position.

    Attributes:
        value: an integer of `scores`, from the point of view of the side to move.
        exact: whether `value` is proven; a proven draw is 0 with `exact`.
        pv: cell indices, the best move first. For a proven win or loss it ends with the winning
            move and its length is the distance in `value`. Empty only when nothing was searched.
        nodes, cutoffs, table_hits: counted from the start of the search that found this.
    """

    value: int
    exact: bool
    pv: tuple[int, ...]
    depth: int = 0
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move was chosen: a stable `code` for programs, one plain sentence for people."""

    code: str
    text: str


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
    """

    index: int
    score: float
    exact: bool
    outcome: Outcome
    plies: int | None
    pv: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to `best_move`.

    `score`, `exact`, `outcome`, `plies` and `pv` describe the game that goes on with `move`. When
    the game is over `move`, `outcome` and `reason` are None, `pv` is empty, `plies` 0.
    """

    move: int | None
    score: float
    exact: bool
    outcome: Outcome | None
    plies: int | None
    pv: tuple[int, ...]
    reason: Reason | None
    search: SearchStats


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer to `analyze`: every legal move, best first, ties by index.

    `complete` is False when the budget cut the search of some move short of the depth that the
    others reached, or left one unsearched.
    """

    moves: tuple[MoveEvaluation, ...]
    complete: bool
    search: SearchStats = field(default_factory=lambda: SearchStats("rules"))
