"""The modules that change the document, run by node with a stand-in for it (page.js); tests/browser
has the page itself."""

from bestmove.answers import NamedGame
from bestmove.api.pages import WEB
from bestmove.game import PRESETS
from tests.support.needs import NODE
from tests.web.node import check

pytestmark = NODE

MARKUP = (WEB / "index.html").read_text()
GAMES = [NamedGame.of(preset).to_dict() for preset in PRESETS.values()]

START = """
const { open } = await import(page);
open(given.markup);
const { byId, html } = await load("dom.js");
const { History } = await load("history.js");
const { TIC_TAC_TOE, untouched } = await load("rules.js");
const gomoku = { ...TIC_TAC_TOE, rows: 15, columns: 15, k: 5 };
const four = { ...TIC_TAC_TOE, rows: 6, columns: 7, k: 4, gravity: true };
const { kept } = localStorage;
const all = (selector) => document.querySelectorAll(selector);
const text = (...ids) => ids.map((id) => byId(id).textContent);
const isOff = (id) => byId(id).getAttribute("aria-disabled") === "true";
const off = (...ids) => ids.filter(isOff).join(" ");
const read = (moves, rules = TIC_TAC_TOE) => {
  const history = new History(rules, "X");
  history.read(moves);
  return history;
};
"""


def _check(program: str) -> None:
    check(START + program, {"markup": MARKUP, "games": GAMES})


def test_the_dialog_for_a_new_game_offers_the_games_and_gives_back_what_was_asked() -> None:
    program = """
    kept["bestmove-strength"] = JSON.stringify({ level: 10, time_ms: 3000 });
    const setup = await load("setup.js");
    const started = [];
    const heard = [];
    setup.watchSetup({ onStart: (one) => started.push(one), onMore: () => heard.push("more"),
      onMode: (mode) => heard.push(mode), onStrength: () => heard.push("strength") });
    const [level, time] = ["level", "time"].map(byId);
    is(setup.strength(), { level: 10, time_ms: 3000, seed: undefined });
    is(level.children.length, 10);
    is(setup.presetNamed("gomoku"), undefined);
    setup.takeGames({ games: given.games, limits: { time_ms: 1000 } });
    is([time.value, time.options.map(({ disabled }) => disabled)],
      ["1000", [false, false, false, true, true]]);
    is(all("#games-bar button").map(({ dataset, textContent }) => dataset.game ?? textContent),
      ["tic-tac-toe", "connect-four", "gomoku", "More…"]);
    is(setup.gameNames().length, all("#games input").length - 1);
    is([setup.presetNamed("connect-four"), setup.titleOf(four)], [four, "Connect Four"]);
    is([setup.titleOf({ ...four, misere: true }), setup.titleOf({ ...four, k: 5 })], [null, null]);
    is(setup.read(), { rules: TIC_TAC_TOE, first: "X", you: "X" });
    for (const [rules, first, you] of [[gomoku, "O", "X"], [four, "O", "O"], [four, "X", "X"],
      [{ ...gomoku, rows: 4, k: 3, overline: false, misere: true, gravity: true }, "X", "O"]]) {
      setup.askForGame({ rules, first, you });
      is(setup.read(), { rules, first, you });
    }
    is([byId("own").hidden, byId("rows").disabled, byId("k").max], [false, false, "15"]);
    for (const [id, value] of [["rows", "3"], ["columns", "4"]]) {
      byId(id).value = value;
      await byId(id).fire("input");
    }
    is([byId("k").value, byId("k").max], ["3", "4"]);
    byId("columns").value = "20";
    await byId("columns").fire("input");
    is([byId("k").value, byId("k").max], ["3", "20"]);
    setup.askForGame({ rules: four, first: "X", you: "X" });
    is([byId("own").hidden, byId("rows").disabled, byId("new-dialog").open], [true, true, true]);
    await byId("setup").fire("submit");
    await all("#games-bar button")[2].click();
    await all("#games-bar button")[3].click();
    is([byId("new-dialog").open, started, heard], [false, [four, gomoku].map((rules) => (
      { rules, first: "X", you: "X" })), ["more"]]);
    level.value = "2";
    await level.fire("change");
    byId("mode").value = "people";
    await byId("mode").fire("change");
    is([heard.slice(1), JSON.parse(kept["bestmove-strength"])],
      [["strength", "people"], { level: 2, time_ms: 1000 }]);
    is(["engine", "watch", "people", "analysis"].map((mode) => setup.strength(mode).level),
      [2, 2, 10, 10]);
    for (const [given, at] of [[{ level: 11 }, "2"], [{ level: 0 }, "2"], [{}, "2"],
      [{ level: 1 }, "1"], [{ level: 10, seed: 5 }, "10"], [{}, "10"]]) {
      setup.takeStrength(given);
      is([level.value, setup.strength().seed], [at, given.seed]);
    }
    for (const [mode, hidden] of [["engine", [false, true]], ["people", [true, true]],
      ["analysis", [true, false]], ["watch", [false, true]]]) {
      setup.showTable(mode, gomoku);
      is([byId("mode").value, level.hidden, byId("edit-here").hidden], [mode, ...hidden]);
    }
    is(all("#games-bar button").map((one) => one.getAttribute("aria-pressed")),
      ["false", "false", "true", null]);
    setup.takeGames({ games: given.games, limits: { time_ms: 40 } });
    is([time.options[0].text, time.options.map(({ disabled }) => disabled)],
      ["0.04 s a move", [false, true, true, true, true]]);
    is(setup.strength().time_ms, 40);
    """
    _check(program)


