/** The page for playing and analysing: one game, its board, and the buttons. */

import { completeRules, fromFragment, grade, InvalidLink, toFragment } from "./address.js";
import { BoardView } from "./board-view.js";
import { Client, RequestRefused } from "./client.js";
import { announce, byId, keptGames, label, loadModule, onDemand } from "./dom.js";
import { Game } from "./game.js";
import { History, InvalidMoves } from "./history.js";
import { isTooLong, movesOf } from "./known.js";
import { Lines } from "./lines.js";
import { Live } from "./live.js";
import { MovesView } from "./moves-view.js";
import { nameOf } from "./notation.js";
import { showPanel, showTab, speak, troubleInWords, watchNotice } from "./panel.js";
import { faultOf } from "./review.js";
import { other, rulesOf, standOf } from "./rules.js";
import * as setup from "./setup.js";
import { labels, say, threatsInWords, trouble as troubleOf } from "./words.js";

/** @typedef {import("./address.js").Mode} Mode */
/** @typedef {import("./address.js").Shared} Shared */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./saved.js").Own} Own */
/** @typedef {import("./panel.js").View} View */

/** The longest search of a position in a review, in ms. */
const REVIEW_MS = 1000;

const CLOCK_MS = 500;

label(labels);

const client = new Client();
/** @type {Game} */
const game = new Game(client, () => setup.strength(game.mode));
const live = new Live(client);
live.usual = setup.limits.time_ms;
const board = new BoardView(byId("board"), (cell) => (lines.opened ? lines.close() : play(cell)), showConfirm);
const openMenu = onDemand("move-menu.js", (/** @type {typeof import("./move-menu.js")} */ { makeMenu }) => makeMenu(tend, (node) => game.history.variationOf(node) !== null));
const moves = new MovesView(
  (node) => game.go(node),
  (...move) => openMenu(...move).catch((error) => tell([sentences(error, "menu")], "fault")),
  comment,
);

/** The review, and what shows it: loaded with the first review. @type {import("./review-view.js").Review | null} */
let review = null;
/** @type {import("./review-view.js").ReviewView | null} */
let reviewView = null;

/** @type {View} */
const view = { analysed: false, waits: false, threats: false, lines: 0, opened: null, steps: false, judges: false, fault: "", title: null, trouble: null };
/**
 * The state of the page's address:
 * - "kept": the page writes the game on the board into the address
 * - "reading": the page is loading the game of the address
 * - an error: the game of the address cannot be loaded
 * @type {"kept" | "reading" | Error}
 */
let link = "kept";
/** Counts games and links: a new one cancels the loading of an older link. */
let turns = 0;
/** The error whose notice the user has closed. @type {Error | null} */
let dismissed = null;
/** The last position that was shown. @type {Node | null} */
let heard = null;

const lines = new Lines(setup.limits, {
  onChoice: refresh,
  onStep: () => {
    pointed = null;
    render();
  },
  onPlay: (cells) => cells.length > 0 && play(...cells),
});

/** Analyses the position on the board, unless the service is busy with a move, a hint or a review. */
function follow() {
  const { phase, now, history } = game;
  if (phase === "thinking" || review?.running || !view.analysed) live.leave();
  else live.start(history, now, lines.timeFor(setup.strength().time_ms), lines.count);
}

function refresh() {
  follow();
  render();
}

game.addEventListener("change", () => {
  const { now, history, mode } = game;
  missing = null;
  if (now !== heard) pointed = null;
  if (changes.length > 0 && changes.at(-1)?.text !== history.text) {
    changes = [];
    tell([]);
  }
  if (mode === "engine") review?.follow(now);
  follow();
  live.learnThreats(history, view.threats && !view.analysed ? now : null);
  render();
});
/** The number of the animation frame that will draw the page; 0 if no frame is requested. */
let frame = 0;
/** Draws the page in the next frame: searches may end faster, and elements may lose the focus. */
function renderSoon() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    render();
  });
}
live.addEventListener("change", () => (live.running ? renderSoon() : render()));

