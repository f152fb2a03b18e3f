"""Answers that no search found."""

from dataclasses import replace
from typing import Any

from bestmove import Board, best_move
from bestmove.answers import BestMove, GameState, Move

_ANY = best_move(Board.empty())


def best_move_of(board: Board, move: int, **fields: Any) -> BestMove:
    """Return an answer with these fields. The others are those of any answer."""
    place, after = Move.of(move, board.rules), GameState(board.play(move))
    given = {"pv": (move,), "reason": None} | fields
    return replace(_ANY, board=board, move=place, after=after, **given)