def test_kept_games_are_listed_opened_replaced_and_brought_back() -> None:
    program = """
    const good = { name: "old", address: "#moves=a1", game: "Gomoku", time: 0 };
    kept["bestmove-games"] = JSON.stringify([good, { name: 5, address: "#moves=" }, null,
      { ...good, address: "#none" }]);
    const { watchSaved } = await load("saved.js");
    const present = () => ({ address: "#moves=b2", game: "Tic-tac-toe" });
    const saved = watchSaved({ present });
    const names = () => all("#saved .kept").map((one) => one.children[0].textContent);
    const keep = async (name) => {
      byId("keep-name").value = name;
      await byId("keep-form").fire("submit");
      saved.list();
      return names();
    };
    saved.list();
    is([names(), byId("none-saved").hidden], [["old"], true]);
    is(await keep("  "), ["old"]);
    is(await keep(" new "), ["new", "old"]);
    is(text("copied"), ["“new” is kept. Open… lists it."]);
    is(await keep("old"), ["old", "new"]);
    byId("open-dialog").open = true;
    await all("#saved .kept")[0].click();
    is([location.hash, byId("open-dialog").open], ["#moves=b2", false]);
    await all("#saved .small")[1].click();
    is([names(), ...text("saved-said"), byId("bring-back").hidden],
      [["old"], "“new” is deleted.", false]);
    await byId("bring-back").click();
    is([names(), text("saved-said")[0], byId("bring-back").hidden], [["old", "new"], "", true]);
    for (const _ of names()) await all("#saved .small")[0].click();
    is([names(), byId("none-saved").hidden], [[], false]);
    saved.list();
    is([byId("bring-back").hidden, ...text("saved-said")], [true, ""]);
    saved.suggest();
    is(byId("keep-name").value.startsWith("Tic-tac-toe, "), true);
    localStorage.setItem = () => { throw new Error("full"); };
    is(await keep("more"), []);
    is(text("copied"), ["This browser does not keep it: its storage is off or full."]);
    for (const odd of ["{", "5"]) {
      kept["bestmove-games"] = odd;
      saved.list();
      is(names(), []);
    }
    """
    _check(program)


