"""The dialog for a new game, presets and a user's own rules, and games kept in the browser."""

import re

import pytest
from playwright.sync_api import expect

from bestmove import Board, Rules
from bestmove.game import PRESETS
from tests.browser.conftest import SitDown
from tests.support.table import sent

pytestmark = pytest.mark.slow


def test_the_dialog_proposes_that_the_same_side_begins(sit_down: SitDown) -> None:
    table = sit_down()
    for you, starts in (("X", "you"), ("O", "engine")):
        table.page.goto(f"/#rows=3&columns=3&k=3&first=X&you={you}")
        expect(table.subline).to_contain_text(f"You are {you}.")
        table.wait_for_engine()
        table.press("New…")
        expect(table.at("#setup input[name=starts]:checked")).to_have_value(starts)
        table.keys("Escape")
    table.start(you="O", starts="engine")
    assert (table.board.count("X"), table.moves) == (1, 1)
    expect(table.headline).to_have_text("Your move")


def test_the_dialog_sets_the_opponent_the_level_and_the_time(sit_down: SitDown) -> None:
    table = sit_down("/#rows=3&columns=3&k=3&level=2&seed=7")
    with table.page.expect_request("**/best-move") as asked:
        table.play(4)
    assert {"level": 2, "seed": 7}.items() <= sent(asked.value).items()
    assert "&level=2&seed=7" in table.page.url
    table.press("New…")
    table.at("#new-level").select_option("7")
    table.at("#new-time").select_option("300")
    table.press("Start a new game")
    expect(table.at("#level")).to_have_value("7")
    for cell, level, time in ((4, 7, 300), (None, 1, 100)):
        if cell is None:
            table.set("#level", str(level))
            table.think(time)
            cell = table.board.replace("/", "").index(".")
        with table.page.expect_request("**/best-move") as asked:
            table.play(cell)
        assert {"level": level, "time_ms": time}.items() <= sent(asked.value).items()
    table.reload()
    expect(table.at("#level")).to_have_value("1")
    expect(table.at("#time")).to_have_value("100")

    table.press("New…")
    table.at("#new-mode").select_option("people")
    expect(table.at("#new-level")).to_be_hidden()
    table.press("Start a new game")
    expect(table.headline).to_have_text("X to move")
    expect(table.at("#mode")).to_have_value("people")

    # Without an opponent the dialog asks only which mark begins.
    table.press("New…")
    table.at("#new-mode").select_option("analysis")
    expect(table.page.get_by_role("group", name="Who starts")).to_be_hidden()
    table.page.get_by_role("group", name="First move").get_by_label("O").check(force=True)
    table.press("Start a new game")
    expect(table.headline).to_have_text("O to move")


def test_own_rules_begin_with_the_game_chosen_before(sit_down: SitDown) -> None:
    table = sit_down()
    table.press("New…")
    expect(table.page.get_by_role("dialog", name="New game")).to_be_visible()
    table.at('#setup input[value="connect-four"]').check(force=True)
    table.at('#setup input[value="own"]').check(force=True)
    for field, value in {"rows": "6", "columns": "7", "k": "4"}.items():
        expect(table.at(f"#{field}")).to_have_value(value)
    expect(table.page.get_by_role("checkbox", name="Marks fall")).to_be_checked()
    in_a_row = table.at("#k")
    # The number in a row changes only if the board is too small for it.
    for rows, columns, shown in (("12", "12", "4"), ("3", "3", "3"), ("5", "5", "4")):
        table.at("#rows").fill(rows)
        table.at("#columns").fill(columns)
        expect(in_a_row).to_have_value(shown)
    in_a_row.fill("5")
    table.at("#rows").fill("8")
    expect(in_a_row).to_have_value("5")
    for name in ("rows", "columns", "k"):  # a typed number replaces the old one
        table.at(f"#{name}").click()
        table.page.keyboard.type("7")
        expect(table.at(f"#{name}")).to_have_value("7")


@pytest.mark.parametrize("game", ["gomoku", "misere-tic-tac-toe"])
def test_a_preset_is_played_by_its_rules(sit_down: SitDown, game: str) -> None:
    rules = PRESETS[game].rules
    table = sit_down()
    table.think(100)
    table.start(game=game)
    assert table.board == "/".join(Board.empty(game=game).rows())
    with table.page.expect_request("**/best-move") as asked:
        table.play(rules.rows // 2 * rules.columns + rules.columns // 2)
    assert (table.board.count("X"), table.board.count("O")) == (1, 1)
    assert rules.to_dict().items() <= sent(asked.value).items()


def test_any_rules_are_played(sit_down: SitDown) -> None:
    table = sit_down()
    table.think(100)
    table.choose(game="own")
    page = table.page
    page.get_by_label("Rows", exact=True).fill("")
    table.press("Start a new game")
    expect(page.get_by_role("dialog")).to_be_visible()  # the browser refuses the empty field
    for label, value in {"Rows": "3", "Columns": "7", "In a row": "4"}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Only exactly that many in a row win").check()
    page.get_by_label("Marks fall, as in Connect Four").check()
    table.press("Start a new game")
    table.expect_board("......./......./.......")
    expect(page.get_by_role("grid")).to_have_accessible_name(
        "Board of 3 rows and 7 columns, exactly 4 in a row win, marks fall to the bottom"
    )
    with page.expect_request("**/best-move") as asked:
        table.play(3)
    rules = Rules(3, 7, 4, gravity=True, overline=False)
    assert rules.to_dict().items() <= sent(asked.value).items()
    table.reload()
    expect(table.subline).to_have_text("You are X. 3 × 7, exactly 4 in a row, marks fall.")


def test_the_last_game_and_games_that_were_replaced_can_be_resumed(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people")
    table.play(3)
    table.page.goto("/")
    table.reload()
    assert table.moves == 0
    table.press("Go on with the last game")
    table.expect_moves("d1")
    table.play(3)
    for _ in range(2):  # a game without moves is not kept
        table.press("Tic-tac-toe")
        expect(table.button("Go on with the last game")).to_be_visible()
    table.play(4)
    table.press("Open…")
    kept = table.at("#saved .kept")
    names = ["1 move, unfinishedTic-tac-toe", "2 moves, unfinishedConnect Four"]
    expect(kept).to_contain_text(names)
    kept.nth(1).click()
    table.expect_moves("d1", "d2")
    table.press("Open…")
    expect(kept).to_contain_text(names[::-1])


def test_games_are_kept_in_the_browser_and_opened_again(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people&moves=d1+d2")
    name = table.page.get_by_label("Keep it in this browser under the name")
    table.press("Share…")
    expect(name).to_have_value(re.compile("^Connect Four, "))
    name.fill("Club evening")
    table.press("Keep")
    expect(table.at("#copied")).to_contain_text("“Club evening” is kept.")
    table.page.goto("/static/favicon.svg")
    table.page.goto("/")
    table.wait_for_page()
    table.press("Open…")
    kept = table.at("#saved .kept")
    expect(kept).to_contain_text(["Club evening"])
    expect(kept.first).to_contain_text("Connect Four")
    kept.first.click()
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_moves("d1", "d2")
