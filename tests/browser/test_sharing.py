"""Games go in and out of the page: by address, by clipboard, and typed."""

import struct
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage, SitDown
from tests.support.table import Table

pytestmark = pytest.mark.slow

CLIPBOARD = ["clipboard-read", "clipboard-write"]

GOMOCUP = "START 15\nBOARD\n7,7,2\n8,6,1\n7,8,2\nDONE\n"
GOMOKU = "rows=15&columns=15&k=5&mode=people"
SGF = "(;FF[4]CA[UTF-8]GM[4]SZ[15];B[hh];W[ig](;B[hi])(;B[hg];W[ih]))\n"
MANAGER = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,120\n8,9,30\nbestmove.exe\n"


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


def test_a_link_may_show_the_start_of_its_game(sit_down: SitDown) -> None:
    table = sit_down("/#mode=people&moves=a3+b2+c3&at=0")
    table.expect_moves("a3", "b2", "c3")
    table.expect_board(".../.../...")


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
        ("rows=21&columns=3&k=3", "It asks for 21 × 3, 3 in a row."),
        ("rows=many&columns=3", "It has rows=many, but rows must be a whole number."),
        ("game=chess", "There is no game called “chess”. The games are tic-tac-toe, "),
    ],
)
def test_a_link_with_a_mistake_is_explained(sit_down: SitDown, fragment: str, said: str) -> None:
    table = sit_down(f"/#{fragment}")
    expect(table.notice).to_contain_text("The page cannot show the game in this link. ")
    expect(table.notice).to_contain_text(said)
    expect(table.notice).not_to_contain_text("..")
    expect(table.page.get_by_role("button", name="Try again")).to_be_hidden()
    assert table.page.url.endswith(fragment)  # left as it is, so that the user can see the mistake
    table.press("Close this message")
    expect(table.notice).to_be_hidden()
    expect(table.headline).to_have_text("Your move")


def test_a_link_changes_only_the_rules_of_a_game_that_it_names(sit_down: SitDown) -> None:
    table = sit_down("/#game=connect-four&rows=8&mode=people")
    expect(table.subline).to_have_text("8 × 7, 4 in a row, marks fall.")


def test_while_a_link_is_read_nothing_can_be_played_and_no_error_is_shown(
    open_page: OpenPage,
) -> None:
    page = open_page("/static/favicon.svg")
    held = _hold_links(page)
    with page.expect_request("**/best-move"):
        page.goto("/#board=X...O....&you=X")
    table = Table(page)
    expect(page.locator("#setup input[value=gomoku]")).to_be_attached()  # the games are loaded
    expect(table.status).to_have_attribute("data-phase", "loading")
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
    """Hold back the first request to the service, which is about the position of a link."""
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
    file = _saved(table, "Save as SGF", tmp_path)
    assert file.name == "bestmove.sgf"
    assert file.read_text() == SGF
    guest = sit_down()
    guest.pick("people")
    guest.press("Open…")
    guest.page.locator("#file").set_input_files(file)
    guest.expect_moves("h8", "i9", "h7", "h9", "i8")
    expect(guest.page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize(
    "fields",
    [
        "rows=7&columns=9&k=5&moves=a1+b1+(c1+(d1)+e1)+f1",
        "board=X...../O...../....../....../....../......&first=O&k=5&moves=b6",
        "rows=15&columns=15&k=5&overline=false&first=O&moves=h8",
    ],
)
def test_a_game_written_as_sgf_is_read_back_the_same(sit_down: SitDown, fields: str) -> None:
    table = sit_down(f"/#{fields}&mode=people")
    same = table.page.evaluate(
        """async (fragment) => {
          const { fromFragment, completeRules } = await import("/static/address.js");
          const { History } = await import("/static/history.js");
          const { readSgf, writeSgf } = await import("/static/sgf.js");
          const { board, rules, first, moves } = fromFragment(fragment);
          const whole = completeRules(rules);
          const cells = board?.replaceAll("/", "");
          const stand = { turn: first, status: "in_progress", winner: null, line: [] };
          const start = cells && { cells, ...stand };
          const history = new History(whole, first, start);
          history.read(moves);
          const again = readSgf(writeSgf(history));
          return [again, { ...again, board, rules: whole, first, moves: history.text }];
        }""",
        urlsplit(table.page.url).fragment,
    )
    assert same[0] == same[1]


def test_sgf_lists_marks_point_by_point_and_as_rectangles(sit_down: SitDown) -> None:
    board = sit_down().page.evaluate(
        """async () => {
          const { readSgf } = await import("/static/sgf.js");
          return readSgf("(;GM[4]SZ[5:4]AB[aa:cc][ed]AW[da:eb]AE[bb:bc];W[dd])").board;
        }"""
    )
    assert board == "XXXOO/X.XOO/X.X../....X"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[4]SZ[15];B[hh];W[hh])", "Move 2 is hh, which is not a legal move"),
        ("(;GM[4]SZ[15]AB[hh];B[ii];W[jj])", "Move 1 is ii, which is not a legal move"),
        ("(;GM[4]SZ[99999];B[aa])", "It asks for 99999 × 99999, "),
        ("(;GM[4]SZ[15:21];B[aa])", "It asks for 21 × 15, "),
        ("(;GM[4]SZ[0];B[aa])", "It asks for 0 × 0, "),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n9,9,0\n", "Move 2 is h8, which is not"),
    ],
)
def test_an_invalid_file_is_explained(sit_down: SitDown, text: str, said: str) -> None:
    table = sit_down(f"/#{GOMOKU}&moves=a1")
    _paste(table, text)
    expect(table.page.locator("#paste-error")).to_contain_text(said)
    table.press("Close")
    table.expect_moves("a1")


