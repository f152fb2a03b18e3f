"""The editor, in which users set up a board, and games kept in the browser."""

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


@pytest.mark.parametrize("screen", SCREENS)
def test_marks_are_placed_changed_and_removed_by_click(sit_down: SitDown, screen: str) -> None:
    table = sit_down("/#mode=people&moves=a3+b2+c3", **SCREENS[screen])
    _edit(table)
    status = table.page.locator("#editor-status")
    expect(status).to_have_text("X has 2, O has 1: O to move.")
    _cell(table, 2).click()  # the same mark again removes it
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


def test_the_side_to_move_can_be_chosen_if_both_have_as_many_marks(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a3+b2")
    _edit(table)
    table.page.locator("#editor input[name=turn][value=O]").check(force=True)
    table.press("Use this board")
    expect(table.headline).to_have_text("O to move")
    assert "first=O" in table.page.url


def test_with_gravity_the_marks_above_a_removed_one_fall(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people&moves=d1+d2+d3")
    _edit(table)
    _hold(table, ".")
    _cell(table, 38).click()  # d1
    _hold(table, "X")
    _cell(table, 0).click()
    table.press("Use this board")
    rows = ["......."] * 4
    table.expect_board("/".join([*rows, "...X...", "X..O..."]))


def test_a_board_is_set_up_by_keys_alone(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people")
    _edit(table)
    _cell(table, 4).focus()
    keyboard = table.page.keyboard
    for key in ("x", "ArrowUp", "o", "ArrowLeft", "Enter", "Delete"):
        keyboard.press(key)
    table.press("Use this board")
    table.expect_board(".O./.X./...")


def test_a_board_that_no_game_can_reach_is_explained(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a3+a1+b3+b1", expect=("422",))
    _edit(table)
    _cell(table, 2).click()
    _hold(table, "O")
    _cell(table, 8).click()
    table.press("Use this board")
    expect(table.page.locator("#editor-error")).to_contain_text("line")
    table.press("Cancel")
    table.expect_moves("a3", "a1", "b3", "b1")


def test_games_are_kept_by_name_listed_opened_and_deleted(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people&moves=d1+d2")
    name = table.page.get_by_label("Keep it in this browser under the name")
    table.press("Share…")
    assert name.input_value().startswith("Connect Four, ")
    name.fill("Club evening")
    table.press("Keep")
    expect(table.page.locator("#copied")).to_contain_text("“Club evening” is kept.")
    table.page.keyboard.press("Escape")
    table.cell(0).click()
    table.press("Share…")
    name.fill("Club evening")  # the same name again, so this game replaces the first one
    table.press("Keep")

    table.page.goto("/static/favicon.svg")
    table.page.goto("/")
    table.wait_for_page()
    table.press("Open…")
    kept = table.page.locator("#saved .kept")
    expect(kept).to_contain_text(["Club evening"])
    expect(kept).to_contain_text("Connect Four")
    kept.click()
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_moves("d1", "d2", "a1")
    table.press("Open…")
    table.press("Delete “Club evening”")
    expect(kept).to_have_count(0)
    table.press("Bring it back")
    expect(kept).to_have_count(1)
    table.press("Delete “Club evening”")
    table.press("Close")
    table.press("Open…")
    expect(table.page.locator("#none-saved")).to_be_visible()


def test_a_browser_that_cannot_keep_games_is_reported(sit_down: SitDown) -> None:
    table = sit_down()
    table.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error(); }; }")
    table.press("Share…")
    table.press("Keep")
    expect(table.page.locator("#copied")).to_contain_text("does not keep it")
