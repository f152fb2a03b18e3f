"""Whole games, by mouse and by keyboard alone, and what the page shows meanwhile."""

import re

import pytest
from playwright.sync_api import Page, expect

from bestmove import Board, best_move
from tests.browser.conftest import SitDown
from tests.support.screens import SCREENS

EMPTY = ".../.../..."
CONNECT_FOUR = "/".join(["......."] * 6)
ALMOST_WON = "/#rows=3&columns=3&k=3&you=X&moves=a3+a2+b3+b2"


def test_a_game_by_mouse_is_lost_by_always_playing_the_first_empty_cell(sit_down: SitDown) -> None:
    table = sit_down("/#game=tic-tac-toe&level=10")
    expect(table.headline).to_have_text("Your move (X)")
    while table.status.get_attribute("data-phase") == "ready":
        table.play(table.board.replace("/", "").index("."))

    board = Board.parse(table.board)
    assert board.winner == "O"
    expect(table.headline).to_have_text("The engine wins")
    assert board.winning_line is not None
    for index in board.winning_line:
        name = re.compile(f"^{board.rules.squares[index]}, O.*, completed line$")
        expect(table.cell(index)).to_have_accessible_name(name)
    expect(table.at(".over .winning")).to_be_attached()
    expect(table.subline).to_contain_text("O has 3 in a row, ")


def test_a_game_by_keyboard_alone_is_drawn_by_best_play(sit_down: SitDown) -> None:
    table = sit_down("/#game=tic-tac-toe&level=10")
    while table.at("[role=gridcell]:focus").count() == 0:
        table.keys("Tab")

    while table.status.get_attribute("data-phase") == "ready":
        before = table.moves
        wanted = best_move(Board.parse(table.board)).move.index
        _walk_to(table.page, wanted)
        table.keys("Enter" if before % 4 else "Space")
        expect(table.record.nth(before)).to_be_attached()
        table.wait_for_engine()
        expect(table.cell(wanted)).to_be_focused()

    expect(table.headline).to_have_text("A draw")
    assert table.moves == 9


def _walk_to(page: Page, wanted: int) -> None:
    focused = int(str(page.locator("[role=gridcell]:focus").get_attribute("data-index")))
    rows, columns = wanted // 3 - focused // 3, wanted % 3 - focused % 3
    for _ in range(abs(rows)):
        page.keyboard.press("ArrowDown" if rows > 0 else "ArrowUp")
    for _ in range(abs(columns)):
        page.keyboard.press("ArrowRight" if columns > 0 else "ArrowLeft")


def test_the_keys_move_over_a_board_of_five_rows_and_four_columns(sit_down: SitDown) -> None:
    table = sit_down("/#board=..../..../..../..../....&k=4")
    ways = {"ArrowUp": 5, "ArrowDown": 13, "ArrowLeft": 8, "ArrowRight": 10, "Home": 8, "End": 11}
    ways |= {"PageUp": 1, "PageDown": 17, "Control+Home": 0, "Control+End": 19}
    for key, index in ways.items():
        table.cell(9).focus()
        table.keys(key)
        expect(table.cell(index)).to_be_focused()
        expect(table.at('[role=gridcell][tabindex="0"]')).to_have_count(1)


def test_a_link_skips_to_the_board_and_a_question_mark_lists_the_keys(sit_down: SitDown) -> None:
    table = sit_down()
    table.play(0)
    board, address = table.board, table.page.url
    table.page.get_by_role("link", name="Skip to the board").focus()
    table.keys("Enter")
    expect(table.cell(0)).to_be_focused()
    table.cell(0).click()
    expect(table.spoken).to_have_text("a3, X: you cannot play here now.")
    table.expect_board(board)
    assert table.page.url == address
    table.keys("?")
    keys = table.page.get_by_role("dialog", name="Signs and keys")
    expect(keys.locator("dt", has_text="H").first).to_be_visible()
    table.keys("Escape")
    expect(keys).to_be_hidden()
    table.press("Signs and keys")
    expect(keys).to_be_visible()


def test_undo_takes_back_a_move_and_its_reply_and_redo_brings_them_back(sit_down: SitDown) -> None:
    table = sit_down()
    table.play(0)
    once = table.board
    table.press("Undo")
    table.expect_board(EMPTY)
    expect(table.button("Undo")).to_have_attribute("aria-disabled", "true")
    table.press("Redo")
    table.expect_board(once)
    expect(table.button("Redo")).to_have_attribute("aria-disabled", "true")


