"""client.js, imported by pages of other origins."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.origins import other_origin
from tests.support.connection import free_port
from tests.support.documents import EXAMPLES, IN_THE_GUIDE
from tests.support.servers import running_service

pytestmark = pytest.mark.slow

PATIENCE_MS = 60_000
"""The most milliseconds for the first search of a new service, on a busy machine."""


def test_the_page_of_the_examples_plays_to_the_end(open_page: OpenPage, tmp_path: Path) -> None:
    page = (EXAMPLES / "page.html").read_text(encoding="utf-8")
    port = str(free_port())
    assert "new Client()" in page
    text = page.replace("new Client()", f"new Client({{ timeoutMs: {PATIENCE_MS} }})")
    text = text.replace(IN_THE_GUIDE, f"http://127.0.0.1:{port}")
    text = text.replace("</title>", '</title><link rel="icon" href="data:,">')
    with other_origin(tmp_path, text) as origin, running_service(port=port, cors_origins=origin):
        opened = open_page(origin)
        said, free = opened.locator("#said"), opened.locator("button:enabled")
        opened.locator("button").nth(4).click()
        expect(said).to_contain_text("I play", timeout=PATIENCE_MS)
        while before := free.count():
            free.first.click()
            expect(free).not_to_have_count(before, timeout=PATIENCE_MS)
        expect(said).to_have_text(re.compile(r"wins\.|A draw\."))
