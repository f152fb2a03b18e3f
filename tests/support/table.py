"""The page on which a user plays, for browser tests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Request, Route, expect

_BOARD = """() => [...document.querySelectorAll("#board [role=row]")].map(
  row => [...row.children].map(cell => cell.dataset.mark).join("")).join("/")"""


_FRAMES = """async () => {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}"""


def resize(page: Page, width: int, height: int) -> None:
    """Change the size of the window, and wait until the page has drawn itself in it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(_FRAMES)


def sent(request: Request) -> dict[str, Any]:
    """Return the JSON that a request sends."""
    return dict(request.post_data_json or {})


class Table:
    """The elements of the page, and the actions of a user."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.status = page.locator("#status")
        self.headline = page.locator("#headline")
        self.subline = page.locator("#subline")
        self.notice = page.locator("#notice")
        self.spoken = page.locator("#announcer")
        self.reason = page.locator("#reason")
        self.record = page.locator("#record .ply")
        self.lines = page.locator("#lines button:not([aria-disabled=true])")
        self.values = page.locator(".value")
        self.ghosts = page.locator(".plan text")
        self.current = page.locator("#record [aria-current=true]")

    def wait_for_page(self) -> None:
        self.page.locator("#status:not([data-phase=loading], [data-phase=reading])").wait_for()

    def wait_for_engine(self) -> None:
        self.page.locator("#status:is([data-phase=ready], [data-phase=over])").wait_for()

    def wait_for_analysis(self) -> None:
        """Wait until the analysis of the position has ended and shows its lines."""
        self.page.locator("#stop[aria-disabled=true]").wait_for(state="attached")
        self.lines.first.wait_for()

    def analyse(self) -> "Table":
        """Switch the analysis on, and wait for its end."""
        self.tab("Analysis")
        self.press("Analyse")
        self.wait_for_analysis()
        return self

    def tab(self, name: str) -> None:
        """Show a part of the panel: Analysis, Review or Moves."""
        self.page.get_by_role("tab", name=name).click()

    def review(self) -> None:
        """Start a review of the game."""
        self.tab("Review")
        self.press("Review this game")

    def at(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def hold(self, address: str) -> Callable[[], Route]:
        """Hold back the next request to an address. The returned function waits for it."""
        held: list[Route] = []
        self.page.route(address, lambda route: held.append(route), times=1)

        def take() -> Route:
            while not held:
                self.page.wait_for_timeout(10)  # the page may show what it asks before it asks
            return held[0]

        return take

    def cell(self, index: int) -> Locator:
        return self.page.locator(f'#board [role=gridcell][data-index="{index}"]')

    def play(self, index: int) -> None:
        before = self.moves
        self.cell(index).click()
        expect(self.record.nth(before)).to_be_attached()
        self.wait_for_engine()

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()

    def reload(self) -> None:
        self.page.reload()
        self.wait_for_page()

    def save(self, button: str, folder: Path) -> Path:
        """Press a button that saves a file, and return the file."""
        with self.page.expect_download() as download:
            self.press(button)
        file = folder / download.value.suggested_filename
        download.value.save_as(file)
        return file

    def paste(self, text: str) -> None:
        self.press("Open…")
        self.page.get_by_label("Board or moves", exact=True).fill(text)
        self.press("Open")

    def open_file(self, file: Path) -> None:
        self.press("Open…")
        self.at("#open-dialog[open]").wait_for()
        self.at("#file").set_input_files(file)

    def pick(self, mode: str) -> None:
        self.set("#mode", mode)

    def think(self, milliseconds: int) -> None:
        self.set("#time", str(milliseconds))

    def set(self, choice: str, value: str) -> None:
        """Open the line of opponent, level and time, choose a value, and close the line."""
        strength = self.page.locator("#strength")
        strength.click()
        self.page.locator(choice).select_option(value)
        strength.click()

    @property
    def board(self) -> str:
        """Return the rows of the page's board, joined by slashes."""
        return str(self.page.evaluate(_BOARD))

    @property
    def moves(self) -> int:
        return self.record.count()

    def expect_moves(self, *names: str) -> None:
        """Expect exactly these moves in the list, including variations."""
        expect(self.record).to_have_text(list(names))

    def expect_board(self, board: str) -> None:
        self.page.wait_for_function(f"wanted => ({_BOARD})() === wanted", arg=board)

    def choose(self, **fields: str) -> None:
        """Open the dialog for a new game, and choose these values of its radio buttons."""
        self.press("New…")
        for name, value in fields.items():
            self.page.locator(f'#setup input[name="{name}"][value="{value}"]').check(force=True)

    def start(self, **fields: str) -> None:
        self.choose(**fields)
        self.press("Start a new game")
        self.wait_for_engine()
