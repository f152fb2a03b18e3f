"""Chooses the moves of levels 1 to 9, which play weakly on purpose.

A level plays the first of these moves that it finds:

- its own win in one move; levels 1 to 3 may overlook it,
- a block of the opponent's win in one move; levels 1 to 5 may overlook it,
- a random move, at times (a slip); higher levels slip less often,
- the best move of a shallow search.

In a repeatable search, every choice follows from the seed, the level and the position. Depth and
nodes limit the searches; time does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bestmove.answers import BY_RULES
from bestmove.game import EMPTY, Board, other
from bestmove.game.rules import SWITCHES
from bestmove.search.limits import NODES_PER_MS, SearchLimits
from bestmove.search.results import Found, cost_of, verdict
from bestmove.search.scores import WIN, before_move

FindBest = Callable[[Board, SearchLimits], tuple[Found, str]]
"""Returns the best move of a game in progress, and the name of the algorithm."""

FindAll = Callable[[Board, SearchLimits], tuple[Sequence[Found], bool, str]]
"""Returns all legal moves, best first; whether all were searched to the same depth; and the name of
the algorithm."""


@dataclass(frozen=True, slots=True)
class Weakness:
    """The weaknesses of a level.

    Attributes:
        slips: how often the level moves without looking ahead, 0 to 1.
        slips_on_few: the same with few legal moves, where most slips do no harm.
        sees_wins: how often the level notices its own win in one move, 0 to 1.
        sees_threats: how often the level notices the opponent's win in one move, 0 to 1.
        depth: the most plies to look ahead.
        nodes: the most nodes to visit.
    """

    slips: float
    slips_on_few: float
    sees_wins: float
    sees_threats: float
    depth: int
    nodes: int


WEAKNESSES: Final = {
    1: Weakness(0.93, 1.00, 0.45, 0.10, depth=1, nodes=500),
    2: Weakness(0.87, 1.00, 0.62, 0.20, depth=1, nodes=500),
    3: Weakness(0.75, 1.00, 0.88, 0.33, depth=1, nodes=1_000),
    4: Weakness(0.65, 1.00, 1.00, 0.55, depth=2, nodes=1_000),
    5: Weakness(0.55, 1.00, 1.00, 0.78, depth=2, nodes=2_000),
    6: Weakness(0.44, 1.00, 1.00, 1.00, depth=3, nodes=4_000),
    7: Weakness(0.30, 0.78, 1.00, 1.00, depth=3, nodes=8_000),
    8: Weakness(0.17, 0.52, 1.00, 1.00, depth=4, nodes=15_000),
    9: Weakness(0.07, 0.24, 1.00, 1.00, depth=6, nodes=30_000),
}
"""With these weaknesses, level n beats level n - 2. benchmarks/engine/levels.py checks that."""

_FEW_MOVES: Final = 9
"""In positions with at most this many legal moves, a level evaluates every move. Finding the best
move alone would hardly be cheaper."""

_NEIGHBOURHOOD: Final = 2
"""A natural move is at most this many rows and columns away from a mark. On an empty board, the
distance to the middle counts."""


def weakened(
    board: Board, limits: SearchLimits, search: FindBest, search_moves: FindAll
) -> tuple[Found, str]:
    """Return the move that `limits.level`, 1 to 9, plays.

    Args:
        limits: the level, the seed and the budget; a time is converted to nodes.
        search_moves: called instead of `search` if there are few legal moves.

    Returns:
        The move and the algorithm of the last search. `Found.value` assumes best play after the
        move. The counts, such as `Found.nodes`, include all searches. `Found.is_weakened` is true
        if the level overlooked a win or a threat, or if a slip drew a move that is not known to be
        as good as the best.
    """
    assert board.turn is not None
    wins = _completing(board, board.turn)
    threats = _completing(board, other(board.turn))
    found, algorithm = _chosen(board, limits, wins, threats, search, search_moves)
    if needed := wins or threats:
        found = found._replace(is_weakened=found.pv[0] not in needed)
    return found, algorithm


def _chosen(
    board: Board,
    limits: SearchLimits,
    wins: Sequence[int],
    threats: Sequence[int],
    search: FindBest,
    search_moves: FindAll,
) -> tuple[Found, str]:
    weakness = WEAKNESSES[limits.level]
    rolls = dice(board, limits)
    bounds = _bounds(limits, weakness)
    is_few = len(board.moves) <= _FEW_MOVES
    slips = rolls.random() < (weakness.slips_on_few if is_few else weakness.slips)
    if wins and rolls.random() < weakness.sees_wins:
        return _ending(board, rolls.choice(wins))
    must = threats if rolls.random() < weakness.sees_threats else []
    if is_few:
        moves, _, algorithm = search_moves(board, bounds)
        return _among_few(board, moves, must, slips, rolls), algorithm
    if slips or len(must) > 1:
        drawn, algorithm = _followed_up(
            board, rolls.choice(must or _natural(board)), search, bounds
        )
        return drawn._replace(is_weakened=True), algorithm
    found, algorithm = search(board, bounds)
    if must and found.pv[0] not in must:
        blocking, algorithm = _followed_up(board, must[0], search, bounds)
        return _costing(blocking, found), algorithm
    return found, algorithm


def dice(board: Board, limits: SearchLimits) -> random.Random:
    """Return the random generator for all choices in a position.

    Only a search that need not be repeatable gets different choices each time.
    """
    if not limits.is_repeatable:
        return random.Random()
    rules = board.rules
    values = (str(getattr(rules, name)) for name in SWITCHES)
    switches = f" {' '.join(values)}" if rules.changed else ""
    # `Random` hashes a text with SHA-512. Python's `hash` of a text differs between processes.
    return random.Random(
        f"{limits.seed} level {limits.level} {rules.rows}x{rules.columns} k{rules.k} "
        f"{board.first} {board.cells}{switches}"
    )


def _bounds(limits: SearchLimits, weakness: Weakness) -> SearchLimits:
    nodes = min(weakness.nodes, limits.nodes or weakness.nodes)
    if limits.time_ms is not None:
        nodes = min(nodes, limits.time_ms * NODES_PER_MS)
    depth = min(weakness.depth, limits.depth or weakness.depth)
    return SearchLimits(limits.time_ms, depth, engine_nodes=nodes, deadline=limits.deadline)


def _completing(board: Board, mark: str) -> list[int]:
    if board.rules.misere:
        return []  # in misère, completing a line does not win
    return board.rules.completing(board.cells, mark)


def _among_few(
    board: Board, moves: Sequence[Found], must: Sequence[int], slips: bool, dice: random.Random
) -> Found:
    allowed = [move for move in moves if not must or move.pv[0] in must]
    best = verdict(board, allowed[0])
    chosen = dice.choice(
        allowed if slips else [move for move in allowed if verdict(board, move) == best]
    )
    return chosen._replace(**cost_of(moves), is_weakened=verdict(board, chosen) != best)


def _natural(board: Board) -> list[int]:
    rules = board.rules
    marked = [index for index, mark in enumerate(board.cells) if mark != EMPTY]
    centres = marked or [rules.index((rules.rows - 1) // 2, (rules.columns - 1) // 2)]
    near = {*centres}
    for centre in centres:
        near.update(rules.geometry.around(centre, _NEIGHBOURHOOD))
    return [index for index in board.moves if index in near] or list(board.moves)


def _followed_up(
    board: Board, index: int, search: FindBest, bounds: SearchLimits
) -> tuple[Found, str]:
    after = board.play(index)
    if after.is_over:
        return _ending(board, index)
    reply, algorithm = search(after, bounds)
    return reply._replace(value=before_move(reply.value), pv=(index, *reply.pv)), algorithm


def _ending(board: Board, index: int) -> tuple[Found, str]:
    winner = board.play(index).winner
    value = 0 if winner is None else WIN - 1 if winner == board.turn else 1 - WIN
    return Found(value, True, (index,)), BY_RULES


def _costing(found: Found, earlier: Found) -> Found:
    return found._replace(
        nodes=found.nodes + earlier.nodes,
        cutoffs=found.cutoffs + earlier.cutoffs,
        table_hits=found.table_hits + earlier.table_hits,
        depth=max(found.depth, earlier.depth),
    )
