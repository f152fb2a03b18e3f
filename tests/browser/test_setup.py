"""The dialog for a new game, presets and a user's own rules, and games kept in the browser."""

import re

import pytest
from playwright.sync_api import expect

from bestmove import Rules
from bestmove.game import PRESETS
from tests.browser.conftest import SitDown
from tests.support.table import Table, sent

pytestmark = pytest.mark.slow


def test_the_dialog_proposes_what_the_user_chose_last(sit_down: SitDown) -> None:
    table = sit_down()
    table.start(game="misere-tic-tac-toe", you="O", starts="engine")
    assert (table.board.count("X"), table.moves) == (1, 1)
    expect(table.headline).to_have_text("Your move (O)")
    table.paste("(;GM[4]SZ[9:7];B[aa])")
    expect(table.subline).to_contain_text("7 × 9")
    for _ in range(2):
        table.press("New…")
        expect(table.at("#setup input[name=game]:checked")).to_have_value("misere-tic-tac-toe")
        expect(table.at("#setup input[name=starts]:checked")).to_have_value("engine")
        expect(table.at("#new-mode")).to_have_value("engine")
        table.reload()


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


def test_any_rules_are_played(sit_down: SitDown) -> None:
    table = sit_down()
    table.think(100)
    table.choose(game="own")
    page = table.page
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
    expect(table.subline).to_have_text("3 × 7, exactly 4 in a row, marks fall.")
    table.start(game="misere-tic-tac-toe")
    with page.expect_request("**/best-move") as asked:
        table.play(4)
    assert PRESETS["misere-tic-tac-toe"].rules.to_dict().items() <= sent(asked.value).items()


def test_the_examples_open_positions_with_a_best_move(sit_down: SitDown) -> None:
    table = sit_down()
    for at in range(3):
        table.at("#examples a").nth(at).click()
        expect(table.at("#best")).to_contain_text("Best: ")
        table.page.goto("/")
    table.at("#examples a").last.click()
    table.press("Review this game")
    expect(table.at("#faults li")).to_have_count(5, timeout=60_000)


def test_the_last_game_and_games_that_were_replaced_can_be_resumed(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people")
    others = '[7, {"name": 1}, {"name": "Old", "address": "#moves=a1", "time": 5}]'
    table.page.evaluate("text => localStorage.setItem('bestmove-games', text)", others)
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
    names = [
        "Tic-tac-toeTwo people · unfinished, 1 move, last b2",
        "Connect FourTwo people · unfinished, 2 moves, last d2",
        "Old",
    ]
    expect(kept).to_contain_text(names)
    kept.nth(1).click()
    table.expect_moves("d1", "d2")
    table.play(3)
    names[0:2] = ["Connect FourTwo people · unfinished, 3 moves", names[0]]
    table.press("Open…")
    expect(kept).to_contain_text(names)
    table.keys("Escape")
    table.page.goto("/#moves=a1+a2+b1+b2+c1&mode=people")
    expect(table.headline).to_have_text("X wins")
    table.press("Tic-tac-toe")
    expect(table.button("Go on with the last game")).to_be_hidden()


def test_a_game_is_kept_once_with_its_name_comments_and_marks(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=b2+b3+a1&marks=2b7m3x")
    table.press("Share…")
    name = table.page.get_by_label("Keep it in this browser under the name")
    expect(name).to_have_value(re.compile("^Tic-tac-toe, "))
    name.fill("Club evening")
    table.press("Keep")
    expect(table.at("#copied")).to_contain_text("“Club evening” is kept.")
    table.keys("Escape")
    table.tab("Moves")
    table.record.nth(1).click(button="right")
    table.page.get_by_role("menuitem", name="Comment").click()
    table.page.keyboard.type("Why [not]?")
    table.keys("Tab")
    other = Table(table.page.context.new_page())
    other.page.goto(table.page.url)
    # Two tabs go on with the game: both are kept.
    for each, cell in ((table, 0), (other, 2)):
        each.tab("Moves")
        each.record.first.click()
        expect(each.at("#comment")).to_be_hidden()
        each.play(cell)
        each.reload()
        each.tab("Moves")
        expect(each.record.nth(1)).to_have_attribute("data-fault", "blunder")
        each.record.nth(1).click()
        expect(each.at("#comment")).to_have_value("Why [not]?")
    table.press("Tic-tac-toe")
    table.press("Open…")
    kept = table.at("#saved .kept")
    about = "Club eveningTic-tac-toe · Two people · unfinished, 3 moves"
    expect(kept).to_contain_text([about, about])
    kept.last.click()
    table.expect_moves("b2", "b3", "a3", "a1")
    table.play(2)
    # The game has two entries in the browser's history. Both lead to its newest state.
    for _ in range(2):
        table.page.go_back()
    table.expect_moves("b2", "b3", "a3", "a1", "c3")
