"""What the page shows to a user who opens it for the first time."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, SitDown


def test_the_games_are_visible_and_one_press_away(sit_down: SitDown) -> None:
    table = sit_down()
    games = table.page.get_by_role("group", name="Choose a game").get_by_role("button")
    expect(games).to_have_text(["Tic-tac-toe", "Connect Four", "Gomoku", "More…"])
    assert table.page.locator("#level").input_value() == "3"  # a level at which a user can win
    table.press("Connect Four")
    table.expect_board("/".join(["......."] * 6))
    expect(games.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(games.nth(0)).to_have_attribute("aria-pressed", "false")
    expect(table.page.get_by_role("button", name="Stop")).to_be_hidden()
    table.press("More…")
    expect(table.page.get_by_role("dialog", name="New game")).to_be_visible()


def test_a_rematch_takes_one_press_and_changes_sides(sit_down: SitDown) -> None:
    table = sit_down("/#rows=3&columns=3&k=3&you=X&moves=a3+a2+b3+b2")
    expect(table.page.get_by_role("button", name="Rematch")).to_be_hidden()
    table.play(2)
    expect(table.headline).to_have_text("You win")
    table.press("Rematch as O")
    expect(table.record).to_have_count(1)
    table.wait_for_engine()
    assert table.board.count("X") == 1
    expect(table.subline).to_contain_text("You are O.")
    expect(table.page.get_by_role("button", name="Rematch")).to_be_hidden()


def test_a_rematch_may_keep_the_sides(sit_down: SitDown) -> None:
    table = sit_down("/#rows=3&columns=3&k=3&you=X&moves=a3+a2+b3+b2")
    table.play(2)
    table.press("As X")
    expect(table.headline).to_have_text("Your move")
    table.expect_board("/".join(["..."] * 3))
    expect(table.subline).to_contain_text("You are X.")


def test_a_rematch_begins_where_the_game_began(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX.OO....&mode=people")
    table.play(2)
    table.press("Play again")
    table.expect_board("XX./OO./...")
    for name in ("One move on", "Redo"):
        expect(table.page.get_by_role("button", name=name)).to_be_disabled()


def test_only_a_pointer_or_a_key_shows_a_mark_to_be_placed(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four")
    table.press("Analysis")
    table.wait_for_analysis()
    table.press("Tic-tac-toe")
    table.page.keyboard.press("a")
    table.wait_for_analysis()
    shown = table.page.locator(".ghost, .plan")
    expect(shown).to_have_count(0)
    table.page.keyboard.press("ArrowRight")
    expect(shown).to_have_count(1)


def test_a_mouse_that_stands_still_shows_nothing_on_a_new_board(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=analysis")
    table.wait_for_analysis()
    preview = table.page.locator("#board .plan")
    box = table.cell(24).bounding_box()
    assert box
    table.page.mouse.move(box["x"] + 20, box["y"] + 20)
    expect(preview).to_be_visible()
    table.page.mouse.down()
    table.page.mouse.up()
    expect(table.record).to_have_count(1)
    table.wait_for_analysis()
    expect(preview).to_have_count(0)
    table.page.mouse.move(box["x"] + 22, box["y"] + 22)
    expect(preview).to_be_visible()


def test_the_bar_says_when_nothing_is_evaluated(sit_down: SitDown) -> None:
    table = sit_down()
    bar = table.page.locator("#balance")
    expect(bar).to_have_accessible_name("Not shown while you play: Hint and Analysis show it.")
    table.pick("people")
    expect(bar).to_have_accessible_name("Not evaluated: Analysis evaluates the position.")
    expect(bar).to_have_class("balance unknown")
    table.press("Hint")
    expect(bar).to_have_accessible_name("A draw with best play.")
    expect(bar).to_have_class("balance proven")


def test_a_typed_size_replaces_the_old_one(sit_down: SitDown) -> None:
    table = sit_down()
    table.press("More…")
    table.page.locator("#setup input[value=own]").check()
    for name in ("rows", "columns", "k"):
        table.page.locator(f"#{name}").click()
        table.page.keyboard.type("7")
        expect(table.page.locator(f"#{name}")).to_have_value("7")


def test_the_number_in_a_row_changes_only_if_the_board_is_too_small_for_it(
    sit_down: SitDown,
) -> None:
    table = sit_down("/#game=connect-four")
    table.press("New")
    page = table.page
    page.locator("#setup input[value=own]").check()
    in_a_row = page.locator("#k")
    for rows, columns, shown in (("12", "12", "4"), ("3", "3", "3"), ("5", "5", "4")):
        page.locator("#rows").fill(rows)
        page.locator("#columns").fill(columns)
        expect(in_a_row).to_have_value(shown)
    in_a_row.fill("5")
    page.locator("#rows").fill("8")
    expect(in_a_row).to_have_value("5")


def test_with_gravity_each_columns_value_is_above_it(sit_down: SitDown) -> None:
    table = sit_down("/#rows=2&columns=3&k=2&gravity=true&mode=people&moves=a1+c1")
    table.press("Analysis")
    table.wait_for_analysis()
    places = table.page.locator(".strip > span")
    expect(places).to_have_text(["W1", "W1", "L1"])
    expect(table.page.locator(".cell .value")).to_have_count(0)
    places.nth(1).click()
    expect(table.record.last).to_have_text("b1")


def test_lost_even_and_won_have_colours_of_their_own(sit_down: SitDown) -> None:
    colours = sit_down().page.evaluate(
        """() => [0, 26, 48, 100].map(heat => {
          const value = document.createElement("span");
          value.className = "value";
          value.style.setProperty("--heat", `${heat}%`);
          document.querySelector("#board").append(value);
          return getComputedStyle(value).backgroundColor;
        })"""
    )
    assert len(set(colours)) == 4


@pytest.mark.slow
def test_the_api_page_leads_back_to_the_board(open_page: OpenPage) -> None:
    page = open_page("/docs")
    page.get_by_role("link", name="Best Move: play").click()
    expect(page.locator("#board")).to_be_visible()
