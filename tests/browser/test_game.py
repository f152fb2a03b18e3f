"""Whole games, by mouse and by keyboard alone."""

import re

from playwright.sync_api import Page, expect

from bestmove import Board, Limits, best_move
from bestmove.game.moves import square
from tests.browser.conftest import SitDown


def test_a_game_by_mouse_is_lost_by_always_playing_the_first_empty_cell(
    sit_down: SitDown,
) -> None:
    table = sit_down("/#game=tic-tac-toe&level=10")
    expect(table.headline).to_have_text("Your move")
    while table.status.get_attribute("data-phase") == "ready":
        table.play(table.board.replace("/", "").index("."))

    board = Board.parse(table.board)
    assert board.winner == "O"
    expect(table.headline).to_have_text("The engine wins")
    assert board.winning_line is not None
    for index in board.winning_line:
        name = re.compile(f"^{square(index, board.rules)}, O.*, winning line$")
        expect(table.cell(index)).to_have_accessible_name(name)
    expect(table.page.locator(".over .winning")).to_be_attached()
    expect(table.subline).to_contain_text("O has 3 in a row, ")


def test_a_game_by_keyboard_alone_is_drawn_by_best_play(sit_down: SitDown) -> None:
    table = sit_down("/#game=tic-tac-toe&level=10")
    page = table.page
    while page.locator("[role=gridcell]:focus").count() == 0:
        page.keyboard.press("Tab")

    while table.status.get_attribute("data-phase") == "ready":
        before = table.moves
        wanted = best_move(Board.parse(table.board)).move.index
        _walk_to(page, wanted)
        page.keyboard.press("Enter" if before % 4 else "Space")
        expect(table.record.nth(before)).to_be_attached()
        table.wait_for_engine()
        expect(table.cell(wanted)).to_be_focused()

    expect(table.headline).to_have_text("A draw")
    assert table.moves == 9


def test_the_first_link_skips_to_the_board_and_leaves_the_game_alone(sit_down: SitDown) -> None:
    table = sit_down()
    table.play(0)
    board, address = table.board, table.page.url
    skip = table.page.get_by_role("link", name="Skip to the board")
    skip.focus()
    table.page.keyboard.press("Enter")
    expect(table.cell(0)).to_be_focused()
    table.expect_board(board)
    assert table.page.url == address


def _walk_to(page: Page, wanted: int) -> None:
    focused = int(str(page.locator("[role=gridcell]:focus").get_attribute("data-index")))
    rows, columns = wanted // 3 - focused // 3, wanted % 3 - focused % 3
    for _ in range(abs(rows)):
        page.keyboard.press("ArrowDown" if rows > 0 else "ArrowUp")
    for _ in range(abs(columns)):
        page.keyboard.press("ArrowRight" if columns > 0 else "ArrowLeft")


def test_the_keys_move_over_a_board_of_five_rows_and_four_columns(sit_down: SitDown) -> None:
    table = sit_down("/#board=..../..../..../..../....&k=4")
    ways = {
        "ArrowUp": 5,
        "ArrowDown": 13,
        "ArrowLeft": 8,
        "ArrowRight": 10,
        "Home": 8,
        "End": 11,
        "PageUp": 1,
        "PageDown": 17,
        "Control+Home": 0,
        "Control+End": 19,
    }
    for key, index in ways.items():
        table.cell(9).focus()
        table.page.keyboard.press(key)
        expect(table.cell(index)).to_be_focused()
        expect(table.page.locator('[role=gridcell][tabindex="0"]')).to_have_count(1)


def test_a_question_mark_opens_the_list_of_keys(sit_down: SitDown) -> None:
    table = sit_down()
    table.page.keyboard.press("?")
    keys = table.page.get_by_role("dialog", name="Signs and keys")
    expect(keys.locator("dt", has_text="H").first).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    table.press("Signs and keys")
    expect(keys).to_be_visible()


def test_the_engine_begins_if_it_is_asked_to(sit_down: SitDown) -> None:
    table = sit_down()
    table.start(you="O", starts="engine")
    assert table.board.count("X") == 1
    assert table.moves == 1
    expect(table.headline).to_have_text("Your move")


def test_undo_takes_back_the_move_and_its_reply_and_redo_brings_them_back(
    sit_down: SitDown,
) -> None:
    table = sit_down()
    table.play(0)
    once = table.board
    table.play(once.replace("/", "").index("."))
    twice = table.board
    table.press("Undo")
    table.expect_board(once)
    table.press("Undo")
    table.expect_board(".../.../...")
    expect(table.page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    table.press("Redo")
    table.press("Redo")
    table.expect_board(twice)
    expect(table.page.get_by_role("button", name="Redo")).to_have_attribute("aria-disabled", "true")


def test_a_hint_marks_a_cell_and_says_why(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX..O..O.&you=X")
    table.press("Hint")
    expect(table.cell(2)).to_have_accessible_name("c3, empty, suggested")
    expect(table.reason).to_have_text("Try c3. c3 completes the line a3, b3 and c3 and wins.")
    table.play(2)
    expect(table.headline).to_have_text("You win")


def test_a_taken_cell_is_explained_and_not_played(sit_down: SitDown) -> None:
    table = sit_down("/#board=X...O....&you=X")
    table.cell(4).click()
    expect(table.spoken).to_have_text("b2, O: you cannot play here now.")
    table.expect_board("X../.O./...")


def test_level_and_time_are_sent_and_remembered(sit_down: SitDown) -> None:
    table = sit_down()
    table.page.locator("#level").select_option("1")
    table.think(300)
    with table.page.expect_request("**/best-move") as sent:
        table.play(0)
    body = sent.value.post_data_json or {}
    assert (body["level"], body["time_ms"]) == (1, 300)
    table.page.reload()
    table.wait_for_page()
    expect(table.page.locator("#level")).to_have_value("1")
    expect(table.page.locator("#time")).to_have_value("300")


def test_the_page_gets_the_moves_that_the_library_gives(sit_down: SitDown) -> None:
    table = sit_down("/#board=...../...../...../.....&you=X&level=2&seed=7")
    table.think(100)
    limits = Limits(level=2, seed=7, time_ms=100)
    for _ in range(2):
        board = Board.parse(table.board)
        move = board.moves[0]
        table.play(move)
        reply = best_move(board.play(move), limits).move
        assert reply is not None
        table.expect_board("/".join(board.play(move).play(reply).rows()))
    assert "&level=2&seed=7" in table.page.url