def test_a_line_is_opened_stepped_through_and_closed() -> None:
    program = """
    kept["bestmove-analysis"] = JSON.stringify({ lines: 8, time: "stopped" });
    const { Lines } = await load("lines.js");
    const heard = [];
    const note = (what) => () => heard.push(what);
    const lines = new Lines({ onChoice: note("choice"), onStep: note("step"),
      onPlay: (cells) => heard.push(cells) });
    is([lines.count, lines.timeFor(700)], [8, 700]);
    lines.takeLimits({ stream_ms: 9000, lines: 8 });
    is([lines.timeFor(700), lines.timeFor(9500)], [9000, 9500]);
    const [count, time] = [byId("lines-count"), byId("lines-time")];
    is([count.options.map(({ disabled }) => disabled).join(" "), time.options[1].text],
      ["false false false false false true true", "Until stopped, at most 9 s"]);
    [count.value, time.value] = ["3", ""];
    await count.fire("change");
    is([lines.timeFor(700), heard.pop(), kept["bestmove-analysis"]],
      [700, "choice", '{"lines":3,"time":""}']);
    const { now } = read("a1");
    const found = { pv: [0, 1, 2], score: -1, exact: true, plies: 3 };
    is([lines.press("ArrowLeft"), lines.shown], [false, null]);
    lines.open(now, found, TIC_TAC_TOE);
    const state = () => [lines.shown.length, text("line-place")[0], off("line-back", "line-on",
      "line-play"), all("#line [aria-current]")[0]?.textContent ?? ""];
    is(text("line-worth", "line-moves", "announcer"), ["win in 2", "a3b3c3",
      "The line a3 b3 c3. Arrow keys go through it, Escape closes it."]);
    is(all("#line-moves button").map(({ className }) => className), ["ply o", "ply x", "ply o"]);
    is([byId("line").hidden, ...state()], [false, 3, "move 3 of 3", "", "c3"]);
    for (const [key, at, disabled, current, said] of [
      ["ArrowRight", 1, "", "a3", "1 of 3: O a3."], ["ArrowRight", 2, "", "b3", "2 of 3: X b3."],
      ["ArrowRight", 3, "line-on", "c3", "3 of 3: O c3."], ["ArrowRight", 3, "line-on", "c3"],
      ["ArrowLeft", 2, "", "b3"],
      ["Home", 0, "line-back line-play", "",
        "Before the first move of the line."],
      ["ArrowLeft", 0, "line-back line-play", ""], ["End", 3, "line-on", "c3", "3 of 3: O c3."],
    ]) {
      is(lines.press(key), true);
      is(state(), [at, `move ${at} of 3`, disabled, current]);
      if (said) is(text("announcer"), [said]);
    }
    await all("#line-moves button")[1].click();
    await byId("line-back").click();
    await byId("line-play").click();
    is([heard.pop(), lines.shown, lines.press("x")], [[0], [0], false]);
    lines.close(now);
    is(lines.shown, [0]);
    lines.open(now, { ...found, pv: [4] }, TIC_TAC_TOE);
    is(lines.shown, [4]);
    lines.open(now, { ...found, pv: [4] }, TIC_TAC_TOE);
    is([lines.opened, byId("line").hidden], [null, true]);
    lines.open(now, found, TIC_TAC_TOE);
    is(lines.press("Escape"), true);
    lines.open(now, found, TIC_TAC_TOE);
    lines.press("ArrowLeft");
    lines.close(read("b1").now);
    is([lines.opened, lines.shown], [null, null]);
    heard.length = 0;
    await byId("line-play").click();
    is(heard, []);
    """
    _check(program)