function render() {
  const { now, rules, history, phase, task, mode } = game;
  view.title = setup.titleOf(rules);
  view.trouble = troubleNow();
  byId("retry").hidden = link instanceof Error && ownRefusal(link);
  setup.showTable(mode, rules);
  reviewView?.show(history);
  const place = lines.opened?.place;
  if (now !== heard || !(view.analysed || place) || !(place ?? byId("lines")).offsetParent) lines.close();
  view.lines = lines.count;
  view.opened = lines.opened && !place ? lines.opened.cells : null;
  view.steps = lines.opened !== null;
  const isReviewed = Boolean(review?.nodes.length);
  view.judges = view.analysed || game.hint !== null || isReviewed || mode !== "engine" || phase === "over";
  view.fault = reviewView?.spoken(now, rules) ?? "";
  view.waits = Boolean(review?.running);
  byId("tab-review").textContent = view.waits ? labels.tabReviewing : labels.tabReview;
  byId("line-play").hidden = mode === "engine" || mode === "watch";
  const [begun, here] = [history.root.children.length > 0 || Boolean(history.root.note), address()];
  byId("examples").hidden = begun || view.analysed || link !== "kept" || !history.fromEmpty;
  byId("resume").hidden = begun || link !== "kept" || (keptGames()[0]?.isOver ?? !keptGames()[0]);
  showPanel(game, live, view);
  moves.show(history, review);
  const line = lines.opened ?? pointed;
  const best = faultOf(now) && !view.analysed && !line ? (now.parent?.judged?.best ?? null) : null;
  const seen = line?.node ?? now;
  const analysed = seen === now ? now.analysed : null;
  board.show({
    rules,
    cells: seen.cells,
    hand: link === "reading" ? null : game.handAt(seen),
    turn: seen.turn,
    last: seen.move,
    line: seen.line,
    hint: game.hint?.move?.index ?? best,
    evaluations: view.analysed && analysed ? movesOf(now) : [],
    ranked: lines.count,
    threats: view.threats ? (analysed?.threats ?? null) : null,
  });
  byId("board").dataset.better = (!game.hint && best !== null && seen.by) || "";
  board.plan(lines.shown ?? line?.cells ?? null, lines.opened !== null);
  const playing = phase === "thinking" && task === "move";
  const pauses = playing || game.running;
  byId("go-word").textContent = pauses ? labels.pause : labels.go;
  byId("go").title = byId("go").ariaLabel = pauses ? labels.pause : labels.letMove;
  byId("go").classList.toggle("pauses", pauses);
  const [earlier, later] = [now.parent, now.next].map((node) => Boolean(node ?? lines.opened));
  /** @type {Record<string, boolean>} */
  const able = {
    first: earlier,
    back: earlier,
    forward: later,
    last: later,
    undo: changes.length > 0 || game.undone !== null,
    redo: game.redone !== null,
    hint: now.turn !== null && !playing,
    go: pauses || now.turn !== null,
    threats: true,
    review: history.line.length > 1,
    "fault-back": Boolean(review?.fault(now, -1)),
    "fault-on": Boolean(review?.fault(now, 1)),
  };
  for (const [id, on] of Object.entries(able)) {
    // `disabled` would take the focus away.
    byId(id).setAttribute("aria-disabled", String(!on || link === "reading"));
  }
  const ended = phase === "over" && link !== "reading";
  byId("rematch").hidden = !ended;
  byId("rematch").textContent = say.rematch(mode === "engine" ? other(game.you) : null);
  byId("again").hidden = !ended || mode !== "engine";
  byId("again").textContent = say.again(game.you);
  if ((begun || keptAs || !history.fromEmpty) && link === "kept" && stateOf(here) !== keptAs) keepGame();
  byId("analysis").textContent = offersReview() ? labels.review : view.analysed ? labels.hideAnalysis : labels.analysis;
  byId("analysis").classList.toggle("primary", !view.analysed && !ended);
  byId("threats").setAttribute("aria-pressed", String(view.threats));
  byId("review").textContent = isReviewed ? labels.clearReview : labels.review;
  byId("review").className = isReviewed ? "quiet" : "primary";
  for (const id of ["undo", "redo"]) byId(id).hidden = mode !== "engine" && !(changes.length > 0 && id === "undo"); // else they do what back and forward do
  speak(game, live, view, heard);
  heard = now;
  // Change the URL only if needed: Safari allows 100 changes in 30 seconds.
  if (link === "kept" && (here !== location.hash || window.history.state !== own.id)) window.history.replaceState(own.id, "", here);
}

