"""client.js, imported by a page from another origin."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.origins import other_origin
from tests.support.servers import running_service

pytestmark = pytest.mark.slow


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[str]:
    """Return the origin of another site, with an empty page on it."""
    (tmp_path / "index.html").write_text(
        '<!doctype html><html lang="en"><title>A game</title><link rel="icon" href="data:,"></html>'
    )
    with other_origin(tmp_path) as origin:
        yield origin


PLAY_A_GAME = """
async (url) => {
  const { Client } = await import(`${url}/static/client.js`);
  const service = new Client();
  let answer = await service.bestMove("X........");
  let moves = 2;
  while (answer.move && answer.after.board.includes(".")) {
    const hint = await service.bestMove(answer.after.board);
    if (!hint.move) break;
    answer = await service.play(answer.after.board, hint.move.index);
    moves += answer.move ? 2 : 1;
  }
  return [answer.status, moves, service.baseUrl.href];
}
"""


def test_a_game_of_another_origin_imports_the_module_and_plays(
    open_page: OpenPage, stranger: str
) -> None:
    with running_service(cors_origins=stranger) as url:
        page = open_page(stranger)
        assert page.evaluate(PLAY_A_GAME, url) == ["draw", 9, f"{url}/"]


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


def test_an_origin_that_is_not_configured_is_shut_out(
    open_page: OpenPage, service: str, stranger: str
) -> None:
    page = open_page(stranger, expect=("CORS", "Failed to load"))
    said = page.evaluate(
        "url => import(`${url}/static/client.js`).then(() => 'imported', () => 'shut out')", service
    )
    assert said == "shut out"
