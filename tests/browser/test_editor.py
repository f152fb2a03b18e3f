"""The editor for setting up a board."""

import pytest
from playwright.sync_api import Locator, Request, expect

from tests.browser.conftest import SitDown
from tests.support.screens import SCREENS
from tests.support.table import Table

pytestmark = pytest.mark.slow


def _cell(table: Table, index: int) -> Locator:
    return table.at(f'#editor-board [role=gridcell][data-index="{index}"]')


def _hold(table: Table, mark: str) -> None:
    table.at(f'#editor input[name=mark][value="{mark}"]').check(force=True)


def test_the_editor_is_loaded_once_and_places_marks_by_keys(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a3+b2")
    edit = table.button("Set up…")
    held = table.hold("**/editor.js")
    with table.page.expect_request("**/editor.js"):
        edit.click()
    edit.click()
    held().continue_()
    expect(table.at("#editor-status")).to_have_text("X has 1, O has 1: X to move.")
    table.press("Cancel")
    expect(edit).to_be_focused()
    edit.click()
    expect(table.page.get_by_role("dialog", name="Set up a board")).to_be_visible()
    _cell(table, 3).focus()
    table.keys("x", "ArrowDown", "o", "ArrowRight", "Enter", "Delete")
    asked: list[Request] = []
    table.page.on("request", lambda request: asked.append(request))
    table.press("Use this board")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    assert len([request for request in asked if request.url.endswith("/best-move")]) == 1
    table.expect_board("X../XO./O..")


def test_marks_are_placed_changed_and_removed_by_a_finger(sit_down: SitDown) -> None:
    link = "/#rows=15&columns=15&k=5&mode=people&moves=a15+b14+c13"
    table = sit_down(link, **SCREENS["phone"])
    table.press("Set up…")
    status = table.at("#editor-status")
    expect(status).to_have_text("X has 2, O has 1: O to move.")
    # One tap is enough even on small cells. It places the mark of the side to move, or removes one.
    _cell(table, 34).tap()
    _cell(table, 32).tap()
    expect(status).to_have_text("X has 1, O has 2: X to move.")
    table.press("Undo")
    expect(status).to_have_text("X has 2, O has 2: X to move.")
    _cell(table, 32).tap()
    _hold(table, "O")
    _cell(table, 0).tap()
    expect(status).to_have_text("O has 3 marks more than X: the difference can be at most one.")
    expect(table.at("#editor-done")).to_have_attribute("aria-disabled", "true")
    _hold(table, ".")
    _cell(table, 16).tap()
    _hold(table, "X")
    _cell(table, 33).tap()
    table.press("Use this board")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    rows = ["O..............", "...............", "...XO.........."]
    table.expect_board("/".join(rows + ["..............."] * 12))
    expect(table.headline).to_have_text("X to move")
    assert table.moves == 0