/** @returns {Own} */
const unkept = () => ({ id: Math.random(), time: 0, name: "", address: "" });
/** What the browser keeps of the game on the board. */
let own = unkept();
/** @returns {Promise<typeof import("./saved.js")>} */
const loadSaved = () => loadModule("saved.js");
/** Returns what shows whether the browser has to keep the game again. @param {string} here  the game's address */
const stateOf = (here, isReviewed = Boolean(review?.isComplete)) => (isReviewed ? `${here} reviewed` : here);
/** The state of the game on the board when the browser kept it last. */
let keptAs = "";

/** Keeps the game on the board. Returns whether the browser keeps all of it. */
async function keepGame(name = own.name) {
  const { history, mode, you } = game;
  const here = address();
  keptAs = stateOf(here);
  const present = { history, mode, you, name, address: here, review: review?.textOf(history) ?? "" };
  const mine = own;
  const done = await loadSaved().then(({ keep }) => keep(mine, present)).catch(() => false);
  if (mine === own && window.history.state !== own.id) render();
  return done;
}

/** @param {import("./saved.js").Saved} kept */
function resume({ id, address: kept }) {
  window.history.pushState(id, "", kept);
  open();
}

/** Plays a person's moves, from where the line on the board begins, unless the page is still loading the game of the address. @param {number[]} cells */
function play(...cells) {
  if (link === "reading") return;
  game.go((lines.opened ?? pointed)?.node ?? game.now);
  game.play(...cells);
}

/** Whether there is a game to review, and nothing to analyse. */
const offersReview = () => game.phase === "over" && game.now.parent && !review?.nodes.length;

function address() {
  const { level, seed } = setup.strength();
  return toFragment(game.history, { you: game.you, mode: game.mode, level, seed, marked: !review?.running });
}

/** @returns {[Error, import("./words.js").Task] | null} */
function faultNow() {
  if (link instanceof Error) return [link, "link"];
  if (game.phase === "failed" && game.error) return [game.error, game.task];
  if (review?.error) return [review.error, "review"];
  if (missing) return [missing[0], missing[1]];
  return live.error ? [live.error, view.analysed ? "analysis" : "threats"] : null;
}

function troubleNow() {
  const fault = faultNow();
  return fault && fault[0] !== dismissed ? explained(...fault) : null;
}

/** True if the page itself refused the link: a retry cannot help. @param {Error} error */
const ownRefusal = (error) => error instanceof InvalidMoves || error instanceof InvalidLink;

/** @param {Error} error @param {import("./words.js").Task} task */
const explained = (error, task) => (ownRefusal(error) ? troubleOf("unreadable", task, error.message) : troubleInWords(error, task));

/** @param {any} error @param {import("./words.js").Task} task */
const sentences = (error, task) => Object.values(explained(error, task)).join(" ");

/** @param {number | null} index */
function showConfirm(index) {
  byId("confirm").hidden = index === null;
  if (index === null) return;
  byId("confirm").textContent = say.playHere(nameOf(index, game.rules));
  if (byId("confirm").getBoundingClientRect().bottom < 0) tell([say.aimed(nameOf(index, game.rules))]); // the button is above the window
}

/** @param {History} history @param {Mode} [mode] @param {import("./client.js").Mark} [you] @param {Own | void} [kept] */
function take(history, mode = game.mode, you = history.now.turn ?? game.you, kept = undefined) {
  if (link === "kept") window.history.pushState(own.id, "", address());
  link = "kept";
  turns += 1;
  heard = null;
  view.analysed = mode === "analysis";
  own = kept ?? unkept();
  keptAs = stateOf(own.address, Boolean(own.review));
  review?.clear();
  if (own.review) review?.restore(history, own.review);
  live.leave();
  game.begin(history, mode, you);
}

