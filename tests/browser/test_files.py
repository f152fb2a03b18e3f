"""The files that the browser loads for the page: their number, size and contents."""

import re

import pytest
from playwright.sync_api import Response

from bestmove.api.pages import WEB
from tests.browser.conftest import OpenPage
from tests.support.table import Table

pytestmark = pytest.mark.slow


LOADED_LATER = {
    "editor.js", "opening.js", "picture.js", "proof.js", "records.js", "records-words.js",
    "review-search.js", "review-view.js", "review-words.js", "saved.js", "sgf.js", "verify.js",
    "why.js", "why-words.js",
}  # fmt: skip
"""Modules that few users need. They are loaded on demand."""
MOST_BYTES = 84_000
"""The most bytes of the page and of all that it loads, compressed."""


def test_scripts_and_styles_are_small_compressed_and_preloaded(open_page: OpenPage) -> None:
    page = open_page("/static/favicon.svg")
    files: dict[str, Response] = {}

    def note(response: Response) -> None:
        files[response.url] = response

    page.on("response", note)
    page.goto("/")
    Table(page).wait_for_page()
    page.wait_for_load_state("networkidle")
    assert sum(int(each.headers["content-length"]) for each in files.values()) < MOST_BYTES
    loaded = {url: each for url, each in files.items() if url.endswith((".js", ".css"))}
    for response in loaded.values():
        assert response.headers["content-encoding"] == "gzip"
    # index.html names all these files. Any other file would arrive a round trip later.
    announced = set(re.findall(r'"static/([^"]+\.(?:js|css))"', (WEB / "index.html").read_text()))
    assert {url.rpartition("/")[2] for url in loaded} == announced


@pytest.mark.parametrize("page", ["index.html", "explorer.html"])
def test_the_texts_of_a_page_are_in_its_module_of_words(page: str) -> None:
    """verify.js is exempt, because docs/proofs.md defines its texts."""
    markup = re.sub("<noscript>.*?</noscript>", "", (WEB / page).read_text().partition("<body")[2])
    texts = set(re.findall(r">([^<>]*[a-z]{2}[^<>]*)<", markup))
    assert texts <= {"Best Move"}
    assert "aria-label=" not in markup
    scripts = set(re.findall(r'"(?:static/)?([\w-]+\.js)"', (WEB / page).read_text()))
    if page == "index.html":
        scripts |= LOADED_LATER
    words = {name for name in scripts if name.endswith("words.js")}
    for name in scripts - words - {"client.js", "theme.js", "verify.js"}:
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", (WEB / name).read_text(), flags=re.S)
        sentences = re.findall(r"""["'`][A-Z][a-z]+ [a-z][^"'`]*["'`]""", code)
        assert sentences == []
