"""The page's modules that draw nothing, run by node; tests/browser has the page itself."""

import pytest

from tests.support.needs import NODE
from tests.web.node import shown

pytestmark = NODE

START = """
const { History } = await load("history.js");
const { fromFragment, toFragment } = await load("address.js");
const { Live } = await load("live.js");
const { Review } = await load("review.js");
const { Claim } = await load("proof.js");
const { played, TIC_TAC_TOE } = await load("rules.js");
const { valueInShort } = await load("words.js");
const table = { you: "X", mode: "engine", level: 10 };
const gomoku = { ...TIC_TAC_TOE, rows: 15, columns: 15, k: 5 };
const read = (text, rules = TIC_TAC_TOE) => {
  const history = new History(rules, "X");
  history.read(text);
  return history;
};
"""


@pytest.mark.parametrize(
    ("moves", "index", "at"),
    [("a1 a2 a3", 1, 2), ("a1 a2 (b2 b3) a3", 3, 4), ("a1 a2 (b2 b3) a3", 4, None)],
)
def test_an_address_names_the_move_on_the_board_unless_it_is_the_last(
    moves: str, index: int, at: int | None
) -> None:
    program = f"""
    const history = read("{moves}");
    history.go(history.all[{index}]);
    const shared = fromFragment(toFragment(history, table));
    show([shared.moves, shared.at]);
    """
    assert shown(START + program) == [moves, at]


def test_forward_leads_back_into_the_variation_from_which_one_came() -> None:
    program = """
    const history = read("a1 a2 (b2 b3 c3) a3");
    history.go(history.all[4]);
    history.go(history.root);
    for (let step = 0; step < 9; step += 1) history.forward();
    show(history.now === history.all[4]);
    """
    assert shown(START + program)


def test_more_lines_are_searched_though_there_is_an_analysis_with_fewer() -> None:
    program = """
    const asked = [];
    const client = { analyze: async () => ({}), async *streamAnalysis(_, { time_ms, lines }) {
      asked.push([time_ms, lines]);
    } };
    const history = read("a1");
    const { now } = history;
    now.analysed = { moves: [], time_ms: 1000, lines: 4 };
    for (const [time_ms, lines] of [[1000, 4], [500, 2], [1000, 8], [2000, 4]]) {
      await new Live(client).start(history, now, time_ms, lines);
    }
    show(asked);
    """
    assert shown(START + program) == [[1000, 8], [2000, 4]]


def test_the_next_mistake_is_after_the_position_and_the_one_before_it_before() -> None:
    program = """
    const review = new Review({});
    const { line } = read("a1 a2 a3");
    const scores = [0, -1, 1, 1];
    line.forEach((node, at) => {
      node.judged = { score: scores[at], exact: true, plies: 3, best: null };
    });
    review.nodes = line;
    const at = (here, way) => line.indexOf(review.fault(line[here], way));
    show([0, 1, 2, 3].map((here) => [at(here, 1), at(here, -1)]));
    """
    # The first two moves each lose the game.
    assert shown(START + program) == [[1, -1], [2, -1], [-1, 1], [-1, 2]]


def test_a_move_in_the_middle_of_a_run_that_is_too_long_wins_only_with_overline() -> None:
    program = """
    const cells = "XX.XXX" + ".".repeat(30);
    const rules = { ...gomoku, rows: 6, columns: 6, k: 5 };
    const after = (overline) => played(cells, 2, "X", { ...rules, overline });
    show([after(true).winner, after(true).line, after(false).winner]);
    """
    assert shown(START + program) == ["X", [0, 1, 2, 3, 4], None]


@pytest.mark.parametrize(
    ("misere", "turn", "turns"),
    [(False, "X", 3), (False, "O", 2), (True, "X", 2), (True, "O", 3)],
)
def test_the_last_of_an_odd_number_of_moves_is_for_the_side_to_move(
    misere: bool, turn: str, turns: int
) -> None:
    program = f"""
    const rules = {{ ...TIC_TAC_TOE, misere: {str(misere).lower()} }};
    const stand = {{ cells: "XXOO.....", turn: "{turn}" }};
    const claims = [{{ kind: "cannot-win", side: "X", plies: null, nodes: [] }}];
    show(new Claim({{ rules, claims, board: stand.cells }}, 0).turnsLeft(stand));
    """
    assert shown(START + program) == turns


def test_an_estimate_is_never_shown_as_certain() -> None:
    program = """
    const scores = [-0.9999, 0, 0.9999];
    show(scores.map((score) => valueInShort({ score, exact: false, outcome: "unknown" }, "X")));
    """
    assert shown(START + program) == ["1", "50", "99"]