/**
 * @param {Shared} shared @param {Mode} mode @param {() => boolean} overtaken
 * @param {(history: History) => Promise<Own | void>} furnish  gives the game its comments. Returns the kept game that it is
 */
async function load(shared, mode, overtaken, furnish) {
  if (shared.game && !setup.presetNamed(shared.game)) throw new InvalidLink(say.noSuchGame(shared.game, setup.gameNames()));
  const history = await historyOf(shared);
  if (overtaken()) return;
  history.read(shared.moves);
  grade(history, shared.marks);
  if (shared.at !== null) history.go(history.all[shared.at - 1] ?? history.root);
  const kept = await furnish(history).catch(() => {});
  if (overtaken()) return;
  setup.takeStrength(shared);
  take(history, shared.mode ?? mode, shared.you ?? undefined, kept);
}

/** @param {Shared} shared @returns {Promise<History>} */
async function historyOf({ board: text, game: name, rules, first, page }) {
  if (text === null) {
    return new History(completeRules({ ...setup.presetNamed(name), ...rules }), first);
  }
  if (!heard) byId("status").dataset.phase = "reading";
  // Ask the service for the rules: the board's size may differ from that of the game `name`.
  const ask = (/** @type {object} */ asked) => client.bestMove(text, { ...asked, depth: 1, time_ms: live.glance });
  let answer;
  try {
    answer = await (page ? (await loadModule("records.js")).answerOn(ask, rules, page) : ask({ ...(name && { game: name }), ...rules, first }));
  } catch (error) {
    // Without the service, the page can read only boards that it wrote itself.
    const own = completeRules({ ...setup.presetNamed(name), ...rules });
    const stand = error instanceof RequestRefused ? null : standOf(text, own, first);
    if (stand) return new History(own, first, stand);
    throw error;
  }
  const { turn, status, winner } = answer;
  const cells = answer.board.replaceAll("/", "");
  const stand = { cells, turn, status, winner, line: answer.winning_line ?? [] };
  return new History(rulesOf(answer.rules), answer.rules.first, stand);
}

async function open() {
  turns += 1;
  const turn = turns;
  const overtaken = () => turn !== turns;
  try {
    const games = keptGames();
    // Of a game that the browser keeps, the address may be older: it is that of an earlier visit.
    const kept = games.find(({ id }) => id === window.history.state) ?? games.find((one) => one.address === location.hash);
    const shared = fromFragment(kept?.address ?? location.hash);
    link = shared ? "reading" : "kept";
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    if (heard) render();
    else if (!shared) game.begin(game.history, "engine", "X");
    if (heard) scrollTo(0, 0); // where the link was may be far below the board
    if (shared) await load(shared, "engine", overtaken, async (history) => {
      if (kept?.review) await loadReview().catch(() => {});
      if (kept?.notes) await (await loadSaved()).putBack(kept.notes, history);
      return kept && { ...kept, name: kept.unasked ? "" : kept.name };
    });
  } catch (error) {
    if (overtaken()) return;
    link = /** @type {Error} */ (error);
    if (heard === null) game.begin(game.history, "engine", "X");
    else render();
  }
}

/** Of a part that could not be loaded: the error, the task, and the command that tries again. @type {[Error, import("./words.js").Task, string] | null} */
let missing = null;
const showKeys = onDemand("keys.js", (/** @type {typeof import("./keys.js")} */ { makeKeys }) => makeKeys());
const showProof = onDemand("why.js", (/** @type {typeof import("./why.js")} */ { makeWhy }) =>
  makeWhy({ client, explain: (error) => sentences(error, "proof"), follow: () => goThrough(game.now.known) }));
const share = onDemand("sharing.js", (/** @type {typeof import("./sharing.js")} */ { makeSharing }) =>
  makeSharing({ history: () => game.history, name: () => own.name, keep: keepGame }));
