"""The modes of the page: whether a person or the engine plays each side."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import SitDown

pytestmark = pytest.mark.slow


def test_two_people_play_without_the_engine(sit_down: SitDown) -> None:
    table = sit_down()
    table.pick("people")
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.method))
    for index, turn in ((0, "X"), (3, "O"), (1, "X"), (4, "O")):
        expect(table.headline).to_have_text(f"{turn} to move")
        table.cell(index).click()
    table.cell(2).click()
    expect(table.headline).to_have_text("X wins")
    expect(table.subline).to_have_text("X has 3 in a row, a3 to c3.")
    assert "POST" not in asked
    assert "mode=people" in table.page.url


def test_the_engine_plays_both_sides_and_can_be_paused(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four")
    table.think(100)
    table.pick("watch")
    expect(table.record.nth(1)).to_be_attached()
    table.press("Pause")
    count = table.moves
    expect(table.page.get_by_role("button", name="Move", exact=True)).to_be_visible()
    expect(table.status).to_have_attribute("data-phase", "ready")
    assert table.moves == count
    table.press("Move")
    expect(table.record.nth(count)).to_be_attached()
    table.press("To the start")
    expect(table.page.get_by_role("button", name="Move", exact=True)).to_be_visible()


def test_free_analysis_places_both_colours_and_analyses_each_position(sit_down: SitDown) -> None:
    table = sit_down()
    table.pick("analysis")
    expect(table.page.locator(".value")).to_have_count(9)
    table.cell(0).click()
    expect(table.page.locator(".value")).to_have_count(8)
    table.cell(1).click()
    assert table.board == "XO./.../..."
    expect(table.page.locator(".value")).to_have_count(7)
    table.page.reload()
    table.wait_for_page()
    assert table.board == "XO./.../..."
    expect(table.page.locator("#mode")).to_have_value("analysis")
    expect(table.page.locator(".value")).to_have_count(7)  # the reload starts the analysis again


def test_the_engine_moves_for_either_side_if_it_is_asked(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX.OO....&mode=people")
    table.press("Move")
    expect(table.headline).to_have_text("X wins")
    table.expect_moves("c3")
    expect(table.reason).to_have_text("c3 completes the line a3, b3 and c3 and wins.")


def test_a_line_is_not_played_while_the_engine_thinks(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX.OO....&mode=analysis")
    table.wait_for_analysis()
    table.lines.nth(1).click()
    held: list[Route] = []
    table.page.route("**/best-move", lambda route: held.append(route), times=1)
    with table.page.expect_request("**/best-move"):
        table.press("Move")
    table.press("Play it")
    held[0].continue_()
    expect(table.headline).to_have_text("X wins")
    table.expect_moves("c3")
