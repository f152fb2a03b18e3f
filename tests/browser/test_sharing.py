"""Games enter and leave the page: by address, by clipboard, by file, and typed.

tests/web checks what is read and written; these tests check that the page shows it."""

import struct
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, SitDown
from tests.support.table import Table

pytestmark = pytest.mark.slow

CLIPBOARD = ["clipboard-read", "clipboard-write"]
CLOSE = "Close this message"
LINK = "#board=X...O....&mode=people"


def test_the_address_brings_the_game_back_with_its_moves(sit_down: SitDown) -> None:
    table = sit_down("/#rows=6&columns=6&k=5&first=X&you=O")
    table.think(100)
    table.wait_for_engine()
    table.play(table.board.replace("/", "").index("."))
    board, address = table.board, urlsplit(table.page.url)
    moves = table.record.all_text_contents()
    assert f"moves={'+'.join(moves)}" in address.fragment

    guest = sit_down(f"/#{address.fragment}")
    guest.expect_board(board)
    guest.expect_moves(*moves)
    expect(guest.subline).to_have_text("6 × 6, 5 in a row.")
    expect(guest.headline).to_have_text("Your move (O)")

    # A link changes only the rules that it names, and its board may have another shape.
    guest.page.goto("/#game=connect-four&rows=8&mode=people")
    expect(guest.subline).to_have_text("8 × 7, 4 in a row, marks fall.")
    guest.page.goto("/#game=gomoku&board=...../...../...../...../.....&mode=people")
    guest.expect_board("/".join(["....."] * 5))


def test_the_address_is_written_only_when_the_game_changes(sit_down: SitDown) -> None:
    table = sit_down("/#rows=6&columns=6&k=5&mode=people")
    table.page.evaluate(
        """() => {
          window.written = [];
          history.replaceState = (...rest) => window.written.push(rest[2]);
        }"""
    )
    table.analyse()
    assert table.page.evaluate("() => window.written") == []
    table.cell(0).click()
    assert "moves=a6" in table.page.evaluate("() => window.written.at(-1)")


@pytest.mark.parametrize(
    ("fragment", "said", "closes"),
    [
        ("rows=3&columns=3&k=3&moves=a1+a1", "Move 2 is a1, which is not a legal", CLOSE),
        ("game=chess", "There is no game called “chess”. The games are tic-tac-toe, ", CLOSE),
        ("board=XXX......&you=X", "", "Tic-tac-toe"),
    ],
)
def test_a_link_with_a_mistake_is_explained(
    sit_down: SitDown, fragment: str, said: str, closes: str
) -> None:
    table = sit_down(f"/#{fragment}", expect=("422",))
    expect(table.notice).to_have_role("alert")
    expect(table.notice).to_contain_text("The page cannot show the game in this link. ")
    expect(table.notice).to_contain_text(said)
    expect(table.notice).not_to_contain_text("..")
    # Only the service judges boards: it may be asked again.
    expect(table.button("Try again")).to_be_visible(visible=fragment.startswith("board="))
    assert table.page.url.endswith(fragment)  # the link stays, so that the user sees the mistake
    table.press(closes)
    expect(table.notice).to_be_hidden()
    expect(table.headline).to_have_text("Your move (X)")
    table.play(4)
    assert "moves=b2" in table.page.url


def test_while_a_link_is_read_only_another_game_can_be_begun(open_page: OpenPage) -> None:
    page = open_page("/static/favicon.svg")
    table = Table(page)
    held = table.hold("**/best-move")
    with page.expect_request("**/best-move"):
        page.goto(f"/{LINK}")
    expect(table.at("#setup input[value=gomoku]")).to_be_attached()  # the games are loaded
    expect(table.status).to_have_attribute("data-phase", "reading")
    expect(page.get_by_role("gridcell")).to_have_count(0)
    expect(table.notice).to_be_hidden()
    assert page.url.endswith(LINK)
    table.start(game="connect-four")
    with page.expect_response("**/best-move"):
        held().continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert table.board == "/".join(["......."] * 6)  # the link's game comes too late
    assert "columns=7" in page.url


