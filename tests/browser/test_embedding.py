"""The web page of docs/examples, run from another origin."""

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


def test_the_page_plays_to_the_end(open_page: OpenPage, tmp_path: Path) -> None:
    page = (EXAMPLES / "page.html").read_text(encoding="utf-8")
    port = free_port()
    service = f"http://127.0.0.1:{port}"
    icon = '<link rel="icon" href="data:,">'
    assert "new Client()" in page
    patient = page.replace("new Client()", f"new Client({{ timeoutMs: {PATIENCE_MS} }})")
    text = patient.replace(IN_THE_GUIDE, service).replace("</title>", f"</title>{icon}")
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    with other_origin(tmp_path) as origin, running_service(port=str(port), cors_origins=origin):
        opened = open_page(origin)
        said = opened.locator("#said")
        opened.locator("button").nth(4).click()
        expect(said).to_contain_text("I play", timeout=PATIENCE_MS)
        while opened.locator("button:enabled").count():
            before = opened.locator("button:enabled").count()
            opened.locator("button:enabled").first.click()
            expect(opened.locator("button:enabled")).not_to_have_count(before, timeout=PATIENCE_MS)
        expect(said).to_have_text(re.compile(r"wins\.|A draw\."))
