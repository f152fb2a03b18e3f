"""Sentences for people: results of moves, why a move was chosen, how a game ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol

from bestmove.game import Board, Rules, X, other
from bestmove.game.moves import square

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
    code: ReasonCode,
    cells: Sequence[int],
    move: int,
    board: Board,
    outcome: Outcome,
    plies: int | None,
    level: int,
) -> str:
    """Return a sentence that says why a move was chosen. Cells have names such as `h8`.

    Args:
        code, cells: the reason, as `search.reasons.explain` describes it.
        move: the chosen cell.
        board: the board before the move.
        outcome, plies: the result for the side to move.
        level: the level of play.
    """
    rules = board.rules
    cell = square(move, rules)
    match code:
        case "weakened":
            if outcome == "win" and plies == 1:
                return f"{cell} wins at once."
            return f"Level {level} chose {cell}; levels below 10 play weaker on purpose."
        case "wins":
            return f"{cell} completes the line {_listed(cells, rules)} and wins."
        case "only-move":
            return f"{cell} is the only {'legal move' if rules.gravity else 'empty cell'}."
        case "forks":
            return (
                f"{cell} makes {number_word(len(cells))} threats at once: "
                f"{_listed(cells, rules)} would each win, and only one can be blocked."
            )
        case "delays-loss":
            return f"Every move loses; {cell} loses {soon(rules, plies, wins=False)}."
        case "blocks":
            return f"{other(board.turn or X)} would have won on {cell}."
        case "forces-win":
            return f"{cell} wins {soon(rules, plies, wins=True)}."
        case "blocks-fork":
            return (
                f"{other(board.turn or X)} on {cell} would have made {number_word(len(cells))} "
                f"threats at once, on {_listed(cells, rules)}."
            )
        case "holds-draw":
            return f"With best play it is a draw, and {cell} holds it."
        case "best-estimate":
            return f"{cell} has the best estimate within the budget."


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


def _listed(cells: Sequence[int], rules: Rules) -> str:
    names = [square(each, rules) for each in cells]
    return ", ".join(names[:-1]) + f" and {names[-1]}" if names[1:] else "".join(names)
