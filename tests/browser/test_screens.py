"""The page in windows of all sizes, with a finger, by keyboard, and in both themes."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, SitDown
from tests.support.present import present
from tests.support.screens import OPEN_THREE, SCREENS
from tests.support.table import Table, resize

pytestmark = pytest.mark.slow


FINGER = 44
"""The least width and height of whatever a user taps, in CSS pixels (WCAG 2.5.5)."""

BOARDS = [
    (3, 3, "rows=3&columns=3&k=3"),
    (6, 7, "game=connect-four"),
    (15, 15, "rows=15&columns=15&k=5"),
    (20, 20, "rows=20&columns=20&k=5"),
    (3, 20, "rows=3&columns=20&k=3"),
    (20, 3, "rows=20&columns=3&k=3"),
]
"""The rows and columns of a board, and the link that opens the board."""

NEEDED = ("#games-bar", "#status", "#board", "#strength", "#open", "#share", "#first", "#tabs")
"""Elements that must be in the window without scrolling."""
_OUTSIDE = """selectors => selectors.filter(selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
})"""
_PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll("#board, #lines, :is(button, summary, select)[id]")]
    .filter(node => node.checkVisibility() && !node.closest("dialog"))
    .map(node => [node.id, node.getBoundingClientRect()])
    .filter(([, { bottom }]) => bottom <= innerHeight)
    .map(([id, { left, top }]) => [id, [left, top]]))"""


_SHIFT = """() => new Promise(resolve => {
  const found = (list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0));
  new PerformanceObserver(found).observe({ type: "layout-shift", buffered: true });
  setTimeout(resolve, 500, 0);
})"""
"""A script that returns the layout shift of the page since it began to load."""

GOOD_SHIFT = 0.05
"""Half of the largest layout shift that web.dev calls good."""


_OVERFLOW = """() => [document.documentElement.scrollWidth - innerWidth,
  document.documentElement.scrollHeight - innerHeight]"""


def _go_to(table: Table, fields: str, cells: int) -> None:
    table.page.evaluate("fields => { location.hash = fields; }", fields)
    expect(table.at("[role=gridcell]")).to_have_count(cells)


@pytest.mark.parametrize("screen", SCREENS)
def test_the_window_shows_board_status_moves_and_controls(sit_down: SitDown, screen: str) -> None:
    table = sit_down(**SCREENS[screen])
    for rows, columns, fields in BOARDS:
        _go_to(table, f"{fields}&mode=people", rows * columns)
        across, down = table.page.evaluate(_OVERFLOW)
        assert across == 0, fields
        assert screen != "desk" or down == 0, fields
        assert table.page.evaluate(_OUTSIDE, NEEDED) == [], fields
        box = present(table.at("[role=gridcell]").first.bounding_box())
        assert abs(box["width"] - box["height"]) < 1, fields
        assert box["width"] > 12, fields


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", [OPEN_THREE, "game=connect-four&moves=4453"])
def test_nothing_moves_while_the_page_loads(open_page: OpenPage, screen: str, game: str) -> None:
    page = open_page("/static/favicon.svg", **SCREENS[screen])
    held = Table(page).hold("**/words.js")  # this script arrives late
    page.goto(f"/#{game}", wait_until="commit")
    expect(page.locator("#headline")).to_be_visible()  # dots
    expect(page.locator("#new")).to_be_hidden()
    held().continue_()
    Table(page).wait_for_page()
    expect(page.locator("#new")).to_be_visible()
    assert page.evaluate(_SHIFT) < GOOD_SHIFT


@pytest.mark.parametrize("address", ["/", "/static/explorer.html"])
def test_a_script_that_cannot_be_loaded_is_reported(open_page: OpenPage, address: str) -> None:
    page = open_page("/static/favicon.svg", expect=("Failed to load",))
    page.route("**/words.js", lambda route: route.abort())
    page.goto(address)
    expect(page.locator(".notice:visible")).to_contain_text("could not be loaded")


def _moved(table: Table, before: dict[str, list[float]]) -> set[str]:
    """Return the elements that are not where they were."""
    now = table.page.evaluate(_PLACES)
    return {name for name in before.keys() & now.keys() if before[name] != now[name]}


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_moves_when_a_panel_fills(sit_down: SitDown, screen: str) -> None:
    table = sit_down(f"/#{OPEN_THREE}", **SCREENS[screen])
    held = table.hold("**/analyze")
    table.press("Analyse")
    expect(table.button("Stop")).to_be_visible()
    before = table.page.evaluate(_PLACES)
    held().continue_()
    table.wait_for_analysis()
    assert _moved(table, before) == set()
    table.cell(0).click()
    if table.at("#confirm").is_visible():
        table.at("#confirm").click()
    expect(table.record).to_have_count(7)
    table.wait_for_analysis()
    assert _moved(table, before) == set()


