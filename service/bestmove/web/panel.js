/** Shows the texts next to the board: status, errors, the engine's reasons, and the best moves. */

import { InvalidAnswer, RequestRefused, ServiceUnavailable } from "./client.js";
import { announce, byId, html, store, stored } from "./dom.js";
import { colour } from "./drawing.js";
import { isTooLong, movesOf, moveOf } from "./known.js";
import { nameOf } from "./notation.js";
import * as words from "./words.js";

/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./words.js").Task} Task */
/** @typedef {{title: string, text: string}} Trouble */

/**
 * @typedef {object} View  what the user has chosen to see
 * @property {boolean} analysed  whether each position is analysed
 * @property {boolean} waits  whether the analysis waits for the end of a review
 * @property {boolean} threats
 * @property {number} lines  how many of the best moves are listed
 * @property {number[] | null} opened  the line of the analysis that the user steps through
 * @property {boolean} steps  through a line, also of a review
 * @property {boolean} judges  whether the page shows who is ahead; false during a game against the engine, unless the user asks
 * @property {string} fault  what a review says about the last move
 * @property {string | null} title  of the game on the board
 * @property {Trouble | null} trouble
 */

const { say } = words;

/** After a move, the page writes at most this many moves of the variation. */
const SHOWN_PLIES = 7;

/** @param {Game} game @param {Live} live @param {View} view */
export function showPanel(game, live, view) {
  const { now, rules, phase, task, mode, you } = game;
  const headline = words.headline({ node: now, phase, task, mode, you });
  byId("headline").textContent = headline;
  byId("status").dataset.phase = phase;
  const known = /** @type {import("./known.js").Claim} */ (now.known);
  const players = game.history.root.note?.players ?? "";
  const verdict = verdictOf(game, live, view);
  byId("verdict").textContent = words.capital(verdict);
  // The buttons above may name the game.
  const isChosen = byId("games-bar").querySelector("[aria-pressed=true]") !== null;
  const best = verdict ? bestOf(game, view) : null;
  byId("best").textContent = best === null ? "" : say.bestIs(nameOf(best, rules));
  const winner = verdict && known.exact && known.score !== 0 ? (known.score > 0 ? "X" : "O") : "";
  byId("status").dataset.winner = now.winner ?? winner;
  byId("subline").textContent = verdict
    ? (view.steps && say.lineShown) || words.judged(known, Boolean(moveOf(now, known.best)?.exact), players || (isChosen ? "" : (view.title ?? words.rulesInWords(rules))))
    : words.subline({ node: now, rules, title: view.title, players, mode: byId("resume").hidden ? mode : "" });
  document.title = `${headline} · Best Move`;
  byId("notice").hidden = view.trouble === null;
  byId("notice-title").textContent = view.trouble?.title ?? "";
  byId("notice-text").textContent = view.trouble?.text ?? "";
  showVoice(game, live, view);
  showBalance(game, live, view);
}

/** How long a notice stays, and how much longer for each of its characters. */
const [READ_MS, READ_CHARACTER_MS] = [3000, 60];

/** Returns a function that shows a notice. @param {() => History} history  returns the game on the board */
export function watchNotice(history) {
  /** The game on the board when the notice appeared, and its moves. @type {[History, string] | null} */
  let about = null;
  /** What the notice's “Undo” does. @type {(() => void) | null} */
  let takeBack = null;
  let timer = 0;
  /**
   * Shows a notice. A notice without “Undo” closes when there was time to read it.
   * @param {string[]} sentences @param {"news" | "done" | "fault"} [kind] @param {() => void} [undo]
   */
  function tell(sentences, kind = "news", undo) {
    about = [history(), history().text];
    takeBack = undo ?? null;
    const text = sentences.join(" ");
    byId("told-undo").hidden = !undo;
    byId("told-text").textContent = text;
    byId("told").className = `notice ${kind}`;
    byId("told").hidden = text === "";
    clearTimeout(timer);
    if (text && !undo) timer = window.setTimeout(leave, READ_MS + READ_CHARACTER_MS * text.length);
  }
  /** Closes the notice, unless the user points at it. */
  function leave() {
    if (byId("told").matches(":hover, :focus-within")) timer = window.setTimeout(leave, READ_MS);
    else tell([]);
  }
  byId("told-undo").addEventListener("click", () => takeBack?.());
  byId("told-close").addEventListener("click", () => tell([]));
  // Close the notice when another game is on the board, or other moves.
  for (const event of ["click", "submit", "hashchange"]) {
    window.addEventListener(event, () => {
      if (history() !== about?.[0] || history().text !== about[1]) tell([]);
    });
  }
  return tell;
}

/** @param {Error} error @param {Task} task @returns {Trouble} */
export function troubleInWords(error, task) {
  if (error instanceof RequestRefused) return words.trouble("refused", task, error.message);
  if (error instanceof ServiceUnavailable) return words.trouble("busy", task, error.message);
  if (error instanceof InvalidAnswer) return words.trouble("failed", task, error.message);
  return words.trouble("gone", task, error.message);
}

