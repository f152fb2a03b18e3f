/** Reads and writes games of gomoku as SGF, a format of Go and gomoku programs. X is Black. */

import { completeRules } from "./address.js";
import { History, InvalidMoves } from "./history.js";
import { other, spelled } from "./rules.js";
import { say } from "./words.js";

/** @typedef {import("./address.js").Shared} Shared */
/** @typedef {import("./history.js").Node} Node */

/** SGF's number for gomoku. */
const GOMOKU = 4;
const USUAL_SIDE = 15;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const COLOURS = { B: "X", W: "O" };
/** The properties that put marks on the board before the game, or take them away. @type {Record<string, string>} */
const SETUP = { AB: "X", AW: "O", AE: "." };
/** A bracket, the start of a node, or a property with its values. */
const TOKEN = /[();]|([A-Z]+)\s*((?:\[(?:\\[^]|[^\]\\])*\]\s*)+)/g;

/** @param {History} history */
export function writeSgf({ rules, root }) {
  const { rows, columns, overline } = rules;
  const point = (/** @type {number} */ cell) => `[${LETTERS[cell % columns]}${LETTERS[Math.floor(cell / columns)]}]`;
  const stones = (/** @type {string} */ mark) =>
    [...root.cells].map((cell, index) => (cell === mark ? point(index) : "")).join("");
  /** @param {Node} from @returns {string} */
  const walk = (from) => {
    const parts = [];
    for (let node = from; node.children.length > 0; node = node.children[0]) {
      const moves = node.children.map((child) => {
        return `;${child.by === "X" ? "B" : "W"}${point(/** @type {number} */ (child.move))}`;
      });
      if (moves.length > 1) {
        return `${parts.join("")}${node.children.map((child, at) => `(${moves[at]}${walk(child)})`).join("")}`;
      }
      parts.push(moves[0]);
    }
    return parts.join("");
  };
  const size = rows === columns ? rows : `${columns}:${rows}`;
  const head = `;FF[4]CA[UTF-8]GM[${GOMOKU}]SZ[${size}]${overline ? "" : "RU[standard]"}`;
  const [black, white] = [stones("X"), stones("O")];
  const setup = `${black && `AB${black}`}${white && `AW${white}`}${root.turn === "O" ? "PL[W]" : ""}`;
  return `(${head}${setup}${walk(root)})\n`;
}

/**
 * Reads the first game of a text.
 * @param {string} text @returns {Shared}
 * @throws {InvalidMoves | InvalidLink}
 */
export function readSgf(text) {
  const [, wide = USUAL_SIDE, high = wide] = /\bSZ\s*\[\s*(\d+)(?::(\d+))?/.exec(text)?.map((side) => side && Number(side)) ?? [];
  const [columns, rows] = [Number(wide), Number(high)];
  const overline = !/\bRU\s*\[\s*standard/i.test(text);
  const rules = { ...completeRules({ rows, columns, overline }), k: 5 };
  const cells = Array(rows * columns).fill(".");
  /** The cell of a point; NaN if it is not on the board. @param {string} value */
  const cellOf = (value) => {
    const [x, y] = [...value.trim().toLowerCase()].map((letter) => LETTERS.indexOf(letter));
    return x >= 0 && y >= 0 && x < columns && y < rows ? y * columns + x : NaN;
  };
  /** The cells of a point, or of a rectangle from its upper left to its lower right point: aa:cc. @param {string} value */
  const cellsOf = (value) => {
    const [first, last = first] = value.split(":").map(cellOf);
    const [left, right] = [first % columns, last % columns];
    return [...cells.keys()].filter((cell) => {
      return cell >= first && cell <= last && cell % columns >= left && cell % columns <= right;
    });
  };
  /** The moves, which are played once the starting position is complete. @type {Array<"(" | ")" | {mark: string, value: string}>} */
  const moves = [];
  let first = "";
  let depth = 0;
  for (const [token, name, values = ""] of text.matchAll(TOKEN)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth === 0) break;
    if (token === "(" || token === ")") moves.push(token);
    const found = [...values.matchAll(/\[((?:\\[^]|[^\]\\])*)\]/g)].map(([, value]) => value);
    if (name in SETUP) {
      for (const cell of found.flatMap(cellsOf)) cells[cell] = SETUP[name];
    } else if (name === "PL") first ||= /^w/i.test(found[0]) ? "O" : "X";
    else if (name === "B" || name === "W") {
      moves.push({ mark: COLOURS[name], value: found[0] });
      first ||= COLOURS[name];
    }
  }
  const start = cells.join("");
  const count = (/** @type {string} */ mark) => start.split(mark).length;
  const lead = count("X") - count("O");
  // If both sides have the same number of marks, the side to move began, otherwise the side with more.
  const began = lead > 0 || (lead === 0 && first !== "O") ? "X" : "O";
  const turn = lead === 0 ? began : other(began);
  const history = new History(rules, began, { cells: start, turn, status: "in_progress", winner: null, line: [] });
  /** @type {Node[]} */
  const branches = [];
  for (const move of moves) {
    const { now } = history;
    if (move === "(") branches.push(now);
    else if (move === ")") history.go(branches.pop() ?? history.root);
    else if (now.turn !== move.mark || !history.play(cellOf(move.value))) {
      throw new InvalidMoves(move.value.trim() || say.pass, now.ply + 1);
    }
  }
  const board = history.fromEmpty ? null : spelled(start, rules);
  return { board, game: null, rules, first: began, you: null, mode: null, moves: history.text, at: null };
}
