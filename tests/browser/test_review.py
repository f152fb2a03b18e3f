"""The review of a game, which judges it move by move."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SitDown
from tests.support.servers import running_service
from tests.support.table import Table

pytestmark = pytest.mark.slow


LOST = "/#rows=3&columns=3&k=3&mode=people&moves=b2+b3+a1+c3+a3+a2+c1"
"""A game in which O's b3 loses, and X wins by a fork."""
BLUNDERED = "X: no faults. Lost 0.0 % a move. O: 1 blunder. Lost 16.7 % a move."
QUIET = "/#game=gomoku&mode=people&moves=h8+i9+g10+g8+f10+g9+f11+h10+i11+h11+f9+e9+f8+f7"
"""A game in which O's e9 does not stop a three."""


def test_a_fault_has_a_better_line_and_a_refutation_to_step_through_and_to_add(
    sit_down: SitDown,
) -> None:
    table = sit_down(LOST)
    table.review()
    summary = table.at("#review-summary")
    expect(summary).to_have_text(BLUNDERED)
    expect(table.at("#review-decided")).to_contain_text("After 1… b3 the game was decided:")
    table.at("#faults button").click()
    expect(table.spoken).to_have_text(
        "After move 2. Blunder, from draw to loss in 3. X now wins with a3. Best was a3."
    )
    expect(table.at(".cell.hint")).to_have_attribute("data-index", "0")
    better = table.at("[aria-label=Better] .ply")
    better.nth(1).hover()
    expect(table.ghosts).to_have_text(["1", "2"])
    expect(table.cell(1)).to_have_attribute("data-mark", ".")  # the board before the fault
    better.first.click()
    table.keys("ArrowRight", "ArrowRight")
    expect(better.nth(2)).to_have_attribute("aria-current", "true")
    table.press("Add to the moves: Better")
    table.tab("Moves")
    expect(table.at(".branch .ply").first).to_have_text("a3")
    table.at("#told").get_by_role("button", name="Undo").click()
    expect(table.record).to_have_count(7)

    # The review stays while a variation is tried.
    expect(table.record.nth(1)).to_have_accessible_name("Move 2, O b3, blunder")
    table.press("One move back")
    table.play(0)
    table.tab("Review")
    expect(summary).to_have_text(BLUNDERED)
    table.press("Clear the review")
    expect(table.at("#graph")).to_be_hidden()


def test_a_second_review_shows_the_same_figures_whatever_is_clicked_meanwhile(
    sit_down: SitDown,
) -> None:
    def figures(table: Table) -> list[str | None]:
        expect(table.at("#review-summary")).to_contain_text("Lost ")
        rows = [row.inner_text() for row in table.at("#faults > li > button").all()]
        curve = table.at("#graph .worth").get_attribute("points")
        table.at("#faults > li > button").last.click()
        return [*rows, curve, *table.at(".detail .way").all_inner_texts()]

    once = sit_down(QUIET)
    once.think(300)
    once.review()
    first = figures(once)
    expect(once.at(".detail p")).to_have_text("Let X build an open four at f8.")
    once.reload()
    assert figures(once) == first
    table = sit_down(QUIET)
    table.think(300)
    held = table.hold("**/best-move")
    table.review()
    expect(table.at("#tab-review")).to_have_text("Review …")
    table.tab("Analysis")
    table.press("Analyse")
    expect(table.reason).to_have_text("The analysis waits for the end of the review.")
    held().continue_()
    table.tab("Moves")
    table.press("To the start")
    table.tab("Review")
    assert figures(table) == first


def test_a_review_continues_when_the_service_is_back(sit_down: SitDown) -> None:
    with running_service() as url:
        table = sit_down(url + LOST, expect=("Failed to load resource", "net::ERR"))
        held = table.hold("**/best-move")
        table.review()
        expect(table.at("#review-summary")).to_contain_text("Judging the positions: 2 of 8")
    held().abort()
    expect(table.notice).to_contain_text("Your game is kept. Try again.")
    # No faults are counted before all positions are judged.
    expect(table.at("#review-summary")).to_contain_text("The review stopped at ")
    with running_service(port=url.rpartition(":")[2]):
        table.press("Try again")
        expect(table.at("#review-summary")).to_have_text(BLUNDERED)
        expect(table.notice).to_be_hidden()


def test_keys_buttons_and_the_graph_go_from_one_fault_to_the_next(sit_down: SitDown) -> None:
    table = sit_down("/#rows=3&columns=3&k=3&mode=people&moves=a2+c3+b2+b1+a1+a3+c1+b3")
    table.review()
    expect(table.at("#review-summary")).to_contain_text("O: 2 blunders")
    faults = ["c3", "b2", "b1", "c1"]
    rows = table.at("#faults > li > button")
    expect(rows.first).to_contain_text("1… c3 ??from draw to loss in 3")
    table.at('.graph [data-at="4"]').click()
    expect(table.current).to_have_text(faults[2])
    table.keys("Home")
    for fault in faults:
        table.keys("Shift+ArrowRight")
        expect(table.current).to_have_text(fault)
        expect(table.spoken).to_contain_text(" Best was ")
    expect(table.button("The next fault")).to_have_attribute("aria-disabled", "true")
    table.cell(0).focus()  # the keys also work on the board
    table.keys("Shift+ArrowLeft")
    expect(table.current).to_have_text(faults[-2])
    table.press("The next fault")
    expect(table.current).to_have_text(faults[-1])
    table = sit_down("/#rows=3&columns=3&k=3&mode=people&moves=b2")
    table.review()
    expect(table.at("#review-summary")).to_contain_text("No faults: ")