const opening = onDemand("opening.js", (/** @type {typeof import("./opening.js")} */ { makeOpening }) =>
  makeOpening({
    history: () => game.history,
    // If the user closes the dialog during the loading, the game on the board stays.
    load: (shared, furnish) => load(shared, "analysis", () => !document.querySelector("dialog[open]"), furnish),
    take: (history) => take(history, "analysis"),
    remember: ({ history, mode, you } = game, kept = own) => () => take(history, mode, you, kept),
    resume,
    explain: (error) => sentences(error, "paste"),
    tell,
  }));
const tell = watchNotice(() => game.history);

/** Opens a part that is loaded on demand. @param {import("./words.js").Task} task @param {string} id @param {() => Promise<unknown>} open */
async function need(task, id, open) {
  missing = null;
  try {
    await open();
  } catch (error) {
    missing = [/** @type {Error} */ (error), task, id];
  }
  render();
}

/** @type {Record<string, () => void>} */
const commands = {
  // While a line is open, they step through it.
  first: () => lines.press("Home") || goTo(game.history.root),
  back: () => lines.press("ArrowLeft") || goTo(game.now.parent),
  forward: () => lines.press("ArrowRight") || goTo(game.now.next),
  last: () => lines.press("End") || goTo(game.history.line.at(-1)),
  undo: () => {
    if (changes.length > 0) changes.at(-1)?.restore();
    else goTo(game.undone);
  },
  redo: () => goTo(game.redone),
  hint: () => {
    showTab("analysis");
    game.askForHint();
  },
  go: () => {
    if (game.running || (game.phase === "thinking" && game.task === "move")) game.pause();
    else game.letEngineMove();
  },
  analysis: () => (offersReview() ? commands.review() : analyse(!view.analysed)),
  threats: () => {
    view.threats = !view.threats;
    live.learnThreats(game.history, view.threats ? game.now : null);
    render();
    if (!view.threats) return;
    showTab("analysis");
    announce(threatsInWords(game.now.analysed?.threats ?? null, game.rules));
  },
  review: () => {
    showTab("review");
    if (!review?.nodes.length || review.error) {
      need("review", "review", reviewGame);
      return;
    }
    review.clear();
    refresh();
  },
  "fault-back": () => goTo(review?.fault(game.now, -1)),
  "fault-on": () => goTo(review?.fault(game.now, 1)),
  stop: () => {
    if (live.running) live.stop();
    else if (game.phase === "thinking") game.pause();
    announce(say.stopped);
    byId("analysis").focus(); // the Stop button disappears
  },
  why: () =>
    isTooLong(game.now, game.rules)
      ? goThrough(game.now.known)
      : need("proof", "why", () => showProof(game.history, game.now, live.usual)),
  share: () => need("share", "share", share),
  open: () => need("share", "open", () => opening("")),
  "edit-here": () => need("share", "edit-here", () => opening(null)),
  new: setup.askForGame,
};
for (const [id, command] of Object.entries(commands)) {
  byId(id).addEventListener("click", () => {
    // Until the first game is loaded, only New works.
    if ((heard || id === "new") && byId(id).getAttribute("aria-disabled") !== "true") command();
  });
}

/** Opens a line of best play from the position on the board. @param {import("./known.js").Claim | null} claim */
function goThrough(claim) {
  analyse(true);
  if (claim) lines.open({ node: game.now, cells: claim.pv }, game.rules);
}

/** @param {boolean} on */
function analyse(on) {
  view.analysed = on;
  if (on) showTab("analysis");
  follow();
  if (!on) announce(say.analysisOff);
  render();
}

/** The changes of the tree of moves, until a move is played. `text`: the moves after the change. @type {Array<{text: string, restore: () => void}>} */
let changes = [];

/** @param {import("./move-menu.js").Task} task @param {Node} node @param {Record<string, (cell: string) => string>} words */
function tend(task, node, words) {
  if (task === "comment") {
    game.go(node);
    moves.askForComment();
  } else alter(words[task](nameOf(Number(node.move), game.rules)), node, (history) => history[task](node));
}

/**
 * Changes the tree of moves, says so, and offers to undo that. @param {string} sentence
 * @param {Node} node  gets the focus back @param {(history: History) => Node | null | void} change  returns null if it changes nothing
 */
