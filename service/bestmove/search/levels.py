"""Weaker play on purpose: the levels 1 to 9, reproducible by seed.

A level plays the strong engine's move, found by a shallow search, except when it slips: then it
plays some other move that looks natural. Two rules hold however it slips: from level 4 up it
takes its own win in one, from level 6 up it blocks the opponent's.

With a seed every choice follows from the seed, the level and the position, and the searches are
bounded by depth and nodes, so that the clock has no say. Without a seed the choices vary.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bestmove.game import EMPTY, Board, Rules, other
from bestmove.search.budget import NODES_PER_MS
from bestmove.search.limits import Limits
from bestmove.search.results import BY_RULES, Found, cost_of, verdict
from bestmove.search.scores import WIN, is_proven

Search = Callable[[Board, Limits], tuple[Found, str]]
"""The best move of a game in progress, and the algorithm that found it."""

SearchMoves = Callable[[Board, Limits], tuple[Sequence[Found], bool, str]]
"""Every legal move, best first; whether all were searched alike; and the algorithm."""


@dataclass(frozen=True, slots=True)
class Weakness:
    """What a level is bad at.

    Attributes:
        slips: the share of moves made without looking, 0 to 1.
        depth: plies that it looks ahead on larger boards.
        nodes: nodes that it visits at most.
    """

    slips: float
    depth: int
    nodes: int


WEAKNESSES: Final = {
    1: Weakness(slips=1.0, depth=1, nodes=500),
    2: Weakness(slips=0.87, depth=1, nodes=500),
    3: Weakness(slips=0.75, depth=1, nodes=1_000),
    4: Weakness(slips=0.65, depth=2, nodes=1_000),
    5: Weakness(slips=0.55, depth=2, nodes=2_000),
    6: Weakness(slips=0.44, depth=3, nodes=4_000),
    7: Weakness(slips=0.3, depth=3, nodes=8_000),
    8: Weakness(slips=0.17, depth=4, nodes=15_000),
    9: Weakness(slips=0.07, depth=6, nodes=30_000),
}
"""Tuned by benchmarks/engine/levels.py, so that each level beats the one two below it."""

TAKES_WINS_FROM: Final = 4
BLOCKS_FROM: Final = 6

_FEW_MOVES: Final = 9
"""With at most so many legal moves every one is weighed, so that a slip really costs something."""

_NEIGHBOURHOOD: Final = 2
"""How far from the marks a slip looks for a cell, in rows and in columns."""


def weakened(
    board: Board, limits: Limits, search: Search, search_moves: SearchMoves
) -> tuple[Found, str]:
    """The move that `limits.level`, 1 to 9, plays on a board in progress.

    Args:
        board: a game in progress.
        limits: the level, the seed, and the time that nodes are counted from.
        search: best play, asked for with level 10.
        search_moves: every move; asked only where there are few.

    Returns:
        The move with the result of best play after it and what all searches for it cost, and the
        algorithm of the last one.

    Raises:
        ValueError: the game is over.
    """
    if board.turn is None:
        raise ValueError("the game is over: there is no move to choose")
    weakness = WEAKNESSES[limits.level]
    dice = _dice(board, limits)
    bounds = _bounds(limits, weakness)
    slips = dice.random() < weakness.slips
    wins = _completing(board, board.turn)
    if wins and limits.level >= TAKES_WINS_FROM:
        return _ending(board, dice.choice(wins))
    threats = _completing(board, other(board.turn))
    must = threats if limits.level >= BLOCKS_FROM else []
    if len(board.moves) <= _FEW_MOVES:
        moves, _, algorithm = search_moves(board, bounds)
        return _among_few(board, moves, must, slips, dice), algorithm
    if slips or len(must) > 1:
        return _followed_up(board, dice.choice(must or _natural(board)), search, bounds)
    found, algorithm = search(board, bounds)
    if must and found.pv[0] not in must:
        blocking, algorithm = _followed_up(board, must[0], search, bounds)
        return _costing(blocking, found), algorithm
    return found, algorithm


def _dice(board: Board, limits: Limits) -> random.Random:
    if limits.seed is None:
        return random.Random()
    rules = board.rules
    # A text seeds by its SHA-512, the same in every process; hash() would differ.
    return random.Random(
        f"{limits.seed} level {limits.level} {rules.rows}x{rules.columns} k{rules.k} "
        f"{board.first} {board.cells}{_switched_on(board.rules)}"
    )


def _switched_on(rules: Rules) -> str:
    return "" if rules.is_plain else f" {rules.gravity} {rules.overline} {rules.misere}"


def _bounds(limits: Limits, weakness: Weakness) -> Limits:
    nodes = min(weakness.nodes, limits.nodes or weakness.nodes)
    if limits.time_ms is not None:
        nodes = min(nodes, limits.time_ms * NODES_PER_MS)
    depth = min(weakness.depth, limits.depth or weakness.depth)
    return Limits(limits.time_ms, depth, nodes, deadline=limits.deadline)


def _completing(board: Board, mark: str) -> list[int]:
    """The cells on which `mark` would win at once."""
    if board.rules.misere:
        return []  # there nobody wins by a line
    completes = board.rules.completes_line
    return [index for index in board.moves if completes(board.cells, index, mark)]


def _among_few(
    board: Board,
    moves: Sequence[Found],
    must: Sequence[int],
    slips: bool,
    dice: random.Random,
) -> Found:
    """One of the best moves, or for a slip one that is worse where there is one."""
    allowed = [move for move in moves if not must or move.pv[0] in must]
    verdicts = [verdict(board, move) for move in allowed]
    score = verdicts[0][0]
    best = [move for move, found in zip(allowed, verdicts, strict=True) if found == verdicts[0]]
    worse = [move for move, found in zip(allowed, verdicts, strict=True) if found[0] != score]
    chosen = dice.choice(worse if slips and worse else allowed if slips else best)
    return replace(chosen, **cost_of(moves))


def _natural(board: Board) -> list[int]:
    """The empty cells near the marks, or in the middle while there are none."""
    rules = board.rules
    marked = [index for index, mark in enumerate(board.cells) if mark != EMPTY]
    centres = [rules.coordinates(index) for index in marked] or [
        ((rules.rows - 1) // 2, (rules.columns - 1) // 2)
    ]
    near = {
        rules.index(row + down, column + right)
        for row, column in centres
        for down in range(-_NEIGHBOURHOOD, _NEIGHBOURHOOD + 1)
        for right in range(-_NEIGHBOURHOOD, _NEIGHBOURHOOD + 1)
        if 0 <= row + down < rules.rows and 0 <= column + right < rules.columns
    }
    return [index for index in board.moves if index in near] or list(board.moves)


def _followed_up(board: Board, index: int, search: Search, bounds: Limits) -> tuple[Found, str]:
    """The given move with the result of best play after it."""
    after = board.play(index)
    if after.is_over:
        return _ending(board, index)
    reply, algorithm = search(after, bounds)
    value = -reply.value
    if is_proven(value):
        value -= 1 if value > 0 else -1  # a ply farther away
    return replace(reply, value=value, pv=(index, *reply.pv)), algorithm


def _ending(board: Board, index: int) -> tuple[Found, str]:
    """The given move, which ends the game: the rules tell its result."""
    winner = board.play(index).winner
    value = 0 if winner is None else WIN - 1 if winner == board.turn else 1 - WIN
    return Found(value, True, (index,)), BY_RULES


def _costing(found: Found, earlier: Found) -> Found:
    """What was found, after an earlier search that is counted too."""
    return replace(
        found,
        nodes=found.nodes + earlier.nodes,
        cutoffs=found.cutoffs + earlier.cutoffs,
        table_hits=found.table_hits + earlier.table_hits,
        depth=max(found.depth, earlier.depth),
    )
