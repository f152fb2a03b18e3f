"""The web page that docs/embedding.md shows, run from another origin."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.origins import other_origin
from tests.support.connection import free_port
from tests.support.documents import EMBEDDING, IN_THE_GUIDE, blocks
from tests.support.servers import running_service

pytestmark = pytest.mark.slow

PATIENCE_MS = 60_000
"""The most milliseconds for the first search of a new service, on a busy machine."""


@pytest.mark.parametrize("page", blocks(EMBEDDING, "html"))
def test_the_guides_page_shows_the_move(page: str, open_page: OpenPage, tmp_path: Path) -> None:
    port = free_port()
    service = f"http://127.0.0.1:{port}"
    icon = '<link rel="icon" href="data:,">'
    assert "new Client()" in page
    patient = page.replace("new Client()", f"new Client({{ timeoutMs: {PATIENCE_MS} }})")
    text = patient.replace(IN_THE_GUIDE, service).replace("</title>", f"</title>{icon}")
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    with other_origin(tmp_path) as origin, running_service(port=str(port), cors_origins=origin):
        expect(open_page(origin).locator("#answer")).to_contain_text(
            "0, 2: Cell 2", timeout=PATIENCE_MS
        )
