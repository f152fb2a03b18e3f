"""Words for people: results of moves, how a game ended."""

from __future__ import annotations

from typing import Final, Literal, Protocol

from bestmove.game import Board, Rules, X

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
