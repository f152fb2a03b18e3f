"""Texts for people: results, lines, and why a move was chosen, with cells named like b2."""

from __future__ import annotations

from collections.abc import Sequence

from bestmove.client.answers import BestMove, Evaluation, Position
from bestmove.game import PRESETS, Board, Rules, X
from bestmove.game.moves import square
from bestmove.search.reasons import number_word, soon


def rules_of(answer: Position) -> Rules:
    """The rules of an answer."""
    return Rules.of(
        answer.rows,
        answer.columns,
        answer.k,
        gravity=answer.gravity,
        overline=answer.overline,
        misere=answer.misere,
    )


def title(rules: Rules) -> str:
    """The name and the rules of a game: `Connect Four: 6×7, 4 in a row wins.`"""
    name = next((f"{game.title}: " for game in PRESETS.values() if game.rules == rules), "")
    falls = ", marks fall to the bottom" if rules.gravity and not name else ""
    exactly = "" if rules.overline else "exactly "
    ends = "loses" if rules.misere else "wins"
    return f"{name}{rules.rows}×{rules.columns}{falls}, {exactly}{rules.k} in a row {ends}."


def result(answer: BestMove | Evaluation, turn: str | None, rules: Rules) -> str:
    """The result of a move, for `turn`, the side that makes it."""
    if not answer.exact:
        return f"estimate {answer.score if turn == X else -answer.score:+.2f}"
    if answer.outcome == "draw":
        return "draw"
    wins = answer.outcome == "win"
    return f"{'wins' if wins else 'loses'} {soon(rules, answer.plies, wins=wins)}"


def plays(answer: Position, move: BestMove | Evaluation, index: int) -> str:
    """A move and its result: `O plays c3: wins in 1`."""
    whose = "" if move.exact else f" for {answer.turn}"
    rules = rules_of(answer)
    played = f"{answer.turn} plays {square(index, rules)}"
    return f"{played}: {result(move, answer.turn, rules)}{whose}"


def ending(answer: Position) -> str:
    """The result of a finished game."""
    how = f"{answer.winner} has won" if answer.winner else "a draw"
    return f"the game is over: {how}"


def line(cells: Sequence[int], rules: Rules, most: int = 12) -> str:
    """The first moves of a line: `h8 i9 g7 ...`."""
    shown = " ".join(square(cell, rules) for cell in cells[:most])
    return shown + (" ..." if len(cells) > most else "")


def why(answer: BestMove) -> str | None:
    """One sentence that says why the move was chosen; None when the game is over."""
    if answer.reason is None or answer.move is None:
        return None
    rules = rules_of(answer)
    move = square(answer.move.index, rules)
    cells = _list([square(cell, rules) for cell in answer.reason.cells])
    opponent = "O" if answer.turn == X else "X"
    count = number_word(len(answer.reason.cells))
    distance = soon(rules, answer.plies, wins=answer.outcome == "win")
    sentences = {
        "weakened": f"{move} wins at once."
        if answer.outcome == "win" and answer.plies == 1
        else f"{move} may not be the best move: levels below 10 play weaker on purpose.",
        "wins": f"{move} completes the line {cells} and wins.",
        "only-move": f"{move} is the only move.",
        "forks": f"{move} makes {count} threats at once: {cells} would each win, and only one can "
        "be blocked.",
        "delays-loss": f"Every move loses; {move} loses {distance}.",
        "blocks": f"{opponent} would have won on {move}.",
        "forces-win": f"{move} wins {distance}.",
        "blocks-fork": f"{opponent} on {move} would have made {count} threats at once, on {cells}.",
        "holds-draw": f"With best play it is a draw, and {move} holds it.",
        "best-estimate": f"{move} has the best estimate in the time given.",
    }
    # A service of a later version may have more reasons.
    return sentences.get(answer.reason.code, answer.reason.text)


def over(board: Board, person: str) -> str:
    """How a game ended, for the person who played it."""
    rules, winner = board.rules, board.winner
    if winner is None:
        return "A draw: the board is full."
    line_of = board.cells[(board.winning_line or (0,))[0]]
    loses = " and loses" if rules.misere else ""
    who = "You win!" if winner == person else "The engine wins:"
    return f"{who} {line_of} has {rules.k} in a row{loses}."


def _list(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if names[1:] else "".join(names)
