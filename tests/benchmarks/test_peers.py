"""The programs that the benchmarks compare with this engine: they run and play correctly."""

import pytest

from benchmarks.peers import naive
from benchmarks.peers import players as peers
from benchmarks.peers.bare import app as bare
from tests.support import oracle
from tests.support.tictactoe import after, open_positions

LATE = [cells for cells in open_positions() if cells.count(".") <= 4]


NEEDS = {"easyAI": "easyAI", "open_spiel": "pyspiel"}
INSTALLED = [
    name for name in peers.PLAYERS if peers.installed(NEEDS.get(name.split()[0], "bestmove"))
]


@pytest.mark.parametrize("name", INSTALLED)
def test_every_player_keeps_the_proven_result(name: str) -> None:
    player = peers.PLAYERS[name]()
    for cells in LATE[:200]:
        assert oracle.solve3(after(cells, player(cells)))[0] == oracle.solve3(cells)[0]


@pytest.mark.parametrize("app", [bare, naive.app])
def test_the_views_answer(app: object) -> None:
    client = app.test_client()  # type: ignore[attr-defined]
    assert client.get("/healthz").status_code == 200
    assert client.post("/best-move", json={"board": "XX.OO...."}).status_code == 200