/** @param {Game} game @param {Live} live @param {View} view */
function showVoice(game, live, view) {
  const { now, progress, phase } = game;
  const analysed = view.analysed ? now.analysed : null;
  const shown = analysed !== null && analysed.moves.length > 0;
  const thinking = phase === "thinking" ? progress : null;
  // While the service searches or does not answer, the cost of an earlier search says nothing.
  const answer = phase === "thinking" || phase === "failed" ? null : (game.hint ?? answeredAt(now)?.answer);
  const search = thinking ?? (shown ? analysed.search : view.analysed ? null : answer?.search);
  const begun = phase === "thinking" ? game.begun : live.running ? live.begun : null;
  const elapsed_ms = begun === null ? search?.elapsed_ms : performance.now() - begun;
  byId("cost").textContent = search ? say.cost({ ...search, elapsed_ms: elapsed_ms ?? 0 }) : "";
  byId("stop").setAttribute("aria-disabled", String(!live.running && phase !== "thinking"));
  const proven = now.turn !== null && !live.running && phase !== "thinking" && now.known?.exact;
  byId("why").setAttribute("aria-disabled", String(!proven));
  byId("why").textContent = proven && isTooLong(now, game.rules) ? words.labels.bestPlay : words.labels.why;
  byId("ways").hidden = !view.analysed || now.turn === null;
  byId("reason").textContent = speechOf(game, view);
  if (view.analysed) showLines(shown ? movesOf(now) : [], view, now, game.rules);
}

/** Returns the position after the engine's last move: this position or the position before. @param {Node} node */
const answeredAt = (node) => [node, node.parent].find((each) => each?.answer);

/** @param {Game} game @param {View} view */
function speechOf(game, view) {
  const { now, hint, rules, mode, phase, task } = game;
  const threats = view.threats && now.analysed ? words.threatsInWords(now.analysed.threats, rules) : "";
  const hinted = hint?.move ? say.hint(nameOf(hint.move.index, rules), words.reasonInWords(hint, rules, moveOf(now, hint.move.index))) : "";
  if (threats || hinted) return `${threats}\n${hinted}`.trim();
  if (phase === "thinking" && task === "move") return say.thinks;
  if (phase === "failed") return ""; // the notice says what to do
  if (view.analysed && now.turn !== null) {
    if (view.waits) return say.waits;
    return now.analysed?.yielded ? say.yielded : ""; // the list of best moves says enough
  }
  if (now.turn === null) return say.over;
  if (mode === "engine" && game.engineToMove) return say.engineWaits;
  const { answer, parent, move } = answeredAt(now) ?? {};
  if (answer && parent && move != null) return `${say.enginePlayed(nameOf(move, rules))} ${words.reasonInWords(answer, rules, moveOf(parent, move))}`;
  if (mode === "analysis") return say.placeFreely;
  if (mode === "watch") return say.bothEngines;
  if (mode === "people") return say.twoPeople;
  return say.firstMove;
}

/**
 * Returns what is known about the position on the board. An estimate from another position is shown only until the
 * search of this position reports.
 * @param {Game} game @param {Live} live @param {View} view
 */
function knownOf({ now: { known } }, live, view) {
  const isOwn = known && (known.exact || known.nodes > 0 || live.running);
  return view.judges && isOwn ? known : null;
}

/** @param {Game} game @param {Live} live @param {View} view */
function verdictOf(game, live, view) {
  const { now, rules } = game;
  const known = knownOf(game, live, view);
  return now.turn && known ? words.verdictInWords(known, now.turn, rules) : "";
}

/** Returns the best move, if the user has asked for it: by an analysis, a hint or a review. @param {Game} game @param {View} view */
const bestOf = ({ now, hint }, { analysed }) => (analysed ? movesOf(now)[0] : hint?.move)?.index ?? now.judged?.best ?? null;

/** @param {Game} game @param {Live} live @param {View} view */
function showBalance(game, live, view) {
  const known = knownOf(game, live, view);
  const { score, exact } = known ?? { score: 0, exact: false };
  byId("balance").classList.toggle("proven", exact);
  byId("balance").classList.toggle("unknown", !known);
  byId("balance").style.setProperty("--x-share", `${50 + (exact ? 50 : 49) * score}%`);
  const verdict = words.capital(verdictOf(game, live, view));
  const said = (verdict && `${verdict}.`) || byId("headline").textContent || "";
  byId("balance").setAttribute("aria-label", said);
  byId("balance").title = said;
}

