"""Every screen of every mode: each text can be read whole, and axe finds no barrier."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, SitDown
from tests.support.screens import OPEN_THREE, SCREENS
from tests.support.table import Table, resize

pytestmark = pytest.mark.slow

SIZES = (
    (1920, 1080), (1440, 900), (1366, 768), (1280, 800), (1024, 768),
    (820, 1180), (640, 400), (390, 844), (320, 640),
)  # fmt: skip
"""Widths and heights of the window. 640 × 400 is a window of 1280 × 800 at a zoom of 200 %."""

RULES = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
AXE = pytest.mark.parametrize(("screen", "theme"), [("desk", "light"), ("phone", "dark")])
"""The windows and themes that axe checks. Two pairs suffice: colours do not depend on the window,
and sizes do not depend on the theme."""

_FAULTS = """() => {
  const LEAST = 11, NEAR = 0.5, OVER = 2;
  const faults = new Set(), texts = [];
  const open = [...document.querySelectorAll("dialog[open], .choices, .move-menu")];
  const scope = open.findLast(node => node.checkVisibility()) ?? document.body;
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement, said = node.data.trim();
    const style = getComputedStyle(parent);
    const size = parseFloat(style.fontSize) * (parent.getScreenCTM?.().a ?? 1);
    if (!said || !size || parent.closest("option, .unseen, .skip, noscript, script")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    // Layout has steps of 1/64 px.
    if (size + 0.05 < LEAST) faults.add(`${said}: ${size.toFixed(1)} px`);
    const range = document.createRange();
    range.selectNodeContents(node);
    // The glyphs are lower than the line box.
    let boxes = [...range.getClientRects()].map(({ left, right, top, bottom }) => {
      const [middle, half] = [(top + bottom) / 2, size * 0.45];
      return { left, right, top: middle - half, bottom: middle + half };
    });
    const expect = (fault, all, across, down) => {
      const wide = one => one.left >= all.left + across && one.right <= all.right - across;
      const high = one => one.top >= all.top + down && one.bottom <= all.bottom - down;
      if (!boxes.every(one => wide(one) && high(one))) faults.add(`${said}: ${fault}`);
    };
    for (let outer = parent; outer !== document.documentElement; outer = outer.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(outer);
      if (overflowX === "visible" || outer instanceof SVGElement) continue;
      const box = outer.getBoundingClientRect();
      const scrolls = /auto|scroll/.test(overflowY);
      expect("cut", box, -1, scrolls ? -Infinity : -1);
      if (scrolls) boxes = boxes.filter(one => one.top >= box.top && one.bottom <= box.bottom);
    }
    expect("outside", { left: 0, right: innerWidth, top: 0, bottom: Infinity }, 0, -Infinity);
    const frame = parent.closest("button, .value, .worth, .chip span, .notice");
    const holder = parent.closest("text") ? parent.previousElementSibling : frame;
    if (holder) expect("touches its box", holder.getBoundingClientRect(), NEAR, -1);
    texts.push(...boxes.map(box => ({ said, parent, ...box })));
  }
  // These lie over what is below them, and are not transparent.
  const covers = ".notice, .opened, .tabs, main:has(#faults li) > .slot, dialog .actions";
  texts.forEach((one, at) => {
    for (const two of texts.slice(at + 1)) {
      const [left, top] = [Math.max(one.left, two.left), Math.max(one.top, two.top)];
      const across = Math.min(one.right, two.right) - left;
      const down = Math.min(one.bottom, two.bottom) - top;
      if (one.parent === two.parent || across <= OVER || down <= OVER) continue;
      const cover = document.elementFromPoint(left + across / 2, top + down / 2)?.closest(covers);
      if (cover && cover.contains(one.parent) !== cover.contains(two.parent)) continue;
      faults.add(`${one.said} over ${two.said}`);
    }
  });
  for (const control of scope.querySelectorAll("a:not(.skip), button, select, summary")) {
    const { left, right } = control.getBoundingClientRect();
    if (control.checkVisibility() && (left < 0 || right > innerWidth)) {
      faults.add(`${control.id}: outside`);
    }
  }
  for (const select of scope.querySelectorAll("select")) {
    if (!select.checkVisibility()) continue;
    const whole = select.cloneNode(true);
    whole.style.cssText = "position: absolute; width: max-content; flex: none";
    select.parentNode.append(whole);
    if (whole.offsetWidth > select.offsetWidth + 1) faults.add(`${select.id}: cut`);
    whole.remove();
  }
  return [...faults];
}"""
"""A script that returns what is wrong with the texts that can be seen."""


def _review(table: Table) -> None:
    table.think(100)
    table.review()
    expect(table.at("#review-summary")).to_contain_text("Lost")
    table.press("The previous fault")


def _after_a_review(table: Table) -> None:
    _review(table)
    table.analyse()


def _threats(table: Table) -> None:
    table.wait_for_analysis()
    table.press("Threats")


def _line(table: Table) -> None:
    table.wait_for_analysis()
    table.lines.first.click()
    table.keys("End")


def _dialog(button: str) -> Callable[[Table], None]:
    def open_(table: Table) -> None:
        table.press(button)
        table.at("dialog[open]").wait_for()

    return open_


def _editor(table: Table) -> None:
    table.press("Set up…")
    table.at("#editor-board .cell").first.wait_for()


def _proof(table: Table) -> None:
    table.analyse()
    table.press("Why?")
    expect(table.at("#why-verified")).not_to_be_empty()


def _tried(table: Table) -> None:
    _proof(table)
    table.at("#why-board [data-mark='.']").last.click()
    expect(table.at("#why-said")).to_contain_text(" plays ")


def _trouble(table: Table) -> None:
    table.page.route("**/best-move", lambda route: route.abort())
    table.press("Hint")
    expect(table.notice).to_be_visible()


FOUR = "game=connect-four&mode=people&moves="
WON_FOUR = FOUR + "e1+b1+d1+d2+e2+d3+a1+a2+e3+e4+b2"
DRAWN = "board=..X./.O../..../....&k=4&mode=people"
LONG = "+".join(f"{letter}{number}" for number in (1, 3, 5, 7) for letter in "abcdefghijklmnopqrst")
SCENES: dict[str, tuple[str, Callable[[Table], object]]] = {
    "a new game": ("game=tic-tac-toe", Table.wait_for_page),
    "the end": ("rows=3&columns=3&k=3&you=X&moves=a3+a2+b3+b2+c3", Table.wait_for_page),
    "3×3 analysed": ("board=X.O.X.O..&mode=people", Table.analyse),
    "Connect Four analysed": (WON_FOUR, Table.analyse),
    "Connect Four reviewed": (WON_FOUR, _review),
    "analysed after a review": (WON_FOUR, _after_a_review),
    "threats": (OPEN_THREE.replace("people", "analysis"), _threats),
    "a line": (OPEN_THREE.replace("people", "analysis"), _line),
    "20×20": ("rows=20&columns=20&k=5&mode=analysis&moves=k10+l11", Table.wait_for_analysis),
    "many moves": (
        f"rows=20&columns=20&k=20&mode=people&moves={LONG}+(t8)",
        lambda table: table.tab("Moves"),
    ),
    "own rules": (
        "rows=19&columns=19&k=5&overline=false&gravity=true&misere=true",
        lambda table: table.choose(game="own"),
    ),
    "choices": ("game=gomoku", lambda table: table.at("#strength").click()),
    "share": (FOUR + "d1", _dialog("Share…")),
    "open": (FOUR + "d1", _dialog("Open…")),
    "keys": ("game=gomoku", _dialog("Signs and keys")),
    "editor": ("rows=20&columns=20&k=5&mode=people", _editor),
    "proof of a win": (OPEN_THREE, _proof),
    "proof of a draw": (DRAWN, _proof),
    "a win tried": (OPEN_THREE, _tried),
    "a draw tried": (DRAWN, _tried),
    "trouble": ("game=tic-tac-toe", _trouble),
}


@AXE
@pytest.mark.parametrize("scene", SCENES)
def test_every_text_can_be_read_whole_and_axe_finds_nothing(
    sit_down: SitDown, scene: str, screen: str, theme: str
) -> None:
    address, happens = SCENES[scene]
    # Animations are off, so that no colour is measured while it fades in.
    options = SCREENS[screen] | {"color_scheme": theme, "reduced_motion": "reduce"}
    table = sit_down(f"/#{address}", expect=("Failed to load",), **options)
    table.page.evaluate(
        "() => document.documentElement.style.setProperty('--sans', '\"DejaVu Sans\"')"
    )
    happens(table)
    _expect_accessible(table.page)
    found = {}
    for size in SIZES if screen == "desk" else SIZES[-2:]:
        resize(table.page, *size)
        found[size] = table.page.evaluate(_FAULTS)
    assert not any(found.values()), "\n".join(f"{size}: {faults}" for size, faults in found.items())


@AXE
def test_axe_finds_nothing_on_the_other_pages(open_page: OpenPage, screen: str, theme: str) -> None:
    page = open_page("/static/explorer.html", color_scheme=theme, **SCREENS[screen])
    expect(page.locator(".verdict.same")).to_have_count(4)
    page.get_by_role("button", name="To the end").click()
    _expect_accessible(page)
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") == 0
    page.goto("/docs")
    page.get_by_role("button", name="/best-move").first.click()
    expect(page.get_by_role("combobox", name="Media type").first).to_be_visible()
    _expect_accessible(page)
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator("#board")).to_be_visible()


def _expect_accessible(page: Page) -> None:
    found = Axe().run(page, options=RULES)
    assert found.violations_count == 0, found.generate_report()
