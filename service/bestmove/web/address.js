/**
 * Reads and writes games in the fragment of a URL, from `#` on, which browsers do not send to a server.
 */

import { faultOf, GRADES } from "./review.js";
import { changed, MAX_SIDE, spelled, SWITCHES, TIC_TAC_TOE, usualK } from "./rules.js";
import { say } from "./words.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {"engine" | "people" | "watch" | "analysis"} Mode */

/**
 * @typedef {object} Shared  the game in the fragment of a URL
 * @property {string | null} board  the position where the game begins, as text; null for the empty board
 * @property {string | null} game  the name of a preset
 * @property {Partial<Rules>} rules
 * @property {Mark} first
 * @property {Mark | null} you
 * @property {Mode | null} mode
 * @property {string} moves
 * @property {number | null} at  the number of the last move in the position shown; 0: the start; null: the end of the main line
 * @property {Rules} [page]  of a pasted board: the rules of the page's game
 * @property {number} [level]  the engine's level
 * @property {number} [seed]  makes the engine's moves repeatable
 * @property {string} [marks]  the faults that a review found, as "4b12m": the numbers of the moves, and the first letters of the grades
 */

/** Thrown if a link or a text cannot be read. The message tells the user why. */
export class InvalidLink extends Error {}

/** @type {Mode[]} */
export const MODES = ["engine", "people", "watch", "analysis"];

/**
 * @param {import("./history.js").History} history
 * @param {{you: Mark, mode: Mode, level: number, seed?: number, marked?: boolean}} table  `marked`: false for a link without marks
 */
export function toFragment(history, { you, mode, level, seed, marked = true }) {
  const { rules, first, root, now, fromEmpty } = history;
  const { rows, columns, k } = rules;
  /** @type {Record<string, string | number | boolean>} */
  const fields = { ...(fromEmpty ? {} : { board: spelled(root.cells, rules) }), rows, columns, k };
  for (const name of changed(rules)) fields[name] = rules[name];
  Object.assign(fields, { first, you });
  if (mode !== "engine") fields.mode = mode;
  if (seed !== undefined) Object.assign(fields, { level, seed });
  const nodes = history.all;
  if (nodes.length > 0) fields.moves = history.text;
  if (now !== history.mainEnd) fields.at = nodes.indexOf(now) + 1;
  const marks = nodes.map((node, at) => (faultOf(node) ? `${at + 1}${faultOf(node)?.[0]}` : "")).join("");
  if (marks && marked) fields.marks = marks;
  const text = String(new URLSearchParams(/** @type {any} */ (fields)));
  // Slashes and brackets need no escape, and make the link easier to read.
  return `#${text.replace(/%(?:2F|28|29)/g, decodeURIComponent)}`;
}

/** Grades the moves of a game as a link does. What the link cannot mean is left out. @param {import("./history.js").History} history @param {string} [marks] */
export function grade({ all }, marks = "") {
  for (const [, at, letter] of marks.matchAll(/(\d+)([a-z])/g)) {
    const node = all[Number(at) - 1];
    if (node) node.mark = GRADES.find(([name]) => name[0] === letter)?.[0] ?? null;
  }
}

/**
 * @param {string} fragment
 * @returns {Shared | null} null if the fragment does not contain a game
 * @throws {InvalidLink}
 */
export function fromFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const known = ["board", "game", "rows", "moves"].some((name) => fields.has(name));
  if (!known) return null;
  const number = (/** @type {string} */ name) => {
    const text = fields.get(name);
    if (!text) return {};
    if (!/^-?\d{1,15}$/.test(text)) throw new InvalidLink(say.noNumber(name, text));
    return { [name]: Number(text) };
  };
  const toggle = (/** @type {string} */ name) => {
    const text = fields.get(name);
    return text === "true" || text === "false" ? { [name]: text === "true" } : {};
  };
  const switches = Object.assign({}, ...Object.keys(SWITCHES).map(toggle));
  const mode = MODES.find((name) => name === fields.get("mode")) ?? null;
  return {
    board: fields.get("board") || null,
    game: fields.get("game"),
    rules: { ...number("rows"), ...number("columns"), ...number("k"), ...switches },
    first: fields.get("first") === "O" ? "O" : "X",
    you: /** @type {Mark[]} */ (["X", "O"]).find((mark) => mark === fields.get("you")) ?? null,
    mode,
    moves: fields.get("moves") ?? "",
    at: number("at").at ?? null,
    ...number("level"),
    ...number("seed"),
    ...(fields.has("marks") && { marks: String(fields.get("marks")) }),
  };
}

/**
 * Fills in the rules that a URL or a form does not give.
 * @param {Partial<Rules>} given @param {Rules} [base]
 * @returns {Rules}
 * @throws {InvalidLink} if the rules are impossible
 */
export function completeRules(given, base = TIC_TAC_TOE) {
  const rows = given.rows ?? given.columns ?? base.rows;
  const columns = given.columns ?? given.rows ?? base.columns;
  const same = rows === base.rows && columns === base.columns;
  const k = given.k ?? (same ? base.k : usualK(rows, columns));
  const fits = [rows, columns, k].every((side) => side >= 1 && side <= MAX_SIDE);
  if (!fits || k > Math.max(rows, columns)) {
    throw new InvalidLink(say.noRules(rows, columns, k));
  }
  return { ...base, ...given, rows, columns, k };
}
