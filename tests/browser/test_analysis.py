"""The analysis on the page: what each move is worth, on the board and in a list of lines."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Request, expect

from bestmove import Board, analyze
from bestmove.client import Client
from tests.browser.conftest import SitDown
from tests.support.screens import OPEN_THREE, SCREENS
from tests.support.servers import running_service
from tests.support.table import sent

PATIENCE_MS = 60_000
"""The most milliseconds to wait on a busy machine."""

pytestmark = pytest.mark.slow

BOARD = Board.parse("X.O.X.O..")
SMALL = "/#board=X.O.X.O..&you=X&mode="


def test_values_are_the_engines_and_lines_are_numbered_ghosts(sit_down: SitDown) -> None:
    table = sit_down(SMALL + "people").analyse()
    moves = analyze(BOARD).moves
    for found in moves:
        own = -(-(found.plies or 0) // 2)
        text = {1: f"W{own}", 0: "=", -1: f"L{own}"}[int(found.score)]
        expect(table.cell(found.index).locator(".value")).to_have_text(text)
    expect(table.values).to_have_count(5)

    expect(table.ghosts).to_have_count(0)
    table.lines.nth(0).hover()
    expect(table.ghosts).to_have_text([str(ply + 1) for ply in range(len(moves[0].pv))])
    table.lines.nth(3).focus()
    expect(table.ghosts).to_have_count(len(moves[3].pv))
    table.headline.hover()
    table.at("#hint").focus()
    expect(table.ghosts).to_have_count(0)
    table.cell(moves[0].index).hover()
    expect(table.ghosts).to_have_count(len(moves[0].pv))
    assert table.moves == 0

    # A number that is typed on the board opens that line.
    table.cell(1).focus()
    table.keys("2")
    expect(table.lines.nth(1)).to_be_focused()
    expect(table.lines.nth(1)).to_have_attribute("aria-expanded", "true")
    table.keys("2")  # does nothing: the focus is not on the board
    expect(table.at("#line")).to_be_visible()
    table.keys("Enter")
    expect(table.at("#line")).to_be_hidden()


def test_estimates_proofs_and_threats_on_a_large_board(sit_down: SitDown) -> None:
    table = sit_down(f"/#{OPEN_THREE}").analyse()
    expect(table.values).to_have_count(5)
    expect(table.at("#cost")).to_have_text(re.compile(r"^depth \d+ · [\d.]+[KM]? nodes? · "))
    expect(table.at("#balance")).to_have_accessible_name(
        re.compile(r"^(X \d+ %, O \d+ %|X wins in (at most )?\d+)\.$")
    )
    for value in (*table.values.all(), *table.at("#lines .worth").all()):
        is_proven = re.search(r"[WL]≤?\d|=|win|loss|draw", value.inner_text()) is not None
        assert ("proven" in str(value.get_attribute("class"))) is is_proven

    table.press("Threats")
    expect(table.at(".threats .x.open-three polyline").first).to_be_attached()
    expect(table.reason).to_contain_text(re.compile("X: open three h[678] h7 h[678]"))
    table.press("Threats")
    expect(table.at(".threats")).to_have_count(0)

    count = table.page.get_by_label("How many lines")
    with table.page.expect_request("**/analyze") as asked:
        count.select_option("8")
    assert sent(asked.value)["lines"] == 8
    expect(table.lines).to_have_count(8)
    expect(table.values).to_have_count(8)
    table.reload()
    expect(count).to_have_value("8")


@pytest.mark.parametrize(("turn", "board"), [("X", "XX.OO...."), ("O", "XX.OO...X")])
def test_bright_is_good_for_the_side_to_move(sit_down: SitDown, turn: str, board: str) -> None:
    table = sit_down(f"/#board={board}&mode=people")
    expect(table.headline).to_have_text(f"{turn} to move")
    table.analyse()
    heat = "value => value.style.getPropertyValue('--heat')"
    win, name = (2, "c3") if turn == "X" else (5, "c2")
    assert table.cell(win).locator(".value").evaluate(heat) == "100%"
    assert table.cell(6).locator(".value").evaluate(heat) == "0%"
    # Lost, even and won have colours of their own. For X there are all three.
    look = "value => [value.innerText[0], getComputedStyle(value).backgroundColor]"
    letters, colours = zip(*(value.evaluate(look) for value in table.values.all()), strict=True)
    assert len(set(letters)) == len(set(colours)) == (3 if turn == "X" else 2)
    expect(table.cell(win)).to_have_accessible_name(f"{name}, empty, win in 1")
    expect(table.cell(6)).to_have_accessible_name("a1, empty, loss in 1")
    expect(table.spoken).to_contain_text(f"Best: {name}, win in 1.")
    expect(table.lines.nth(0)).to_have_accessible_name(re.compile(f"^1. {name}, win in 1"))
    side = table.at("#balance")
    expect(side).to_have_accessible_name(f"{turn} wins in 1.")
    share = "bar => bar.style.getPropertyValue('--x-share')"
    assert side.evaluate(share) == ("100%" if turn == "X" else "0%")


def test_a_long_line_is_shown_whole_only_to_those_who_step_through_it(sit_down: SitDown) -> None:
    four = "rows=6&columns=7&k=4&gravity=true&mode=people&moves=d1+d2+a1+d3+a2"
    table = sit_down(f"/#{four}").analyse()
    table.lines.first.hover()
    expect(table.ghosts).to_have_count(8)
    table.lines.first.click()
    table.keys("End")
    expect(table.ghosts).to_have_count(27)  # 14 marks of O and 13 of X


def test_the_analysis_follows_the_game_and_ends_with_it(sit_down: SitDown) -> None:
    table = sit_down()

    def shows(count: int) -> None:
        expect(table.at("#analysis")).to_have_text("Hide analysis" if count else "Analyse")
        expect(table.values).to_have_count(count)

    table.press("Analyse")
    shows(9)
    table.start()
    shows(0)
    table.pick("analysis")
    shows(9)
    table.pick("engine")
    shows(0)
    table.press("Analyse")
    table.play(0)
    shows(7)
    table.press("Undo")
    shows(9)
    table.press("Hide analysis")
    shows(0)

    # Letter keys on the board do what the buttons do.
    table.play(4)
    table.cell(8).focus()
    table.keys("a")
    shows(7)
    table.keys("h")
    expect(table.at(".cell.hint")).to_have_count(1)
    table.keys("t")
    expect(table.button("Threats")).to_have_attribute("aria-pressed", "true")
    table.keys("u")
    table.expect_board(".../.../...")
    table.keys("r")
    assert table.board != ".../.../..."


@pytest.mark.parametrize(("screen", "mode"), [("desk", "engine"), ("phone", "people")])
def test_a_line_is_gone_through_and_not_played(sit_down: SitDown, screen: str, mode: str) -> None:
    table = sit_down(SMALL + mode, **SCREENS[screen]).analyse()
    pv = analyze(BOARD).moves[3].pv

    def shows(count: int) -> None:
        expect(table.ghosts).to_have_text([str(ply + 1) for ply in range(count)])

    table.lines.nth(3).click()
    moves = table.at("#line-moves button")
    names = [BOARD.rules.squares[cell] for cell in pv]
    expect(moves).to_have_text(names)
    table.headline.hover()  # moves the pointer off the list of lines
    shows(1)
    expect(table.at(".value:visible")).to_have_count(0)
    last = len(pv)
    for key, count in {"ArrowRight": 2, "Home": 0, "End": last, "ArrowLeft": last - 1}.items():
        table.keys(key)
        shows(count)
    # The game's own buttons step through the line, too.
    steps = {"One move of the line back": last - 2, "One move of the line on": last - 1}
    for button, count in (steps | {"To the end": last, "One move back": last - 1}).items():
        table.press(button)
        shows(count)
    moves.nth(0).click()
    table.headline.hover()
    shows(1)
    expect(moves.nth(0)).to_have_attribute("aria-current", "true")
    expect(table.spoken).to_have_text(f"1 of {last}: X {names[0]}.")
    expect(table.at("#line-worth")).to_have_text(table.lines.nth(3).locator(".worth").inner_text())
    assert table.moves == 0
    play = table.button("Play it")
    if mode == "engine":
        expect(play).to_be_hidden()
        table.keys("Escape")
    else:
        moves.nth(1).click()
        play.click()
        table.expect_moves(*names[:2])
    expect(table.at("#line")).to_be_hidden()
    table.headline.hover()
    expect(table.ghosts).to_have_count(0)
    expect(table.at(".value:visible")).not_to_have_count(0)


def test_an_analysis_goes_on_until_it_is_stopped_or_others_wait(sit_down: SitDown) -> None:
    with running_service(search_slots="1", max_time_ms="200", max_stream_ms="3600000") as url:
        # There is one slot. If a question gets 503 because a search still runs, the page asks
        # again.
        table = sit_down(f"{url}/#rows=15&columns=15&k=5&mode=people&moves=h8", expect=("503",))
        page = table.page
        table.analyse()  # the next analysis needs the only slot

        def takes(time_ms: int) -> Callable[[Request], bool]:
            return lambda request: sent(request).get("time_ms") == time_ms

        # The page asks again and again, each time for a longer search.
        with (
            page.expect_request(takes(4000), timeout=PATIENCE_MS),
            page.expect_request(takes(1000), timeout=PATIENCE_MS),
        ):
            page.get_by_label("How long to analyse").select_option("stopped")
        cost, said = table.at("#cost"), table.reason
        expect(cost).to_have_text(re.compile(r" ([1-9]|0\.[3-9]).* s$"))
        table.press("Stop")
        expect(table.at("#stop")).to_have_attribute("aria-disabled", "true")
        expect(said).not_to_contain_text("others waited")
        table.press("Hide analysis")
        expect(cost).to_be_hidden()
        with page.expect_response(lambda found: found.url.endswith("/analyze") and found.ok):
            table.press("Analyse")
        expect(cost).to_have_text(re.compile(r" ([1-9]|0\.[3-9]).* s$"))
        # Ask until a question has to wait for the page's search.
        for _ in range(200):
            Client(url).best_move(game="gomoku", moves=[112], time_ms=100)
            if "others waited" in said.inner_text():
                break
        expect(said).to_contain_text("because others waited.")
        page.close()  # an open page would ask a service that has ended


def test_after_a_move_the_request_for_the_old_threats_is_aborted(sit_down: SitDown) -> None:
    table = sit_down()
    table.page.route("**/analyze", lambda _: None)  # never answered
    with table.page.expect_request("**/analyze"):
        table.press("Threats")
    with table.page.expect_event("requestfailed", lambda failed: failed.url.endswith("/analyze")):
        table.play(4)
    expect(table.notice).to_be_hidden()


def test_the_best_moves_appear_during_the_search_and_stay_after_stop(sit_down: SitDown) -> None:
    table = sit_down(f"/#{OPEN_THREE}", expect=("net::ERR",))
    table.think(10_000)
    table.press("Analyse")
    stop = table.button("Stop")
    expect(table.lines).to_have_count(5)
    expect(table.at("#cost")).to_contain_text("depth")
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
    table.press("Analyse")
    expect(table.notice).to_contain_text("Your game is kept. Try again.")
    table.cell(4).click()
    expect(table.record).to_have_count(2)
    expect(table.notice).to_be_visible()
    table.page.unroute("**/analyze")
    table.press("Try again")
    expect(table.values).to_have_count(7)
    expect(table.notice).to_be_hidden()
