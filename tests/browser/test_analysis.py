"""The analysis on the page: what each move is worth, on the board and in a list of lines."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Request, expect

from bestmove import Board, analyze
from bestmove.client import Client
from bestmove.game.moves import square
from tests.browser.conftest import OpenPage, SitDown
from tests.support.screens import OPEN_THREE, SCREENS
from tests.support.servers import running_service
from tests.support.table import Table

PATIENCE_MS = 60_000
"""The most milliseconds to wait on a busy machine."""

pytestmark = pytest.mark.slow


def test_every_move_of_a_small_board_is_worth_what_the_engine_says(sit_down: SitDown) -> None:
    table = sit_down("/#board=X.O.X.O..&you=X")
    table.press("Analysis")
    table.wait_for_analysis()
    for found in analyze(Board.parse("X.O.X.O..")).moves:
        own = -(-(found.plies or 0) // 2)
        text = {1: f"W{own}", 0: "=", -1: f"L{own}"}[int(found.score)]
        expect(table.cell(found.index).locator(".value")).to_have_text(text)
    expect(table.page.locator(".value")).to_have_count(5)


def test_five_moves_are_listed_and_no_others_are_shown_on_a_large_board(sit_down: SitDown) -> None:
    table = sit_down(f"/#{OPEN_THREE}")
    table.press("Analysis")
    table.wait_for_analysis()
    expect(table.lines).to_have_count(5)
    expect(table.values).to_have_count(5)
    expect(table.page.locator("#cost")).to_have_text(
        re.compile(r"^depth \d+ · [\d.]+[KM]? nodes? · ")
    )
    expect(table.page.locator("#balance")).to_have_accessible_name(
        re.compile(r"^(Chances: X \d+ %, O \d+ %|X wins in (at most )?\d+)\.$")
    )


@pytest.mark.parametrize(("turn", "board"), [("X", "XX.OO...."), ("O", "XX.OO...X")])
def test_bright_is_good_for_the_side_to_move(sit_down: SitDown, turn: str, board: str) -> None:
    table = sit_down(f"/#board={board}&mode=people")
    expect(table.headline).to_have_text(f"{turn} to move")
    table.press("Analysis")
    table.wait_for_analysis()
    heat = "value => value.style.getPropertyValue('--heat')"
    win = 2 if turn == "X" else 5
    assert table.cell(win).locator(".value").evaluate(heat) == "100%"
    expect(table.cell(win)).to_have_accessible_name(re.compile("empty, win in 1$"))
    assert table.cell(6).locator(".value").evaluate(heat) == "0%"
    side = table.page.locator("#balance")
    expect(side).to_have_accessible_name(f"{turn} wins in 1.")
    share = "bar => bar.style.getPropertyValue('--x-share')"
    assert side.evaluate(share) == ("100%" if turn == "X" else "0%")


def test_what_is_proven_looks_different_from_an_estimate(sit_down: SitDown) -> None:
    table = sit_down(f"/#{OPEN_THREE}&mode=people")
    table.press("Analysis")
    table.wait_for_analysis()
    for value in table.values.all():
        is_proven = re.fullmatch(r"[WL]≤?\d+|=", value.inner_text()) is not None
        assert ("proven" in str(value.get_attribute("class"))) is is_proven
        corners = value.evaluate("value => getComputedStyle(value).borderRadius")
        assert corners == ("4px" if is_proven else "50%")
    for line in table.lines.all():
        worth = line.locator(".worth")
        is_proven = "%" not in worth.inner_text()
        assert ("proven" in str(worth.get_attribute("class"))) is is_proven


def test_a_long_line_is_shown_whole_only_to_those_who_step_through_it(sit_down: SitDown) -> None:
    four = "rows=6&columns=7&k=4&gravity=true&mode=people&moves=d1+d2+a1+d3+a2"
    table = sit_down(f"/#{four}")
    table.press("Analysis")
    table.wait_for_analysis()
    ghosts = table.page.locator(".plan text")
    table.lines.first.hover()
    expect(ghosts).to_have_count(8)
    table.lines.first.click()
    table.page.keyboard.press("End")
    expect(ghosts).to_have_count(27)  # 14 marks of O and 13 of X


def test_a_new_game_has_no_analysis_except_in_free_analysis(sit_down: SitDown) -> None:
    table = sit_down()
    button = table.page.get_by_role("button", name="Analysis")
    table.press("Analysis")
    table.wait_for_analysis()
    table.start()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(table.values).to_have_count(0)
    table.pick("analysis")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(table.values).to_have_count(9)
    table.pick("engine")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(table.values).to_have_count(0)


def test_a_line_is_shown_as_numbered_ghosts(sit_down: SitDown) -> None:
    table = sit_down("/#board=X.O.X.O..&mode=people")
    table.press("Analysis")
    table.wait_for_analysis()
    moves = analyze(Board.parse("X.O.X.O..")).moves
    ghosts = table.page.locator(".plan text")
    expect(ghosts).to_have_count(0)
    table.lines.nth(0).hover()
    expect(ghosts).to_have_text([str(ply + 1) for ply in range(len(moves[0].pv))])
    last = table.lines.nth(3)
    last.focus()
    expect(ghosts).to_have_count(len(moves[3].pv))
    table.headline.hover()
    table.page.locator("#mode").focus()
    expect(ghosts).to_have_count(0)
    table.cell(moves[0].index).hover()
    expect(ghosts).to_have_count(len(moves[0].pv))
    assert table.moves == 0


@pytest.mark.parametrize(("screen", "mode"), [("desk", "engine"), ("phone", "people")])
def test_a_line_is_stepped_through_move_by_move_and_not_played(
    sit_down: SitDown, screen: str, mode: str
) -> None:
    table = sit_down(f"/#board=X.O.X.O..&you=X&mode={mode}", **SCREENS[screen])
    table.press("Analysis")
    table.wait_for_analysis()
    pv = analyze(Board.parse("X.O.X.O..")).moves[3].pv
    ghosts = table.page.locator(".plan text")

    def shows(count: int) -> None:
        expect(ghosts).to_have_text([str(ply + 1) for ply in range(count)])

    table.lines.nth(3).click()
    moves = table.page.locator("#line-moves button")
    names = [square(cell, Board.parse("X.O.X.O..").rules) for cell in pv]
    expect(moves).to_have_text(names)
    table.headline.hover()  # moves the pointer off the list of lines
    shows(1)
    expect(table.page.locator(".value:visible")).to_have_count(0)
    keyboard = table.page.keyboard
    for key, count in {
        "ArrowRight": 2,
        "Home": 0,
        "End": len(pv),
        "ArrowLeft": len(pv) - 1,
    }.items():
        keyboard.press(key)
        shows(count)
    table.press("One move of the line back")
    shows(len(pv) - 2)
    table.press("One move of the line on")
    shows(len(pv) - 1)
    moves.nth(0).click()
    table.headline.hover()  # moves the pointer off the list of lines
    shows(1)
    expect(moves.nth(0)).to_have_attribute("aria-current", "true")
    expect(table.spoken).to_have_text(f"1 of {len(pv)}: X {names[0]}.")
    worth = table.lines.nth(3).locator(".worth").inner_text()
    expect(table.page.locator("#line-worth")).to_have_text(worth)
    assert table.moves == 0
    play = table.page.get_by_role("button", name="Play it")
    if mode == "engine":
        expect(play).to_be_hidden()
        keyboard.press("Escape")
    else:
        moves.nth(1).click()
        play.click()
        table.expect_moves(*names[:2])
    expect(table.page.locator("#line")).to_be_hidden()
    table.headline.hover()  # moves the pointer off the list of lines
    expect(ghosts).to_have_count(0)
    expect(table.page.locator(".value:visible")).not_to_have_count(0)


def test_a_number_on_the_board_opens_that_line(sit_down: SitDown) -> None:
    table = sit_down("/#board=X.O.X.O..&mode=people")
    table.press("Analysis")
    table.wait_for_analysis()
    table.cell(1).focus()
    table.page.keyboard.press("2")
    expect(table.lines.nth(1)).to_be_focused()
    expect(table.lines.nth(1)).to_have_attribute("aria-expanded", "true")
    table.page.keyboard.press("2")  # does nothing: the focus is not on the board
    expect(table.page.locator("#line")).to_be_visible()
    table.page.keyboard.press("Enter")
    expect(table.page.locator("#line")).to_be_hidden()


def test_the_chosen_number_of_lines_is_listed_and_remembered(sit_down: SitDown) -> None:
    table = sit_down(f"/#{OPEN_THREE}")
    table.think(100)
    table.press("Analysis")
    table.wait_for_analysis()
    count = table.page.get_by_label("How many lines")
    with table.page.expect_request("**/analyze") as sent:
        count.select_option("8")
    assert (sent.value.post_data_json or {})["lines"] == 8
    expect(table.lines).to_have_count(8)
    expect(table.values).to_have_count(8)
    table.page.reload()
    table.wait_for_page()
    expect(count).to_have_value("8")


def test_an_analysis_goes_on_until_it_is_stopped_or_others_wait(open_page: OpenPage) -> None:
    with running_service(search_slots="1", max_time_ms="200", max_stream_ms="3600000") as url:
        # There is one slot. If a question gets 503 because a search still runs, the page asks
        # again.
        page = open_page(f"{url}/#rows=15&columns=15&k=5&mode=people&moves=h8", expect=("503",))
        table = Table(page)
        table.wait_for_page()
        table.press("Analysis")
        table.wait_for_analysis()  # the next analysis needs the only slot
        until = table.page.get_by_label("How long to analyse")

        def takes(time_ms: int) -> Callable[[Request], bool]:
            return lambda sent: (sent.post_data_json or {}).get("time_ms") == time_ms

        # The page asks again and again, each time for a longer search.
        with (
            page.expect_request(takes(4000), timeout=PATIENCE_MS),
            page.expect_request(takes(1000), timeout=PATIENCE_MS),
        ):
            until.select_option("stopped")
        cost = table.page.locator("#cost")
        expect(cost).to_have_text(re.compile(r" ([1-9]|0\.[3-9]).* s$"))
        table.press("Stop")
        expect(table.page.locator("#stop")).to_have_attribute("aria-disabled", "true")
        expect(table.page.locator("#verdict")).not_to_contain_text("others waited")
        table.press("Analysis")
        expect(cost).to_be_hidden()
        with page.expect_response(lambda found: found.url.endswith("/analyze") and found.ok):
            table.press("Analysis")
        expect(cost).to_have_text(re.compile(r" ([1-9]|0\.[3-9]).* s$"))
        verdict = table.page.locator("#verdict")
        # Ask until a question has to wait for the page's search. Remembered answers need no slot,
        # so each question has a new seed.
        for seed in range(200):
            Client(url).best_move("X.../.O../..../....", time_ms=100, seed=seed)
            if "others waited" in verdict.inner_text():
                break
        expect(verdict).to_contain_text("because others waited.")
        table.page.close()  # an open page would ask a service that has ended


def test_the_analysis_is_announced_to_screen_readers(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX.OO....&you=X")
    table.press("Analysis")
    expect(table.cell(2)).to_have_accessible_name("c3, empty, win in 1")
    expect(table.cell(8)).to_have_accessible_name("c1, empty, loss in 1")
    expect(table.spoken).to_contain_text("Best: c3, win in 1.")
    expect(table.lines.nth(0)).to_have_accessible_name(re.compile("^1. c3, win in 1"))


def test_the_analysis_follows_the_game_until_it_is_switched_off(sit_down: SitDown) -> None:
    table = sit_down()
    button = table.page.get_by_role("button", name="Analysis")
    table.press("Analysis")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(table.page.locator(".value")).to_have_count(9)
    table.play(0)
    expect(table.page.locator(".value")).to_have_count(7)
    table.press("Undo")
    expect(table.page.locator(".value")).to_have_count(9)
    table.press("Analysis")
    expect(table.page.locator(".value")).to_have_count(0)
    expect(button).to_have_attribute("aria-pressed", "false")


def test_letter_keys_on_the_board_do_what_the_buttons_do(sit_down: SitDown) -> None:
    table = sit_down()
    table.play(0)
    table.cell(8).focus()
    table.page.keyboard.press("a")
    expect(table.page.locator(".value")).to_have_count(7)
    table.page.keyboard.press("h")
    expect(table.page.locator(".cell.hint")).to_have_count(1)
    table.page.keyboard.press("t")
    expect(table.page.get_by_role("button", name="Threats")).to_have_attribute(
        "aria-pressed", "true"
    )
    table.page.keyboard.press("u")
    table.expect_board(".../.../...")
    table.page.keyboard.press("r")
    assert table.board != ".../.../..."


def test_the_threats_of_both_sides_are_shown_and_announced(sit_down: SitDown) -> None:
    table = sit_down(f"/#{OPEN_THREE}")
    table.press("Threats")
    band = table.page.locator(".threats .x.open-three polyline").first
    expect(band).to_be_attached()
    expect(table.reason).to_contain_text(re.compile("X: open three h[678] h7 h[678]"))
    table.press("Threats")
    expect(table.page.locator(".threats")).to_have_count(0)


def test_after_a_move_the_request_for_the_old_threats_is_aborted(
    sit_down: SitDown,
) -> None:
    table = sit_down()
    table.page.evaluate(
        """() => {
          const { fetch } = globalThis;
          globalThis.fetch = (url, options) => {
            if (url.pathname === "/analyze") globalThis.asked ??= options.signal;
            return fetch(url, options);
          };
        }"""
    )
    table.page.route("**/analyze", lambda _: None)  # never answered
    with table.page.expect_request("**/analyze"):
        table.press("Threats")
    assert not table.page.evaluate("asked.aborted")
    table.play(4)
    assert table.page.evaluate("asked.aborted")
    expect(table.notice).to_be_hidden()


def test_the_best_moves_appear_during_the_search_and_stay_after_stop(
    sit_down: SitDown,
) -> None:
    table = sit_down(f"/#{OPEN_THREE}", expect=("net::ERR",))
    table.think(10_000)
    table.press("Analysis")
    stop = table.page.get_by_role("button", name="Stop")
    expect(table.lines).to_have_count(5)
    expect(table.page.locator("#cost")).to_contain_text("depth")
    expect(stop).to_be_visible()
    table.press("Stop")
    expect(stop).to_be_hidden()
    expect(table.spoken).to_have_text("Analysis stopped.")
    expect(table.lines).to_have_count(5)
    expect(table.notice).to_be_hidden()
    # The next position is analysed again.
    table.think(100)
    table.cell(0).click()
    table.wait_for_analysis()


def test_a_position_whose_analysis_fails_can_still_be_played(sit_down: SitDown) -> None:
    table = sit_down(expect=("Failed to load resource", "net::ERR"))
    table.page.route("**/analyze", lambda route: route.abort())
    table.press("Analysis")
    expect(table.notice).to_contain_text("Try again for an analysis.")
    table.cell(4).click()
    expect(table.record).to_have_count(2)
    expect(table.notice).to_be_visible()
    table.page.unroute("**/analyze")
    table.press("Try again")
    expect(table.page.locator(".value")).to_have_count(7)
    expect(table.notice).to_be_hidden()
