"""The demonstration: page and service run in the browser; no server answers."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from bestmove import Board, best_move
from tests.browser.conftest import OpenPage
from tests.contract.node import run
from tests.support.builds import ROOT
from tests.support.table import Table

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

STARTS_MS = 120_000
"""How long a busy machine may take to start Python. An idle machine needs ten seconds."""


class _Files(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of the built folder on a server that only serves files."""
    folder = tmp_path_factory.mktemp("site")
    run("make", "deploy/demo/node_modules/.package-lock.json", cwd=ROOT)
    run(sys.executable, "deploy/demo/build.py", folder / "demo", cwd=ROOT)
    handler = partial(_Files, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/demo/"
        server.shutdown()


@pytest.fixture
def open_demo(open_page: OpenPage, site: str) -> Callable[[str], Table]:
    """Return a function that opens a page of the demonstration, and waits until Python answers."""

    def open_(path: str = "") -> Table:
        page = open_page(site + path)
        page.locator(".demo[data-stage=ready]").wait_for(timeout=STARTS_MS)
        return Table(page)

    return open_


def test_games_and_analyses_are_answered_in_the_browser(open_demo: Callable[[str], Table]) -> None:
    table = open_demo("")
    table.wait_for_page()
    table.start(game="tic-tac-toe")
    table.page.locator("#level").select_option("10")
    board = Board.empty(3, 3, 3)
    while board.winner is None and board.moves:
        played = best_move(board).move.index
        table.play(played)
        board = Board.parse(table.board)
    assert board.status == "draw"  # both sides play their best

    table.start(game="connect-four")
    table.pick("analysis")
    table.wait_for_analysis()
    assert table.lines.count() >= 1


def test_a_cancelled_analysis_ends(open_demo: Callable[[str], Table]) -> None:
    table = open_demo("")
    table.wait_for_page()
    table.start(game="gomoku")
    table.pick("analysis")
    table.page.locator("#stop[aria-disabled=false]").wait_for()
    table.start(game="tic-tac-toe")  # this analysis must not wait for the analysis of gomoku
    table.wait_for_analysis()
    expect(table.lines.first).to_contain_text("draw", ignore_case=True)


def test_the_explorer_draws_a_tree(open_demo: Callable[[str], Table]) -> None:
    explorer = open_demo("static/explorer.html").page
    expect(explorer.get_by_text("Step 0 of")).to_be_visible()
    expect(explorer.locator(".masthead nav a").last).to_have_attribute("href", "../../http/")
