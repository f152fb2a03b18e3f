/** Cells and games in the notations that people use: h8, 4453, rows of marks, Gomocup's lists of moves. */

import { landing, MAX_SIDE } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */

/** The letters of the columns, from the left. */
const LETTERS = "abcdefghijklmnopqrst";
/** With at most this many columns, one digit can name each column. */
const MOST_DIGIT_COLUMNS = 9;

/** @param {number} column  from 0 */
export const letterOf = (column) => LETTERS[column];

/**
 * A cell's name: the column's letter, counted from the left, and the row's number, from the bottom.
 * @param {number} index @param {{rows: number, columns: number}} shape
 */
export function nameOf(index, { rows, columns }) {
  return `${LETTERS[index % columns]}${rows - Math.floor(index / columns)}`;
}

/**
 * @param {string} name  such as h8
 * @param {Rules} rules
 * @returns {number | null} null if this board has no such cell
 */
export function cellNamed(name, { rows, columns }) {
  const found = /^([a-t])([1-9]\d?)$/i.exec(name);
  if (!found) return null;
  const column = LETTERS.indexOf(found[1].toLowerCase());
  const row = rows - Number(found[2]);
  return column < columns && row >= 0 ? row * columns + column : null;
}

/**
 * Splits a text into moves, which stand together or apart, brackets, and numbers such as "2."; signs, comments and a
 * result are left out.
 * A JSON list has indices or names. With gravity, if a digit can name every column, each digit is a move.
 * @param {string} text @param {Rules} rules
 */
export function wordsOf(text, rules) {
  const listed = listIn(text);
  if (listed) return listed.map((item) => (Number.isInteger(item) ? nameOf(item, rules) : `${item}`));
  const spaced = text
    .replace(/^\ufeff/, "")
    .replace(/\{[^}]*\}/g, " ")
    .replace(/(1-0|0-1|1\/2-1\/2|\*)\s*$/, "")
    .replace(/[()]/g, " $& ")
    .trim();
  const digits = rules.gravity && rules.columns <= MOST_DIGIT_COLUMNS;
  return spaced.split(/(?:[\s,;_]|(?<!-)-(?!-))+/).flatMap((part) => {
    if (digits && /^[1-9]+$/.test(part)) return [...part];
    const [, number, word] = /** @type {RegExpExecArray} */ (/^(\d+\.+)?(.*?)[!?]*$/.exec(part));
    return [...(number ? [number] : []), ...together(word, rules)];
  });
}

/** The items of a JSON list; null if the text is none. @param {string} text @returns {any[] | null} */
function listIn(text) {
  if (!/^\s*\[/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The moves in a word, in which several may stand together. @param {string} word @param {Rules} rules */
function together(word, { gravity }) {
  if (/^([a-t][1-9]\d?[!?]*)+$/i.test(word)) return word.match(/[a-t][1-9]\d?/gi) ?? [];
  if (gravity && /^[a-t]+$/i.test(word) && !/^pass$/i.test(word)) return [...word];
  return word === "" ? [] : [word];
}

/** Whether a word is the number of a move, such as "2.". @param {string} word */
export const isNumber = (word) => /^\d+\.+$/.test(word);

/**
 * The cell of a move.
 * @param {string} word  the move as written @param {string} cells  the board before it
 * @param {Rules} rules
 * @returns {number | null} null if it is not a legal move
 */
export function moveNamed(word, cells, rules) {
  const byLetter = rules.gravity && /^[a-t]$/i.test(word);
  const byColumn = byLetter || (rules.gravity && /^[1-9]$/.test(word));
  const column = byLetter ? LETTERS.indexOf(word.toLowerCase()) : Number(word) - 1;
  const cell = byColumn ? columnTop(column, rules) : cellNamed(word, rules);
  const lands = cell === null ? null : landing(cells, cell, rules);
  return byColumn || lands === cell ? lands : null;
}

/** @param {number} column @param {Rules} rules */
const columnTop = (column, { columns }) => (column < columns ? column : null);

/** Whether a text is meant as a list of moves, not as a board. @param {string} text @param {Rules} rules */
export function listsMoves(text, rules) {
  const words = wordsOf(text, rules).filter((word) => word !== "(" && word !== ")" && !isNumber(word));
  if (words.length === 0) return false;
  // A list of numbers with an equal pair is a board.
  if (listIn(text) && new Set(words).size < words.length) return false;
  return /^[a-t][1-9]\d?$/i.test(words[0]) || words.every((word) => moveAlone(word, rules));
}

/** Whether a word is a digit or, with gravity, the letter of a column. @param {string} word @param {Rules} rules */
const moveAlone = (word, { gravity, columns }) =>
  /^[1-9]$/.test(word) || (gravity && word.length === 1 && LETTERS.slice(0, columns).includes(word.toLowerCase()) && !/[xo]/i.test(word));

/**
 * Reads a position of Gomocup's protocol (BOARD, then "x,y,who", counted from 0) or a file of its
 * manager ("Piskvorky 15x15", then "x,y,time", counted from 1).
 * @param {string} text
 * @param {Rules} rules  used if the text does not give the size of the board
 * @returns {{rules: Rules, cells: number[]} | null} the moves in order, X first; null if the text is neither
 */
export function readGomocup(text, rules) {
  const head = /piskvorky\s+(\d+)x(\d+)/i.exec(text);
  const triples = text
    .split(/\r?\n/)
    .map((line) => /^\s*(\d+),(\d+),(\d+)\s*$/.exec(line)?.slice(1).map(Number))
    .filter((triple) => triple !== undefined);
  if (triples.length === 0 || (!head && !/^\s*board\b/im.test(text))) return null;
  const start = /\bstart\s+(\d+)/i.exec(text);
  const [columns, rows] = head
    ? [Number(head[1]), Number(head[2])]
    : start
      ? [Number(start[1]), Number(start[1])]
      : [rules.columns, rules.rows];
  const from = head ? 1 : 0;
  const fits = triples.every(([x, y]) => x >= from && y >= from && x < columns + from && y < rows + from);
  if (!fits || Math.max(rows, columns) > MAX_SIDE) return null;
  const cells = triples.map(([x, y]) => (y - from) * columns + (x - from));
  const asked = { ...rules, rows, columns, k: Math.min(5, Math.max(rows, columns)), gravity: false, misere: false };
  if (head) return { rules: asked, cells };
  // In the protocol, `who` is 1 for a stone of the side to move and 2 for the other side.
  const [own, theirs] = [1, 2].map((who) => cells.filter((_, at) => triples[at][2] === who));
  const [leading, second] = theirs.length > own.length ? [theirs, own] : [own, theirs];
  if (leading.length - second.length > 1 || own.length + theirs.length < cells.length) return null;
  return { rules: asked, cells: leading.flatMap((cell, at) => [cell, second[at]]).filter((cell) => cell !== undefined) };
}

/**
 * How many cells the rows of a text have, by the service's rules: a space is an empty cell, unless
 * the text has another empty mark too.
 * @param {string} text
 */
export function marksIn(text) {
  const layout = /[.\-_+?*]/.test(text) ? /[ /|\r\n]/g : /[/|\r\n]/g;
  return text.replace(layout, "").length;
}

/** The side that moved first: the one with more marks in the text; X if both have the same number. */
export function guessFirst(/** @type {string} */ text) {
  const count = (/** @type {RegExp} */ mark) => (text.match(mark) ?? []).length;
  return count(/o/gi) > count(/x/gi) ? "O" : "X";
}
