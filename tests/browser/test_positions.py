"""Boards in and out: by address, by clipboard, by hand."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.table import Table

OpenPage = Callable[..., Page]
SitDown = Callable[..., Table]
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_the_address_brings_the_position_back(sit_down: SitDown) -> None:
    table = sit_down()
    table.page.locator("#time").select_option("100")
    table.start(size="6x6x5", you="O", starts="engine")
    table.play(table.board.replace("/", "").index("."))
    board, address = table.board, urlsplit(table.page.url)
    assert f"board={board}" in address.fragment

    guest = sit_down(f"/#{address.fragment}")
    guest.expect_board(board)
    expect(guest.page.locator("#subline")).to_contain_text("You are O on 6 × 6, 5 in a row.")
    expect(guest.page.locator('#setup input[value="6x6x5"]')).to_be_checked()
    expect(guest.headline).to_have_text("Your move")


def test_the_link_is_put_on_the_clipboard(sit_down: SitDown) -> None:
    table = sit_down("/#board=X...O....&you=X", permissions=CLIPBOARD)
    table.press("Share link")
    expect(table.page.locator("#copied")).to_have_text(
        "The link to this position is on the clipboard."
    )
    assert _clipboard(table.page) == table.page.url
    assert "board=X...O....&rows=3&columns=3&k=3&first=X&you=X" in table.page.url


def test_a_new_address_in_the_same_page_loads_its_position(sit_down: SitDown) -> None:
    table = sit_down()
    table.page.goto("/#board=X...O....&you=X")
    table.expect_board("X../.O./...")


def test_a_shared_position_in_which_the_engine_is_to_move_is_answered(sit_down: SitDown) -> None:
    table = sit_down("/#board=X........&you=X")
    expect(table.page.locator("#record li")).to_have_count(1)
    assert table.board.count("O") == 1


def test_a_link_without_a_position_is_explained(sit_down: SitDown) -> None:
    table = sit_down("/#board=XXX......&you=X", expect=("422",))
    expect(table.notice).to_contain_text("The service refused this.")
    expect(table.notice).to_have_role("alert")
    table.expect_board(".../.../...")
    table.press("Start a new game")
    expect(table.notice).to_be_hidden()


def test_a_position_that_could_not_be_loaded_is_loaded_on_a_retry(open_page: OpenPage) -> None:
    page = open_page("/static/favicon.svg", expect=("Failed to load",))
    page.route("**/best-move", lambda route: route.abort())
    page.goto("/#board=X...O....&you=X")
    table = Table(page)
    expect(table.notice).to_contain_text("The service does not answer.")
    page.unroute("**/best-move")
    table.press("Try again")
    expect(table.notice).to_be_hidden()
    table.expect_board("X../.O./...")


def test_the_board_is_copied_as_the_service_spells_it(sit_down: SitDown) -> None:
    table = sit_down("/#board=xx../.o../..o./....&k=4", permissions=CLIPBOARD)
    table.press("Copy")
    expect(table.page.locator("#copied")).to_have_text("The board is on the clipboard.")
    assert _clipboard(table.page) == "XX../.O../..O./...."


def _clipboard(page: Page) -> str:
    return str(page.evaluate("() => navigator.clipboard.readText()"))


def test_a_board_is_pasted_in_any_spelling_and_the_side_to_move_plays(sit_down: SitDown) -> None:
    table = sit_down()
    table.press("Paste…")
    area = table.page.get_by_label("Board", exact=True)
    expect(area).to_be_focused()
    area.fill("x _ _ _\n_ o _ _\n_ x _ _\n_ _ _ _\n")
    table.page.locator("#paste-k").fill("3")
    table.press("Set up this board")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_board("X.../.O../.X../....")
    expect(table.page.locator("#subline")).to_contain_text("You are O on 4 × 4, 3 in a row.")


def test_a_board_on_which_o_is_ahead_was_begun_by_o(sit_down: SitDown) -> None:
    table = sit_down()
    table.press("Paste…")
    table.page.get_by_label("Board", exact=True).fill("O../.X./..O")
    table.press("Set up this board")
    table.expect_board("O../.X./..O")
    expect(table.page.locator("#subline")).to_contain_text("You are X")


def test_text_that_is_no_board_is_explained_and_the_game_is_kept(sit_down: SitDown) -> None:
    table = sit_down(expect=("422",))
    table.play(0)
    before = table.board
    table.press("Paste…")
    area = table.page.get_by_label("Board", exact=True)
    area.fill("X0.......")
    table.press("Set up this board")
    expect(table.page.locator("#paste-error")).to_contain_text("nought is the letter O")
    expect(area).to_have_attribute("aria-invalid", "true")
    table.press("Cancel")
    table.expect_board(before)


def test_text_pasted_anywhere_on_the_page_opens_the_dialog_with_it(sit_down: SitDown) -> None:
    table = sit_down(permissions=CLIPBOARD)
    table.page.evaluate("() => navigator.clipboard.writeText('X../.O./...')")
    table.page.keyboard.press("Control+v")
    expect(table.page.get_by_label("Board", exact=True)).to_have_value("X../.O./...")
    table.page.keyboard.press("Escape")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
