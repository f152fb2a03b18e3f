"""What is measured beside the service plays by the same rules; nothing here is timed."""

from __future__ import annotations

import pytest

from tests import oracle
from tests.benchmarks import cost_report, naive, peers, usual
from tests.benchmarks.bare import app as bare
from tests.benchmarks.http import open_positions

LATE = [cells for cells in open_positions() if cells.count(".") <= 4]


NEEDS = {"easyAI": "easyAI", "open_spiel": "pyspiel"}
INSTALLED = [
    name for name in peers.PLAYERS if peers.installed(NEEDS.get(name.split()[0], "service"))
]


@pytest.mark.parametrize("name", INSTALLED)
def test_every_player_keeps_the_proven_result(name: str) -> None:
    player = peers.PLAYERS[name]()
    for cells in LATE[:200]:
        move = player(cells)
        mark = "X" if cells.count("X") == cells.count("O") else "O"
        after = cells[:move] + mark + cells[move + 1 :]
        assert oracle.solve3(after)[0] == oracle.solve3(cells)[0]


def test_the_usual_minimax_leaves_the_board_as_it_was() -> None:
    cells = list("XX.OO....")
    assert usual.best_move(cells) == 2
    assert cells == list("XX.OO....")


@pytest.mark.parametrize("app", [bare, naive.app])
def test_the_views_to_compare_with_answer(app: object) -> None:
    client = app.test_client()  # type: ignore[attr-defined]
    assert client.get("/healthz").status_code == 200
    assert client.post("/best-move", json={"board": "XX.OO...."}).status_code == 200


def test_what_must_be_installed_is_found_with_all_that_it_needs() -> None:
    names = set(cost_report.needed("bestmove"))
    assert {"bestmove", "flask", "werkzeug", "gunicorn", "requests", "urllib3"} <= names
    assert not {"pytest", "easyai", "fastapi", "ruff"} & names


def test_a_distribution_has_a_size() -> None:
    assert cost_report.size_of(cost_report.needed("flask")["flask"]) > 50_000
