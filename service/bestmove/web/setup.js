/** The dialog for a new game, and the engine's level and time. The browser keeps what the user chose last. */

import { completeRules, fromFragment, toFragment } from "./address.js";
import { byId, choose, html, store, stored } from "./dom.js";
import { History } from "./history.js";
import { changed, MAX_SIDE, other, rulesOf, SWITCHES, TIC_TAC_TOE, usualK } from "./rules.js";
import { labels, levelName, opponentInWords, rulesInWords, timeName } from "./words.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./address.js").Mode} Mode */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {{rules: Rules, first: Mark, you: Mark, mode?: Mode}} Setup */
/** @typedef {import("./client.js").NamedGame} Preset */

const KEY = "bestmove-strength";
const OWN = "own";
const TIMES_MS = [100, 300, 1000, 3000, 10_000];
const USUAL_TIME_MS = 1000;
const BEST_LEVEL = 10;
/** The level at the first visit. A beginner can win. */
const FIRST_LEVEL = 3;
/** The games with their own buttons above the board. */
const FEATURED = ["tic-tac-toe", "connect-four", "gomoku"];

const form = /** @type {HTMLFormElement} */ (byId("setup"));
const dialog = /** @type {HTMLDialogElement} */ (byId("new-dialog"));
const bar = byId("games-bar");
const [mode, level, time, newMode, newLevel, newTime] = ["mode", "level", "time", "new-mode", "new-level", "new-time"].map(
  (id) => /** @type {HTMLSelectElement} */ (byId(id)),
);
/** The last `k` that the user saw or typed. A board too small for it gets the usual k. */
let wantedK = TIC_TAC_TOE.k;
const [rows, columns, k] = ["rows", "columns", "k"].map(
  (id) => /** @type {HTMLInputElement} */ (byId(id)),
);
/** The check boxes: a tick means that the rule differs from its default. */
const switches = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[data-switch]")]);
const nameOf = (/** @type {HTMLInputElement} */ input) =>
  /** @type {keyof typeof SWITCHES} */ (input.dataset.switch);

/** The service's games and limits. The service writes them into the page. @type {import("./client.js").Games} */
export const { games: presets, limits } = JSON.parse(byId("service").textContent ?? "");

/** What the user chose last, so that the dialog proposes it. @type {Setup & {mode: Mode}} */
const proposed = { rules: TIC_TAC_TOE, first: "X", you: "X", mode: "engine" };

/** A seed that makes the engine's play repeatable. Only an address can set it. @type {number | undefined} */
let seed;

/** True for modes in which the engine moves only on request, at its best level. */
const withoutLevel = (/** @type {Mode} */ of) => of === "people" || of === "analysis";

/** @param {Mode} [of] @returns {{level: number, time_ms: number, seed?: number}} */
export const strength = (of = "engine") => ({
  level: withoutLevel(of) ? BEST_LEVEL : Number(level.value),
  time_ms: Number(time.value),
  seed,
});

/** @param {{level?: number, seed?: number}} given  from an address */
export function takeStrength(given) {
  seed = given.seed;
  select(level, given.level);
}

/** @param {Rules} one @param {Rules} two */
const sameRules = (one, two) => JSON.stringify(rulesOf(one)) === JSON.stringify(rulesOf(two));

/** @param {string | null} name @returns {Rules | undefined} */
export function presetNamed(name) {
  const found = presets.find((preset) => preset.name === name);
  return found && rulesOf(found.rules);
}

export const gameNames = () => presets.map(({ name }) => name);

/** @param {Rules} rules @returns {Preset | undefined} */
const presetOf = (rules) => presets.find((preset) => sameRules(preset.rules, rules));

/** @param {Rules} rules */
export const titleOf = (rules) => presetOf(rules)?.title ?? null;

function listGames() {
  const chip = (/** @type {string} */ value, /** @type {string} */ title, /** @type {string} */ what) => {
    const input = html("input", { type: "radio", name: "game", value });
    const small = html("small", {}, what);
    return html("label", { class: "chip" }, input, html("span", {}, html("b", {}, title), small));
  };
  byId("games").replaceChildren(
    ...presets.map((preset) => chip(preset.name, preset.title, rulesInWords(preset.rules))),
    chip(OWN, labels.ownRules, labels.ownWhat),
  );
  const featured = presets.filter(({ name }) => FEATURED.includes(name));
  featured.sort((one, two) => FEATURED.indexOf(one.name) - FEATURED.indexOf(two.name));
  bar.prepend(...featured.map(({ name, title }) => html("button", { type: "button", "data-game": name }, title)));
}

/**
 * @param {object} table
 * @param {(setup: Setup) => void} table.onStart
 * @param {(mode: Mode) => void} table.onMode
 * @param {() => void} table.onStrength
 */