def test_the_moves_are_listed_with_variations_and_faults_and_drawn_in_a_graph() -> None:
    program = """
    const { MovesView } = await load("moves-view.js");
    const went = [];
    const view = new MovesView((node) => went.push(node));
    const history = read("a1 a2 (b2 b3) a3");
    const review = { nodes: [], done: 0 };
    const current = () => all("#record [aria-current]")[0].textContent;
    view.show(new History(TIC_TAC_TOE, "X"), review);
    is([text("record"), byId("graph-card").hidden], [["No moves yet."], true]);
    view.show(history, review);
    is([...text("record"), current()], ["1.a1a2(1…b22.b3)2.a3", "a3"]);
    is(all("#record button").map(({ className }) => className.at(-1)).join(""), "xooxx");
    await all("#record button")[2].click();
    is(went, [history.all[2]]);
    history.go(history.all[0]);
    view.show(history, review);
    is(current(), "a1");
    const { line } = history;
    review.nodes = line;
    const scores = [0, -1, 0.4];
    scores.forEach((score, at) => {
      line[at].judged = { score, exact: false, plies: null, best: 4 };
    });
    review.done = 3;
    view.show(history, review);
    is(text("review-summary"), ["Reviewing: 3 of 4"]);
    line[3].judged = line[2].judged;
    review.done = 4;
    view.show(history, review);
    is(text("review-summary"),
      ["X: 1 blunder. Lost 25.0 % per move.\\nO: 1 blunder. Lost 70.0 % per move."]);
    is(all("#record button").slice(0, 3).map((one) => one.getAttribute("aria-label")),
      ["Move 1, X a1, blunder", "Move 2, O a2, blunder", "Move 2, O b2"]);
    is(all("#graph polyline")[0].getAttribute("points"), "37.5,30 112.5,48 187.5,22.8 262.5,22.8");
    is(all("#graph path").map((one) => one.getAttribute("d")),
      ["M0 30H300", "M112.5 0V60", "M112.5 48h0", "M187.5 22.8h0"]);
    is(all("#graph rect").map((one) => one.getAttribute("x")).join(" "), "0 75 150 225");
    is(all("#record button").map(({ dataset }) => dataset.fault).slice(0, 3),
      ["blunder", "blunder", ""]);
    history.play(0);
    view.show(history, review);
    is([all("#record button").length, current()], [6, "a3"]);
    history.go(history.root);
    view.show(history, review);
    is(all("#record [aria-current]").length, 0);
    await all("#graph rect")[3].click();
    is(went[1], line[3]);
    """
    _check(program)


