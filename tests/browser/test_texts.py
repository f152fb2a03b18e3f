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
  const open = [...document.querySelectorAll("dialog[open], .choices, .move-menu")].filter(node => node.checkVisibility());
  const scope = open.at(-1) ?? document.body;
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  const texts = [], faults = [];
  const within = (one, all, slack) => one.left >= all.left - slack && one.right <= all.right + slack
    && one.top >= all.top - slack && one.bottom <= all.bottom + slack;
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement, said = node.data.trim();
    if (!said || parent.closest("option, .unseen, .skip, noscript, script") || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const style = getComputedStyle(parent), matrix = parent.getScreenCTM?.();
    const size = parseFloat(style.fontSize) * (matrix ? matrix.a : 1);
    if (size === 0) continue;
    if (size < LEAST) faults.push(`${said}: ${size.toFixed(1)} px`);
    // The glyphs are lower than the line box.
    const boxes = [...range.getClientRects()].map(({ left, right, top, bottom }) => {
      const [middle, half] = [(top + bottom) / 2, size * 0.45];
      return { left, right, top: middle - half, bottom: middle + half };
    });
    let shown = boxes;
    for (let outer = parent; outer && outer !== document.documentElement; outer = outer.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(outer);
      if (overflowX === "visible" || outer instanceof SVGElement) continue;
      const box = outer.getBoundingClientRect();
      if (shown.some(one => one.right > box.right + 1 || one.left < box.left - 1)) faults.push(`${said}: cut at the side`);
      if (/auto|scroll/.test(overflowY)) shown = shown.filter(one => within(one, box, 0));
      else if (shown.some(one => one.bottom > box.bottom + 1 || one.top < box.top - 1)) faults.push(`${said}: cut`);
    }
    if (boxes.some(one => one.right > document.documentElement.clientWidth)) faults.push(`${said}: outside`);
    const holder = parent.closest("text") ? parent.previousElementSibling : parent.closest("button, .value, .worth, .chip span, .notice");
    if (holder) {
      const box = holder.getBoundingClientRect();
      if (shown.some(one => one.left < box.left + NEAR || one.right > box.right - NEAR || one.top < box.top - 1 || one.bottom > box.bottom + 1)) faults.push(`${said}: touches its box`);
    }
    texts.push(...shown.map(one => ({ said, parent, ...one })));
  }
  texts.forEach((one, at) => {
    for (const two of texts.slice(at + 1)) {
      if (one.parent === two.parent) continue;
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (across <= OVER || down <= OVER) continue;
      const [x, y] = [Math.max(one.left, two.left) + across / 2, Math.max(one.top, two.top) + down / 2];
      const top = document.elementFromPoint(x, y);
      // A notice and the opened line lie over what is below them, and are not transparent.
      const cover = top?.closest(".notice, .opened, .tabs, #setup .actions");
      if (cover && cover.contains(one.parent) !== cover.contains(two.parent)) continue;
      faults.push(`${one.said} over ${two.said}`);
    }
  });
  for (const select of scope.querySelectorAll("select")) {
    if (!select.checkVisibility()) continue;
    const whole = select.cloneNode(true);
    whole.style.cssText = "position: absolute; width: max-content; flex: none";
    select.parentNode.append(whole);
    if (whole.offsetWidth > select.offsetWidth + 1) faults.push(`${select.id}: cut`);
    whole.remove();
  }
  return [...new Set(faults)];
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
    table.press("Open…")
    table.press("Edit the board")
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
SCENES: dict[str, tuple[str, Callable[[Table], None]]] = {
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
