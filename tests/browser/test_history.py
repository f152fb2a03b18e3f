"""The list of moves: going back and forth, variations, and what remains after reloads and
outages."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SitDown
from tests.support.screens import SCREENS
from tests.support.table import Table

GAME = "/#rows=15&columns=15&k=5&mode=people&moves=h8+i9+h7+h9"


@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_a_click_in_the_list_of_moves_shows_that_position(sit_down: SitDown, screen: str) -> None:
    table = sit_down(GAME, **SCREENS[screen])
    table.tab("Moves")
    table.expect_moves("h8", "i9", "h7", "h9")
    expect(table.current).to_have_text("h9")
    table.record.nth(0).click()
    assert _marks(table) == 1
    expect(table.current).to_have_text("h8")
    expect(table.headline).to_have_text("O to move")
    table.keys("ArrowRight", "ArrowLeft", "ArrowRight")
    expect(table.current).to_be_focused()
    table.record.nth(0).click()
    table.press("One move on")
    expect(table.current).to_have_text("i9")
    table.press("To the start")
    assert _marks(table) == 0
    table.press("To the end")
    expect(table.current).to_have_text("h9")

    for key, marks in {"ArrowLeft": 3, "ArrowRight": 4, "Home": 0, "End": 4}.items():
        table.keys(key)
        assert _marks(table) == marks
    if screen == "desk":
        # After a click on the board, the arrow keys still step through the game.
        table.cell(0).click()
        table.keys("ArrowLeft")
        assert _marks(table) == 4
        expect(table.spoken).to_contain_text("After move 4.")


def _marks(table: Table) -> int:
    return sum(map(table.board.count, "XO"))


def test_another_move_is_a_variation_and_the_first_one_stays(sit_down: SitDown) -> None:
    table = sit_down(GAME)
    table.tab("Moves")
    table.record.nth(0).click()
    table.cell(0).click()
    table.expect_moves("h8", "i9", "a15", "h7", "h9")
    expect(table.at(".branch")).to_have_text("(1…a15⋯)")
    expect(table.current).to_have_text("a15")
    table.cell(1).click()
    table.record.nth(1).click()
    table.press("To the end")
    expect(table.current).to_have_text("h9")
    table.reload()
    table.expect_moves("h8", "i9", "a15", "b15", "h7", "h9")
    assert "moves=h8+i9+(a15+b15)+h7+h9" in table.page.url.replace("%28", "(").replace("%29", ")")


VARIED = "/#rows=15&columns=15&k=5&mode=people&moves=h8+i9+(a15+b15+c15)+h7+h9"


def test_a_link_from_inside_a_variation_shows_the_same_position(sit_down: SitDown) -> None:
    table, guest = sit_down(VARIED), sit_down()
    table.tab("Moves")
    for number, move in ((3, "b15"), (4, "c15")):
        table.record.nth(number).click()
        expect(table.current).to_have_text(move)
        guest.page.goto(f"/#{urlsplit(table.page.url).fragment}")
        expect(guest.current).to_have_text(move)
        guest.expect_board(table.board)


def test_the_menu_of_a_move_changes_the_tree_and_a_deletion_can_be_undone(
    sit_down: SitDown,
) -> None:
    table = sit_down(VARIED)
    table.tab("Moves")
    for button, deletes in (("#told-undo", ("ArrowUp", "Enter")), ("#undo", ("Escape", "Delete"))):
        table.record.filter(has_text="b15").click()
        table.keys("Shift+F10")
        expect(table.page.get_by_role("menuitem").first).to_be_focused()
        table.keys(*deletes)
        table.expect_moves("h8", "i9", "a15", "h7", "h9")
        expect(table.at(":focus")).to_have_text("a15")
        table.at(button).click()
        table.expect_moves("h8", "i9", "a15", "b15", "c15", "h7", "h9")
        expect(table.at(":focus")).to_have_text("b15")
    table.press("Actions for 2. b15")
    table.page.get_by_role("menuitem", name="Make it the main line").click()
    table.expect_moves("h8", "a15", "i9", "h7", "h9", "b15", "c15")
    expect(table.at(":focus")).to_have_text("b15")
    table.keys("Delete", "Control+z", "Control+z")  # each change can be undone, the last one first
    table.expect_moves("h8", "i9", "a15", "b15", "c15", "h7", "h9")
    table.record.first.dispatch_event("touchstart")  # and no end: a long press
    table.page.get_by_role("menuitem", name="Delete").click()
    table.page.wait_for_function("!Object.values(localStorage).join().includes('moves=')")
    table.page.reload()
    table.expect_board("/".join(["." * 15] * 15))
