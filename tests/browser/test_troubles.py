"""What the page does if the service is gone, slow or busy, or contradicts the page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import SitDown
from tests.support.servers import running_service

pytestmark = pytest.mark.slow

GONE = ("Failed to load resource", "net::ERR")


def test_without_the_service_the_game_is_kept_and_a_retry_works(sit_down: SitDown) -> None:
    with running_service() as url:
        table = sit_down(url, expect=GONE)
        table.play(4)
        before = table.board
    free = table.board.replace("/", "").index(".")

    table.cell(free).click()
    expect(table.notice).to_contain_text("The service does not answer. Your game is kept.")
    expect(table.notice).to_have_role("alert")
    expect(table.headline).to_have_text("The engine's move (O)")
    expect(table.at("#cost")).to_be_empty()
    assert table.board.replace("/", "")[free] == "X"
    table.press("Try again")
    expect(table.notice).to_be_visible()

    table.press("Undo")
    table.expect_board(before)
    expect(table.notice).to_be_hidden()
    table.cell(free).click()
    expect(table.notice).to_be_visible()

    with running_service(port=url.rpartition(":")[2]):
        table.press("Try again")
        table.wait_for_engine()
        expect(table.notice).to_be_hidden()
        assert table.moves == 4
        expect(table.headline).to_have_text("Your move (X)")


FAILURES: list[tuple[dict[str, Any], str]] = [
    ({"status": 503, "headers": {"Retry-After": "3600"}}, "The service is busy. Your game is"),
    ({"status": 500, "body": "<h1>Traceback</h1>"}, "The service failed. Your game is kept."),
    (
        {"status": 422, "json": {"errors": [{"pointer": "/k", "detail": "at most 500"}]}},
        "The service refused this. At most 500.",
    ),
]


def _by(answer: dict[str, Any]) -> Callable[[Route], None]:
    return lambda route: route.fulfill(**answer)


def test_a_failure_is_reported_once_and_the_user_decides(sit_down: SitDown) -> None:
    table = sit_down(expect=("503", "500", "422"))
    calls: list[str] = []
    table.page.on("request", lambda request: calls.append(request.url))
    for answer, said in FAILURES:
        table.press("Tic-tac-toe")
        calls.clear()
        table.page.route("**/best-move", _by(answer), times=1)
        table.cell(4).click()
        expect(table.notice).to_contain_text(said)
        expect(table.notice).not_to_contain_text("Traceback")
        assert len([url for url in calls if "/static/" not in url]) == 1
        table.press("Try again")
        expect(table.record).to_have_count(2)
        expect(table.notice).to_be_hidden()


def test_the_page_says_that_it_thinks_and_undo_stops_waiting(sit_down: SitDown) -> None:
    table = sit_down(expect=GONE)
    waiting: list[Route] = []
    table.page.route("**/best-move", lambda route: waiting.append(route))
    table.cell(4).click()
    expect(table.headline).to_have_text("Thinking")
    expect(table.status).to_have_attribute("data-phase", "thinking")
    expect(table.spoken).to_have_text("You play b2. The engine thinks.")
    assert table.board == ".../.X./..."
    table.cell(0).click()  # nothing can be played while the engine thinks
    assert table.board == ".../.X./..."
    table.press("Undo")
    expect(table.headline).to_have_text("Your move (X)")
    table.expect_board(".../.../...")
    table.page.unroute("**/best-move")
    table.play(0)
    assert table.moves == 3  # the undone move stays as a variation