def test_the_panel_says_what_is_known_about_the_position() -> None:
    program = """
    const { showPanel, speak, troubleInWords, buildKeys } = await load("panel.js");
    const { InvalidAnswer, RequestRefused, ServiceUnavailable } = await load("client.js");
    const live = { running: false };
    const usual = { analysed: false, threats: false, lines: 2, opened: null, title: null,
      trouble: null };
    const exact = (score, plies, more) => ({ score, exact: true, plies, ...more });
    const panel = (history, own = {}, seen = {}, running = false) => {
      const { now, rules } = history;
      const game = { now, rules, phase: now.turn ? "ready" : "over", task: "move", mode: "engine",
        you: "X", hint: null, progress: null, engineToMove: now.turn === "O", ...own };
      showPanel(game, { running }, { ...usual, ...seen });
      return text("reason", "verdict");
    };
    const answer = { ...exact(-1, 3, { turn: "O", outcome: "win", move: { index: 4 }, pv: [4, 0] }),
      reason: { code: "forces-win", cells: [], text: "" },
      search: { depth: 3, nodes: 4, elapsed_ms: 50 } };
    const empty = read("");
    is(panel(empty), ["Make your move. The engine gives a reason for its answer.", ""]);
    is([text("headline", "subline"), document.title, byId("notice").hidden], [["Your move",
      "You are X. 3 × 3, 3 in a row."], "Your move · Best Move", true]);
    is([byId("balance").styles["--x-share"], off("stop", "why")], ["50%", "stop why"]);
    each((own, seen) => panel(empty, own, seen)[0], [
      ["The engine has the first move.", { engineToMove: true }],
      ["Place both colours. Analysis shows what each move is worth.", { mode: "analysis" }],
      ["The engine plays both sides.", { mode: "watch" }],
      ["Two people play. The engine does not move.", { mode: "people" }],
      ["", {}, { analysed: true }], ["The engine thinks.", { phase: "thinking" }],
    ]);
    is(panel(read("a1"))[0], "The engine is to move.");
    is([off("stop", "why"), panel(empty, {}, {}, true) && off("stop", "why")], ["stop why", "why"]);
    const won = read("a1 a2 b1 b2");
    won.play(8, { ...answer, exact: true });
    is([won.now.turn, panel(won) && off("stop", "why")], [null, "stop why"]);
    is(panel(read("a1 a2 b1 b2 c1")), ["The game is over. Review shows its mistakes.", ""]);
    is([byId("balance").styles["--x-share"], byId("balance").title, byId("status").dataset],
      ["99%", "You win", { phase: "over", winner: "X" }]);
    const progress = { depth: 2, nodes: 3, elapsed_ms: 0 };
    panel(empty, { phase: "thinking", progress });
    is([...text("cost"), byId("status").dataset.winner], ["depth 2 · 3 nodes · 0.0 s", ""]);
    panel(empty, { phase: "ready", progress });
    is(text("cost"), [""]);
    const replied = read("a1");
    replied.play(4, answer);
    is(panel(replied), ["b2 wins in 2.", "O wins in 1."]);
    is([byId("balance").styles["--x-share"], ...text("cost"), off("stop", "why")],
      ["1%", "depth 3 · 4 nodes · 0.1 s", "stop"]);
    replied.play(0);
    is(panel(replied), ["b2 wins in 2.", "O wins in 1."]);
    replied.back();
    replied.play(1);
    is(panel(replied), ["b2 wins in 2.", ""]);
    is(panel(empty, { hint: { ...answer, turn: "X", score: 1 } }),
      ["Try b2. b2 wins in 2.", "X wins in 2."]);
    const { now } = replied;
    now.analysed = { yielded: true, threats: { X: [], O: [] }, search: { depth: 9, nodes: 1,
      elapsed_ms: 0 }, moves: [{ index: 0, pv: [0, 2, 3], ...exact(0, 6) }] };
    is(panel(replied, {}, { threats: true }), ["No threats on the board.", ""]);
    is(panel(replied, {}, { analysed: true, opened: [0], trouble: { title: "T", text: "U" } }),
      ["b2 wins in 2.", "A draw with best play. The service ended the analysis early, because " +
        "others waited."]);
    is([text("cost", "notice-title", "notice-text"), byId("notice").hidden],
      [["depth 9 · 1 node · 0.0 s", "T", "U"], false]);
    is(all("#lines button").map((one) => [one.textContent, one.getAttribute("aria-disabled"),
      one.getAttribute("aria-expanded"), one.getAttribute("aria-label"), one.dataset.index]), [
      ["1a3drawc3 a2", "false", "true", "1. a3, draw c3 a2", "0"],
      ["", "true", "false", null, ""]]);
    now.analysed.yielded = false;
    is(panel(replied, {}, { analysed: true })[1], "A draw with best play.");
    const { parent } = now;
    parent.judged = exact(1, 3, { best: 8 });
    now.judged = exact(-1, 3);
    is(panel(replied)[0], "b3 was a blunder: from win in 2 to loss in 2. Best was c1.");
    const said = (history, before, own = {}, seen = {}) => {
      const game = { now: history.now, rules: TIC_TAC_TOE, mode: "engine", you: "X", phase: "ready",
        task: "move", hint: null, ...own };
      byId("announcer").textContent = "";
      speak(game, live, { ...usual, ...seen }, before);
      return text("announcer")[0];
    };
    const game = read("a1 b2 a2 c3");
    const [start, , two, three, end] = game.line;
    each((...of) => said(game, ...of), [
      ["You play a2. The engine plays c3. Your move.", two],
      ["", two], ["After move 4. Your move.", start],
      ["The engine plays c3. Your move.", three], ["", end],
      ["O plays c3.", three, { mode: "people" }], ["Suggested: a3.", end,
        { mode: "people", hint: { move: { index: 0 } } }],
      ["The engine plays c3. The engine thinks.", three, { phase: "thinking" }],
      ["", end, { phase: "thinking" }],
      ["Analysing.", end, { phase: "thinking", task: "hint" }],
      ["", end, {}, { trouble: { title: "", text: "" } }], ["Your move.", null],
    ]);
    const over = { phase: "over" };
    is(said(read("a1 a2 b1 b2 c1"), null, over), "You win. X has 3 in a row, a1 to c1.");
    end.analysed = { moves: [{ index: 0, ...exact(1, 3) }] };
    is(said(game, end, { you: "O" }, { analysed: true }), "Best: a3, win in 2.");
    each((error) => troubleInWords(error, "move").title, [
      ["The service does not answer.", new Error("x")],
      ...[["refused this", RequestRefused], ["is busy", ServiceUnavailable],
        ["failed", InvalidAnswer]]
        .map(([what, { prototype }]) => [`The service ${what}.`,
          Object.create(prototype, { message: { value: "x" } })]),
    ]);
    buildKeys();
    is(all("#keys kbd").length > all("#keys dd").length, true);
    """
    _check(program)


