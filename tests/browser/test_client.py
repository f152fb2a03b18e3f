"""client.js and the service, used by pages: from another origin, and without client.js."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.origins import EMPTY, other_origin
from tests.support.connection import free_port
from tests.support.documents import EMBEDDING, IN_THE_GUIDE, blocks
from tests.support.servers import running_service

pytestmark = pytest.mark.slow

PATIENCE_MS = 60_000
"""The most milliseconds for the first search of a new service, on a busy machine."""


@pytest.mark.parametrize("page", blocks(EMBEDDING, "html"))
def test_the_guides_page_shows_the_move(page: str, open_page: OpenPage, tmp_path: Path) -> None:
    port = free_port()
    assert "new Client()" in page
    text = page.replace("new Client()", f"new Client({{ timeoutMs: {PATIENCE_MS} }})")
    text = text.replace(IN_THE_GUIDE, f"http://127.0.0.1:{port}")
    text = text.replace("</title>", '</title><link rel="icon" href="data:,">')
    with (
        other_origin(tmp_path, text) as origin,
        running_service(port=str(port), cors_origins=origin),
    ):
        expect(open_page(origin).locator("#answer")).to_contain_text(
            "0, 2: c3 completes the line", timeout=PATIENCE_MS
        )


def test_an_origin_that_is_not_configured_is_shut_out(
    open_page: OpenPage, service: str, tmp_path: Path
) -> None:
    with other_origin(tmp_path, EMPTY) as origin:
        page = open_page(origin, expect=("CORS", "Failed to load"))
        asks = "url => import(`${url}/static/client.js`).then(() => 'in', () => 'shut out')"
        assert page.evaluate(asks, service) == "shut out"


FOLLOW = """
(query) => new Promise((done) => {
  const heard = [];
  const events = new EventSource(`/best-move?${query}`);
  for (const name of ["progress", "answer"]) {
    events.addEventListener(name, ({ data, lastEventId }) => {
      heard.push([name, lastEventId, JSON.parse(data)]);
    });
  }
  events.onerror = () => events.readyState === EventSource.CLOSED && done(heard);
})
"""


def test_an_event_source_gets_the_answer_and_does_not_ask_again(open_page: OpenPage) -> None:
    page = open_page("/", expect=("EventSource",))
    heard = page.evaluate(FOLLOW, "rows=8&columns=8&misere=true&time_ms=40")
    *progress, (name, last, answer) = heard
    assert (name, last, answer["exact"]) == ("answer", "last", False)
    assert {name for name, _, _ in progress} == {"progress"}