function alter(sentence, node, change) {
  const undo = game.history.keep();
  const earlier = changes;
  changes = [];
  const isNew = game.tend(change) !== null;
  const restore = () => {
    changes.pop();
    tell([]);
    game.tend(undo);
    moves.focus(node);
  };
  changes = isNew ? [...earlier, { text: game.history.text, restore }] : earlier;
  tell([sentence], "done", isNew ? restore : undefined);
  render();
}

/** Adds a line to the tree of moves. @param {Node} node @param {number[]} cells */
const insert = (node, cells) => alter(say.lineAdded(nameOf(cells[0], game.rules)), node, (history) => history.insert(node, cells));

/** @param {Node} node @param {string} text */
async function comment(node, text) {
  try {
    const sgf = /** @type {typeof import("./sgf.js")} */ (await loadModule("sgf.js"));
    sgf.comment(node, text);
    render();
    if (!(await keepGame())) tell([say.notKept], "fault");
  } catch (error) {
    tell([sentences(error, "comment")], "fault");
  }
}

/** @param {Node | null | undefined} node */
const goTo = (node) => node && game.go(node);

const loadReview = onDemand("review-view.js", (/** @type {typeof import("./review-view.js")} */ { Review, ReviewView }) => {
  const made = new Review(client);
  made.addEventListener("change", refresh);
  review = made;
  reviewView = new ReviewView(made, (node) => game.go(node), insert);
  return () => made;
});

async function reviewGame() {
  const loaded = await loadReview();
  loaded.start(game.history, Math.min(REVIEW_MS, setup.strength().time_ms));
  follow();
}

byId("retry").addEventListener("click", () => {
  if (link instanceof Error) {
    open();
    return;
  }
  // The notice names one failed request, the button repeats all.
  if (game.phase === "failed") game.retry();
  if (review?.error) reviewGame();
  if (missing) commands[missing[2]]();
  if (live.error) {
    live.leave();
    if (view.analysed) follow();
    else live.learnThreats(game.history, game.now);
  }
  render();
});
window.addEventListener("online", () => {
  if (faultNow() && !byId("retry").hidden) byId("retry").click();
});
byId("confirm").addEventListener("click", () => board.confirm());
byId("dismiss").addEventListener("click", () => {
  dismissed = faultNow()?.[0] ?? null;
  if (link instanceof Error) link = "kept";
  render();
  board.focus();
});
for (const id of ["rematch", "again"]) {
  byId(id).addEventListener("click", () => {
    const { history, mode, you } = game;
    const changes = id === "rematch" && mode === "engine";
    take(new History(history.rules, history.first, history.root), mode, changes ? other(you) : you);
    board.focus();
  });
}
byId("resume").addEventListener("click", () => keptGames().slice(0, 1).forEach(resume));
byId("help").addEventListener("click", () => need("menu", "help", showKeys));
byId("examples").addEventListener("click", ({ target }) => target instanceof Element && target.closest("[data-tab]") && showTab("review"));
// The link's own action would replace the game in the address.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  board.focus();
});
for (const button of document.querySelectorAll("dialog .close")) {
  button.addEventListener("click", () => button.closest("dialog")?.close());
}

/** The line under the mouse or with the focus. @type {import("./lines.js").Line | null} */
let pointed = null;
/** @param {Event} event @returns {import("./lines.js").Line | null} */
function lineOf({ target }) {
  const button = target instanceof Element ? target.closest("button") : null;
  const found = movesOf(game.now).find(({ index }) => String(index) === button?.dataset.index);
  return found ? { node: game.now, cells: found.pv } : (button && reviewView?.lineAt(button)) ?? null;
}
/** @param {import("./lines.js").Line | null} line */
function point(line) {
  const next = line && { ...line, cells: line.cells.slice(0, line.at) };
  if (next?.node === pointed?.node && String(next?.cells) === String(pointed?.cells)) return;
  pointed = next;
  renderSoon();
}
for (const list of [byId("lines"), byId("faults")]) {
  // `pointerover` would also occur if a list appears under a resting mouse.
  for (const kind of ["pointermove", "focusin"]) list.addEventListener(kind, (event) => point(lineOf(event)));
  for (const kind of ["pointerleave", "focusout"]) list.addEventListener(kind, () => point(null));
  list.addEventListener("click", (event) => {
    const found = lineOf(event);
    if (found) lines.open(found, game.rules);
  });
}
// A line of the review closes when another tab is shown.
byId("tabs").addEventListener("click", render);

