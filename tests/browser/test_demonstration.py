"""The demonstration: page and service run in the browser; no server answers."""

import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from bestmove import Board, best_move
from tests.browser.conftest import OpenPage
from tests.browser.origins import other_origin
from tests.contract.node import run
from tests.support.builds import ROOT
from tests.support.table import Table

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

STARTS_MS = 120_000
"""How long a busy machine may take to start Python. An idle machine needs ten seconds."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of the built folder on a server that only serves files."""
    folder = tmp_path_factory.mktemp("site")
    run("make", "deploy/demo/node_modules/.package-lock.json", cwd=ROOT)
    run(sys.executable, "deploy/demo/build.py", folder / "demo", cwd=ROOT)
    with other_origin(folder) as origin:
        yield f"{origin}/demo/"


def _demo(open_page: OpenPage, address: str) -> Table:
    """Open a page of the demonstration, and wait until Python answers."""
    page = open_page(address)
    page.locator(".demo[data-stage=ready]").wait_for(timeout=STARTS_MS)
    return Table(page)


def test_games_and_analyses_are_answered_in_the_browser(open_page: OpenPage, site: str) -> None:
    table = _demo(open_page, site)
    table.wait_for_page()
    table.start(game="tic-tac-toe")
    table.set("#level", "10")
    board = Board.empty(3, 3, 3)
    while board.winner is None and board.moves:
        played = best_move(board).move.index
        table.play(played)
        board = Board.parse(table.board)
    assert board.status == "draw"  # both sides play their best

    table.start(game="gomoku")
    table.pick("analysis")
    table.at("#stop[aria-disabled=false]").wait_for()
    table.start(game="tic-tac-toe")  # this analysis must not wait for the analysis of gomoku
    table.wait_for_analysis()
    expect(table.lines.first).to_contain_text("draw", ignore_case=True)


def test_the_explorer_draws_a_tree(open_page: OpenPage, site: str) -> None:
    table = _demo(open_page, f"{site}static/explorer.html")
    expect(table.page.get_by_text("Step 0 of")).to_be_visible()
    expect(table.at(".masthead nav a").last).to_have_attribute("href", "../../http/")