def test_a_board_is_set_up_mark_by_mark() -> None:
    program = """
    const { makeEditor } = await load("editor.js");
    let history = read("a3 b2 c3");
    const loaded = [];
    let fails = null;
    const edit = makeEditor({ history: () => history, explain: ({ message }) => message,
      load: async (shared) => { if (fails) throw fails; loaded.push(shared); } });
    const board = () => all("#editor-board .cell").map(({ dataset }) => dataset.mark).join("");
    const tick = async (name, value) => {
      const input = all(`#editor [name="${name}"]`).find((one) => one.value === value);
      input.checked = true;
      await input.fire("change");
    };
    const click = (index) => all("#editor-board .cell")[index].click();
    const press = (index, key, more) =>
      all("#editor-board .cell")[index].fire("keydown", { key, ...more });
    const turns = () => all('#editor [name="turn"]').map((one) => [one.checked, one.disabled]);
    await tick("mark", "X");
    edit();
    is([byId("editor-dialog").open, board(), ...text("editor-status")],
      [true, "X.X.O....", "X has 2, O has 1: O to move."]);
    is(turns(), [[false, true], [true, false]]);
    await click(2);
    is([board(), ...text("editor-status"), turns()],
      ["X...O....", "X has 1, O has 1: O to move.", [[false, false], [true, false]]]);
    await tick("turn", "X");
    await byId("editor").fire("submit");
    is([loaded.pop(), byId("editor-dialog").open], [{ game: null, rules: TIC_TAC_TOE, first: "X",
      you: null, mode: null, moves: "", at: null, board: "X...O...." }, false]);
    await tick("turn", "O");
    await byId("editor").fire("submit");
    is(loaded.pop().first, "O");
    await tick("turn", "X");
    await tick("mark", "O");
    await click(0);
    is([board(), ...text("editor-status"), off("editor-done")], ["O...O....",
      "O has 2 marks more than X: the difference can be at most one.", "editor-done"]);
    is(byId("editor-status").classList.contains("wrong"), true);
    await byId("editor").fire("submit");
    is(loaded, []);
    await tick("mark", ".");
    await click(8);
    await click(4);
    is([board(), ...text("editor-status"), off("editor-done")],
      ["O........", "X has 0, O has 1: X to move.", ""]);
    await byId("editor").fire("submit");
    is(loaded.pop().first, "O");
    await press(0, "Backspace");
    await press(5, "X");
    await press(5, "o", { ctrlKey: true });
    await press(6, "o");
    await press(7, "q");
    is(board(), ".....XO..");
    await press(6, "Delete");
    await byId("editor").fire("submit");
    is(loaded.pop().first, "X");
    fails = new Error("No game reaches this.");
    await byId("editor").fire("submit");
    is(text("editor-error"), ["No game reaches this."]);
    await byId("clear").click();
    is([board(), ...text("editor-status")], [".........", "X has 0, O has 0: X to move."]);
    await tick("mark", "X");
    await click(0);
    await click(1);
    is([...text("editor-status"), byId("editor-status").classList.contains("wrong")],
      ["X has 2 marks more than O: the difference can be at most one.", true]);
    history = read("d1 d2 d3 d4", four);
    edit();
    is(text("editor-error"), [""]);
    is(byId("editor-status").classList.contains("wrong"), false);
    await tick("mark", ".");
    await click(31);
    is([[17, 24, 31, 38].map((at) => board()[at]).join(""), ...text("editor-status")],
      [".OXX", "X has 2, O has 1: O to move."]);
    await press(0, "o");
    is([board()[0], board()[35]], [".", "O"]);
    """
    _check(program)


