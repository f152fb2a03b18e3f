"""How does the page look? `python -m benchmarks.screenshots` takes new pictures for docs/."""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browser import ARGUMENTS, chromium_on_this_machine
from tests.support.screens import SCREENS
from tests.support.servers import running_service

IMAGES = Path(__file__).parents[1] / "docs" / "images"

GOMOKU = "/#game=gomoku&mode=analysis&moves=h8+i9+g10+g8+f10+g9+f11+h10+i11+h11"
CONNECT_FOUR = "/#game=connect-four&you=X&moves=d1+d2+d3+d4+d5+b1+b2+d6+e1+f1+e2+e3+e4+e5"
REVIEWED = (
    "/#game=connect-four&mode=people&moves="
    "e1+b1+d1+d2+e2+d3+a1+a2+e3+e4+b2+f1+f2+g1+b3+g2+b4+b5+g3+a3+d4+b6+c1+c2"
)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with running_service() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_on_this_machine(), args=list(ARGUMENTS)
        )
        for picture in (play, analysis, review, phone):
            picture(browser, url)
            file = IMAGES / f"{picture.__name__}.png"
            print(f"{file.name}: {file.stat().st_size:,} bytes")
        browser.close()


def play(browser: Browser, url: str) -> None:
    """Show a game of Connect Four with the result of every move."""
    page = _opened(browser, url + CONNECT_FOUR, "desk")
    _analysed(page)
    _keep(page, "play")


def analysis(browser: Browser, url: str) -> None:
    """Show an analysis of gomoku, with a line of best play on the board."""
    page = _opened(browser, url + GOMOKU, "desk")
    page.locator("#strength").click()
    page.locator("#time").select_option("3000")
    page.locator("#strength").click()
    _analysed(page)
    page.locator("#lines button").first.hover()
    _keep(page, "analysis")


def review(browser: Browser, url: str) -> None:
    """Show the review of a game with its mistakes, in the dark theme."""
    page = _opened(browser, url + REVIEWED, "desk", scheme="dark")
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review this game").click()
    page.locator("#review-summary", has_text="Lost ").wait_for(timeout=120_000)
    page.locator("#faults button").last.click()
    _keep(page, "review")


def phone(browser: Browser, url: str) -> None:
    """Show a game of gomoku on a phone."""
    page = _opened(browser, url + GOMOKU, "phone")
    _analysed(page)
    _keep(page, "phone")


def _opened(
    browser: Browser, address: str, screen: str, scheme: Literal["light", "dark"] = "light"
) -> Page:
    options = SCREENS[screen] | {"device_scale_factor": 1}
    page = browser.new_page(color_scheme=scheme, reduced_motion="reduce", **options)
    page.goto(address)
    page.locator("#status:not([data-phase=loading])").wait_for()
    return page


def _analysed(page: Page) -> None:
    button = page.locator("#analysis")
    if button.get_attribute("aria-pressed") == "false":
        button.click()
    page.locator("#lines button:not([aria-disabled=true])").first.wait_for()
    page.locator("#stop[aria-disabled=true]").wait_for(state="attached")


def _keep(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")
    page.close()


if __name__ == "__main__":
    main()
