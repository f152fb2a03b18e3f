"""The openings that matches are played from, and how a score is told."""

from __future__ import annotations

import re

import pytest

from benchmarks.engine import games, match, openings


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


@pytest.mark.parametrize(
    ("score", "told"),
    [
        ((60, 40, 0), "60-40-0 (won, lost, drawn): 0.600 ± 0.096, Elo +70 (+3 to +144)"),
        ((5, 5, 90), "5-5-90 (won, lost, drawn): 0.500 ± 0.031, Elo +0 (-22 to +22)"),
    ],
)
def test_a_score_is_told_with_its_interval(score: tuple[int, int, int], told: str) -> None:
    assert match.interval(*score) == told


def test_a_program_that_is_missing_is_named() -> None:
    with pytest.raises(SystemExit, match="no-such-brain is no command"):
        match.brain("no-such-brain --fast")


def test_bestmove_stands_for_its_gomocup_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda program: f"/somewhere/{program}")
    assert match.brain("bestmove").endswith("/somewhere/bestmove gomocup")
    assert match.brain("pbrain-other -x").endswith("/somewhere/pbrain-other -x")
