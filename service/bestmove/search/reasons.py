"""Why a move was chosen, in claims that can be checked on the board."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from bestmove.game import Board, Rules, other
from bestmove.search.limits import BEST_LEVEL
from bestmove.search.scores import EXACT_CELLS, winners_moves

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


Outcome = Literal["win", "draw", "loss", "unknown"]
"""A result for the side to move."""


class Reason(NamedTuple):
    """Why a move was chosen.

    Attributes:
        code: a word for programs, which does not change.
        text: one sentence that names the cells.
        cells: indices. For `wins`: the completed line. For `forks`: the cells where the mover can
            now win. For `blocks-fork`: the cells where the other side could have won next. For any
            other code: the move.
    """

    code: str
    text: str
    cells: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """The field `reason` of an answer."""
        return {"code": self.code, "cells": list(self.cells), "text": self.text}


def explain(
    board: Board, move: int, outcome: Outcome, plies: int | None, level: int = BEST_LEVEL
) -> Reason:
    """The reason for playing the cell `move`, given its `outcome`.

    The codes, and what each means:

    - `weakened`: a level below 10 chose the move, which may not be the best.
    - `wins`: the move completes a line.
    - `only-move`: there is no other legal move.
    - `forks`: after the move, the mover can win at once on two or more cells, and the opponent
      cannot win first.
    - `delays-loss`: every move loses; as far as is known, none loses later than this one.
    - `blocks`: the opponent would have won on that cell.
    - `forces-win`: the win is proven.
    - `blocks-fork`: the opponent would have forked on that cell.
    - `holds-draw`: the draw is proven.
    - `best-estimate`: nothing is proven.
    """
    mover = board.turn or ""
    opponent = other(mover)
    cell = name_of(board, move)
    cell_first = cell.capitalize()
    wins = not board.rules.misere  # completing a line wins
    if level < BEST_LEVEL:
        text = f"Level {level} chose {cell}; levels below 10 play weaker on purpose."
        return Reason("weakened", text, (move,))
    if wins and (line := board.rules.line_completed(board.cells, move, mover)):
        return Reason("wins", f"{cell_first} completes the line {_join(line)} and wins.", line)
    if len(board.moves) == 1:
        only = "legal move" if board.rules.gravity else "empty cell"
        return Reason("only-move", f"{cell_first} is the only {only}.", (move,))
    if wins and outcome == "win":
        threats = _winning_cells(board, move, mover, mover)
        if len(threats) > 1 and not _winning_cells(board, move, mover, opponent):
            text = (
                f"{cell_first} makes {number_word(len(threats))} threats at once: the cells "
                f"{_join(threats)} would each win, and only one can be blocked."
            )
            return Reason("forks", text, threats)
    if outcome == "loss":
        text = f"Every move loses; {cell} loses {soon(board.rules, plies, wins=False)}."
        return Reason("delays-loss", text, (move,))
    if wins and board.rules.completes_line(board.cells, move, opponent):
        return Reason("blocks", f"{opponent} would have won on {cell}.", (move,))
    if outcome == "win":
        text = f"{cell_first} wins {soon(board.rules, plies, wins=True)}."
        return Reason("forces-win", text, (move,))
    if wins and len(threats := _winning_cells(board, move, opponent, opponent)) > 1:
        text = (
            f"{opponent} on {cell} would have made {number_word(len(threats))} threats at once, on "
            f"the cells {_join(threats)}."
        )
        return Reason("blocks-fork", text, threats)
    if outcome == "draw":
        text = f"With best play it is a draw, and {cell} holds it."
        return Reason("holds-draw", text, (move,))
    return Reason(
        "best-estimate", f"{cell_first} has the best estimate within the budget.", (move,)
    )


def name_of(board: Board, index: int) -> str:
    """A cell as sentences name it: `cell 5 (row 1, column 2)`."""
    row, column = board.rules.coordinates(index)
    return f"cell {index} (row {row}, column {column})"


def soon(rules: Rules, plies: int | None, *, wins: bool) -> str:
    """How soon the game ends, in the winner's own moves: `in 3`, `in at most 12`, `at once`.

    Args:
        rules: the rules of the game; on larger boards a distance above 1 is only an upper bound.
        plies: the plies to the end, None if unknown.
        wins: whether the side to move is the winner.
    """
    moves = winners_moves(plies or 0, wins=wins)
    if not moves:
        return "at once"
    exact = moves == 1 or rules.size <= EXACT_CELLS or rules.gravity or rules.misere
    return f"in {'' if exact else 'at most '}{moves}"


def number_word(count: int) -> str:
    """A small number as a word; from nine on in digits."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _join(cells: tuple[int, ...]) -> str:
    return ", ".join(map(str, cells[:-1])) + f" and {cells[-1]}" if cells[1:] else str(cells[0])


def _winning_cells(board: Board, move: int, mover: str, mark: str) -> tuple[int, ...]:
    """The cells on which `mark` could win at once after `mover` has played `move`, ascending."""
    after = board.cells[:move] + mover + board.cells[move + 1 :]
    return board.rules.completing(after, mark)
