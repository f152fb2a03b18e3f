"""The list of moves: going back and forth, variations, and surviving reloads and outages."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SitDown
from tests.support.screens import SCREENS

GAME = "/#rows=15&columns=15&k=5&mode=people&moves=h8+i9+h7+h9"


@pytest.mark.parametrize("screen", SCREENS)
def test_a_click_in_the_list_of_moves_shows_that_position(sit_down: SitDown, screen: str) -> None:
    table = sit_down(GAME, **SCREENS[screen])
    table.expect_moves("h8", "i9", "h7", "h9")
    expect(table.page.locator("[aria-current=true]")).to_have_text("h9")
    table.record.nth(0).click()
    assert table.board.count("X") + table.board.count("O") == 1
    expect(table.page.locator("[aria-current=true]")).to_have_text("h8")
    expect(table.headline).to_have_text("O to move")
    table.press("One move on")
    expect(table.page.locator("[aria-current=true]")).to_have_text("i9")
    table.press("To the start")
    assert "X" not in table.board
    table.press("To the end")
    expect(table.page.locator("[aria-current=true]")).to_have_text("h9")


def test_the_move_after_a_variation_is_numbered_again(sit_down: SitDown) -> None:
    table = sit_down("/#rows=15&columns=15&k=5&mode=people&moves=h8+(i9+h7)+h9+h7+i9")
    numbers = table.page.locator("#record .number")
    expect(numbers).to_have_text(["1.", "1.", "1…", "2."])


def test_the_arrow_keys_go_through_the_game(sit_down: SitDown) -> None:
    table = sit_down(GAME)
    keyboard = table.page.keyboard
    marks = 4
    for key, change in {"ArrowLeft": -1, "ArrowRight": 1, "Home": -4, "End": 4}.items():
        if key == "ArrowRight":
            assert marks == 3
        keyboard.press(key)
        marks += change
        assert sum(map(table.board.count, "XO")) == marks
    # After a click on the board the arrow keys still go through the game.
    table.cell(0).click()
    keyboard.press("ArrowLeft")
    assert sum(map(table.board.count, "XO")) == 4
    expect(table.spoken).to_contain_text("After move 4.")


def test_another_move_is_a_variation_and_the_first_one_stays(sit_down: SitDown) -> None:
    table = sit_down(GAME)
    table.record.nth(0).click()
    table.cell(0).click()
    table.expect_moves("h8", "i9", "a15", "h7", "h9")
    expect(table.page.locator(".branch")).to_have_text("(1…a15)")
    expect(table.page.locator("[aria-current=true]")).to_have_text("a15")
    table.cell(1).click()
    table.record.nth(1).click()
    table.press("To the end")
    expect(table.page.locator("[aria-current=true]")).to_have_text("h9")
    table.page.reload()
    table.wait_for_page()
    table.expect_moves("h8", "i9", "a15", "b15", "h7", "h9")
    assert "moves=h8+i9+(a15+b15)+h7+h9" in table.page.url.replace("%28", "(").replace("%29", ")")


VARIED = "/#rows=15&columns=15&k=5&mode=people&moves=h8+i9+(a15+b15+c15)+h7+h9"


def test_forward_from_the_start_stays_in_the_variation_that_was_chosen(sit_down: SitDown) -> None:
    table = sit_down(VARIED)
    table.expect_moves("h8", "i9", "a15", "b15", "c15", "h7", "h9")
    current = table.page.locator("[aria-current=true]")
    table.record.nth(3).click()
    table.press("To the start")
    for move in ("h8", "a15", "b15", "c15"):
        table.press("One move on")
        expect(current).to_have_text(move)
    table.record.nth(6).click()
    table.press("To the start")
    table.press("To the end")
    expect(current).to_have_text("h9")


def test_a_link_from_inside_a_variation_shows_the_same_position(sit_down: SitDown) -> None:
    table, guest = sit_down(VARIED), sit_down()
    for number, move in ((3, "b15"), (4, "c15")):
        table.record.nth(number).click()
        expect(table.page.locator("[aria-current=true]")).to_have_text(move)
        guest.page.goto(f"/#{urlsplit(table.page.url).fragment}")
        expect(guest.page.locator("[aria-current=true]")).to_have_text(move)
        guest.expect_board(table.board)


def test_after_a_reload_the_page_shows_the_same_move(sit_down: SitDown) -> None:
    table = sit_down(GAME)
    table.record.nth(1).click()
    table.page.reload()
    table.wait_for_page()
    expect(table.page.locator("[aria-current=true]")).to_have_text("i9")
    table.expect_moves("h8", "i9", "h7", "h9")


def test_back_leads_to_the_game_before(sit_down: SitDown) -> None:
    table = sit_down()
    table.play(4)
    board = table.board
    table.start(game="connect-four")
    table.expect_board("/".join(["......."] * 6))
    table.page.go_back()
    table.expect_board(board)
    assert table.moves == 2
    table.page.go_forward()
    table.expect_board("/".join(["......."] * 6))


def test_random_trees_of_moves_are_read_as_they_are_written(sit_down: SitDown) -> None:
    table = sit_down()
    written = table.page.evaluate(
        """async () => {
          const { History } = await import("/static/history.js");
          const rules = {rows: 4, columns: 5, k: 4, gravity: false, overline: true, misere: false};
          const texts = [];
          let seed = 7;
          const next = (count) => (seed = (seed * 48271) % 2147483647) % count;
          for (let game = 0; game < 40; game += 1) {
            const history = new History(rules, "X");
            for (let move = 0; move < 30; move += 1) {
              const places = [history.root, ...history.all];
              if (next(4) === 0) history.go(places[next(places.length)]);
              history.play(next(20));
            }
            const again = new History(rules, "X");
            again.read(history.text);
            texts.push([history.text, again.text, history.all.length, again.all.length]);
          }
          return texts;
        }"""
    )
    assert len(written) == 40
    assert any("(" in text for text, *_ in written)
    for text, again, count, same in written:
        assert (text, count) == (again, same)


def test_only_moves_are_counted_up_to_one_that_cannot_be_played(sit_down: SitDown) -> None:
    found = sit_down().page.evaluate(
        """async () => {
          const { History } = await import("/static/history.js");
          const { TIC_TAC_TOE } = await import("/static/rules.js");
          return ["a1 b2 (b1) a1", "a1 (b1 (c1) c2) b2 b2"].map((text) => {
            try {
              new History(TIC_TAC_TOE, "X").read(text);
            } catch ({ word, number }) {
              return [word, number];
            }
          });
        }"""
    )
    assert found == [["a1", 4], ["b2", 6]]


def test_a_move_of_the_engine_keeps_its_reason_when_it_is_played_again(sit_down: SitDown) -> None:
    answers = sit_down().page.evaluate(
        """async () => {
          const { History } = await import("/static/history.js");
          const { TIC_TAC_TOE } = await import("/static/rules.js");
          const history = new History(TIC_TAC_TOE, "X");
          return ["by the engine", undefined].map((answer) => {
            history.go(history.root);
            history.play(4, answer);
            return history.now.answer;
          });
        }"""
    )
    assert answers == ["by the engine"] * 2
