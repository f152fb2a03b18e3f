"""The page to play on, as a test sees it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


class Table:
    """The words and deeds of a person at the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.status = page.locator("#status")
        self.headline = page.locator("#headline")
        self.notice = page.locator("#notice")
        self.spoken = page.locator("#announcer")

    def wait_for_page(self) -> None:
        """Until the page has set itself up."""
        self.page.locator("#status:not([data-phase=loading])").wait_for()

    def wait_for_engine(self) -> None:
        """Until nothing is awaited from the service."""
        self.page.locator("#status:is([data-phase=ready], [data-phase=over])").wait_for()

    def cell(self, index: int) -> Locator:
        return self.page.locator(f'[role=gridcell][data-index="{index}"]')

    def play(self, index: int) -> None:
        """By mouse, until the engine has answered."""
        before = self.moves
        self.cell(index).click()
        expect(self.page.locator("#record li").nth(before)).to_be_attached()
        self.wait_for_engine()

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()

    @property
    def board(self) -> str:
        """The rows as the page draws them, joined by slashes."""
        rows: list[str] = self.page.locator("[role=row]").evaluate_all(
            "rows => rows.map(row => [...row.children].map(cell => cell.dataset.mark).join(''))"
        )
        return "/".join(rows)

    @property
    def moves(self) -> int:
        return self.page.locator("#record li").count()

    def expect_board(self, board: str) -> None:
        """Waits for what the page says in its text of the position."""
        text = re.compile("^" + re.escape(board).replace("/", "\n") + "$")
        expect(self.page.locator("#text")).to_have_text(text)
        assert self.board == board

    def choose(self, **fields: str) -> None:
        """Choices of the form for a new game, by the values of its radio buttons."""
        for name, value in fields.items():
            self.page.locator(f'#setup input[name="{name}"][value="{value}"]').check()

    def start(self, **fields: str) -> None:
        self.choose(**fields)
        self.press("Start a new game")
        self.wait_for_engine()