def test_a_game_that_is_left_for_a_link_takes_no_move(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a1")
    held = table.hold("**/best-move")
    table.page.evaluate("link => { location.hash = link; }", LINK)
    expect(table.button("Hint")).to_have_attribute("aria-disabled", "true")
    table.cell(0).click()
    assert table.board == ".../.../X.."
    held().continue_()
    table.expect_board("X../.O./...")
    table.cell(1).click()
    table.expect_board("XX./.O./...")


def test_board_and_moves_are_copied_and_text_is_pasted_anywhere(sit_down: SitDown) -> None:
    link = "/#board=xx../.o../..o./....&k=4&moves=d1+d2&mode=people"
    table = sit_down(link, permissions=CLIPBOARD)
    table.press("Share…")
    for what, text in {"board": "XX..\n.O..\n..OO\n...X", "moves": "d1 d2"}.items():
        table.press(f"Copy the {what}")
        said = "The board is copied." if what == "board" else "The moves are copied."
        expect(table.at("#copied")).to_have_text(said)
        assert _clipboard(table.page) == text
    table.keys("Escape", "Control+v")
    area = table.page.get_by_label("Board or moves", exact=True)
    expect(area).to_have_value("d1 d2")
    table.keys("Escape")
    expect(table.page.get_by_role("dialog")).to_be_hidden()


def test_any_game_is_saved_with_its_marks_and_opened_again(
    sit_down: SitDown, tmp_path: Path
) -> None:
    table = sit_down("/#game=connect-four&mode=analysis&moves=d1+(c1+c2)+d2&marks=2m")
    before = table.record.all_text_contents()
    table.press("Share…")
    file = table.save("Save as a file", tmp_path)
    table.press("Close")
    table.press("Tic-tac-toe")
    table.open_file(file)
    table.expect_moves(*before)
    expect(table.button("Connect Four")).to_have_attribute("aria-pressed", "true")
    expect(table.record.nth(1)).to_have_attribute("data-fault", "mistake")


@pytest.mark.parametrize("board", ["", "AB[aa]AW[oo]"])
def test_what_is_not_shown_of_a_file_is_told_and_saved_again(
    sit_down: SitDown, tmp_path: Path, board: str
) -> None:
    text = (
        f"(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[renju]PB[A]PW[B]{board}"
        ";B[hh]C[good](;W[ig]N[one];B[];W[aa])(;W[hg]))\n"
    )
    file = tmp_path / "game.sgf"
    file.write_text(text)
    table = sit_down("/#mode=people")
    table.open_file(file)
    table.expect_moves("h8", "i9", "h9")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    expect(table.subline).to_contain_text("X: A, O: B")
    table.record.first.click()
    expect(table.at("#comment")).to_have_value("good")
    told = table.at("#told")
    expect(told).to_contain_text(
        "The page does not judge renju's forbidden moves. Not shown, but saved again as SGF: "
        "names of positions; move 3, a pass, and what follows."
    )
    expect(told).to_have_role("status")
    table.press("Share…")
    saved = table.save("Save as a file", tmp_path)
    expect(table.at("#copied")).to_have_text(f"Saved as {saved.name}.")
    assert (saved.name[:17], saved.read_text()) == ("bestmove-gomoku-2", text)
    table.keys("Escape")
    expect(told).to_be_visible()
    table.start(game="tic-tac-toe")
    expect(told).to_be_hidden()  # another game closes the notice


@pytest.mark.parametrize("game", ["connect-four", "gomoku"])
def test_the_board_is_saved_as_a_picture_and_modules_are_loaded_again_after_a_failure(
    sit_down: SitDown, tmp_path: Path, game: str
) -> None:
    link = f"/#game={game}&mode=people&moves=c1+b1+c2"
    table = sit_down(link, expect=("net::ERR", "Failed to load"))
    table.page.route("**/editor.js*", lambda route: route.abort(), times=1)
    table.page.route("**/picture.js*", lambda route: route.abort(), times=1)
    table.press("Share…")
    table.press("Save a picture")
    expect(table.at("#copied")).to_contain_text("The service does not answer.")
    head = table.save("Save a picture", tmp_path).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">2I", head[16:24])
    assert (width > height) == (game == "connect-four")
    table.keys("Escape")
    table.press("Set up…")
    expect(table.at("#paste-error")).to_contain_text("The service does not answer.")
    table.keys("Escape")
    table.press("Set up…")
    expect(table.page.get_by_role("dialog", name="Set up a board")).to_be_visible()


