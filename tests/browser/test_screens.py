"""Sizes, themes and accessibility."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser.table import Table

SitDown = Callable[..., Table]
OpenPage = Callable[..., Page]

PHONE = {
    "viewport": {"width": 375, "height": 667},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
FINGER = 44
"""CSS pixels that a target should have both ways (WCAG 2.5.5)."""

BIG = "/#board=" + "/".join(["." * 15] * 15) + "&k=5&you=X"
VIEWS = [("desk", "light"), ("desk", "dark"), ("phone", "dark")]
RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}


def _width_to_scroll(page: Page) -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("path", ["/", "/#board=....../....../....../....../....../......", BIG])
def test_nothing_sticks_out_of_a_phone(sit_down: SitDown, path: str) -> None:
    table = sit_down(path, **PHONE)
    assert _width_to_scroll(table.page) == 0
    table.press("Analysis")
    table.page.locator(".value").first.wait_for()
    assert _width_to_scroll(table.page) == 0


@pytest.mark.parametrize("side", [3, 6, 7])
def test_a_finger_hits_every_target_on_a_small_board(sit_down: SitDown, side: int) -> None:
    table = sit_down("/#board=" + "/".join(["." * side] * side) + "&k=3", **PHONE)
    sizes = table.page.locator("[role=gridcell], button:visible, .chip:visible").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert len(sizes) > side * side + 8
    assert [size for size in sizes if min(size) < FINGER] == []


def test_on_a_large_board_the_first_tap_aims_and_the_second_plays(sit_down: SitDown) -> None:
    table = sit_down(BIG, **PHONE)
    table.page.locator("#time").select_option("100")
    table.cell(100).tap()
    expect(table.spoken).to_have_text("Aimed at row 7 column 11. Tap again to play there.")
    table.cell(112).tap()
    assert table.moves == 0
    table.cell(112).tap()
    expect(table.page.locator("#record li").first).to_have_text("X row 8 column 8")
    table.wait_for_engine()


def test_on_a_small_board_one_tap_plays(sit_down: SitDown) -> None:
    table = sit_down(**PHONE)
    table.cell(4).tap()
    expect(table.page.locator("#record li")).to_have_count(2)


@pytest.mark.parametrize(("screen", "theme"), VIEWS)
def test_axe_finds_nothing_on_the_page_to_play_on(
    sit_down: SitDown, screen: str, theme: str
) -> None:
    device = PHONE if screen == "phone" else {}
    table = sit_down("/#board=X...O....&you=X", color_scheme=theme, **device)
    _calm(table.page)
    table.play(8)
    table.press("Analysis")
    table.page.locator(".value").first.wait_for()
    table.wait_for_engine()
    _expect_accessible(table.page)
    table.press("Paste…")
    _expect_accessible(table.page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_a_goban_with_all_its_scores(sit_down: SitDown, theme: str) -> None:
    stones = BIG.replace("." * 15, ".......XO......", 1)
    table = sit_down(stones, color_scheme=theme)
    table.page.locator("#time").select_option("100")
    _calm(table.page)
    table.press("Analysis")
    table.page.locator(".value").first.wait_for()
    table.wait_for_engine()
    _expect_accessible(table.page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_when_the_game_is_over_or_the_service_gone(
    sit_down: SitDown, theme: str
) -> None:
    table = sit_down("/#board=XX.OO....&you=X", color_scheme=theme, expect=("Failed to load",))
    _calm(table.page)
    table.page.route("**/play", lambda route: route.abort())
    table.cell(2).click()
    expect(table.notice).to_be_visible()
    _expect_accessible(table.page)
    table.page.unroute("**/play")
    table.press("Try again")
    expect(table.headline).to_have_text("You win")
    _expect_accessible(table.page)


@pytest.mark.parametrize(("screen", "theme"), VIEWS)
def test_axe_finds_nothing_on_the_explorer(open_page: OpenPage, screen: str, theme: str) -> None:
    device = PHONE if screen == "phone" else {}
    page = open_page("/static/explorer.html", color_scheme=theme, **device)
    expect(page.locator(".verdict.same")).to_have_count(4)
    page.get_by_role("button", name="To the end").click()
    _expect_accessible(page)
    assert _width_to_scroll(page) == 0


def _calm(page: Page) -> None:
    """Without motion, so that no colour is measured while it fades in."""
    page.emulate_media(reduced_motion="reduce")


def _expect_accessible(page: Page) -> None:
    found = Axe().run(page, options=RULES)
    assert found.violations_count == 0, found.generate_report()


def test_the_theme_is_the_systems_until_one_is_chosen(sit_down: SitDown) -> None:
    table = sit_down(color_scheme="dark")
    root = table.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    table.press("Switch to the light theme")
    expect(root).to_have_attribute("data-theme", "light")
    table.page.reload()
    expect(root).to_have_attribute("data-theme", "light")
    table.press("Switch to the dark theme")
    table.page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
