"""The editor for setting up a board, and games kept in the browser."""

import re

import pytest
from playwright.sync_api import Locator, Request, Route, expect

from tests.browser.conftest import SitDown
from tests.support.screens import SCREENS
from tests.support.table import Table

pytestmark = pytest.mark.slow


def _edit(table: Table) -> None:
    table.press("Open…")
    table.press("Edit the board")
    expect(table.page.get_by_role("dialog", name="Edit the board")).to_be_visible()


def _cell(table: Table, index: int) -> Locator:
    return table.page.locator(f'#editor-board [role=gridcell][data-index="{index}"]')


def _hold(table: Table, mark: str) -> None:
    table.page.locator(f'#editor input[name=mark][value="{mark}"]').check(force=True)


def test_free_analysis_offers_the_editor_at_once(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a3+b2+c3")
    here = table.page.get_by_role("button", name="Edit…")
    expect(here).to_be_hidden()
    table.page.locator("#mode").select_option("analysis")
    here.click()
    expect(table.page.locator("#editor-status")).to_have_text("X has 2, O has 1: O to move.")
    table.press("Cancel")
    expect(here).to_be_focused()


def test_a_second_press_while_the_editor_is_loaded_makes_no_second_one(sit_down: SitDown) -> None:
    table = sit_down("/#mode=analysis&moves=a3+b2+c3")
    held: list[Route] = []
    table.page.route("**/editor.js", lambda route: held.append(route))
    edit = table.page.get_by_role("button", name="Edit…")
    with table.page.expect_request("**/editor.js"):
        edit.click()
    edit.click()
    held[0].continue_()
    expect(table.page.get_by_role("dialog")).to_be_visible()
    asked: list[Request] = []
    table.page.on("request", lambda request: asked.append(request))
    table.press("Use this board")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    assert len([request for request in asked if request.url.endswith("/best-move")]) == 1


def test_marks_are_placed_changed_and_removed_by_a_finger(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a3+b2+c3", **SCREENS["phone"])
    _edit(table)
    status = table.page.locator("#editor-status")
    expect(status).to_have_text("X has 2, O has 1: O to move.")
    _cell(table, 2).click()  # a click with the same mark removes the mark
    _hold(table, "O")
    _cell(table, 8).click()
    expect(status).to_have_text("X has 1, O has 2: X to move.")
    _cell(table, 0).click()
    expect(status).to_have_text("O has 3 marks more than X: the difference can be at most one.")
    expect(table.page.locator("#editor-done")).to_have_attribute("aria-disabled", "true")
    _hold(table, ".")
    _cell(table, 4).click()
    _hold(table, "X")
    _cell(table, 7).click()
    table.press("Use this board")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_board("O../.../.XO")
    expect(table.headline).to_have_text("X to move")
    assert table.moves == 0


def test_a_board_is_set_up_by_keys_alone(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people")
    _edit(table)
    _cell(table, 4).focus()
    keyboard = table.page.keyboard
    for key in ("x", "ArrowUp", "o", "ArrowLeft", "Enter", "Delete"):
        keyboard.press(key)
    table.press("Use this board")
    table.expect_board(".O./.X./...")


def test_games_are_kept_in_the_browser_and_opened_again(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people&moves=d1+d2")
    name = table.page.get_by_label("Keep it in this browser under the name")
    table.press("Share…")
    expect(name).to_have_value(re.compile("^Connect Four, "))
    name.fill("Club evening")
    table.press("Keep")
    expect(table.page.locator("#copied")).to_contain_text("“Club evening” is kept.")
    table.page.goto("/static/favicon.svg")
    table.page.goto("/")
    table.wait_for_page()
    table.press("Open…")
    kept = table.page.locator("#saved .kept")
    expect(kept).to_contain_text(["Club evening"])
    expect(kept.first).to_contain_text("Connect Four")
    kept.first.click()
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_moves("d1", "d2")