def test_a_hint_marks_a_cell_and_says_why(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX..O..O.&you=X")
    bar = table.at("#balance")
    expect(bar).to_be_hidden()
    table.press("Hint")
    expect(table.cell(2)).to_have_accessible_name("c3, empty, suggested")
    expect(table.reason).to_have_text("Try c3. c3 completes the line a3, b3 and c3 and wins.")
    table.play(2)
    expect(table.headline).to_have_text("You win")
    table.press("Tic-tac-toe")
    table.pick("people")
    expect(bar).to_be_hidden()
    table.press("Hint")
    expect(bar).to_have_accessible_name("A draw with best play.")
    expect(bar).to_have_class("balance proven")


def test_the_games_are_visible_and_one_press_away(sit_down: SitDown) -> None:
    table = sit_down()
    games = table.page.get_by_role("group", name="Choose a game").get_by_role("button")
    expect(games).to_have_text(["Tic-tac-toe", "Connect Four", "Gomoku", "New…"])
    assert table.at("#level").input_value() == "3"  # a level at which a user can win
    table.press("Connect Four")
    table.expect_board(CONNECT_FOUR)
    expect(games.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(games.nth(0)).to_have_attribute("aria-pressed", "false")
    expect(table.button("Stop")).to_be_hidden()


def test_a_rematch_takes_one_press_and_changes_sides_or_keeps_them(sit_down: SitDown) -> None:
    table = sit_down(ALMOST_WON)
    expect(table.button("Rematch")).to_be_hidden()
    table.play(2)
    expect(table.headline).to_have_text("You win")
    table.press("As X")
    expect(table.headline).to_have_text("Your move (X)")
    table.expect_board(EMPTY)

    table.page.goto(ALMOST_WON)
    table.expect_moves("a3", "a2", "b3", "b2")
    table.play(2)
    table.press("Rematch as O")
    expect(table.record).to_have_count(1)
    table.wait_for_engine()
    assert table.board.count("X") == 1
    expect(table.headline).to_have_text("Your move (O)")
    expect(table.button("Rematch")).to_be_hidden()

    # A rematch begins where the game began.
    table.page.goto("/#board=XX.OO....&mode=people")
    table.expect_board("XX./OO./...")
    table.play(2)
    table.press("Play again")
    table.expect_board("XX./OO./...")
    expect(table.button("One move on")).to_be_disabled()


def test_only_a_pointer_or_a_key_shows_a_mark_to_be_placed(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four").analyse()
    table.press("Tic-tac-toe")
    table.keys("a")
    table.wait_for_analysis()
    shown = table.at(".ghost, .plan")
    expect(shown).to_have_count(0)
    table.keys("ArrowRight")
    expect(shown).to_have_count(1)


def test_a_mouse_that_stands_still_shows_nothing_on_a_new_board(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=analysis")
    table.wait_for_analysis()
    preview = table.at("#board .plan")
    box = table.cell(24).bounding_box()
    assert box
    table.page.mouse.move(box["x"] + 20, box["y"] + 20)
    expect(preview).to_be_visible()
    table.page.mouse.down()
    table.page.mouse.up()
    expect(table.record).to_have_count(1)
    table.wait_for_analysis()
    expect(preview).to_have_count(0)
    table.page.mouse.move(box["x"] + 22, box["y"] + 22)
    expect(preview).to_be_visible()


def test_with_gravity_each_columns_value_is_above_it(sit_down: SitDown) -> None:
    table = sit_down("/#rows=2&columns=3&k=2&gravity=true&mode=people&moves=a1+c1").analyse()
    places = table.at(".strip > span")
    expect(places).to_have_text(["W1", "W1", "L1"])
    expect(table.at(".cell .value")).to_have_count(0)
    places.nth(1).click()
    expect(table.record.last).to_have_text("b1")


@pytest.mark.slow
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


@pytest.mark.slow
def test_two_people_play_without_the_engine_until_it_is_asked(sit_down: SitDown) -> None:
    table = sit_down()
    table.pick("people")
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.method))
    for index, turn in ((0, "X"), (3, "O"), (1, "X"), (4, "O")):
        expect(table.headline).to_have_text(f"{turn} to move")
        table.cell(index).click()
    expect(table.headline).to_have_text("X to move")
    assert "POST" not in asked
    assert "mode=people" in table.page.url
    table.press("Let the engine move")
    expect(table.headline).to_have_text("X wins")
    expect(table.subline).to_have_text("X has 3 in a row, a3 to c3.")
    expect(table.record.last).to_have_text("c3")
    expect(table.reason).to_have_text("The game is over. A review shows its mistakes.")


@pytest.mark.slow
def test_the_engine_plays_both_sides_and_can_be_paused(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four")
    move = table.page.get_by_role("button", name="Let the engine move", exact=True)
    table.think(100)
    table.pick("watch")
    expect(table.record.nth(1)).to_be_attached()
    table.press("Pause")
    count = table.moves
    expect(move).to_be_visible()
    expect(table.status).to_have_attribute("data-phase", "ready")
    assert table.moves == count
    table.press("Let the engine move")
    expect(table.record.nth(count)).to_be_attached()
    table.press("To the start")
    expect(move).to_be_visible()


@pytest.mark.slow
def test_free_analysis_places_both_colours_and_analyses_each_position(sit_down: SitDown) -> None:
    table = sit_down()
    table.pick("analysis")
    for index, count in ((None, 9), (0, 8), (1, 7)):
        if index is not None:
            table.cell(index).click()
        expect(table.values).to_have_count(count)
    table.expect_board("XO./.../...")
    table.reload()
    table.expect_board("XO./.../...")
    expect(table.at("#mode")).to_have_value("analysis")
    expect(table.values).to_have_count(7)  # the reload starts the analysis again


@pytest.mark.slow
def test_a_line_is_not_played_while_the_engine_thinks(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX.OO....&mode=analysis")
    table.wait_for_analysis()
    table.lines.nth(1).click()
    held = table.hold("**/best-move")
    with table.page.expect_request("**/best-move"):
        table.press("Let the engine move")
    table.press("Play it")
    held().continue_()
    expect(table.headline).to_have_text("X wins")
    table.expect_moves("c3")
