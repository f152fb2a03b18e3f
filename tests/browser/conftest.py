"""Fixtures that open the page in a real Chromium, from a real server."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.browser import ARGUMENTS, chromium_on_this_machine
from tests.support.needs import IN_CI
from tests.support.servers import running_service
from tests.support.table import Table

PATIENCE_MS = 20_000
"""The most milliseconds that a test waits for the page. They suffice on a busy machine."""

expect.set_options(timeout=PATIENCE_MS)

BLOCKED = "Service Worker registration blocked by Playwright"

OpenPage = Callable[..., Page]
SitDown = Callable[..., Table]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start this machine's Chromium. If there is none, skip the tests; in CI, fail."""
    found = chromium_on_this_machine()
    if not found:
        why = (
            "Chromium is missing: apt-get install chromium-headless-shell, or name one in "
            "BESTMOVE_CHROMIUM"
        )
        if IN_CI:
            pytest.fail(why, pytrace=False)
        pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """Return the address of a running service, without a final slash."""
    with running_service() as url:
        yield url


@pytest.fixture
def open_page(chromium: Browser, service: str) -> Iterator[OpenPage]:
    """Return a function that opens a page in a new browser context.

    The function takes a path, options of the browser context, and `expect`: parts of console
    messages that are allowed. The test fails at its end if a page reported any other error.
    """
    wrong: list[str] = []
    contexts = []

    def open_(path: str = "/", expect: tuple[str, ...] = (), **options: object) -> Page:
        # Block the service worker: it would answer requests that a test holds back or aborts.
        usual = {"base_url": service, "service_workers": "block"}
        context = chromium.new_context(**usual | options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))

        def hear(kind: str, text: str) -> None:
            if kind in ("error", "warning") and not any(
                part in text for part in (*expect, BLOCKED)
            ):
                wrong.append(f"console: {text}")

        page.on("console", lambda message: hear(message.type, message.text))

        def see(url: str) -> None:
            if urlsplit(url).hostname not in ("127.0.0.1", None):
                wrong.append(f"request to another host: {url}")

        page.on("request", lambda request: see(request.url))
        page.goto(path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def sit_down(open_page: OpenPage) -> Callable[..., Table]:
    """Return a function that opens the page for playing, and waits until the page is ready."""

    def sit(path: str = "/", **options: object) -> Table:
        table = Table(open_page(path, **options))
        table.wait_for_page()
        return table

    return sit
