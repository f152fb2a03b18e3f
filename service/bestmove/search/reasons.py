"""Explains why a move was chosen, in claims that can be checked on the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bestmove.answers import Reason
from bestmove.game import Board, Rules, X, other
from bestmove.game.geometry import cells_of
from bestmove.search.limits import BEST_LEVEL
from bestmove.words import Outcome, ReasonCode, soon

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def explain(
    board: Board,
    move: int,
    after: Board,
    outcome: Outcome,
    plies: int | None,
    level: int = BEST_LEVEL,
) -> Reason:
    """Return the reason for playing the cell `move`, given its `outcome`.

    `board` and `after` are the board before and after the move. `level` is the level that chose
    another move than the best that it found, 10 if none did.

    The codes:

    - `weakened`: a level below 10 overlooked a win or a threat in one move, or drew the move at
      random, and did not find it to be as good as the best.
    - `wins`: the move completes a line.
    - `only-move`: there is no other legal move.
    - `forks`: after the move, the mover can win at once on two or more cells, and the opponent
      cannot win first.
    - `delays-loss`: every move loses, and none is known to lose later.
    - `blocks`: the opponent could have won at once on that cell.
    - `forces-win`: the win is proven.
    - `blocks-fork`: the opponent could have forked on that cell.
    - `holds-draw`: the draw is proven.
    - `best-estimate`: nothing is proven.
    """
    rules = board.rules
    x, o, empty = after.bits
    own, theirs = (x, o) if board.turn == X else (o, x)
    geometry, legal = rules.geometry, rules.playable(empty)
    played = 1 << move
    wins = not rules.misere  # in misère, completing a line loses
    cells: tuple[int, ...] = (move,)
    code: ReasonCode
    if level < BEST_LEVEL:
        code = "weakened"
    elif wins and after.winning_line:
        code, cells = "wins", after.winning_line
    elif rules.playable(board.bits[2]) == played:
        code = "only-move"
    elif (
        wins
        and outcome == "win"
        and (threats := geometry.gaps(own, legal)).bit_count() > 1
        and not geometry.gaps(theirs, legal)
    ):
        code, cells = "forks", tuple(cells_of(threats))
    elif outcome == "loss":
        code = "delays-loss"
    elif wins and geometry.full_lines(theirs | played):
        code = "blocks"
    elif outcome == "win":
        code = "forces-win"
    elif wins and (threats := geometry.gaps(theirs | played, legal)).bit_count() > 1:
        code, cells = "blocks-fork", tuple(cells_of(threats))
    else:
        code = "holds-draw" if outcome == "draw" else "best-estimate"
    return Reason(code, cells, why(code, cells, move, board, plies, level))


def why(
    code: ReasonCode, cells: Sequence[int], move: int, board: Board, plies: int | None, level: int
) -> str:
    """Return a sentence that says why a move was chosen. Cells have names such as `h8`.

    Args:
        code, cells: the reason, as `search.reasons.explain` describes it.
        move: the chosen cell.
        board: the board before the move.
        plies: the plies to the end of the game, None if unknown.
        level: the level of play.
    """
    rules = board.rules
    cell = rules.squares[move]
    number = _NUMBERS[len(cells)] if len(cells) < len(_NUMBERS) else len(cells)
    match code:
        case "weakened":
            return f"Level {level} chose {cell}; levels below 10 play weaker on purpose."
        case "wins":
            return f"{cell} completes the line {_listed(cells, rules)} and wins."
        case "only-move":
            return f"{cell} is the only {'legal move' if rules.gravity else 'empty cell'}."
        case "forks":
            return (
                f"{cell} makes {number} threats at once: "
                f"{_listed(cells, rules)} would each win, and only one can be blocked."
            )
        case "delays-loss":
            return f"Every move loses; {cell} loses {soon(rules, plies, wins=False)}."
        case "blocks":
            return f"{other(board.turn or X)} would have won on {cell}."
        case "forces-win":
            return f"{board.turn} wins {soon(rules, plies, wins=True)} with {cell}."
        case "blocks-fork":
            return (
                f"{other(board.turn or X)} on {cell} would have made {number} "
                f"threats at once, on {_listed(cells, rules)}."
            )
        case "holds-draw":
            return f"With best play it is a draw, and {cell} holds it."
        case "best-estimate":
            return f"{cell} has the best estimate within the budget."


def _listed(cells: Sequence[int], rules: Rules) -> str:
    names = list(map(rules.squares.__getitem__, cells))
    return ", ".join(names[:-1]) + f" and {names[-1]}" if names[1:] else "".join(names)