document.addEventListener("paste", (event) => {
  const elsewhere = event.target instanceof Element && event.target.closest("input, textarea");
  const pasted = event.clipboardData?.getData("text/plain") ?? "";
  if (elsewhere || document.querySelector("dialog[open]:not(#open-dialog)") || pasted.trim() === "") return;
  event.preventDefault();
  need("share", "open", () => opening(pasted));
});

// Arrow keys step through the opened variation, or else through the game; ? opens the list of keys.
document.addEventListener("keydown", (event) => {
  const { target } = event;
  const busy = target instanceof Element && target.closest("input, select, textarea, dialog, details");
  if (!busy && (event.ctrlKey || event.metaKey) && event.code === "KeyZ") byId(event.shiftKey ? "redo" : "undo").click();
  if (busy || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!event.shiftKey && lines.press(event.key)) {
    event.preventDefault();
    if (fromBoard && !lines.opened) board.focus();
    return;
  }
  const ways = event.shiftKey
    ? { ArrowLeft: "fault-back", ArrowRight: "fault-on", "?": "help" }
    : { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", "?": "help" };
  const id = ways[/** @type {keyof ways} */ (event.key)];
  if (!id) return;
  event.preventDefault();
  byId(id).click();
});
/** Whether a key opened the line from the board, so that the focus returns to the board. */
let fromBoard = false;
// Letters work only while the board has the focus.
byId("board").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const id = { u: "undo", r: "redo", h: "hint", a: "analysis", t: "threats", w: "why" }[event.key.toLowerCase()];
  if (id) byId(id).click();
  // A digit opens a line. Its button gets the focus: arrow keys step through a line only while no cell has it.
  if (!view.analysed || !/^[1-9]$/.test(event.key)) return;
  const rows = /** @type {NodeListOf<HTMLElement>} */ (byId("lines").querySelectorAll("button:not([aria-disabled=true])"));
  fromBoard = true;
  rows[Number(event.key) - 1]?.focus();
  rows[Number(event.key) - 1]?.click();
});

setup.watchSetup({
  onStart: ({ rules, first, you, mode = game.mode }) => {
    const [{ history, you: side }, kept] = [game, own];
    // In a game against the engine, a button leads back to the last game.
    const back = mode !== "engine" && history.root.children.length > 0;
    take(new History(rules, first), mode, you);
    if (back) tell([say.newBegun], "done", () => take(history, mode, side, kept));
    board.focus();
  },
  onMode: (mode) => {
    view.analysed = mode === "analysis";
    game.change(mode);
    if (mode === "engine" && game.engineToMove && game.now.next) game.letEngineMove(); // a new variation
  },
  onStrength: refresh,
});
/** Puts the parts of the page in the order in which they are seen, which is the order of Tab. */
function arrange() {
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
  // On a narrow window the status is above the board.
  const next = part(getComputedStyle(part("main")).getPropertyValue("--stacked") ? ".slot" : ".side");
  if (part(".top").nextElementSibling !== next) next.before(part(".top"));
}
window.addEventListener("resize", arrange);
arrange();
// The clock of a search must also run between the search's reports.
setInterval(() => {
  if (game.phase === "thinking" || live.running) showPanel(game, live, view);
}, CLOCK_MS);
window.addEventListener("hashchange", open);
// The service worker keeps the page for visits without a network. It needs a folder whose name changes
// with the files, `v-…`; the demonstration has no such folder.
if (import.meta.url.includes("/v-")) navigator.serviceWorker?.register("static/offline.js", { scope: "./" }).catch(() => {});
// The layout and the first drawing would take too long for one task.
setTimeout(open);
