"""Measures the boxes of all texts: on every screen of every mode, each text can be read whole."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SitDown
from tests.support.screens import OPEN_THREE
from tests.support.table import Table, resize

pytestmark = pytest.mark.slow

SIZES = (
    (1920, 1080), (1440, 900), (1366, 768), (1280, 800), (1024, 768),
    (820, 1180), (640, 400), (390, 844), (320, 640),
)  # fmt: skip
"""Widths and heights of the window. 640 × 400 is a window of 1280 × 800 at a zoom of 200 %."""

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
  const covers = ".notice, .opened, .tabs, dialog .actions";
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


def _nothing(table: Table) -> None:
    pass


def _review(table: Table) -> None:
    table.think(100)
    table.review()
    expect(table.at("#review-summary")).to_contain_text("Lost")
    table.press("The previous fault")


def _line(table: Table) -> None:
    table.wait_for_analysis()
    table.lines.first.click()
    table.keys("End")


def _moves(table: Table) -> None:
    table.tab("Moves")


def _dialog(button: str) -> Callable[[Table], None]:
    def open_(table: Table) -> None:
        table.press(button)
        table.at("dialog[open]").wait_for()

    return open_


def _editor(table: Table) -> None:
    table.press("Set up…")
    table.at("#editor-board .cell").first.wait_for()


def _own_rules(table: Table) -> None:
    table.choose(game="own")


def _proof(table: Table) -> None:
    table.analyse()
    table.press("Why?")
    expect(table.at("#why-verified")).not_to_be_empty()


def _trouble(table: Table) -> None:
    table.page.route("**/best-move", lambda route: route.abort())
    table.press("Hint")
    expect(table.notice).to_be_visible()


FOUR = "game=connect-four&mode=people&moves="
WON_FOUR = FOUR + "e1+b1+d1+d2+e2+d3+a1+a2+e3+e4+b2"
LONG = "+".join(f"{letter}{number}" for number in (1, 3, 5, 7) for letter in "abcdefghijklmnopqrst")
SCENES: dict[str, tuple[str, Callable[[Table], object]]] = {
    "a new game": ("game=tic-tac-toe", _nothing),
    "the end": ("rows=3&columns=3&k=3&you=X&moves=a3+a2+b3+b2+c3", _nothing),
    "3×3 analysed": ("board=X.O.X.O..&mode=people", Table.analyse),
    "Connect Four analysed": (WON_FOUR, Table.analyse),
    "Connect Four reviewed": (WON_FOUR, _review),
    "15×15 analysed": (OPEN_THREE.replace("people", "analysis"), Table.wait_for_analysis),
    "a line": (OPEN_THREE.replace("people", "analysis"), _line),
    "20×20": ("rows=20&columns=20&k=5&mode=analysis&moves=k10+l11", Table.wait_for_analysis),
    "many moves": (f"rows=20&columns=20&k=20&mode=people&moves={LONG}", _moves),
    "own rules": ("rows=19&columns=19&k=5&overline=false&gravity=true&misere=true", _own_rules),
    "choices": ("game=gomoku", lambda table: table.at("#strength").click()),
    "share": (FOUR + "d1", _dialog("Share…")),
    "open": (FOUR + "d1", _dialog("Open…")),
    "keys": ("game=gomoku", _dialog("Signs and keys")),
    "editor": ("rows=20&columns=20&k=5&mode=people", _editor),
    "proof of a win": (OPEN_THREE, _proof),
    "proof of a draw": ("board=..X./.O../..../....&k=4&mode=people", _proof),
    "trouble": ("game=tic-tac-toe", _trouble),
}


@pytest.mark.parametrize("scene", SCENES)
def test_every_text_can_be_read_whole(sit_down: SitDown, scene: str) -> None:
    address, happens = SCENES[scene]
    table = sit_down(f"/#{address}", expect=("Failed to load",), reduced_motion="reduce")
    table.page.evaluate(
        "() => document.documentElement.style.setProperty('--sans', '\"DejaVu Sans\"')"
    )
    happens(table)
    found = {}
    for size in SIZES:
        resize(table.page, *size)
        found[size] = table.page.evaluate(_FAULTS)
    assert not any(found.values()), "\n".join(f"{size}: {faults}" for size, faults in found.items())
