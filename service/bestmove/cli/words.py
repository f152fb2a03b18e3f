"""Texts of the command. Cells have names such as b2."""

from __future__ import annotations

from collections.abc import Sequence

from bestmove import words
from bestmove.answers import BestMove, MoveEvaluation
from bestmove.game import PRESETS, Board, Rules
from bestmove.game.rules import SWITCHES


def title(rules: Rules) -> str:
    """Return the name and the rules of a game: `Connect Four: 6×7, 4 in a row, marks fall.`"""
    name = next((f"{game.title}: " for game in PRESETS.values() if game.rules == rules), "")
    changed = "".join(f", {SWITCHES[each].changed}" for each in rules.changed)
    return f"{name}{rules.rows}×{rules.columns}, {rules.k} in a row{changed}."


def plays(board: Board, claim: BestMove | MoveEvaluation, index: int) -> str:
    """Return a move and its result: `O plays c3: wins in 1`."""
    whose = "" if claim.exact else f" for {board.turn}"
    played = f"{board.turn} plays {board.rules.squares[index]}"
    return f"{played}: {words.result(claim, board)}{whose}"


def ending(board: Board) -> str:
    how = f"{board.winner} has won" if board.winner else "a draw"
    return f"the game is over: {how}"


def line(cells: Sequence[int], rules: Rules, most: int = 12) -> str:
    """Return the first moves of a line: `h8 i9 g7 ...`."""
    shown = " ".join(rules.squares[cell] for cell in cells[:most])
    return shown + (" ..." if len(cells) > most else "")


def over(board: Board, person: str) -> str:
    """Tell the person how the game ended: `You win! X has 3 in a row.`"""
    rules, winner = board.rules, board.winner
    if winner is None:
        return "A draw: the board is full."
    line_of = board.cells[(board.winning_line or (0,))[0]]
    loses = " and loses" if rules.misere else ""
    who = "You win!" if winner == person else "The engine wins:"
    return f"{who} {line_of} has {rules.k} in a row{loses}."


def flags(rules: Rules) -> str:
    """Return the command-line options for `rules.changed`, such as ` --gravity --no-overline`."""
    return "".join(f" --{name}" if on else f" --no-{name}" for name, on in rules.changed.items())
