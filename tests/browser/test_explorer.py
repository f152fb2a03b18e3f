"""The pruning explorer: steps, counts, and agreement with the service."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.support.table import Table

pytestmark = pytest.mark.slow

EXPLORER = "/static/explorer.html"


def _open(open_page: OpenPage, tree: str = "") -> Page:
    page = open_page(EXPLORER + (f"#tree={quote(tree)}&root=max&show=alpha-beta" if tree else ""))
    expect(page.locator(".verdict.same")).to_have_count(4)
    return page


def _press(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def _draw(page: Page, tree: str) -> None:
    page.locator("#tree").fill(tree)
    _press(page, "Draw")


def _numbers(page: Page, algorithm: str) -> list[str]:
    return page.locator(f'[data-algorithm="{algorithm}"] td').all_text_contents()


def test_the_textbooks_tree_is_searched_side_by_side(open_page: OpenPage) -> None:
    page = _open(open_page, "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    assert _numbers(page, "minimax") == ["3", "13", "9", "0", "0", "✓ agrees"]
    for algorithm in ("alpha-beta", "alpha-beta-fail-hard", "negamax"):
        assert _numbers(page, algorithm) == ["3", "11", "7", "1", "2", "✓ agrees"]
    expect(page.locator("#agreement")).to_have_text(
        "The service agrees on everything: value, line, leaves in order, subtrees pruned, counts."
    )


def test_steps_back_show_the_steps_forward_in_reverse(open_page: OpenPage) -> None:
    page = _open(open_page, "[[5, 2], [1, 9]]")
    address = page.url
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first link skips to the steps and leaves the tree alone
    forward, back = (page.get_by_role("button", name=name) for name in ("Next", "Back"))
    expect(forward).to_be_focused()
    assert page.url == address
    expect(page.locator("#frame .node")).to_have_count(7)
    said = []
    narration = page.locator("#narration")
    while forward.get_attribute("aria-disabled") != "true":
        said.append(narration.inner_text())
        forward.click()
    expect(narration).to_have_text("Done: the root is worth 2; best play leads to node 1.2.")
    for words in reversed(said):
        back.click()
        expect(narration).to_have_text(words)
    assert said[0] == "Nothing is searched yet."
    expect(back).to_have_attribute("aria-disabled", "true")


def test_pruned_subtrees_are_grey_with_all_below_them(open_page: OpenPage) -> None:
    page = _open(open_page, "[4, [3, [7, 8]]]")
    _press(page, "To the end")
    for kind, paths in {"pruned": ["1.1", "1.1.0", "1.1.1"], "best": ["", "0"]}.items():
        nodes = page.locator(f"#frame .node.{kind}")
        assert nodes.evaluate_all("nodes => nodes.map(node => node.dataset.path)") == paths
    _press(page, "To the start")
    expect(page.locator("#frame .node.pruned")).to_have_count(0)


def test_the_steps_play_until_paused_or_a_link_is_followed(open_page: OpenPage) -> None:
    page = _open(open_page, "[[1, 2]]")
    page.clock.install()
    _press(page, "Play")
    page.clock.run_for(1000)
    _press(page, "Pause")
    counts, narration = page.locator("#counts"), page.locator("#narration")
    play = page.get_by_role("button", name="Play", exact=True)
    step = counts.inner_text().partition(".")[0]
    assert step not in ("Step 0 of 10", "")
    page.clock.run_for(5000)
    assert counts.inner_text().startswith(step)
    play.click()
    page.clock.run_for(60_000)
    expect(narration).to_contain_text("Done: the root is worth 1")
    _press(page, "To the start", "Play")
    page.clock.run_for(1000)
    expect(counts).not_to_contain_text("Step 0 ")
    page.evaluate("() => { location.hash = '#tree=[[3,4],[5,6]]'; }")
    expect(page.locator("#frame .node")).to_have_count(7)
    expect(page.locator(".verdict.same")).to_have_count(4)
    page.clock.run_for(60_000)
    expect(narration).to_have_text("Nothing is searched yet.")
    expect(play).to_be_visible()


def test_a_newer_tree_cancels_the_request_about_the_older(open_page: OpenPage) -> None:
    page = _open(open_page)
    with page.expect_request("**/best-move"):
        Table(page).hold("**/best-move")
        _draw(page, "XOX/OO./.X.")
    with page.expect_event("requestfailed"):  # the page does not wait for the answer any longer
        _draw(page, "[[1, 2]]")
    expect(page.locator("#frame .node")).to_have_count(4)
    assert page.locator("#tree-error").inner_text() == ""
    assert page.url.endswith("#tree=%5B%5B1%2C+2%5D%5D&root=max&show=alpha-beta")


def test_an_invalid_tree_is_explained_and_the_old_one_kept(open_page: OpenPage) -> None:
    page = _open(open_page, "[[5, 2], [1, 9]]")
    for text, complaint in {
        "[[1, 2], []]": "2 is empty: a leaf is a number. (The tree below is the one before.)",
        "XXXOO....": "The game is over in this position.",
        "X.../..../..../....": "Give a position of 3 × 3 tic-tac-toe.",
    }.items():
        _draw(page, text)
        expect(page.locator("#tree-error")).to_contain_text(complaint)
        expect(page.locator("#tree")).to_have_attribute("aria-invalid", "true")
        expect(page.locator("#frame .node")).to_have_count(7)


def test_a_lost_service_and_a_disagreement_are_shown(open_page: OpenPage) -> None:
    page = open_page(EXPLORER, expect=("Failed to load",))
    agreement = page.locator("#agreement")
    expect(page.locator(".verdict.same")).to_have_count(4)
    page.route("**/game-tree", lambda route: route.abort())
    _draw(page, "[[1, 2], [3, 4]]")
    expect(agreement).to_contain_text("no connection.")
    _press(page, "Next")
    expect(page.locator("#narration")).to_contain_text("Go down to the root")
    page.unroute("**/game-tree")
    _press(page, "Ask the service again")
    expect(agreement).to_contain_text("agrees on everything")

    def lie(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"value": 99, "pruned": [[0]]})

    page.route("**/game-tree", lie)
    _draw(page, "[[1, 2], [3, 5]]")
    expect(agreement).to_have_text("The service does not agree on everything.")
    expect(page.locator(".verdict").first).to_have_text("✗ different value, pruned")


def test_the_link_holds_tree_algorithm_depth_and_step(open_page: OpenPage) -> None:
    page = _open(open_page, "[[[8, 5], [9, 6]], [[4, 3], [7, 2]]]")
    page.get_by_label("Depth").select_option("2")
    page.get_by_label("Negamax", exact=True).check()
    _press(page, "Next", "Next", "Next")
    said = page.locator("#narration").inner_text()
    guest = open_page(EXPLORER + "#" + page.url.partition("#")[2])
    expect(guest.locator(".verdict.same")).to_have_count(4)
    expect(guest.locator("#narration")).to_have_text(said)
    expect(guest.locator("#counts")).to_contain_text("Step 3 of ")
    expect(guest.get_by_label("Negamax", exact=True)).to_be_checked()
    expect(guest.get_by_label("Depth")).to_have_value("2")


def test_the_explorer_is_offered_for_the_game_that_it_knows(open_page: OpenPage) -> None:
    page = open_page("/")
    link = page.get_by_role("link", name="See how alpha-beta searches this position")
    size, moves = "rows=3&columns=3&k=3", "mode=people&moves=a1"
    for fields, game in (
        (f"game=gomoku&{moves}", "Gomoku"),
        (f"{size}&gravity=true&{moves}", "marks fall"),
        (f"rows=3&columns=4&k=3&{moves}", "3 × 4"),
        ("board=XOXOO..X.&you=X&misere=true", "Misère"),
        ("board=XOXOO..X.&you=X", "Tic-tac-toe: "),
    ):
        page.goto(f"/#{fields}")
        expect(page.locator("#subline")).to_contain_text(game)
        _press(page, "Share…")
        expect(page.get_by_role("button", name="Copy the link")).to_be_visible()
        expect(link).to_be_visible(visible=fields.endswith("you=X"))
        if not fields.endswith("you=X"):
            _press(page, "Close")
    link.click()
    expect(page.locator("#tree")).to_have_value("XOXOO..X.")
    expect(page.locator(".verdict.same")).to_have_count(4)
