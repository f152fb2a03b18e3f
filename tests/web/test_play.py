"""The whole page to play on, run by node with a stand-in for the document and for the service."""

from bestmove.answers import NamedGame
from bestmove.api.pages import WEB
from bestmove.game import PRESETS
from tests.support.needs import NODE
from tests.web.node import check

pytestmark = NODE

GIVEN = {
    "markup": (WEB / "index.html").read_text(),
    "games": [NamedGame.of(preset).to_dict() for preset in PRESETS.values()],
}

START = """
const { open } = await import(page);
open(given.markup);
const { byId } = await load("dom.js");
window.history = { pushState() {}, replaceState(_, __, address) { location.hash = address; } };
window.addEventListener = () => {};
Object.defineProperty(globalThis, "navigator", { value: {} });
const limits = { time_ms: 10_000, stream_ms: 60_000, lines: 20 };
let answer = null;
const asked = [];
globalThis.fetch = async (url, { body }) => {
  if (url.pathname === "/games") return Response.json({ games: given.games, limits });
  asked.push(JSON.parse(body));
  return Response.json(answer);
};
const pause = () => new Promise((done) => setTimeout(done, 20));
const sitDown = async (fragment) => {
  location.hash = fragment;
  await load("play.js");
  await pause();
};
const cells = () => document.querySelectorAll("#board .cell");
const board = () => cells().map(({ dataset }) => dataset.mark).join("");
const begun = { turn: "X", status: "in_progress", winner: null, winning_line: null };
"""


def test_a_rematch_begins_where_the_game_began() -> None:
    program = """
    answer = { ...given.games[0], ...begun, board: "XX.OO...." };
    await sitDown("#board=XX.OO....&mode=people");
    await cells()[2].click();
    is([board(), byId("rematch").hidden], ["XXXOO....", false]);
    await byId("rematch").click();
    is([board(), byId("rematch").hidden], ["XX.OO....", true]);
    for (const id of ["forward", "redo"]) is(byId(id).getAttribute("aria-disabled"), "true");
    """
    check(START + program, GIVEN)


def test_the_board_of_a_link_may_have_another_shape_than_its_game() -> None:
    program = """
    answer = { ...given.games[0], ...begun, rows: 5, columns: 5, k: 5, board: ".".repeat(25) };
    await sitDown("#game=gomoku&board=...../...../...../...../.....&mode=people");
    is(asked.map(({ depth, time_ms, ...rest }) => rest),
      [{ board: "...../...../...../...../.....", game: "gomoku", first: "X" }]);
    is([board().length, byId("notice").hidden], [25, true]);
    """
    check(START + program, GIVEN)


def test_after_a_bad_link_the_address_is_that_of_the_game_played() -> None:
    program = """
    await sitDown("#board=XX&mode=people");
    is([byId("notice").hidden, location.hash], [false, "#board=XX&mode=people"]);
    await byId("dismiss").click();
    await cells()[4].click();
    is([byId("notice").hidden, location.hash.includes("moves=b2")], [true, true]);
    """
    check(START + program, GIVEN)
