"""The page in all sizes and themes, and its accessibility."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage, SitDown
from tests.support.screens import OPEN_THREE, SCREENS
from tests.support.table import Table

pytestmark = pytest.mark.slow


FINGER = 44
"""The least width and height of whatever a user taps, in CSS pixels (WCAG 2.5.5)."""

LOOKS = [("desk", "light"), ("phone", "dark")]
"""The windows and themes that axe checks. Two pairs suffice: colours do not depend on the window,
and sizes do not depend on the theme."""
RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
BOARDS = [
    (3, 3, "rows=3&columns=3&k=3"),
    (6, 7, "game=connect-four"),
    (15, 15, "rows=15&columns=15&k=5"),
    (20, 20, "rows=20&columns=20&k=5"),
    (3, 20, "rows=3&columns=20&k=3"),
    (20, 3, "rows=20&columns=3&k=3"),
]
"""The rows and columns of a board, and the link that opens the board."""

NEEDED = ("#games-bar", "#status", "#board", "#first", "#new", "#analysis", "#balance")
"""Elements that must be in the window without scrolling."""
NEAR = ("#record", "#mode")
"""Elements to which a user may have to scroll on a phone."""
_OUTSIDE = """selectors => selectors.filter(selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
})"""
_PLACES = """() => [...document.querySelectorAll("#board, #record, button, select, .card")]
  .filter(node => node.offsetParent && !node.closest(".record, dialog"))
  .map(node => [node.id || node.className, node.getBoundingClientRect().toJSON()])"""


_SHIFT = """() => new Promise(resolve => {
  const found = (list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0));
  new PerformanceObserver(found).observe({ type: "layout-shift", buffered: true });
  setTimeout(resolve, 500, 0);
})"""
"""A script that returns the layout shift of the page since it began to load."""

GOOD_SHIFT = 0.05
"""Half of the largest layout shift that web.dev calls good."""


def _overflow(page: Page) -> list[int]:
    return list(
        page.evaluate(
            "() => [document.documentElement.scrollWidth - innerWidth,"
            " document.documentElement.scrollHeight - innerHeight]"
        )
    )


@pytest.mark.parametrize("screen", SCREENS)
def test_the_window_shows_board_status_moves_and_controls(sit_down: SitDown, screen: str) -> None:
    table = sit_down(**SCREENS[screen])
    cells = table.page.locator("[role=gridcell]")
    for rows, columns, fields in BOARDS:
        table.page.evaluate("fields => { location.hash = fields; }", f"{fields}&mode=people")
        expect(cells).to_have_count(rows * columns)
        across, down = _overflow(table.page)
        assert across == 0, fields
        assert screen != "desk" or down == 0, fields
        needed = NEEDED + NEAR if screen == "desk" else NEEDED
        assert table.page.evaluate(_OUTSIDE, needed) == [], fields
        box = cells.first.bounding_box()
        assert box is not None
        assert abs(box["width"] - box["height"]) < 1, fields
        assert box["width"] > 12, fields


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", [OPEN_THREE, "game=connect-four&moves=4453"])
def test_nothing_moves_while_the_page_loads(sit_down: SitDown, screen: str, game: str) -> None:
    table = sit_down(f"/#{game}", **SCREENS[screen])
    assert table.page.evaluate(_SHIFT) < GOOD_SHIFT


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_moves_when_a_script_arrives_late(open_page: OpenPage, screen: str) -> None:
    page = open_page("/static/favicon.svg", **SCREENS[screen])
    held: list[Route] = []
    page.route("**/words.js", lambda route: held.append(route))
    page.goto(f"/#{OPEN_THREE}", wait_until="commit")
    expect(page.locator("#headline")).to_be_visible()  # dots
    expect(page.locator("#new")).to_be_hidden()
    held[0].continue_()
    Table(page).wait_for_page()
    expect(page.locator("#new")).to_be_visible()
    assert page.evaluate(_SHIFT) < GOOD_SHIFT


@pytest.mark.parametrize("address", ["/", "/static/explorer.html"])
def test_a_script_that_cannot_be_loaded_is_reported(open_page: OpenPage, address: str) -> None:
    page = open_page("/static/favicon.svg", expect=("Failed to load",))
    page.route("**/words.js", lambda route: route.abort())
    page.goto(address)
    expect(page.locator(".notice:visible")).to_contain_text("could not be loaded")


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_moves_when_a_panel_fills(sit_down: SitDown, screen: str) -> None:
    table = sit_down(f"/#{OPEN_THREE}", **SCREENS[screen])
    held: list[Route] = []
    table.page.route("**/analyze", lambda route: held.append(route))
    table.press("Analysis")
    expect(table.page.get_by_role("button", name="Stop")).to_be_visible()
    before = table.page.evaluate(_PLACES)
    held[0].continue_()
    table.page.unroute("**/analyze")
    table.wait_for_analysis()
    assert table.page.evaluate(_PLACES) == before
    table.cell(0).click()
    if table.page.locator("#confirm").is_visible():
        table.page.locator("#confirm").click()
    expect(table.record).to_have_count(7)
    table.wait_for_analysis()
    assert table.page.evaluate(_PLACES) == before


@pytest.mark.parametrize("page", ["/", "/static/explorer.html"])
@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_narrow_window_shows_the_whole_masthead(
    open_page: OpenPage, width: int, page: str
) -> None:
    opened = open_page(page, **SCREENS["phone"] | {"viewport": {"width": width, "height": 640}})
    right = "all => all.map(one => one.getBoundingClientRect().right)"
    ends = opened.locator(":is(.masthead a, .masthead button):visible").evaluate_all(right)
    assert len(ends) == (6 if page == "/" and width >= 360 else 5), "the help needs room"
    assert max(ends) <= width


@pytest.mark.parametrize("side", [3, 6, 7])
def test_a_finger_hits_every_target_on_a_small_board(sit_down: SitDown, side: int) -> None:
    table = sit_down(f"/#rows={side}&columns={side}&k=3", **SCREENS["phone"])
    sizes = table.page.locator(
        "[role=gridcell], .toolbar button, select:visible, .masthead :is(a, button):visible"
    ).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert len(sizes) > side * side + 8
    assert [size for size in sizes if min(size) < FINGER] == []


@pytest.mark.parametrize(
    ("screen", "mode"), [("phone", "engine"), ("across", "people"), ("phone", "analysis")]
)
def test_on_a_large_board_the_first_tap_aims_and_the_second_plays(
    sit_down: SitDown, screen: str, mode: str
) -> None:
    table = sit_down(f"/#rows=15&columns=15&k=5&mode={mode}", **SCREENS[screen])
    table.think(100)
    if mode == "analysis":
        table.wait_for_analysis()  # the end of the analysis would replace the text about the tap
    table.cell(100).tap()
    expect(table.spoken).to_have_text("Aimed at k9. Tap again, or press the button, to play there.")
    table.cell(112).tap()
    expect(table.page.locator(".aim")).to_be_attached()
    expect(table.cell(112).locator(".ghost")).to_be_attached()
    assert table.moves == 0
    table.cell(112).tap()
    expect(table.record.first).to_have_text("h8")
    table.wait_for_engine()
    table.cell(0).tap()
    table.press("Play a15")
    expect(table.page.locator("#record button", has_text="a15")).to_be_attached()
    expect(table.page.locator("#confirm")).to_be_hidden()


def _dialogs(table: Table) -> None:
    table.play(8)
    table.press("Analysis")
    table.wait_for_analysis()
    _expect_accessible(table.page)
    table.press("Share…")
    _expect_accessible(table.page)
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("?")
    _expect_accessible(table.page)
    table.page.keyboard.press("Escape")
    table.press("Open…")
    _expect_accessible(table.page)
    table.press("Edit the board")
    _expect_accessible(table.page)
    table.press("Cancel")
    table.lines.first.click()
    _expect_accessible(table.page)
    table.choose(game="own")


def _threats(table: Table) -> None:
    table.think(100)
    table.press("Analysis")
    table.wait_for_analysis()
    table.press("Threats")


def _review(table: Table) -> None:
    table.think(300)
    table.press("Review")
    expect(table.page.locator("#review-summary")).to_contain_text("Lost")
    table.press("Analysis")
    table.wait_for_analysis()


def _trouble_and_end(table: Table) -> None:
    table.page.route("**/best-move", lambda route: route.abort())
    table.cell(1).click()
    expect(table.notice).to_be_visible()
    _expect_accessible(table.page)
    table.page.unroute("**/best-move")
    table.press("Try again")
    expect(table.headline).to_have_text("The engine wins")


def _why(table: Table) -> None:
    table.press("Analysis")
    table.wait_for_analysis()
    table.press("Why?")
    expect(table.page.locator("#why-title")).to_contain_text("Why ")
    _expect_accessible(table.page)
    cell = table.page.locator("#why-board [data-mark='.']").last
    cell.click()
    expect(table.page.locator("#why-said")).to_contain_text(" plays ")


VARIED = "game=connect-four&mode=people&moves=d1+d2+a1+(d3+d4)+d3+a2+d4+a3+d5&at=3"
SCENES: dict[str, tuple[str, Callable[[Table], None]]] = {
    "dialogs": ("board=X...O....&you=X", _dialogs),
    "threats": (OPEN_THREE, _threats),
    "review": (VARIED, _review),
    "a win": (OPEN_THREE, _why),
    "a draw": ("board=..X./.O../..../....&k=4&mode=people", _why),
    "trouble": ("board=X.OXO....&you=X&level=10", _trouble_and_end),
}


@pytest.mark.parametrize(("screen", "theme"), LOOKS)
@pytest.mark.parametrize("scene", SCENES)
def test_axe_finds_nothing(sit_down: SitDown, scene: str, screen: str, theme: str) -> None:
    address, happens = SCENES[scene]
    options = SCREENS[screen] | {"color_scheme": theme, "expect": ("Failed to load",)}
    table = sit_down(f"/#{address}", **options)
    # Animations are off, so that no colour is measured while it fades in.
    table.page.emulate_media(reduced_motion="reduce")
    happens(table)
    _expect_accessible(table.page)


@pytest.mark.parametrize(("screen", "theme"), LOOKS)
def test_axe_finds_nothing_on_the_explorer(open_page: OpenPage, screen: str, theme: str) -> None:
    page = open_page("/static/explorer.html", color_scheme=theme, **SCREENS[screen])
    expect(page.locator(".verdict.same")).to_have_count(4)
    page.get_by_role("button", name="To the end").click()
    _expect_accessible(page)
    assert _overflow(page)[0] == 0


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


SIZES = {
    "small phone": (360, 740),
    "low": (1280, 720),
    "phone": (390, 844),
    "tablet": (820, 1180),
    "old laptop": (1200, 800),
    "laptop": (1366, 768),
    "desk": (1920, 1080),
}
_OVERLAPS = """selector => {
  const box = node => node.getBoundingClientRect();
  const own = box(document.querySelector(selector));
  return [...document.querySelectorAll("main :is(button, select, h2, #board)")]
    .filter(node => node.offsetParent && !node.closest(selector))
    .map(node => [node.id, box(node)])
    .filter(([, one]) => one.left < own.right && one.right > own.left
      && one.top < own.bottom && one.bottom > own.top)
    .map(([id]) => id);
}"""
_CUT = """selects => selects.filter(select => {
  const whole = select.cloneNode(true);
  whole.style.cssText = "position: absolute; width: max-content; flex: none";
  select.parentNode.append(whole);
  const cut = whole.offsetWidth > select.offsetWidth + 1;
  whole.remove();
  return cut;
}).map(select => select.id)"""


@pytest.mark.parametrize("size", SIZES)
def test_the_layout_fits_every_size_of_window(sit_down: SitDown, size: str) -> None:
    width, height = SIZES[size]
    table = sit_down("/#game=tic-tac-toe", viewport={"width": width, "height": height})
    page = table.page
    box = page.locator("#board").bounding_box()
    assert box is not None
    assert max(box["width"] / width, box["height"] / height) > 0.8
    assert page.locator("select:visible").evaluate_all(_CUT) == []
    assert page.locator("#games-bar").evaluate("bar => bar.scrollWidth - bar.clientWidth") == 0
    table.press("Analysis")
    expect(table.lines).to_have_count(5)
    hidden = (
        "voice => [voice.scrollHeight - voice.clientHeight, voice.scrollWidth - voice.clientWidth]"
    )
    assert max(page.locator(".voice").evaluate(hidden)) <= 1
    if width > 600:
        last = table.lines.last.bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= height


@pytest.mark.parametrize(("width", "height"), [(768, 1024), (820, 1180), (1366, 768)])
def test_a_review_fits_the_window(sit_down: SitDown, width: int, height: int) -> None:
    table = sit_down(
        "/#game=connect-four&mode=people&moves=a1+b1+a2",
        viewport={"width": width, "height": height},
    )
    table.think(100)
    table.press("Review")
    expect(table.page.locator("#review-summary")).to_contain_text("Lost")
    assert max(_overflow(table.page)) <= 0


@pytest.mark.parametrize("size", SIZES)
def test_a_notice_covers_nothing(sit_down: SitDown, size: str) -> None:
    width, height = SIZES[size]
    table = sit_down("/#rows=50&columns=50&k=5", viewport={"width": width, "height": height})
    expect(table.notice).to_be_visible()
    assert table.page.evaluate(_OVERLAPS, "#notice") == []