export function watchSetup({ onStart, onMode, onStrength }) {
  for (let at = 1; at <= BEST_LEVEL; at += 1) level.append(new Option(levelName(at), String(at)));
  const most = limits.time_ms;
  const times = most < TIMES_MS[0] ? [most, ...TIMES_MS] : TIMES_MS;
  for (const ms of times) {
    time.append(html("option", { value: ms, disabled: ms > most }, timeName(ms)));
    if (ms <= Math.min(most, USUAL_TIME_MS)) time.value = String(ms);
  }
  level.value = String(FIRST_LEVEL);
  for (const input of [rows, columns, k]) {
    input.max = String(MAX_SIDE);
    input.addEventListener("click", () => input.select());
  }
  recall();
  listGames();
  for (const control of [level, time]) {
    control.addEventListener("change", () => {
      remember();
      onStrength();
    });
  }
  mode.addEventListener("change", () => {
    remember({ mode: /** @type {Mode} */ (mode.value) });
    onMode(proposed.mode);
  });
  form.addEventListener("change", ({ target }) => {
    const rules = target instanceof HTMLInputElement && target.name === "game" ? presetNamed(target.value) : undefined;
    if (rules) fill(rules);
    bound();
  });
  newMode.addEventListener("change", showChoices);
  for (const side of [rows, columns]) {
    side.addEventListener("input", () => {
      bound();
      const [down, across] = [Number(rows.value) || 1, Number(columns.value) || 1];
      k.value = String(wantedK <= Math.max(down, across) ? wantedK : usualK(down, across));
    });
  }
  k.addEventListener("input", () => {
    wantedK = Number(k.value) || 1;
  });
  bar.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const rules = presetNamed(button?.dataset.game ?? null);
    // Links and files begin free analysis, too.
    if (rules) begin({ rules, first: "X", you: "X", ...(mode.value === "analysis" && { mode: proposed.mode }) });
  });
  // A click elsewhere, or Escape, closes the choices.
  const choices = /** @type {HTMLDetailsElement} */ (byId("settings"));
  document.addEventListener("pointerdown", ({ target }) => {
    if (!(target instanceof Node && choices.contains(target))) choices.open = false;
  });
  choices.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !choices.open) return;
    choices.open = false;
    byId("strength").focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    [level.value, time.value] = [newLevel.value, newTime.value];
    begin({ ...read(), mode: /** @type {Mode} */ (newMode.value) });
  });
  const begin = (/** @type {Setup} */ setup) => {
    remember(setup);
    onStart(setup);
  };
}

/** Opens the dialog for a new game: it proposes the last choice. */
export function askForGame() {
  const { rules, first, you } = proposed;
  choose("game", presetOf(rules)?.name ?? OWN);
  fill(rules);
  choose("you", proposed.mode === "engine" ? you : first);
  choose("starts", first === you ? "you" : "engine");
  for (const [copy, original] of [[newMode, mode], [newLevel, level], [newTime, time]]) {
    copy.replaceChildren(...[...original.options].map((option) => option.cloneNode(true)));
    copy.value = original.value;
  }
  newMode.value = proposed.mode;
  showChoices();
  bound();
  dialog.showModal();
}

/** @param {Rules} rules */
function fill(rules) {
  [rows.value, columns.value, k.value] = [rules.rows, rules.columns, rules.k].map(String);
  wantedK = rules.k;
  for (const input of switches) input.checked = changed(rules).includes(nameOf(input));
}

function showChoices() {
  byId("new-level-row").hidden = withoutLevel(/** @type {Mode} */ (newMode.value));
  const against = newMode.value === "engine";
  byId("starts").hidden = !against;
  byId("you-legend").textContent = against ? labels.youPlay : labels.firstMark;
}

/** @param {Mode} now @param {Rules} rules  of the game on the board */
export function showTable(now, rules) {
  const name = presetOf(rules)?.name;
  for (const button of bar.querySelectorAll("button")) {
    if (button.dataset.game) button.setAttribute("aria-pressed", String(button.dataset.game === name));
  }
  mode.value = now;
  byId("level-row").hidden = withoutLevel(now);
  const seconds = html("span", {}, ` ·\u00a0${Number(time.value) / 1000}\u00a0s`);
  byId("strength").replaceChildren(opponentInWords(now, Number(level.value)), seconds);
}

/** @returns {Setup} */
function read() {
  const you = /** @type {Mark} */ (chosen("you"));
  const first = newMode.value !== "engine" || chosen("starts") === "you" ? you : other(you);
  return { rules: presetNamed(chosen("game")) ?? ownRules(), first, you };
}

/** @returns {Rules} */
function ownRules() {
  const [height, width, length] = [rows, columns, k].map((input) => Number(input.value));
  const set = switches.map((input) => [nameOf(input), SWITCHES[nameOf(input)] !== input.checked]);
  return completeRules({ rows: height, columns: width, k: length, ...Object.fromEntries(set) });
}

/** Limits k to the longer side of the board. The browser reports a larger k. */
function bound() {
  const own = chosen("game") === OWN;
  byId("own").hidden = !own;
  for (const input of [rows, columns, k]) input.disabled = !own;
  const longest = Math.max(Number(rows.value) || 1, Number(columns.value) || 1);
  k.max = String(Math.min(MAX_SIDE, longest));
}

/** @param {string} name */
function chosen(name) {
  return String(new FormData(form).get(name));
}

/** @param {Partial<typeof proposed>} [chosen] */
function remember(chosen) {
  const { rules, first, you, mode } = Object.assign(proposed, chosen);
  store(KEY, { ...strength(), seed: undefined, game: toFragment(new History(rules, first), { you, mode, level: BEST_LEVEL }) });
}

function recall() {
  const kept = stored(KEY);
  select(level, kept?.level);
  select(time, kept?.time_ms);
  try {
    const { rules = {}, first = "X", you, mode: by } = fromFragment(String(kept?.game)) ?? {};
    Object.assign(proposed, { rules: completeRules(rules), first, you: you ?? "X", mode: by ?? "engine" });
  } catch {
    // something else is under this key
  }
}

/** Chooses a value if the list has it. @param {HTMLSelectElement} list @param {unknown} value */
function select(list, value) {
  if ([...list.options].some((option) => option.value === String(value) && !option.disabled)) list.value = String(value);
}
