"""The page in use: position after position analysed against one worker, some of them left at once.

    python -m benchmarks.load.page --seconds 600

In a Chromium. Meanwhile others look 3×3 boards up and probe, as during the attacks: memory stays
flat, probes are never late, and when the page is closed no slot is held. Before it, the time from
opening the page, with nothing cached, to a move answered on 3×3, by the browser's own clock.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from benchmarks.engine.openings import SIZE
from benchmarks.engine.strength import opening
from benchmarks.load.attacks import Beside, beside, gauge, judge
from benchmarks.load.report import Report, run
from bestmove.api.cpus import available_cpus
from tests.support.browser import ARGUMENTS, chromium_on_this_machine
from tests.support.replicas import Replica, replica
from tests.support.table import Table

COLD_MS: Final = 300
COLD_TIMES: Final = 5
LATE_S: Final = 0.25
STAYS: Final = 0.5
"""Of the positions, the part whose analysis is waited for; the others are left within a second."""

FREED_S: Final = 1.0
"""After the page is closed: a slot is freed within a tenth of a second, and seen by asking."""


_FIRST_MOVE: Final = """() => new Promise(answered => {
  let clicked = false;
  const look = () => {
    const cell = document.querySelector('[role=gridcell][data-index="4"]');
    if (!clicked && cell && document.querySelector('#status[data-phase=ready]')) {
      cell.click();
      clicked = true;
    }
    if (document.querySelectorAll('#record button').length === 2) answered(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Clicks the middle as soon as the page is ready, without the runner's own delays."""


def cold(browser: Browser, url: str) -> float:
    """Milliseconds from opening the page to the answer to a move on 3×3, nothing cached."""
    found = []
    for _ in range(COLD_TIMES):
        context = browser.new_context()
        page = context.new_page()
        page.goto(url, wait_until="commit")
        found.append(float(page.evaluate(_FIRST_MOVE)))
        context.close()
    return median(found)


def use(browser: Browser, url: str, until: float) -> int:
    """Analyse the positions of games until then, and say how many."""
    chance = random.Random(3)
    page = browser.new_page()
    page.goto(f"{url}/#game=gomoku&mode=analysis")
    table = Table(page)
    table.wait_for_page()
    seen = 0
    while time.monotonic() < until:
        board, _ = opening(chance.randrange(360))
        cells = [at for at, mark in enumerate(board.cells) if mark != "."]
        near = [at for at in board.moves if any(abs(at - other) in (1, SIZE) for other in cells)]
        chance.shuffle(near)
        moves = "+".join(f"{chr(97 + at % SIZE)}{SIZE - at // SIZE}" for at in near[:8])
        page.goto(f"{url}/#game=gomoku&mode=analysis&moves={moves}")
        button = page.locator("#analysis")
        if button.get_attribute("aria-pressed") == "false":
            button.click()
        if chance.random() < STAYS:
            table.wait_for_analysis()
        else:
            page.wait_for_timeout(chance.randrange(1000))
        seen += 1
    page.close()
    return seen


def scenario(service: Replica, seconds: float) -> Report:
    """The page in use for so long, and what others found meanwhile."""
    report = Report(f"the page in use, {seconds:g} s, one worker")
    url = f"http://127.0.0.1:{service.port}"
    others: list[Beside] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_on_this_machine(), args=list(ARGUMENTS)
        )
        first = cold(browser, url)
        watch = threading.Thread(target=lambda: others.append(beside(service, seconds)))
        watch.start()
        seen = use(browser, url, time.monotonic() + seconds)
        browser.close()
        watch.join()
    time.sleep(FREED_S)
    held = gauge(service.port, "searches_in_progress")
    report.figures["cold page to a move answered on 3×3 (ms)"] = round(first)
    report.figures["positions"] = seen
    report.figures["searches in progress when the page is closed"] = held
    report.require(first <= COLD_MS, f"the first move took {first:.0f} ms")
    report.require(held == 0, f"{held} slots are held")
    judge(report, others[0], available_cpus(), LATE_S)
    return report


def everything(seconds: float) -> list[Report]:
    """The scenario on a service of one worker."""
    with tempfile.TemporaryDirectory() as folder, replica(Path(folder), workers=1) as service:
        return [scenario(service, seconds)]


if __name__ == "__main__":
    raise SystemExit(run(__doc__, everything, seconds=600))