/** @param {MoveEvaluation[]} moves @param {View} view @param {Node} node @param {Rules} rules */
function showLines(moves, { lines, opened }, node, rules) {
  const mover = node.turn ?? "X";
  const rows = moves.slice(0, lines);
  const rounded = rows.map((move) => words.valueInWords(move, mover, rules));
  const worths = rows.map((move, rank) => {
    const isTied = !move.exact && rounded.filter((each) => each === rounded[rank]).length > 1;
    return isTied ? words.chanceInWords(move, mover) : rounded[rank];
  });
  const first = opened && moveOf(node, opened[0]);
  const listed = worths[rows.findIndex(({ index }) => index === opened?.[0])];
  byId("line-worth").textContent = listed ?? (first ? words.valueInWords(first, mover, rules) : "");
  while (byId("lines").childElementCount > rows.length) byId("lines").lastElementChild?.remove();
  rows.forEach((move, rank) => {
    const button = byId("lines").children[rank]?.firstElementChild ?? newLine();
    const [cell, worth] = [nameOf(move.index, rules), worths[rank]];
    const way = move.pv.slice(1, 1 + SHOWN_PLIES).map((at) => nameOf(at, rules)).join(" ");
    const more = move.pv.length > 1 + SHOWN_PLIES ? " …" : "";
    const depth = move.exact ? "" : `${move.depth}`;
    const texts = [`${rank + 1}`, cell, worth, way + more, depth];
    [...button.children].forEach((part, at) => {
      part.textContent = texts[at];
    });
    colour(/** @type {HTMLElement} */ (button.children[2]), move, mover);
    button.setAttribute("data-index", String(move.index));
    button.setAttribute("aria-expanded", String(opened?.[0] === move.index));
    button.setAttribute("aria-label", `${say.lineLabel(rank + 1, cell, worth)} ${way} ${depth && say.depth(depth)}`.trim());
  });
}

/** Adds a row to the list of lines. */
function newLine() {
  const parts = ["rank", "cell-name", "worth", "way", "depth"].map((name) => html("span", { class: name }));
  const button = html("button", { class: "line", type: "button" }, ...parts);
  byId("lines").append(html("li", {}, button));
  return button;
}

/** The last announcement, which is not repeated. */
let heard = "";

/**
 * Announces changes to screen readers.
 * @param {Game} game @param {Live} live @param {View} view @param {Node | null} before
 */
export function speak(game, live, view, before) {
  const { now, rules, mode, you, phase, task, hint } = game;
  if (view.trouble) return announce(""); // the notice is an alert, which screen readers announce
  const said = [];
  const since = [];
  for (let node = /** @type {Node | null} */ (now); node !== before && node?.move != null; ) {
    since.unshift(node);
    node = node.parent;
    if (since.length > 2) break;
  }
  const direct = since[0]?.parent === before;
  if (before && before !== now && !direct) said.push(say.atMove(now.ply));
  for (const { by, move } of direct && before ? since : []) {
    const cell = nameOf(/** @type {number} */ (move), rules);
    if (mode !== "engine") said.push(say.plays(/** @type {any} */ (by), cell));
    else said.push(by === you ? say.youPlay(cell) : say.enginePlays(cell));
  }
  if (phase === "thinking") said.push(task === "move" ? say.thinks : say.workingOut);
  else if (phase === "over") {
    const said_ = words.headline({ node: now, phase, task, mode, you });
    said.push(`${said_}. ${words.subline({ node: now, rules, title: null })}`);
  } else {
    if (hint?.move) said.push(say.suggested(nameOf(hint.move.index, rules)));
    const best = view.analysed && !live.running ? movesOf(now)[0] : undefined;
    if (before !== now && view.fault) said.push(view.fault);
    if (best) said.push(say.best(nameOf(best.index, rules), words.valueInWords(best, now.turn ?? "X", rules)));
    if (mode === "engine" && now.turn === you) said.push(say.yourMove);
  }
  const sentence = said.join(" ");
  if (sentence && heard.endsWith(sentence)) return;
  if (sentence || !before) announce(sentence);
  heard = sentence;
}

/** @typedef {"analysis" | "review" | "moves"} Tab */

/** The tabs of the panel: one tab is chosen, and only its part of the panel is shown. */
const tabs = /** @type {HTMLElement[]} */ ([...byId("tabs").children]);

export const showTab = (/** @type {Tab} */ name) => choose(byId(`tab-${name}`));

/** The name under which the browser keeps the chosen tab, so that a reload shows it again. */
const CHOSEN = "bestmove-tab";

/** @param {HTMLElement} chosen */
function choose(chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    byId(String(tab.getAttribute("aria-controls"))).hidden = tab !== chosen;
  }
  store(CHOSEN, tabs.indexOf(chosen), "sessionStorage");
}
choose(tabs[stored(CHOSEN, "sessionStorage")] ?? tabs[0]);

byId("tabs").addEventListener("click", ({ target }) => tabs.filter((tab) => tab === target).forEach(choose));
byId("tabs").addEventListener("keydown", (event) => {
  const at = tabs.findIndex((tab) => tab === event.target);
  const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 };
  const to = ways[/** @type {keyof ways} */ (event.key)];
  const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
  if (!tab) return;
  event.preventDefault();
  event.stopPropagation();
  tab.focus();
  choose(tab);
});
