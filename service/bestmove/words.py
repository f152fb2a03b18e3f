"""Sentences for people: results of moves, why a move was chosen, how a game ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, Protocol

from bestmove.game import Board, Rules, X, other

Outcome = Literal["win", "draw", "loss", "unknown"]
"""A result for the side to move."""

ReasonCode = Literal[
    "wins",
    "blocks",
    "forks",
    "blocks-fork",
    "forces-win",
    "holds-draw",
    "delays-loss",
    "only-move",
    "best-estimate",
    "weakened",
]
"""A code for the reason why a move was chosen, for programs."""

Naming = Callable[[int, Rules], str]
"""A function that returns the name of a cell: `cell_name`, or `game.moves.square` (`h8`)."""

EXACT_CELLS: Final = 20
"""On boards of up to this many cells, a proven distance is always exact, and of equally good moves
the one with the lowest index is chosen."""

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class Judged(Protocol):
    """What an answer says about a move."""

    @property
    def score(self) -> float: ...
    @property
    def exact(self) -> bool: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def plies(self) -> int | None: ...


def cell_name(index: int, rules: Rules) -> str:
    """Return a cell's name: `cell 5 (row 1, column 2)`."""
    row, column = rules.coordinates(index)
    return f"cell {index} (row {row}, column {column})"


def result(claim: Judged, board: Board) -> str:
    """Return the result of a move for the side that makes it: `wins in 3`, `draw`, `estimate
    +0.25`.
    """
    if not claim.exact:
        return f"estimate {score_for_mover(claim.score, board):+.2f}"
    if claim.outcome == "draw":
        return "draw"
    wins = claim.outcome == "win"
    return f"{'wins' if wins else 'loses'} {soon(board.rules, claim.plies, wins=wins)}"


def score_for_mover(score: float, board: Board) -> float:
    """Convert a score for X to one for the side to move."""
    return score if board.turn == X else -score


def ending(board: Board) -> str:
    """Say how a game ended."""
    return f"{board.winner} has won." if board.winner else "A draw: the board is full."


def rows(board: Board) -> str:
    """Return the board as lines of text."""
    return "\n".join(" ".join(row) for row in board.rows())


def why(
    code: str,
    cells: Sequence[int],
    move: int,
    board: Board,
    outcome: Outcome,
    plies: int | None,
    name: Naming = cell_name,
    level: str = "This level",
) -> str | None:
    """Return a sentence that says why a move was chosen; None for an unknown code.

    Args:
        code, cells: the reason, as `search.reasons.explain` describes it.
        move: the chosen cell.
        board: the board before the move.
        outcome, plies: the result for the side to move.
        name: returns the name of a cell.
        level: the level of play, which the sentence mentions.
    """
    rules = board.rules
    cell = name(move, rules)
    start = cell if name is not cell_name else cell.capitalize()
    match code:
        case "weakened":
            if outcome == "win" and plies == 1:
                return f"{start} wins at once."
            return f"{level} chose {cell}; levels below 10 play weaker on purpose."
        case "wins":
            return f"{start} completes the line {_listed(cells, rules, name)} and wins."
        case "only-move":
            return f"{start} is the only {'legal move' if rules.gravity else 'empty cell'}."
        case "forks":
            return (
                f"{start} makes {number_word(len(cells))} threats at once: "
                f"{_the_cells(cells, rules, name)} would each win, and only one can be blocked."
            )
        case "delays-loss":
            return f"Every move loses; {cell} loses {soon(rules, plies, wins=False)}."
        case "blocks":
            return f"{other(board.turn or X)} would have won on {cell}."
        case "forces-win":
            return f"{start} wins {soon(rules, plies, wins=True)}."
        case "blocks-fork":
            return (
                f"{other(board.turn or X)} on {cell} would have made {number_word(len(cells))} "
                f"threats at once, on {_the_cells(cells, rules, name)}."
            )
        case "holds-draw":
            return f"With best play it is a draw, and {cell} holds it."
        case "best-estimate":
            return f"{start} has the best estimate within the budget."
    return None


def soon(rules: Rules, plies: int | None, *, wins: bool) -> str:
    """Say how soon the game ends, in the winner's own moves: `in 3`, `in at most 12`, `at once`.

    Args:
        rules: the rules of the game, which tell whether `plies` is only an upper bound.
        plies: the plies to the end, None if unknown.
        wins: whether the side to move is the winner.
    """
    moves = winners_moves(plies or 0, wins=wins)
    if not moves:
        return "at once"
    exact = moves == 1 or rules.size <= EXACT_CELLS or rules.gravity or rules.misere
    return f"in {'' if exact else 'at most '}{moves}"


def winners_moves(plies: int, *, wins: bool) -> int:
    """Return how many of these plies are the winner's own moves.

    `wins` says whether the side to move is the winner. In misère the result can be 0: the loser's
    next mark ends the game.
    """
    return (plies + wins) // 2


def duration(seconds: float) -> str:
    """Return a time in words: `3 hours`."""
    for unit, length in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    whole = max(1, round(seconds))
    return f"{whole} second{'s' * (whole > 1)}"


def number_word(count: int) -> str:
    """Return a number below nine as a word, and any other number in digits."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _the_cells(cells: Sequence[int], rules: Rules, name: Naming) -> str:
    return f"{'the cells ' if name is cell_name else ''}{_listed(cells, rules, name)}"


def _listed(cells: Sequence[int], rules: Rules, name: Naming) -> str:
    named = name is not cell_name
    names = [name(each, rules) for each in cells] if named else list(map(str, cells))
    return ", ".join(names[:-1]) + f" and {names[-1]}" if names[1:] else "".join(names)
