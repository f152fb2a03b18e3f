"""All games on the page: presets, a user's own rules, marks that fall, misère."""

import random
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


@pytest.mark.parametrize("game", PRESETS)
def test_every_preset_is_played_by_its_rules(sit_down: SitDown, game: str) -> None:
    rules = PRESETS[game].rules
    table = sit_down()
    table.think(100)
    table.start(game=game)
    assert table.board == "/".join(Board.empty(game=game).rows())
    with table.page.expect_request("**/best-move") as sent:
        table.play(rules.rows // 2 * rules.columns + rules.columns // 2)
    assert (table.board.count("X"), table.board.count("O")) == (1, 1)
    assert _asked(rules).items() <= (sent.value.post_data_json or {}).items()


@pytest.mark.parametrize("screen", SCREENS)
def test_a_disc_falls_wherever_its_column_is_clicked(sit_down: SitDown, screen: str) -> None:
    table = sit_down("/#game=connect-four&mode=people", **SCREENS[screen])
    point = table.page.touchscreen.tap if screen != "desk" else table.page.mouse.click
    for index in (3, 17, 38):
        box = table.cell(index).bounding_box()
        assert box is not None
        point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    table.expect_moves("d1", "d2", "d3")
    expect(table.cell(3)).to_have_accessible_name("d6, empty, falls to d4")


def test_misere_says_who_loses(sit_down: SitDown) -> None:
    table = sit_down("/#game=misere-tic-tac-toe&mode=people")
    expect(table.subline).to_contain_text("a line loses")
    expect(table.page.get_by_role("grid")).to_have_accessible_name(
        "Board of 3 rows and 3 columns, 3 in a row lose"
    )
    for index in (0, 3, 1, 4, 2):
        table.cell(index).click()
    expect(table.headline).to_have_text("O wins")
    expect(table.subline).to_have_text("X has 3 in a row, a3 to c3, which loses in this game.")


def test_any_rules_are_played(sit_down: SitDown) -> None:
    table = sit_down()
    table.think(100)
    table.choose(game="own")
    page = table.page
    page.get_by_label("Rows", exact=True).fill("")
    table.press("Start a new game")
    expect(page.get_by_role("dialog")).to_be_visible()  # the browser asks for the number
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


def test_the_page_applies_the_rules_as_the_library_does(sit_down: SitDown) -> None:
    """Compares random games to their end, with every combination of the switches."""
    rng = random.Random(12)
    games = []
    for number in range(240):
        gravity, overline, misere = (bool(number >> bit & 1) for bit in range(3))
        rows, columns = rng.randint(1, 6), rng.randint(1, 7)
        k = rng.randint(1, max(rows, columns))
        rules = Rules(rows, columns, k, gravity=gravity, overline=overline, misere=misere)
        board = Board("." * rules.size, rules)
        moves = []
        while board.moves:
            moves.append(rng.choice(board.moves))
            board = board.play(moves[-1])
        line = list(board.winning_line) if board.winning_line else []
        games.append((_asked(rules), moves, [board.cells, board.winner, line]))
    table = sit_down()
    ends = table.page.evaluate(
        """async (games) => {
          const { played, untouched } = await import("/static/rules.js");
          return games.map(([rules, moves]) => {
            let stand = untouched(rules, "X");
            for (const move of moves) stand = played(stand.cells, move, stand.turn, rules);
            return [stand.cells, stand.winner, stand.line];
          });
        }""",
        [(rules, moves) for rules, moves, _ in games],
    )
    assert ends == [end for *_, end in games]


def _asked(rules: Rules) -> dict[str, Any]:
    names = ("rows", "columns", "k", "gravity", "overline", "misere")
    return {name: getattr(rules, name) for name in names}