@pytest.mark.parametrize("game", ["connect-four", "gomoku", "tic-tac-toe"])
def test_the_board_is_saved_as_a_picture(sit_down: SitDown, tmp_path: Path, game: str) -> None:
    table = sit_down(f"/#game={game}&mode=people&moves=c1+b1+c2")
    file = _saved(table, "Save a picture", tmp_path)
    head = file.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">2I", head[16:24])
    assert (width > height) == (game == "connect-four")
    table.page.keyboard.press("Escape")
    table.press("Share…")
    expect(table.page.get_by_role("button", name="Save as SGF")).to_be_visible(
        visible=game == "gomoku"
    )


def test_a_module_that_cannot_be_loaded_is_reported_and_tried_again(sit_down: SitDown) -> None:
    table = sit_down(expect=("net::ERR", "Failed to load"))
    table.page.route("**/editor.js", lambda route: route.abort(), times=1)
    table.page.route("**/picture.js", lambda route: route.abort(), times=1)
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


def test_a_board_is_pasted_in_any_spelling_and_the_side_to_move_plays(sit_down: SitDown) -> None:
    table = sit_down()
    table.press("Open…")
    table.page.get_by_label("Board or moves", exact=True).fill(
        "x _ _ _\n_ o _ _\n_ x _ _\n_ _ _ _\n"
    )
    table.page.locator("#paste-k").fill("3")
    table.press("Set up")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_board("X.../.O../.X../....")
    expect(table.subline).to_have_text("You are O. 4 × 4, 3 in a row.")


@pytest.mark.parametrize("empty", [".", " "])
@pytest.mark.parametrize("separator", ["\n", "/", "|"])
def test_a_pasted_board_of_the_present_size_keeps_the_present_rules(
    sit_down: SitDown, separator: str, empty: str
) -> None:
    table = sit_down("/#rows=4&columns=4&k=3")
    rows = separator.join(["x...", "....", ".o..", "...."])
    _paste(table, rows.replace(".", empty))
    table.expect_board("X.../..../.O../....")
    expect(table.subline).to_contain_text("4 × 4, 3 in a row")


@pytest.mark.parametrize(
    ("start", "text", "moves"),
    [
        ("game=tic-tac-toe", SGF, ["h8", "i9", "h7", "h9", "i8"]),
        ("rows=15&columns=15&k=5", "h8 i9 (h9 i8) H7", ["h8", "i9", "h9", "i8", "h7"]),
        ("game=connect-four", "4453", ["d1", "d2", "e1", "c1"]),
        ("rows=15&columns=15&k=5", GOMOCUP, ["h8", "i9", "h7"]),
        ("game=tic-tac-toe", MANAGER, ["h8", "i9", "h7"]),
    ],
)
def test_moves_are_pasted_as_people_and_gomocup_write_them(
    sit_down: SitDown, start: str, text: str, moves: list[str]
) -> None:
    table = sit_down(f"/#{start}&mode=people")
    _paste(table, text)
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    table.expect_moves(*moves)


@pytest.mark.parametrize("text", ["a1 b2", "START 3\nBOARD\n0,0,2\n1,1,1\nDONE\n"])
def test_moves_are_not_pasted_under_rules_that_no_board_has(sit_down: SitDown, text: str) -> None:
    table = sit_down("/#game=tic-tac-toe&mode=people&moves=c3")
    table.press("Open…")
    table.page.get_by_label("Board or moves", exact=True).fill(text)
    table.page.locator("#paste-k").fill("7")
    table.press("Set up")
    expect(table.page.locator("#paste-error")).to_contain_text("It asks for 3 × 3, 7 in a row.")
    table.press("Close")
    table.expect_moves("c3")


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


def test_with_gravity_a_move_is_a_column_or_the_cell_where_the_mark_falls(
    sit_down: SitDown,
) -> None:
    cells = sit_down().page.evaluate(
        """async () => {
          const { moveNamed } = await import("/static/notation.js");
          const rules = {rows: 6, columns: 7, k: 4, gravity: true, overline: true, misere: false};
          return ["4", "d1", "d6", "8"].map((word) => moveNamed(word, ".".repeat(42), rules));
        }"""
    )
    assert cells == [38, 38, None, None]


def test_a_managers_file_names_the_columns_before_the_rows_and_is_never_misere(
    sit_down: SitDown,
) -> None:
    rows, columns, misere, cells = sit_down().page.evaluate(
        """async () => {
          const { readGomocup } = await import("/static/notation.js");
          const { TIC_TAC_TOE } = await import("/static/rules.js");
          const text = "Piskvorky 20x15, 11:11, 0\\n20,15,0\\n1,1,5\\n";
          const { rules, cells } = readGomocup(text, {...TIC_TAC_TOE, misere: true});
          return [rules.rows, rules.columns, rules.misere, cells];
        }"""
    )
    assert (rows, columns, misere, cells) == (15, 20, False, [299, 0])
