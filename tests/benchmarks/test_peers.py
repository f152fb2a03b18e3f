"""What is measured beside the service plays by the same rules; nothing here is timed."""

from __future__ import annotations

import pytest

from benchmarks.peers import connect_four, naive, usual
from benchmarks.peers import players as peers
from benchmarks.peers.bare import app as bare
from benchmarks.report import cost as cost_report
from benchmarks.report import engine as engine_report
from benchmarks.report.echo_rate import open_positions
from tests.support import oracle, won_positions

LATE = [cells for cells in open_positions() if cells.count(".") <= 4]


NEEDS = {"easyAI": "easyAI", "open_spiel": "pyspiel"}
INSTALLED = [
    name for name in peers.PLAYERS if peers.installed(NEEDS.get(name.split()[0], "bestmove"))
]


@pytest.mark.parametrize("name", INSTALLED)
def test_every_player_keeps_the_proven_result(name: str) -> None:
    player = peers.PLAYERS[name]()
    for cells in LATE[:200]:
        move = player(cells)
        mark = "X" if cells.count("X") == cells.count("O") else "O"
        after = cells[:move] + mark + cells[move + 1 :]
        assert oracle.solve3(after)[0] == oracle.solve3(cells)[0]


def test_the_connect_four_positions_are_games_in_progress() -> None:
    positions = connect_four.positions()
    assert len(positions) == len(set(positions)) == 300
    for moves, score in positions:
        board = connect_four.board_after(moves)
        assert not board.is_over
        # The winner's last disc comes after those that are played, and it has 21.
        assert abs(score) <= 21 - len(moves) // 2


def test_a_connect_four_move_is_a_column() -> None:
    assert connect_four.ours()("112233") == 3


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
    assert {"bestmove", "click", "requests", "urllib3"} <= names
    assert not {"pytest", "flask", "httpx", "ruff"} & names
    served = set(cost_report.needed("bestmove", "server"))
    assert names | {"flask", "werkzeug", "gunicorn"} <= served
    assert not {"pytest", "easyai", "fastapi", "ruff"} & served


def test_a_distribution_has_a_size() -> None:
    assert cost_report.size_of(cost_report.needed("flask")["flask"]) > 50_000


def test_the_won_positions_are_boards_in_progress_and_none_is_there_twice() -> None:
    boards = won_positions.positions()
    assert len(boards) >= 40
    assert len(set(boards)) == len(boards)
    for board in boards:
        assert (board.rules.rows, board.rules.columns, board.rules.k) == (15, 15, 5)
        assert not board.is_over


def test_positions_to_measure_on_are_the_same_each_time_and_in_progress() -> None:
    for side, k in ((7, 4), (15, 5), (19, 6)):
        board = engine_report.midgame(side, side, k, 1)
        assert board == engine_report.midgame(side, side, k, 1)
        assert not board.is_over
        assert board.cells.count(".") == side * side - 6


def test_a_game_against_itself_ends_with_a_result() -> None:
    pairing = engine_report.Pairing(longer=2, shorter=1, opening=0, longer_is_x=True)
    assert engine_report.play(pairing) in (0, 0.5, 1)
