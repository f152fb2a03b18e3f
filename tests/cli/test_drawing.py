"""The drawn board."""

from __future__ import annotations

import pytest
from rich.console import Console

from bestmove.cli import drawing
from bestmove.game import Board


@pytest.mark.parametrize("rows", range(1, 21))
@pytest.mark.parametrize("columns", [3, 20])
def test_a_board_takes_as_many_lines_as_is_said(rows: int, columns: int) -> None:
    board = Board.empty(rows, columns)
    console = Console(width=200)
    with console.capture() as shown:
        console.print(drawing.draw(board, None, plain=True))
    assert len(shown.get().splitlines()) == drawing.height(board.rules)
