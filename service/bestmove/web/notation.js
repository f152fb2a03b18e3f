/** Reads and writes cells and moves in the notations that people use: h8, 4453. */

import { landing } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */

/** The names of the columns. */
export const LETTERS = "abcdefghijklmnopqrst";
const MOST_DIGIT_COLUMNS = 9;

/**
 * Returns a cell's name, such as h8. Letters count the columns from the left, numbers the rows from the bottom.
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
 * Splits a text into moves, brackets, and numbers such as "2.". Moves may be written without spaces.
 * Comments, signs such as "!?" and the result are left out. In games with gravity and at most nine
 * columns, each digit is a move.
 * @param {string} text @param {Rules} rules
 */
export function wordsOf(text, rules) {
  const spaced = text
    .replace(/^\ufeff/, "")
    .replace(/\{[^}]*\}/g, " ")
    .replace(/(1-0|0-1|1\/2-1\/2|\*)\s*$/, "")
    .replace(/\([^()\d]*[h-z][^()\d]*\)/gi, " ") // remarks
    .replace(/[()]/g, " $& ")
    .trim();
  const digits = rules.gravity && rules.columns <= MOST_DIGIT_COLUMNS;
  return spaced.split(/(?:[\s,;_>→]|(?<!-)-(?!-))+/).flatMap((part) => {
    if (digits && /^[1-9]+$/.test(part)) return [...part];
    const [, number, word] = /** @type {RegExpExecArray} */ (/^(\d+\.+)?(.*?)[!?]*$/.exec(part));
    return [...(number ? [number] : []), ...together(word, rules)];
  });
}

/** @param {string} word @param {Rules} rules */
function together(word, { gravity }) {
  if (/^([a-t][1-9]\d?[!?]*)+$/i.test(word)) return word.match(/[a-t][1-9]\d?/gi) ?? [];
  if (gravity && /^[a-t]+$/i.test(word) && !/^pass$/i.test(word)) return [...word];
  return word === "" ? [] : [word];
}

/** Returns whether a word numbers a move, such as "2.". @param {string} word */
export const isNumber = (word) => /^\d+\.+$/.test(word);

/**
 * Returns the cell that a word names, which may be taken. With gravity, a letter or digit names a column's uppermost cell.
 * @param {string} word @param {Rules} rules
 * @returns {number | null} null if this board has no such cell
 */
export function placeNamed(word, rules) {
  if (!rules.gravity || word.length !== 1) return cellNamed(word, rules);
  const column = /\d/.test(word) ? Number(word) - 1 : LETTERS.indexOf(word.toLowerCase());
  return column >= 0 && column < rules.columns ? column : null;
}

/**
 * @param {string} word  the move as written @param {string} cells  the board before the move
 * @param {Rules} rules
 * @returns {number | null} null if it is not a legal move
 */
export function moveNamed(word, cells, rules) {
  const place = placeNamed(word, rules);
  const lands = place === null ? null : landing(cells, place, rules);
  return word.length === 1 || lands === place ? lands : null;
}
