"""All games on the page: presets, a user's own rules, marks that fall, misère."""

from typing import Any

import pytest
from playwright.sync_api import expect

from bestmove import Board, Rules
from bestmove.game import PRESETS
from tests.browser.conftest import SitDown
from tests.support.screens import SCREENS

pytestmark = pytest.mark.slow


def test_the_dialog_for_a_new_game_proposes_that_the_same_side_begins(sit_down: SitDown) -> None:
    for you, starts in (("X", "you"), ("O", "engine")):
        table = sit_down(f"/#rows=3&columns=3&k=3&first=X&you={you}")
        table.wait_for_engine()
        table.press("New")
        expect(table.page.locator("#setup input[name=starts]:checked")).to_have_value(starts)


def test_the_dialog_for_a_new_game_sets_the_opponent_the_level_and_the_time(
    sit_down: SitDown,
) -> None:
    table = sit_down()
    page = table.page
    table.press("New")
    page.locator("#new-level").select_option("7")
    page.locator("#new-time").select_option("300")
    table.press("Start a new game")
    expect(page.locator("#level")).to_have_value("7")
    with page.expect_request("**/best-move") as sent:
        table.play(4)
    assert {"level": 7, "time_ms": 300}.items() <= (sent.value.post_data_json or {}).items()
    table.press("New")
    page.locator("#new-mode").select_option("people")
    expect(page.locator("#new-level")).to_be_hidden()
    table.press("Start a new game")
    expect(table.headline).to_have_text("X to move")
    expect(page.locator("#mode")).to_have_value("people")


def test_own_rules_begin_with_the_game_chosen_before(sit_down: SitDown) -> None:
    table = sit_down()
    table.choose(game="connect-four")
    table.page.locator('#setup input[name="game"][value="own"]').check(force=True)
    for field, value in {"rows": "6", "columns": "7", "k": "4"}.items():
        expect(table.page.locator(f"#{field}")).to_have_value(value)
    expect(table.page.get_by_role("checkbox", name="Marks fall")).to_be_checked()


def test_without_an_opponent_the_dialog_asks_only_which_mark_begins(sit_down: SitDown) -> None:
    table = sit_down()
    table.press("New")
    table.page.locator("#new-mode").select_option("analysis")
    expect(table.page.get_by_role("group", name="Who starts")).to_be_hidden()
    first = table.page.get_by_role("group", name="First move")
    first.get_by_label("O").check(force=True)
    table.press("Start a new game")
    expect(table.headline).to_have_text("O to move")


def test_the_last_game_can_be_resumed(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people")
    table.play(3)
    table.page.goto(table.page.url.partition("#")[0])
    table.page.reload()
    table.wait_for_page()
    assert table.moves == 0
    table.press("Go on with the last game")
    table.expect_moves("d1")


def test_games_that_were_replaced_can_be_resumed(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people")
    table.play(3)
    table.play(3)
    for _ in range(2):  # a game without moves is not kept
        table.press("Tic-tac-toe")
        expect(table.page.get_by_role("button", name="Go on with the last game")).to_be_visible()
    table.play(4)
    table.press("Open…")
    kept = table.page.locator("#saved .kept")
    expect(kept).to_contain_text(
        ["1 move, unfinishedTic-tac-toe", "2 moves, unfinishedConnect Four"]
    )
    kept.nth(1).click()
    table.expect_moves("d1", "d2")
    table.press("Open…")
    expect(kept).to_contain_text(
        ["2 moves, unfinishedConnect Four", "1 move, unfinishedTic-tac-toe"]
    )


@pytest.mark.parametrize("game", ["gomoku", "misere-tic-tac-toe"])
def test_a_preset_is_played_by_its_rules(sit_down: SitDown, game: str) -> None:
    rules = PRESETS[game].rules
    table = sit_down()
    table.think(100)
    table.start(game=game)
    assert table.board == "/".join(Board.empty(game=game).rows())
    with table.page.expect_request("**/best-move") as sent:
        table.play(rules.rows // 2 * rules.columns + rules.columns // 2)
    assert (table.board.count("X"), table.board.count("O")) == (1, 1)
    assert _asked(rules).items() <= (sent.value.post_data_json or {}).items()


@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_a_disc_falls_wherever_its_column_is_clicked(sit_down: SitDown, screen: str) -> None:
    table = sit_down("/#game=connect-four&mode=people", **SCREENS[screen])
    point = table.page.touchscreen.tap if screen != "desk" else table.page.mouse.click
    names = ["d1", "d2", "d3"]
    for number, index in enumerate((3, 17, 38), start=1):
        box = table.cell(index).bounding_box()
        assert box is not None
        point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        table.expect_moves(*names[:number])
    expect(table.cell(3)).to_have_accessible_name("d6, empty, falls to d4")


def test_any_rules_are_played(sit_down: SitDown) -> None:
    table = sit_down()
    table.think(100)
    table.choose(game="own")
    page = table.page
    page.get_by_label("Rows", exact=True).fill("")
    table.press("Start a new game")
    expect(page.get_by_role("dialog")).to_be_visible()  # the browser refuses the empty field
    page.get_by_label("Rows", exact=True).fill("3")
    page.get_by_label("Columns", exact=True).fill("7")
    page.get_by_label("In a row", exact=True).fill("4")
    page.get_by_label("Only exactly that many in a row win").check()
    page.get_by_label("Marks fall, as in Connect Four").check()
    table.press("Start a new game")
    table.expect_board("......./......./.......")
    expect(page.get_by_role("grid")).to_have_accessible_name(
        "Board of 3 rows and 7 columns, exactly 4 in a row win, marks fall to the bottom"
    )
    with page.expect_request("**/best-move") as sent:
        table.play(3)
    rules = Rules(3, 7, 4, gravity=True, overline=False)
    assert _asked(rules).items() <= (sent.value.post_data_json or {}).items()
    page.reload()
    table.wait_for_page()
    expect(table.subline).to_have_text("You are X. 3 × 7, exactly 4 in a row, marks fall.")


def _asked(rules: Rules) -> dict[str, Any]:
    names = ("rows", "columns", "k", "gravity", "overline", "misere")
    return {name: getattr(rules, name) for name in names}
