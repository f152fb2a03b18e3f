"""Every cell's score on the board, and how play would go on."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from bestmove import Board, analyze
from tests.browser.table import Table

SitDown = Callable[..., Table]


def test_the_analysis_shows_the_score_that_the_engine_gives_each_cell(sit_down: SitDown) -> None:
    table = sit_down("/#board=X.O.X.O..&you=X")
    table.press("Analysis")
    board = Board.parse("X.O.X.O..")
    for found in analyze(board).moves:
        value = table.cell(found.index).locator(".value")
        signs = {1: "+1", 0: "0", -1: "−1"}
        expect(value).to_contain_text(re.compile("^" + re.escape(signs[int(found.score)])))
        lean = {1: "x", 0: "even", -1: "o"}[int(found.score)]
        expect(value).to_have_class(re.compile(rf"\b{lean}\b"))
    expect(table.page.locator(".value")).to_have_count(len(board.moves))


def test_the_analysis_is_told_to_those_who_hear_the_board(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX.OO....&you=X")
    table.press("Analysis")
    expect(table.cell(2)).to_have_accessible_name("row 1 column 3, empty, X wins with this move")
    expect(table.cell(8)).to_have_accessible_name("row 3 column 3, empty, O wins in 2 moves")
    expect(table.spoken).to_contain_text("Best: row 1 column 3, X wins with this move.")


def test_the_principal_variation_of_the_best_move_or_the_cell_in_hand_is_drawn(
    sit_down: SitDown,
) -> None:
    table = sit_down("/#board=X.O.X.O..&you=X")
    table.press("Analysis")
    moves = analyze(Board.parse("X.O.X.O..")).moves
    badges = table.page.locator(".over .variation g text")
    expect(badges).to_have_count(len(moves[0].pv))
    last = moves[-1]
    assert len(last.pv) != len(moves[0].pv)
    table.cell(last.index).hover()
    expect(badges).to_have_count(len(last.pv))
    table.cell(moves[0].index).focus()
    expect(badges).to_have_count(len(moves[0].pv))


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


def test_the_best_cells_are_listed_with_their_scores(sit_down: SitDown) -> None:
    table = sit_down("/#board=XX.OO....&you=X")
    table.press("Analysis")
    first = table.page.locator("#scores-list li").first
    expect(first).to_contain_text("1,3")
    expect(first).to_contain_text("+1")
    expect(table.page.locator("#verdict")).to_contain_text("X wins with this move")


def test_letters_on_the_board_ask_for_analysis_hint_and_undo(sit_down: SitDown) -> None:
    table = sit_down()
    table.play(0)
    table.cell(8).focus()
    table.page.keyboard.press("a")
    expect(table.page.locator(".value")).to_have_count(7)
    table.page.keyboard.press("h")
    expect(table.page.locator(".cell.hint")).to_have_count(1)
    table.page.keyboard.press("u")
    table.expect_board(".../.../...")