def test_a_finger_aims_at_the_last_cell_tapped_until_the_position_changes() -> None:
    program = """
    const { BoardView } = await load("board-view.js");
    globalThis.matchMedia = () => ({ matches: true });
    const aims = [];
    const played = [];
    const view = new BoardView(byId("board"), (index) => played.push(index),
      (index) => aims.push(index));
    const picture = { rules: gomoku, cells: ".".repeat(225), hand: "X", turn: "X", last: null,
      line: [], hint: null, evaluations: [], ranked: 0, threats: null };
    view.show(picture);
    for (const cell of all("#board .cell")) cell.clientWidth = 20;
    view.show(picture);
    await all("#board .cell")[112].click();
    await all("#board .cell")[50].click();
    is([aims, played], [[112, 50], []]);
    view.show({ ...picture, last: 0 });
    is(aims, [112, 50]);
    view.show({ ...picture, cells: "X" + ".".repeat(224) });
    is(aims, [112, 50, null]);
    """
    _check(program)


def test_why_asks_again_where_no_proof_was_found() -> None:
    program = """
    document.head = { append: (link) => link.fire("load") };
    const { makeWhy } = await load("why.js");
    let calls = 0;
    const prove = async () => ({ proof: null, detail: `Attempt ${calls += 1}.` });
    const why = await makeWhy({ client: { prove }, explain: ({ message }) => message });
    const history = read("a1");
    for (const attempt of ["Attempt 1.", "Attempt 2."]) {
      why(history, history.now);
      await new Promise((done) => setTimeout(done));
      is(byId("why-said").textContent.startsWith(attempt), true);
    }
    """
    _check(program)


def test_a_text_is_opened_as_a_game_a_board_or_a_file() -> None:
    program = r"""
    const { watchOpening } = await load("opening.js");
    await load("sgf.js"); // so that the dialog need not wait for it
    let rules = gomoku;
    const loaded = [];
    const taken = [];
    let shows = 0;
    watchOpening({ history: () => new History(rules, "O"), explain: ({ message }) => message,
      load: async (shared) => loaded.push(shared), take: (history) => taken.push(history),
      onShow: () => { shows += 1; } });
    const paste = async (pasted, k = "") => {
      byId("paste-text").value = pasted;
      byId("paste-k").value = k;
      await byId("paste-form").fire("submit");
      await new Promise((done) => setTimeout(done, 20));
    };
    byId("paste-error").textContent = "old";
    await byId("open").click();
    is([byId("open-dialog").open, shows, ...text("paste-error")], [true, 1, ""]);
    await paste("h8 i9 (h9) h7");
    is([byId("open-dialog").open, taken[0].text, taken[0].first, taken[0].rules],
      [false, "h8 i9 (h9) h7", "O", gomoku]);
    await paste("BOARD\n7,7,1\n8,8,2", "4");
    is([taken[1].text, taken[1].first, taken[1].rules.k], ["h8 i7", "X", 4]);
    byId("open-dialog").open = true;
    await paste("BOARD\n7,7,2\n7,7,1");
    is([byId("open-dialog").open, ...text("paste-error"),
      byId("paste-text").getAttribute("aria-invalid")], [true, "2: h8", "true"]);
    is(document.activeElement, byId("paste-text"));
    byId("open-dialog").open = true;
    await paste("a1 b2", "16");
    is([byId("open-dialog").open, text("paste-error")[0].slice(0, 23), taken.length],
      [true, "It asks for 15 × 15, 16", 2]);
    await paste("(;SZ[5];B[aa])", "4");
    is([loaded[0].moves, loaded[0].rules.k, loaded[0].rules.rows], ["a5", 4, 5]);
    await paste("(;SZ[5];B[aa])");
    is(loaded[1].rules.k, 5);
    const usual = { game: null, you: null, mode: null, moves: "", at: null };
    await paste("\n.XO\n...\n..O\n");
    is(loaded[2], { ...usual, board: "\n.XO\n...\n..O\n", rules: {}, first: "O" });
    rules = TIC_TAC_TOE;
    rules = { ...TIC_TAC_TOE, rows: 2, columns: 4 };
    await paste("XO../....");
    is(loaded.pop().rules, rules);
    rules = TIC_TAC_TOE;
    await paste(".XO...X..", "2");
    is(loaded[3], { ...usual, board: ".XO...X..", rules: { ...TIC_TAC_TOE, k: 2 }, first: "X" });
    const event = (pasted) => ({ clipboardData: { getData: () => pasted } });
    for (const [pasted, target, shown] of [["a1", byId("board"), true], [" ", byId("board"), false],
      ["a1", byId("keep-name"), false]]) {
      byId("open-dialog").open = false;
      await document.fire("paste", { ...event(pasted), target });
      is(byId("open-dialog").open, shown);
    }
    byId("open-dialog").open = true;
    const before = shows;
    await document.fire("paste", { ...event("b2"), target: byId("board") });
    is(shows, before);
    byId("file").files = [new Blob(["a1 b2"])];
    byId("paste-k").value = "";
    await byId("file").fire("change");
    is([taken.at(-1).text, byId("file").value, byId("open-dialog").open], ["a1 b2", "", false]);
    byId("file").files = [];
    await byId("file").fire("change");
    is(taken.length, 3);
    """
    _check(program)


