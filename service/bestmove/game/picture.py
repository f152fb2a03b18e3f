"""Draws a board as an SVG picture, which notebooks show instead of the text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from bestmove.game.rules import LETTERS, O, Rules, X

if TYPE_CHECKING:
    from bestmove.game.board import Board

_CELL: Final = 28
_EDGE: Final = 16
_TEXT: Final = 9
_MARKS: Final = {
    X: ("m-8 -8l16 16m0 -16l-16 16", "#0f857f"),
    O: ("m-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0", "#c2530f"),
}
"""For each mark: its SVG path from a cell's centre, and a colour visible on white and on black."""


def svg(
    board: Board, *, highlighted: Collection[int] = (), notes: Mapping[int, str] | None = None
) -> str:
    """Draw the board with the letters of its columns and the numbers of its rows.

    Args:
        board: the position; a line that ended the game is highlighted.
        highlighted: the indices of other cells to highlight.
        notes: short texts to write on empty cells, by the cells' indices.
    """
    rules = board.rules
    width, height = _EDGE + _CELL * rules.columns, _EDGE + _CELL * rules.rows
    grid = "".join(f"M{_EDGE} {_EDGE + _CELL * row}H{width}" for row in range(rules.rows + 1))
    grid += "".join(f"M{_EDGE + _CELL * at} {_EDGE}V{height}" for at in range(rules.columns + 1))
    shapes = [f'<path d="{grid}" stroke="currentColor" opacity=".4"/>']
    shapes += [_text(_EDGE / 2, _centre(at), str(rules.rows - at)) for at in range(rules.rows)]
    shapes += [_text(_centre(at), _EDGE / 2, LETTERS[at]) for at in range(rules.columns)]
    for cell in sorted({*highlighted, *(board.winning_line or ())}):
        x, y = (place - _CELL // 2 for place in _at(cell, rules))
        shapes.append(
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#f5c518" opacity=".4"/>'
        )
    shapes += [_text(*_at(cell, rules), note) for cell, note in (notes or {}).items()]
    for mark, (shape, colour) in _MARKS.items():
        marked = [_at(cell, rules) for cell, found in enumerate(board.cells) if found == mark]
        path = "".join(f"M{x} {y}{shape}" for x, y in marked)
        shapes.append(f'<path d="{path}" stroke="{colour}" stroke-width="3"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{board}" fill="none" '
        f'width="{width + 1}" height="{height + 1}">{"".join(shapes)}</svg>'
    )


def _at(cell: int, rules: Rules) -> tuple[int, int]:
    row, column = rules.coordinates(cell)
    return _centre(column), _centre(row)


def _centre(place: int) -> int:
    return _EDGE + _CELL * place + _CELL // 2


def _text(x: float, y: float, text: str) -> str:
    return (
        f'<text x="{x:g}" y="{y + _TEXT / 3:g}" font-size="{_TEXT}" text-anchor="middle" '
        f'font-family="sans-serif" fill="currentColor">{text}</text>'
    )
