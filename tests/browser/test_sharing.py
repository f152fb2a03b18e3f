"""Games enter and leave the page: by address, by clipboard, and typed."""

import struct
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage, SitDown
from tests.support.table import Table

pytestmark = pytest.mark.slow

CLIPBOARD = ["clipboard-read", "clipboard-write"]

GOMOKU = "rows=15&columns=15&k=5&mode=people"
SGF = "(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[freestyle];B[hh];W[ig](;B[hi])(;B[hg];W[ih]))\n"


def test_the_address_brings_the_game_back_with_its_moves(sit_down: SitDown) -> None:
    table = sit_down("/#rows=6&columns=6&k=5&first=X&you=O")
    table.think(100)
    table.wait_for_engine()
    table.play(table.board.replace("/", "").index("."))
    board, address = table.board, urlsplit(table.page.url)
    moves = table.record.all_inner_texts()
    assert f"moves={'+'.join(moves)}" in address.fragment

    guest = sit_down(f"/#{address.fragment}")
    guest.expect_board(board)
    guest.expect_moves(*moves)
    expect(guest.subline).to_have_text("You are O. 6 × 6, 5 in a row.")
    expect(guest.headline).to_have_text("Your move")


def test_the_address_is_written_only_when_the_game_changes(sit_down: SitDown) -> None:
    table = sit_down("/#rows=6&columns=6&k=5&mode=people")
    table.page.evaluate(
        """() => {
          window.written = [];
          history.replaceState = (...rest) => window.written.push(rest[2]);
        }"""
    )
    table.press("Analysis")
    table.wait_for_analysis()
    assert table.page.evaluate("() => window.written") == []
    table.cell(0).click()
    assert "moves=a6" in table.page.evaluate("() => window.written.at(-1)")


def test_a_link_to_an_impossible_position_is_explained(sit_down: SitDown) -> None:
    table = sit_down("/#board=XXX......&you=X", expect=("422",))
    expect(table.notice).to_contain_text("The service refused this.")
    expect(table.notice).to_have_role("alert")
    table.expect_board(".../.../...")
    table.start()
    expect(table.notice).to_be_hidden()


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("rows=3&columns=3&k=3&moves=a1+a1", "Move 2 is a1, which is not a legal move."),
        ("game=chess", "There is no game called “chess”. The games are tic-tac-toe, "),
    ],
)
def test_a_link_with_a_mistake_is_explained(sit_down: SitDown, fragment: str, said: str) -> None:
    table = sit_down(f"/#{fragment}")
    expect(table.notice).to_contain_text("The page cannot show the game in this link. ")
    expect(table.notice).to_contain_text(said)
    expect(table.notice).not_to_contain_text("..")
    expect(table.page.get_by_role("button", name="Try again")).to_be_hidden()
    assert table.page.url.endswith(fragment)  # the link stays, so that the user sees the mistake
    table.press("Close this message")
    expect(table.notice).to_be_hidden()
    expect(table.headline).to_have_text("Your move")
    table.play(4)
    assert "moves=b2" in table.page.url


