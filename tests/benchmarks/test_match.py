"""The openings that matches are played from, and how a score is told."""

from __future__ import annotations

import re

from benchmarks.engine import games, openings


def test_the_openings_are_positions_in_progress_and_none_is_anothers_image() -> None:
    lines = openings.OPENINGS.read_text("ascii").split()
    assert len(lines) >= 300
    seen: set[object] = set()
    for number, line in enumerate(lines):
        board, last = games.opening(number)
        assert not board.is_over
        least, most = openings.MARKS
        assert least <= 225 - board.cells.count(".") <= most
        assert board.cells[last] != board.turn
        cells = tuple(
            (ord(column) - 97, int(row) - 1) for column, row in re.findall(r"([a-o])(\d+)", line)
        )
        images = openings.images(cells)
        assert seen.isdisjoint(images)
        seen |= images
