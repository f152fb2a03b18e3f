"""Orders the moves of a lost position. Of moves that lose equally late, people expect a block."""

from __future__ import annotations

from bestmove.game import Board, Rules, X
from bestmove.game.geometry import cells_of
from bestmove.search.engines.connect4.book import CONNECT_FOUR
from bestmove.words import EXACT_CELLS

_FACTOR = 8
"""How many times as much a line counts for each further mark in it. A cell seldom has 8 lines of
the same length, so the longest lines decide."""


def takes_lowest(rules: Rules) -> bool:
    """Return True if the answer is the lowest index of equally good proven moves."""
    return rules.size <= EXACT_CELLS or rules == CONNECT_FOUR


def defences(board: Board) -> list[int]:
    """Return the legal moves: first those that block the most, and the longest, of the opponent's
    lines. Equal moves, and all moves if the lowest index decides, are in order of index."""
    if takes_lowest(board.rules):
        return list(board.moves)
    x, o, _ = board.bits
    own, foe = (x, o) if board.turn == X else (o, x)
    weights = [0] * board.rules.size
    for line in board.rules.geometry.left(foe, own):
        marks = board.rules.k - line.bit_count()
        for cell in cells_of(line) if marks else ():
            weights[cell] += _FACTOR**marks
    return sorted(board.moves, key=lambda move: -weights[move])
