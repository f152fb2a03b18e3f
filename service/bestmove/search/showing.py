"""Answers as people see them in Python: plain text, and in a notebook a picture of the board."""

from __future__ import annotations

from typing import Any

from bestmove.game import Board, X
from bestmove.game.picture import svg
from bestmove.search.reasons import name_of, soon


class Shown:
    """A `BestMove` or an `Analysis`: prints as lines of text, and in a notebook as a picture."""

    __slots__ = ()

    def __str__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str:
        return _html(self)


def _text(answer: Any) -> str:
    """The board after the move and the reason for it, or the board and a line for each move."""
    board = answer.board
    if board.is_over:
        return f"{_rows(board)}\n{_ending(board)}"
    if not hasattr(answer, "moves"):
        return f"{_rows(answer.board_after)}\n{_sentence(answer)}\n{answer.reason.text}"
    moves = [f"{name_of(board, move.index)}: {_result(board, move)}" for move in answer.moves]
    return "\n".join([_rows(board), *moves])


def _html(answer: Any) -> str:
    """The same as HTML, with a picture: it highlights the best move, and for an analysis it shows
    the results of all moves."""
    board = answer.board
    if board.is_over:
        return f"{svg(board)}<p>{_ending(board)}</p>"
    if not hasattr(answer, "moves"):
        picture = svg(answer.board_after, highlighted=[answer.move])
        return f"{picture}<p>{_sentence(answer)} {answer.reason.text}</p>"
    notes = {
        move.index: move.outcome if move.exact else f"{_for_mover(board, move):+.2f}"
        for move in answer.moves
    }
    picture = svg(board, highlighted=[answer.moves[0].index], notes=notes)
    return f"{picture}<p>{board.turn} to move: each move's result, or its estimated score.</p>"


def _sentence(answer: Any) -> str:
    board = answer.board
    return f"{board.turn} plays {name_of(board, answer.move)}: {_result(board, answer)}."


def _result(board: Board, move: Any) -> str:
    if not move.exact:
        return f"estimate {_for_mover(board, move):+.2f}"
    if move.outcome == "draw":
        return "draw"
    wins = move.outcome == "win"
    return f"{'wins' if wins else 'loses'} {soon(board.rules, move.plies, wins=wins)}"


def _for_mover(board: Board, move: Any) -> float:
    score: float = move.score
    return score if board.turn == X else -score


def _ending(board: Board) -> str:
    return f"{board.winner} has won." if board.winner else "A draw: the board is full."


def _rows(board: Board) -> str:
    return "\n".join(" ".join(row) for row in board.rows())
