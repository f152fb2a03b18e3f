/** Boards as the service writes them, addresses that hold one, and cells in words. No rules. */

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {{rows: number, columns: number, k: number}} Rules */

/**
 * @typedef {object} Shared  a position as an address holds it
 * @property {string} board  in any spelling
 * @property {Partial<Rules>} rules
 * @property {Mark} first
 * @property {Mark | null} you
 * @property {number} [level]  of the engine
 * @property {number} [seed]  for a game that can be repeated move by move
 */

export const MAX_SIDE = 19;

/** @param {Mark} mark @returns {Mark} */
export const other = (mark) => (mark === "X" ? "O" : "X");

/** @param {Rules} rules */
export const emptyBoard = ({ rows, columns }) => Array(rows).fill(".".repeat(columns)).join("/");

/** The marks of a canonical board, row by row. @param {string} board */
export const cellsOf = (board) => board.replaceAll("/", "");

/**
 * @param {string} board
 * @param {number} index
 * @param {Mark} mark
 */
export function withMark(board, index, mark) {
  const cells = [...board];
  let at = -1;
  for (let left = index; left >= 0; left -= 1) {
    at += 1;
    while (cells[at] === "/") at += 1;
  }
  cells[at] = mark;
  return cells.join("");
}

/** @param {number} index @param {number} columns */
export function cellInWords(index, columns) {
  return `row ${Math.floor(index / columns) + 1} column ${(index % columns) + 1}`;
}

/** Short, for lists: rows and columns from 1, as the service's reasons count. */
export function cellInShort(/** @type {number} */ index, /** @type {number} */ columns) {
  return `${Math.floor(index / columns) + 1},${(index % columns) + 1}`;
}

/**
 * Scores are the expected result for X, with a true minus sign.
 * @param {number} score
 * @param {boolean} exact
 * @param {boolean} [tiny]  one digit, where there is no room for more
 */
export function scoreInShort(score, exact, tiny = false) {
  const sign = score > 0 ? "+" : score < 0 ? "−" : "";
  const size = Math.abs(score);
  if (exact) return sign + size;
  return sign + (tiny ? `.${Math.min(9, Math.round(size * 10))}` : size.toFixed(2));
}

/**
 * @param {{score: number, exact: boolean, plies: number | null}} evaluation
 */
export function scoreInWords({ score, exact, plies }) {
  if (!exact) {
    const side = score > 0 ? "better for X" : score < 0 ? "better for O" : "even";
    return `estimated ${scoreInShort(score, exact)}, ${side}`;
  }
  if (score === 0) return "a proven draw";
  const moves = plies === 1 ? "with this move" : `in ${plies} moves`;
  return `${score > 0 ? "X" : "O"} wins ${moves}`;
}

/** @param {Rules} rules */
export function rulesInWords({ rows, columns, k }) {
  return `${rows} × ${columns}, ${k} in a row`;
}

/** @param {number} rows @param {number} columns */
export const usualK = (rows, columns) => Math.min(rows, columns, 5);

/**
 * The part of an address after `#` that holds a position; it never reaches a server's log.
 * @param {Shared} shared
 */
export function toFragment({ board, rules, first, you, level, seed }) {
  const strength = seed === undefined ? {} : { level, seed };
  const fields = { board, ...rules, first, ...(you && { you }), ...strength };
  const pairs = Object.entries(fields).map(([name, value]) => {
    return `${name}=${encodeURIComponent(value ?? "").replaceAll("%2F", "/")}`;
  });
  return `#${pairs.join("&")}`;
}

/**
 * @param {string} fragment
 * @returns {Shared | null} null when it holds no board
 */
export function fromFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const board = fields.get("board");
  if (!board) return null;
  const number = (/** @type {string} */ name) => {
    const text = fields.get(name) ?? "";
    return /^-?\d{1,15}$/.test(text) ? { [name]: Number(text) } : {};
  };
  return {
    board,
    rules: { ...number("rows"), ...number("columns"), ...number("k") },
    first: fields.get("first") === "O" ? "O" : "X",
    you: markOrNull(fields.get("you")),
    ...number("level"),
    ...number("seed"),
  };
}

/** @param {string | null} text @returns {Mark | null} */
function markOrNull(text) {
  return text === "X" || text === "O" ? text : null;
}

/** Who must have moved first, from a text with more of one mark; X where it could be either. */
export function guessFirst(/** @type {string} */ text) {
  const count = (/** @type {RegExp} */ mark) => (text.match(mark) ?? []).length;
  return count(/o/gi) > count(/x/gi) ? "O" : "X";
}
