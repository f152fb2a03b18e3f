"""The page without a service: it loads again, and does all that needs no engine."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.servers import running_service
from tests.support.table import Table

pytestmark = pytest.mark.slow

ROOT = "/below/a/path"
_KEPT = "async () => (await navigator.serviceWorker.ready) && Boolean(await caches.match('./'))"


def test_the_page_loads_offline_and_is_never_older(open_page: OpenPage, tmp_path: Path) -> None:
    gone = ("Failed to load resource", "net::ERR")
    with running_service(root_path=ROOT) as url:
        page = open_page(f"{url}{ROOT}/", expect=gone, service_workers="allow")
        page.wait_for_function(_KEPT)
        expect(page.locator("#time")).to_have_value("1000")
    page.goto("about:blank")

    page.goto(f"{url}{ROOT}/#game=connect-four&mode=people&moves=4453")
    table = Table(page)
    table.wait_for_page()
    table.play(3)
    expect(table.record).to_have_count(5)
    table.press("Share…")
    saved = table.save("Save as a file", tmp_path)
    with page.expect_download():
        table.press("Save a picture")
    table.press("Close")

    table.press("Tic-tac-toe")
    table.press("Set up…")
    page.locator("#editor-board [data-index='4']").click()
    table.press("Use this board")
    table.expect_board(".../.X./...")
    page.reload()
    table.wait_for_page()
    table.expect_board(".../.X./...")
    table.press("Hint")
    expect(table.notice).to_contain_text("The service does not answer. Your game is kept.")
    table.open_file(saved)
    expect(table.record).to_have_count(5)

    page.get_by_role("link", name="Explorer").click()
    expect(page.get_by_role("heading")).to_have_text("The service does not answer.")
    page.get_by_role("link", name="The board").click()
    table.wait_for_page()
    table.press("Go on with the last game")
    expect(table.record).to_have_count(5)

    with running_service(root_path=ROOT, port=url.rpartition(":")[2], max_time_ms="500"):
        page.reload()
        table.wait_for_page()
        # No more time is offered than the service allows.
        expect(table.at("#time")).to_have_value("300")
        expect(table.at("#time option[value='1000']")).to_be_disabled()
        expect(table.record).to_have_count(5)
        table.press("Hint")
        expect(table.reason).to_contain_text("Try ")
        page.goto("about:blank")  # the page must not ask a service that has ended