def test_a_link_changes_only_the_rules_of_a_game_that_it_names(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&rows=8&mode=people")
    expect(table.subline).to_have_text("8 × 7, 4 in a row, marks fall.")


def test_the_board_of_a_link_may_have_another_shape_than_its_game(sit_down: SitDown) -> None:
    table = sit_down("/#game=gomoku&board=...../...../...../...../.....&mode=people")
    table.expect_board("/".join(["....."] * 5))


@pytest.mark.parametrize(
    ("rules", "explored"),
    [
        ("rows=3&columns=3&k=3", True),
        ("game=gomoku", False),
        ("rows=3&columns=3&k=3&gravity=true", False),
        ("rows=3&columns=4&k=3", False),
    ],
)
def test_the_explorer_is_offered_for_the_game_that_it_knows(
    sit_down: SitDown, rules: str, explored: bool
) -> None:
    table = sit_down(f"/#{rules}&mode=people&moves=a1")
    table.press("Share…")
    expect(table.page.locator("#explore")).to_be_visible(visible=explored)


def test_a_game_that_sgf_does_not_have_is_saved_as_its_link(
    sit_down: SitDown, tmp_path: Path
) -> None:
    table = sit_down("/#game=connect-four&mode=analysis&moves=d1+(c1+c2)+d2")
    before = table.record.all_text_contents()
    file = _saved(table, "Save as a file", tmp_path)
    assert file.suffix == ".txt"
    table.press("Close")
    table.press("Tic-tac-toe")
    table.press("Open…")
    table.page.locator("#file").set_input_files(file)
    table.expect_moves(*before)
    expect(table.subline).to_contain_text("Connect Four")


def test_while_a_link_is_read_nothing_can_be_played_and_no_error_is_shown(
    open_page: OpenPage,
) -> None:
    page = open_page("/static/favicon.svg")
    held = _hold_links(page)
    with page.expect_request("**/best-move"):
        page.goto("/#board=X...O....&you=X")
    table = Table(page)
    expect(page.locator("#setup input[value=gomoku]")).to_be_attached()  # the games are loaded
    expect(table.status).to_have_attribute("data-phase", "reading")
    expect(page.get_by_role("gridcell")).to_have_count(0)
    expect(table.notice).to_be_hidden()
    assert page.url.endswith("#board=X...O....&you=X")
    held[0].continue_()
    table.expect_board("X../.O./...")


def test_a_game_that_is_left_for_a_link_takes_no_move(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a1")
    held = _hold_links(table.page)
    table.page.evaluate("() => { location.hash = '#board=X...O....&mode=people'; }")
    expect(table.page.get_by_role("button", name="Hint")).to_have_attribute("aria-disabled", "true")
    table.cell(0).click()
    assert table.board == ".../.../X.."
    held[0].continue_()
    table.expect_board("X../.O./...")
    table.cell(1).click()
    table.expect_board("XX./.O./...")


def test_a_game_that_is_begun_while_a_link_is_read_stays(open_page: OpenPage) -> None:
    page = open_page("/static/favicon.svg")
    held = _hold_links(page)
    with page.expect_request("**/best-move"):
        page.goto("/#board=X...O....&mode=people")
    table = Table(page)
    expect(page.locator("#setup input[value=gomoku]")).to_be_attached()
    table.start(game="connect-four")
    with page.expect_response("**/best-move"):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert table.board == "/".join(["......."] * 6)
    assert "columns=7" in page.url


def _hold_links(page: Page) -> list[Route]:
    """Hold back the next request to /best-move, and put it into the returned list."""
    held: list[Route] = []
    page.route("**/best-move", lambda route: held.append(route), times=1)
    return held


def test_the_board_and_the_moves_are_copied(sit_down: SitDown) -> None:
    table = sit_down(
        "/#board=xx../.o../..o./....&k=4&moves=d1+d2&mode=people", permissions=CLIPBOARD
    )
    table.press("Share…")
    table.press("Copy the board")
    expect(table.page.locator("#copied")).to_have_text("The board is copied.")
    assert _clipboard(table.page) == "XX../.O../..OO/...X"
    table.press("Copy the moves")
    expect(table.page.locator("#copied")).to_have_text("The moves are copied.")
    assert _clipboard(table.page) == "d1 d2"


def test_a_game_of_gomoku_is_saved_as_sgf_and_opened_again(
    sit_down: SitDown, tmp_path: Path
) -> None:
    table = sit_down(f"/#{GOMOKU}&moves=h8+i9+h7+(h9+i8)")
    file = _saved(table, "Save as a file", tmp_path)
    assert file.name == "bestmove.sgf"
    assert file.read_text() == SGF
    guest = sit_down()
    guest.pick("people")
    guest.press("Open…")
    guest.page.locator("#file").set_input_files(file)
    guest.expect_moves("h8", "i9", "h7", "h9", "i8")
    expect(guest.page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("board", ["", "AB[aa]AW[oo]"])
def test_what_the_page_does_not_show_of_a_file_is_told_and_saved_again(
    sit_down: SitDown, tmp_path: Path, board: str
) -> None:
    text = (
        f"(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[renju]PB[A]PW[B]{board}"
        ";B[hh]C[good](;W[ig]N[one];B[];W[aa])(;W[hg]))\n"
    )
    file = tmp_path / "game.sgf"
    file.write_text(text)
    table = sit_down("/#mode=people")
    table.press("Open…")
    table.page.locator("#file").set_input_files(file)
    table.expect_moves("h8", "i9", "h9")
    expect(table.subline).to_contain_text("X: A, O: B.")
    table.record.first.click()
    expect(table.page.locator("#reason")).to_have_text("Comment: good")
    told = table.page.locator("#told")
    expect(told).to_have_text(
        "The page does not judge renju's forbidden moves. Not shown, but saved again as SGF: "
        "names of positions; move 3, a pass, and what follows."
    )
    expect(told).to_have_role("status")
    assert _saved(table, "Save as a file", tmp_path).read_text() == text
    table.page.keyboard.press("Escape")
    expect(told).to_be_visible()
    table.start(game="tic-tac-toe")
    expect(told).to_be_hidden()  # another game closes the notice


def test_a_notice_about_a_file_can_be_closed(sit_down: SitDown) -> None:
    table = sit_down(f"/#{GOMOKU}")
    _paste(table, "226744515337")
    table.expect_moves("b1", "b2", "f1", "g1", "d1", "d2", "e1", "a1", "e2", "c1", "c2", "g2")
    expect(table.subline).to_contain_text("Connect Four")
    told = table.page.locator("#told")
    expect(told).to_have_text("These are moves of Connect Four, so that game is open.")
    told.get_by_role("button").click()
    expect(told).to_be_hidden()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[4]SZ[15];B[hh];W[hh])", "Move 2 is hh, which is not a legal move"),
        ("(;GM[4]SZ[15:21];B[aa])", "It asks for 21 × 15, "),
        ("(;GM[1]SZ[19];B[pd])", "It is a record of Go (GM[1])."),
        ("Piskvorky 30x30, 11:11, 0\n8,8,0", "It asks for 30 × 30, "),
    ],
)
def test_an_invalid_file_is_explained(sit_down: SitDown, text: str, said: str) -> None:
    table = sit_down(f"/#{GOMOKU}&moves=a1")
    _paste(table, text)
    expect(table.page.locator("#paste-error")).to_contain_text(said)
    table.press("Close")
    table.expect_moves("a1")


