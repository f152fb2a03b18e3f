/** The form for a new game, and the engine's strength, which is kept between visits. */

import { byId } from "./dom.js";
import { MAX_SIDE, other, usualK } from "./position.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./position.js").Rules} Rules */
/** @typedef {{rules: Rules, first: Mark, you: Mark}} Setup */

const KEY = "bestmove-strength";
/** @type {Record<number, string>} */
const LEVELS = { 1: "a child can win", 3: "easy", 5: "fair", 7: "hard", 9: "severe", 10: "best play" };

const form = /** @type {HTMLFormElement} */ (byId("setup"));
const level = /** @type {HTMLInputElement} */ (byId("level"));
const time = /** @type {HTMLSelectElement} */ (byId("time"));
const [rows, columns, k] = ["rows", "columns", "k"].map(
  (id) => /** @type {HTMLInputElement} */ (byId(id)),
);

/** Makes the engine's play repeatable; it comes with an address. @type {number | undefined} */
let seed;

/** @returns {{level: number, time_ms: number, seed?: number}} */
export const strength = () => ({ level: Number(level.value), time_ms: Number(time.value), seed });

/** @param {{level?: number, seed?: number}} given  with an address */
export function takeStrength(given) {
  seed = given.seed;
  if (given.level !== undefined) level.value = String(given.level);
  nameLevel();
}

/** @param {(setup: Setup) => void} onStart */
export function watchSetup(onStart) {
  recall();
  nameLevel();
  level.addEventListener("input", nameLevel);
  for (const control of [level, time]) control.addEventListener("change", remember);
  form.addEventListener("change", () => {
    byId("own").hidden = chosen("size") !== "own";
    bound();
  });
  for (const side of [rows, columns]) {
    side.addEventListener("input", () => {
      bound();
      k.value = String(usualK(Number(rows.value) || 1, Number(columns.value) || 1));
    });
  }
  bound();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onStart(read());
  });
}

/** Shows in the form what is on the board. @param {Setup} setup */
export function reflect({ rules, first, you }) {
  const size = `${rules.rows}x${rules.columns}x${rules.k}`;
  const known = form.querySelector(`input[name="size"][value="${size}"]`);
  choose("size", known ? size : "own");
  byId("own").hidden = known !== null;
  rows.value = String(rules.rows);
  columns.value = String(rules.columns);
  k.value = String(rules.k);
  choose("you", you);
  choose("starts", first === you ? "you" : "engine");
  bound();
}

/** @returns {Setup} */
export function read() {
  const you = /** @type {Mark} */ (chosen("you"));
  const first = chosen("starts") === "you" ? you : other(you);
  const size = chosen("size");
  const sides = size === "own" ? [rows, columns, k].map((input) => input.value) : size.split("x");
  const [height, width, length] = sides.map(Number);
  return { rules: { rows: height, columns: width, k: length }, first, you };
}

/** The browser says what is out of range, in the person's language. */
function bound() {
  const own = chosen("size") === "own";
  for (const input of [rows, columns, k]) input.disabled = !own;
  const longest = Math.max(Number(rows.value) || 1, Number(columns.value) || 1);
  k.max = String(Math.min(MAX_SIDE, longest));
}

/** @param {string} name */
function chosen(name) {
  return String(new FormData(form).get(name));
}

/** @param {string} name @param {string} value */
function choose(name, value) {
  const input = form.querySelector(`input[name="${name}"][value="${value}"]`);
  if (input instanceof HTMLInputElement) input.checked = true;
}

function nameLevel() {
  const value = Number(level.value);
  const name = LEVELS[value] ?? LEVELS[value - 1];
  const repeatable = seed === undefined ? "" : `, seed ${seed}`;
  byId("level-name").textContent = `${value}, ${name}${repeatable}`;
  level.setAttribute("aria-valuetext", `${value}, ${name}`);
}

function remember() {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...strength(), seed: undefined }));
  } catch {
    // storage is off: the next visit starts from the usual strength
  }
}

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (kept.level >= 1 && kept.level <= 10) level.value = String(kept.level);
    if ([...time.options].some((option) => option.value === String(kept.time_ms))) {
      time.value = String(kept.time_ms);
    }
  } catch {
    // nothing kept, or nothing readable
  }
}