def test_boards_and_moves_are_pasted_in_any_spelling(sit_down: SitDown) -> None:
    table = sit_down("/#game=gomoku&mode=people")
    table.tab("Review")
    table.paste("226744515337")
    expect(table.at("#analysis")).to_be_visible()
    table.expect_moves("b1", "b2", "f1", "g1", "d1", "d2", "e1", "a1", "e2", "c1", "c2", "g2")
    expect(table.button("Connect Four")).to_have_attribute("aria-pressed", "true")
    told = table.at("#told")
    expect(told).to_contain_text("Connect Four, so that game is open. Opened for free analysis.")
    told.get_by_role("button", name="Undo").click()
    expect(told).to_be_hidden()
    expect(table.subline).to_contain_text("Gomoku")
    table.press("Open…")
    area = table.page.get_by_label("Board or moves", exact=True)
    area.fill("x _ _ _\n_ o _ _\n_ x _ _\n_ _ _ _\n")
    table.at("#paste-k").fill("3")
    table.press("Open")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_board("X.../.O../.X../....")
    expect(table.subline).to_contain_text("4 × 4, 3 in a row")


def test_the_user_chooses_between_the_readings_of_a_text_or_file(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people", expect=("422",))
    table.paste('["a1", "a2", "a4"]')
    table.page.get_by_role("button", name="Gomoku, exactly five").click()
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_moves("a1", "a2", "a4")
    table.press("Open…")
    content = "(;GM[4]SZ[15]PB[你]PW[b];B[hh]C[好])".encode("gbk")
    table.at("#file").set_input_files({"name": "a.sgf", "mimeType": "", "buffer": content})
    table.page.get_by_role("button", name="Chinese (GBK): ]SZ[15]PB[你]").click()
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_moves("h8")
    expect(table.at("#comment")).to_have_value("好")
    table.paste("1 2 3 4 5 6 7\n" + "⚪⚪⚪⚪⚪⚪⚪\n" * 5 + "🟡⚪⚪🔴⚪⚪⚪")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_board("/".join(["......."] * 5 + ["O..X..."]))


def test_text_that_cannot_be_opened_is_explained_and_the_game_is_kept(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a1", expect=("422",))
    for text, said in {
        "(;GM[4]SZ[15];B[hh];W[hh])": "Move 2 is hh, but that cell is taken.",
        "X0.......": "nought is the letter O",
    }.items():
        table.paste(text)
        expect(table.at("#paste-error")).to_contain_text(said)
        area = table.page.get_by_label("Board or moves", exact=True)
        expect(area).to_have_attribute("aria-invalid", "true")
        table.press("Close")
        table.expect_moves("a1")


def test_a_board_whose_dialog_was_closed_does_not_replace_the_game(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a1")
    held = table.hold("**/best-move")
    with table.page.expect_request("**/best-move"):
        table.paste("X../.O./...")
    table.press("Close")
    table.cell(0).click()
    with table.page.expect_response("**/best-move"):
        held().continue_()
    table.page.evaluate("() => new Promise((done) => setTimeout(done))")
    table.expect_moves("a1", "a3")


def _clipboard(page: Page) -> str:
    return str(page.evaluate("() => navigator.clipboard.readText()"))