@pytest.mark.parametrize("game", ["connect-four", "gomoku"])
def test_the_board_is_saved_as_a_picture(sit_down: SitDown, tmp_path: Path, game: str) -> None:
    table = sit_down(f"/#game={game}&mode=people&moves=c1+b1+c2")
    file = _saved(table, "Save a picture", tmp_path)
    head = file.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">2I", head[16:24])
    assert (width > height) == (game == "connect-four")


def test_a_module_that_cannot_be_loaded_is_reported_and_tried_again(sit_down: SitDown) -> None:
    table = sit_down(expect=("net::ERR", "Failed to load"))
    table.page.route("**/editor.js*", lambda route: route.abort(), times=1)
    table.page.route("**/picture.js*", lambda route: route.abort(), times=1)
    table.press("Share…")
    table.press("Save a picture")
    expect(table.page.locator("#copied")).to_contain_text("The service does not answer.")
    with table.page.expect_download():
        table.press("Save a picture")
    table.page.keyboard.press("Escape")
    table.press("Open…")
    table.press("Edit the board")
    expect(table.page.locator("#paste-error")).to_contain_text("The service does not answer.")
    table.press("Edit the board")
    expect(table.page.get_by_role("dialog", name="Edit the board")).to_be_visible()


def _saved(table: Table, button: str, folder: Path) -> Path:
    table.press("Share…")
    with table.page.expect_download() as download:
        table.press(button)
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def _clipboard(page: Page) -> str:
    return str(page.evaluate("() => navigator.clipboard.readText()"))


def _paste(table: Table, text: str) -> None:
    table.press("Open…")
    table.page.get_by_label("Board or moves", exact=True).fill(text)
    table.press("Set up")


def test_a_board_is_pasted_in_any_spelling_and_opens_in_analysis(sit_down: SitDown) -> None:
    table = sit_down()
    table.press("Open…")
    table.page.get_by_label("Board or moves", exact=True).fill(
        "x _ _ _\n_ o _ _\n_ x _ _\n_ _ _ _\n"
    )
    table.page.locator("#paste-k").fill("3")
    table.press("Set up")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_board("X.../.O../.X../....")
    expect(table.subline).to_have_text("4 × 4, 3 in a row.")


def test_moves_are_pasted(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&mode=people")
    _paste(table, "4453")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_moves("d1", "d2", "e1", "c1")


def test_text_that_is_not_a_board_is_explained_and_the_game_is_kept(sit_down: SitDown) -> None:
    table = sit_down(expect=("422",))
    table.play(0)
    before = table.board
    _paste(table, "X0.......")
    expect(table.page.locator("#paste-error")).to_contain_text("nought is the letter O")
    area = table.page.get_by_label("Board or moves", exact=True)
    expect(area).to_have_attribute("aria-invalid", "true")
    table.press("Close")
    table.expect_board(before)


def test_a_board_whose_dialog_is_closed_before_it_is_read_does_not_replace_the_game(
    sit_down: SitDown,
) -> None:
    table = sit_down("/#mode=people&moves=a1")
    held = _hold_links(table.page)
    with table.page.expect_request("**/best-move"):
        _paste(table, "X../.O./...")
    table.press("Close")
    table.cell(0).click()
    with table.page.expect_response("**/best-move"):
        held[0].continue_()
    table.page.evaluate("() => new Promise((done) => setTimeout(done))")
    table.expect_moves("a1", "a3")


def test_text_pasted_anywhere_on_the_page_opens_the_dialog_with_it(sit_down: SitDown) -> None:
    table = sit_down(permissions=CLIPBOARD)
    table.page.evaluate("() => navigator.clipboard.writeText('X../.O./...')")
    table.page.keyboard.press("Control+v")
    area = table.page.get_by_label("Board or moves", exact=True)
    expect(area).to_have_value("X../.O./...")
    table.page.keyboard.press("Escape")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