def test_a_game_is_shared_as_text_link_and_file() -> None:
    program = r"""
    const copied = [];
    const navigator = { clipboard: { writeText: async (text) => copied.push(text) } };
    Object.defineProperty(globalThis, "navigator", { value: navigator });
    const made = [];
    URL.createObjectURL = (blob) => (made.push(blob), "blob:0");
    const { watchSharing } = await load("sharing.js");
    await load("sgf.js"); // so that saving need not wait for it
    let history = read("a3 b2 (c3)");
    let shows = 0;
    watchSharing({ history: () => history, onShow: () => { shows += 1; } });
    for (const id of ["copy-link", "copy-board", "copy-moves"]) await byId(id).click();
    is([copied, byId("send-link").hidden, ...text("copied")], [["http://host/#game", "X...O....",
      "a3 b2 (c3)"], true, "The moves are copied."]);
    const shown = async (moves, rules) => {
      history = read(moves, rules);
      await byId("share").click();
      return [byId("save-sgf").hidden, byId("explore").hidden];
    };
    is(await shown("a3 b2"), [true, false]);
    is([byId("share-dialog").open, shows, ...text("copied", "text")],
      [true, 1, "", "X..\n.O.\n..."]);
    is(byId("explore").children[0].hash, "tree=X...O....");
    each((found) => found, [
      [[true, true], await shown("a1 a2 b1 b2 c1")], [[false, true], await shown("h8", gomoku)],
      [[true, true], await shown("", { ...gomoku, k: 4 })],
      [[true, true], await shown("", { ...gomoku, gravity: true })],
      [[true, true], await shown("", { ...gomoku, misere: true })],
      [[true, true], await shown("", { ...TIC_TAC_TOE, gravity: true })],
      [[true, true], await shown("", { ...TIC_TAC_TOE, misere: true })],
      [[true, true], await shown("", { ...TIC_TAC_TOE, k: 2 })],
      [[true, true], await shown("", { ...TIC_TAC_TOE, columns: 4 })],
      [[true, true], await shown("", { ...TIC_TAC_TOE, rows: 4 })],
    ]);
    const wide = { ...gomoku, rows: 5, columns: 6 };
    await shown("a1", wide);
    is(text("text"), ["......\n......\n......\n......\nX....."]);
    await byId("save-sgf").click();
    await new Promise((done) => setTimeout(done, 50));
    is(await made[0].text(), "(;FF[4]CA[UTF-8]GM[4]SZ[6:5];B[ae])\n");
    navigator.clipboard = undefined;
    await byId("copy-moves").click().catch(() => {});
    is(text("copied"), ["a1"]);
    """
    _check(program)