def test_a_finger_hits_every_target_on_a_small_board(sit_down: SitDown) -> None:
    table = sit_down(**SCREENS["phone"])
    targets = table.at(
        "[role=gridcell], .toolbar button, select:visible, .masthead :is(a, button):visible"
    )
    for side in (3, 6, 7):
        _go_to(table, f"rows={side}&columns={side}&k=3", side * side)
        sizes = targets.evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
        )
        assert len(sizes) > side * side + 8
        assert [size for size in sizes if min(size) < FINGER] == []


@pytest.mark.parametrize(
    ("screen", "mode"), [("phone", "engine"), ("across", "people"), ("phone", "analysis")]
)
def test_on_a_large_board_the_first_tap_aims(sit_down: SitDown, screen: str, mode: str) -> None:
    table = sit_down(f"/#rows=15&columns=15&k=5&mode={mode}", **SCREENS[screen])
    table.think(100)
    if mode == "analysis":
        table.wait_for_analysis()  # the end of the analysis would replace the text about the tap
    table.cell(100).tap()
    expect(table.spoken).to_have_text("Aimed at k9. Tap again, or press the button, to play there.")
    table.cell(112).tap()
    expect(table.at(".aim")).to_be_attached()
    expect(table.cell(112).locator(".ghost")).to_be_attached()
    assert table.moves == 0
    table.cell(112).tap()
    expect(table.record.first).to_have_text("h8")
    table.wait_for_engine()
    table.cell(0).tap()
    table.press("Play a15")
    expect(table.record.filter(has_text="a15")).to_be_attached()
    expect(table.at("#confirm")).to_be_hidden()


def test_the_theme_is_the_systems_until_one_is_chosen(sit_down: SitDown) -> None:
    table = sit_down(color_scheme="dark")
    root = table.at("html")
    expect(root).to_have_attribute("data-theme", "dark")
    table.press("Switch to the light theme")
    expect(root).to_have_attribute("data-theme", "light")
    table.page.reload()
    expect(root).to_have_attribute("data-theme", "light")
    table.press("Switch to the dark theme")
    table.page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")


SIZES = {
    "small phone": (360, 740),
    "low": (1280, 720),
    "phone": (390, 844),
    "tablet": (820, 1180),
    "laptop": (1366, 768),
    "desk": (1920, 1080),
}
_COVERED = """selector => {
  const box = node => node.getBoundingClientRect();
  const own = box(document.querySelector(selector));
  return [...document.querySelectorAll(".side :is(button, select, summary), .cell")]
    .filter(node => node.checkVisibility())
    .map(node => [node.id, box(node)])
    .filter(([, one]) => one.left < own.right && one.right > own.left
      && one.top < own.bottom && one.bottom > own.top)
    .map(([id]) => id);
}"""


def test_the_board_takes_most_of_every_window_and_a_notice_neither_moves_nor_covers_it(
    sit_down: SitDown,
) -> None:
    table = sit_down(expect=("Failed to load resource", "net::ERR"))
    table.page.route("**/best-move", lambda route: route.abort())
    for size, (width, height) in SIZES.items():
        resize(table.page, width, height)
        box = present(table.at("#board").bounding_box())
        assert max(box["width"] / width, box["height"] / height) > 0.7, size
        before = table.page.evaluate(_PLACES)
        table.press("Hint")
        expect(table.notice).to_be_visible()
        assert _moved(table, before) <= {"stop"}, size
        assert table.page.evaluate(_COVERED, "#notice") == [], size
        table.press("Close this message")


_UPWARDS = """() => {
  const all = [...document.querySelectorAll("a, button, summary, select, .cell, [role=tab]")]
    .filter(node => node.tabIndex >= 0 && node.checkVisibility());
  return all.slice(1).map((node, at) => [all[at], node].map(one => one.getBoundingClientRect()))
    .map(([from, to], at) => [all[at + 1].id, from, to])
    .filter(([, from, to]) => to.bottom <= from.top && to.left < from.right)
    .map(([id]) => id);
}"""
"""A script that returns the controls to which Tab goes upwards within a column."""


@pytest.mark.parametrize("screen", SCREENS)
def test_tab_goes_through_the_page_as_it_is_seen(sit_down: SitDown, screen: str) -> None:
    table = sit_down("/#board=X.O.X.O..&mode=analysis", **SCREENS[screen])
    table.wait_for_analysis()
    table.lines.first.click()
    assert table.page.evaluate(_UPWARDS) == []
