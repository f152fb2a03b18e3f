"""The review of a game, which judges it move by move."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, SitDown
from tests.support.screens import SCREENS
from tests.support.servers import running_service
from tests.support.table import Table

pytestmark = pytest.mark.slow


LOST = "/#rows=3&columns=3&k=3&mode=people&moves=b2+b3+a1+c3+a3+a2+c1"
"""A game in which O's b3 loses, and X wins by a fork."""
BLUNDERED = "X: no faults. Lost 0.0 % per move. O: 1 blunder. Lost 16.7 % per move."
THROWN = "/#rows=6&columns=7&k=4&gravity=true&mode=people&moves=d1+d2+a1+d3+a2+d4+a3+d5"
"""A game in which X's second move throws the win away, and O wins in the fourth column."""


def test_a_review_marks_the_blunder_and_says_what_was_best(sit_down: SitDown) -> None:
    table = sit_down(LOST)
    expect(table.headline).to_have_text("X wins")
    table.review()
    summary = table.at("#review-summary")
    expect(summary).to_have_text(BLUNDERED)
    expect(table.at(".graph .fault")).to_have_count(1)
    table.press("To the start")
    table.press("One move on")
    table.press("One move on")
    said = table.at("#fault-said")
    expect(said).to_contain_text(
        "b3 was a blunder: from draw to loss in 3. Best was a3. After b3 best play is "
    )
    expect(table.at(".cell.hint")).to_have_attribute("data-index", "0")

    # It stays while a variation is tried and threats are shown.
    table.press("Threats")
    fault = table.at("#record [data-fault=blunder]").first
    table.tab("Moves")
    expect(table.record.nth(1)).to_have_accessible_name("Move 2, O b3, blunder")
    fault.click()
    expect(said).to_contain_text("was a blunder")
    expect(table.reason).to_have_text("No threats on the board.")
    table.press("One move back")
    table.play(0)
    table.tab("Review")
    expect(summary).to_have_text(BLUNDERED)
    expect(table.at("#graph .here")).to_have_count(0)
    table.press("The next fault")
    expect(fault).to_have_attribute("aria-current", "true")
    table.press("Clear the review")
    expect(table.at("#graph")).to_be_hidden()


def test_a_win_given_away_is_marked_and_the_graph_leads_to_the_position(sit_down: SitDown) -> None:
    table = sit_down(THROWN, **SCREENS["phone"])
    expect(table.subline).to_contain_text("O has 4 in a row, ")
    table.review()
    summary = table.at("#review-summary")
    expect(summary).to_contain_text("X: 1 blunder")
    table.at('.graph [data-at="3"]').click()
    expect(table.current).to_have_text("a1")
    expect(table.at("#fault-said")).to_contain_text(
        "a1 was a blunder that missed a win: from win in "
    )
    table.press("Go through it")
    expect(table.at("#line-place")).to_contain_text("move 1 of ")


def test_a_review_continues_when_the_service_is_back(open_page: OpenPage) -> None:
    gone = ("Failed to load resource", "net::ERR")
    with running_service() as url:
        table = Table(open_page(url + LOST, expect=gone))
        table.wait_for_page()
    table.press("One move back")
    table.press("Analyse")
    table.review()
    expect(table.notice).to_contain_text("Try again for the review.")
    # No faults are counted before all positions are judged.
    expect(table.at("#review-summary")).to_contain_text("The review stopped at ")
    with running_service(port=url.rpartition(":")[2]):
        table.press("Try again")
        expect(table.at("#review-summary")).to_have_text(BLUNDERED)
        table.tab("Analysis")
        table.wait_for_analysis()
        expect(table.notice).to_be_hidden()


def test_keys_and_buttons_go_from_one_fault_to_the_next(sit_down: SitDown) -> None:
    table = sit_down("/#rows=3&columns=3&k=3&mode=people&moves=a2+c3+b2+b1+a1+a3+c1+b3")
    table.review()
    expect(table.at("#review-summary")).to_contain_text("O: 2 blunders")
    faults = ["c3", "b2", "b1", "c1"]
    rows = table.at("#faults button")
    expect(rows.first).to_have_text("1. c3 ??from draw to loss in 3")
    for row, fault in zip(rows.all(), faults, strict=True):
        row.click()
        expect(row).to_have_attribute("aria-current", "true")
        expect(table.current).to_have_text(fault)
    table.keys("Home")
    for fault in faults:
        table.keys("Shift+ArrowRight")
        expect(table.current).to_have_text(fault)
        expect(table.spoken).to_contain_text(" Best was ")
    after = table.button("The next fault")
    expect(after).to_have_attribute("aria-disabled", "true")
    table.cell(0).focus()  # the keys also work on the board
    table.keys("Shift+ArrowLeft")
    expect(table.current).to_have_text(faults[-2])
    table.press("The next fault")
    expect(table.current).to_have_text(faults[-1])
