"""Solves 3×3 boards under any rules, by `memoized_alpha_beta`, and keeps the answers.

A quick win is worth more than a slow win, so the search finds the quickest win and the longest
defence. Every search begins with an empty table, so its counts are always the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bestmove.game import EMPTY, Board
from bestmove.game.board import Key
from bestmove.search.results import Found
from bestmove.search.scores import before_move
from bestmove.search.textbook.algorithms import memoized_alpha_beta, sooner_is_more
from bestmove.search.textbook.board_game import BoardGame

ALGORITHM: Final = "memoized-alpha-beta"

POSITIONS: Final = 5_478
"""How many positions games of tic-tac-toe reach if X begins."""


@lru_cache(2 * POSITIONS)  # an answer takes 1 kB; either side may begin
def lookup(key: Key) -> Found:
    """Return the best move, its proven value and the line to the end of the game.

    `key` is a board's `key`: making a board takes longer than looking it up.

    Of equally good moves, both sides play the one with the lowest index. If the game is over, the
    line is empty.

    Raises:
        ValueError: the board is not 3×3.
    """
    board = Board.unchecked(*key)
    if not board.rules.is_3x3:
        raise ValueError(f"only a 3×3 board can be looked up, not {board.rules}")
    root = BoardGame(board, sooner_is_more)
    result = memoized_alpha_beta(root)
    counts = result.counts
    return Found(
        value=round(result.value if root.maximizing else -result.value),
        exact=True,
        pv=result.pv,
        depth=board.cells.count(EMPTY),
        nodes=counts.nodes,
        cutoffs=counts.cutoffs,
        table_hits=counts.table_hits,
    )


def lookup_moves(board: Board) -> list[Found]:
    """Return every legal move with its proven value for the side that makes it, best first.

    Quick wins come before slow wins, and slow losses before quick losses. Equal moves keep the
    order of their indices. In each result, the nodes, cutoffs and table hits are the sums over all
    moves; the board itself is one more node.

    Raises:
        ValueError: the board is not 3×3.
    """
    if board.is_over:
        return []
    cells, rules, first = board.key
    after = {
        move: lookup((f"{cells[:move]}{board.turn}{cells[move + 1 :]}", rules, first))
        for move in board.moves
    }
    nodes = 1 + sum(found.nodes for found in after.values())
    cutoffs = sum(found.cutoffs for found in after.values())
    table_hits = sum(found.table_hits for found in after.values())
    depth = board.cells.count(EMPTY)
    moves = [
        Found(before_move(found.value), True, (move, *found.pv), depth, nodes, cutoffs, table_hits)
        for move, found in after.items()
    ]
    return sorted(moves, key=lambda move: -move.value)


def build() -> None:
    """Solve tic-tac-toe now, so that the first answer needs less time."""
    lookup(Board.empty().key)


def ready() -> bool:
    return lookup.cache_info().currsize > 0
