"""The dialog that shows why a result is certain. The user can try every defence."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bestmove import Board, Limits, prove, verify
from tests.browser.conftest import OpenPage, SitDown
from tests.support.screens import OPEN_THREE
from tests.support.table import Table

pytestmark = pytest.mark.slow

LATER = "Later in the game it is easier to prove: play on a few moves, then ask again."


def _why(table: Table) -> Page:
    table.analyse()
    table.press("Why?")
    expect(table.at("#why-title")).not_to_have_text("Why?")
    return table.page


def _try(page: Page, index: int) -> None:
    page.locator(f'#why-board [role=gridcell][data-index="{index}"]').click()


def test_the_proof_begins_with_the_move_that_the_page_names(sit_down: SitDown) -> None:
    page = _why(sit_down("/#board=X../..O/...&mode=people"))  # the service's proof begins with b2
    expect(page.locator("#why-said")).to_contain_text("X plays c3. Whatever O plays now, X wins")
    expect(page.locator("#why-verified")).to_contain_text("after c3: X wins within 4 half-moves")
    expect(page.locator("#best")).to_have_text("Best: c3")


def test_a_win_answers_every_defence_without_asking_the_service(sit_down: SitDown) -> None:
    page = _why(sit_down(f"/#{OPEN_THREE}"))
    said = page.locator("#why-said")
    expect(page.locator("#why-title")).to_have_text("Why X wins")
    expect(said).to_contain_text("Whatever O plays now, X wins in at most 1 move. You play O")
    # The words of `bestmove verify`, and what the page counts everywhere: moves.
    verified = "Verified in this browser: X wins within 3 half-moves (2 moves)."
    expect(page.locator("#why-verified")).to_have_text(verified)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))

    # O's mark on a15 cannot stop the win, so the proof treats the mark as a pass.
    expect(page.locator("#why-because")).to_contain_text("A mark on any other cell cannot stop")
    _try(page, 0)
    expect(said).to_contain_text("O plays a15. That does not stop the win, so the proof treats")
    expect(said).to_contain_text("X has a line and wins. The proof ends here.")
    expect(page.locator("#why-board .won")).to_have_count(5)
    _try(page, 14)  # after the end, no move can be tried
    expect(said).to_contain_text("O plays a15.")

    # The page marks each cell where X must answer a mark of O, and shows X's answer.
    page.get_by_role("button", name="Take back").click()
    zone = page.locator("#why-board [aria-label*='needs an answer']")
    cells = zone.evaluate_all("all => all.map(one => Number(one.dataset.index))")
    assert cells
    for cell in cells:
        _try(page, cell)
        expect(said).to_contain_text("X answers ")
        expect(said).to_contain_text("The proof ends here.")
        page.get_by_role("button", name="From the start").click()
    assert asked == []


def test_a_draw_by_pairs_takes_the_other_cell_and_is_saved(
    sit_down: SitDown, tmp_path: Path
) -> None:
    # The proof of this draw uses pairs of cells to show that X cannot win.
    table = sit_down("/#board=..X./.O../..../....&k=4&mode=people")
    page = _why(table)
    said = page.locator("#why-said")
    expect(page.locator("#why-title")).to_have_text("Why it is a draw")
    expect(page.get_by_label("X cannot win")).to_be_checked()
    expect(page.locator("#why-because")).to_contain_text("takes the other, so X never fills a line")
    pairs = page.locator("#why-board .pairs line")
    count = pairs.count()
    cell = page.locator("#why-board [aria-label*='pair with ']").first
    partner = str(cell.get_attribute("aria-label")).rpartition("pair with ")[2]
    cell.click()
    expect(said).to_contain_text(f"O takes the other cell of the pair, {partner}.")
    expect(pairs).to_have_count(count - 1)
    page.get_by_label("O cannot win").check(force=True)
    expect(said).to_contain_text("You play O: try any move.")
    expect(page.locator("#why-because")).to_contain_text("sum below 0.5 never grows")
    page.locator("#why-board [data-mark='.']").first.click()
    expect(said).to_contain_text("which lowers the sum most.")
    verdict = verify(table.save("Save the proof", tmp_path))
    assert verdict.statement == "The game is a draw"
    assert verdict.stands


def test_without_a_proof_the_line_of_best_play_is_shown(sit_down: SitDown) -> None:
    table = sit_down(f"/#{OPEN_THREE}")
    nothing = {"proof": None, "detail": "Its certificate is too large."}
    table.page.route("**/proof", lambda route: route.fulfill(json=nothing))
    page = _why(table)
    expect(page.locator("#why-title")).to_have_text("No proof to step through")
    expect(page.locator("#why-said")).to_have_text(
        re.compile(rf"The result is certain, .* {LATER}$")
    )
    page.get_by_role("button", name="Go through the line").click()
    expect(page.locator("#why-dialog")).to_be_hidden()
    expect(page.locator("#line-place")).to_contain_text("move 1 of ")
    # With gravity the page does not even ask for a long proof.
    table = sit_down("/#game=connect-four&mode=people").analyse()
    table.press("Best play")
    expect(table.at("#why-dialog")).to_have_count(0)
    expect(table.at("#line-place")).to_contain_text("move 1 of 41")


def test_the_dialog_and_its_proof_are_loaded_once_and_again_after_a_failure(
    sit_down: SitDown,
) -> None:
    table = sit_down(f"/#{OPEN_THREE}", expect=("Failed to load",))
    page = table.page
    page.route("**/why.js*", lambda route: route.abort(), times=1)
    page.route("**/proof", lambda route: route.abort())
    table.analyse()
    table.press("Why?")
    expect(table.notice).to_contain_text("Your game is kept. Try again.")
    held = table.hold("**/why.js*")
    with page.expect_request("**/why.js*"):
        table.press("Try again")
    table.press("Why?")
    held().continue_()
    expect(page.locator("#why-said")).to_contain_text("The service does not answer.")
    page.unroute("**/proof")
    nothing = {"proof": None, "detail": "Not proven."}
    page.route("**/proof", lambda route: route.fulfill(json=nothing), times=1)
    page.locator("#why-dialog").get_by_role("button", name="Try again").click()
    expect(page.locator("#why-said")).to_contain_text(LATER)
    for _ in range(2):
        table.press("Close")
        expect(table.at("#why-dialog")).to_be_hidden()
        expect(table.notice).to_be_hidden()
        table.press("Why?")
        expect(page.locator("#why-title")).to_have_text("Why X wins")
        page.route("**/proof", lambda route: route.abort())  # the page has kept the proof


def test_the_dialog_is_offered_only_for_a_proven_result(sit_down: SitDown) -> None:
    table = sit_down("/#game=gomoku&mode=people")
    why = table.at("#why")
    table.think(100)
    expect(why).to_be_hidden()
    table.analyse()
    expect(why).to_be_hidden()
    for board in ("XO./.../...", "XX./OO./..."):
        guest = sit_down(f"/#board={board}&you=X&mode=engine&level=10")
        expect(guest.at("#why")).to_be_hidden()
        guest.press("Hint")
        expect(guest.reason).to_contain_text("Try ")
        guest.wait_for_engine()
        expect(guest.at("#why")).to_be_visible()


@pytest.mark.parametrize(
    "changed", [{}, {"board": "OX./.../..."}, {"first": "O"}, {"overline": False}], ids=str
)
def test_a_proof_that_the_browser_cannot_verify_is_refused_with_the_reason(
    sit_down: SitDown, changed: dict[str, Any]
) -> None:
    proof = prove(
        Board.parse(**{"board": "XO./.../..."} | changed), Limits(time_ms=None, nodes=100_000)
    )
    assert proof is not None
    document = json.loads(proof.text)
    reason = "the document is about another position."
    if not changed:
        reason = r"the reply in [abc][123] is not covered\."
        for node in document["claims"][0]["nodes"]:
            node.pop("pass", None)
            if "replies" in node:
                node["replies"] = []
    table = sit_down("/#board=XO./.../...&mode=people")
    table.page.route("**/proof", lambda route: route.fulfill(json={"proof": document}))
    page = _why(table)
    expect(page.locator("#why-title")).to_have_text("There is no proof to show.")
    expect(page.locator("#why-said")).to_have_text(
        re.compile(f"The service sent a proof, but this browser cannot verify it: {reason}$")
    )
    for part in ("#why-verified", "text=Save the proof"):
        expect(page.locator(part)).to_be_hidden()


def test_the_dialog_works_by_keyboard_alone(sit_down: SitDown) -> None:
    table = sit_down("/#board=XO./.../...&mode=people").analyse()
    table.cell(8).focus()
    table.keys("w")
    expect(table.at("#why-board [role=gridcell]").nth(4)).to_be_focused()
    table.keys("ArrowDown", "ArrowRight", "Enter")
    expect(table.at("#why-said")).to_contain_text("O plays c1.")
    assert table.moves == 0
    table.keys("Escape")
    expect(table.at("#why-dialog")).to_be_hidden()
    expect(table.cell(8)).to_be_focused()


def test_the_explorer_opens_the_tree_with_its_moves(sit_down: SitDown, open_page: OpenPage) -> None:
    page = _why(sit_down("/#board=X.../..../..../....&k=3&mode=people"))
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="The tree in the explorer").click()
    page = opened.value
    expect(page.locator(".verdict.same")).to_have_count(4)
    names = page.locator("#frame .told.move").all_text_contents()
    assert len(names) == page.locator("#frame .node").count() - 1
    assert "else" in names
    guest = open_page("/static/explorer.html#" + page.url.partition("#")[2])
    expect(guest.locator("#frame .told.move")).to_have_text(names)
    guest.locator("#tree").fill("[1, 2]")
    guest.get_by_role("button", name="Draw").click()
    expect(guest.locator("#frame .told.move")).to_have_count(0)
    page.select_option("#example", index=2)
    expect(page).not_to_have_url(re.compile("moves="))
