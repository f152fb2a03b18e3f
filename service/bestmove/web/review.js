/** Grades the moves of a reviewed game. */

import { chanceOf } from "./words.js";

/** @typedef {import("./history.js").Node} Node */

/** @typedef {"blunder" | "mistake" | "inaccuracy"} Grade */

/**
 * The grades of faults, worst first, each with its smallest loss. A win is worth 1, a draw ½.
 * @type {Array<[Grade, number]>}
 */
export const GRADES = [
  ["blunder", 0.3],
  ["mistake", 0.2],
  ["inaccuracy", 0.1],
];

/**
 * Returns how much of the expected result a move lost.
 * @param {Node} node  the position after the move @returns {number | null} null until both positions are judged
 */
export function lossOf(node) {
  const { parent, move } = node;
  const [before, after] = [parent?.judged, node.judged];
  if (!before || !after || !parent?.turn) return null;
  // An estimate without a best move: the search knew no better move than one that turned out to lose.
  const isBest = move === before.best || (before.best === null && !before.exact);
  return isBest ? 0 : Math.max(0, chanceOf(before, parent.turn) - chanceOf(after, parent.turn));
}

/** @param {Node} node  the position after the move @returns {Grade | null} */
export function faultOf(node) {
  const loss = lossOf(node);
  if (loss === null) return node.mark;
  if (!loss) return null;
  const [grade] = GRADES.find(([, least]) => loss >= least) ?? [null];
  // A move that gives up a proven win is always a fault.
  return grade ?? (hadWon(node) ? "inaccuracy" : null);
}

/** Returns whether the mover had a proven win. @param {Node} node */
export function hadWon({ parent }) {
  const before = parent?.judged;
  return Boolean(before?.exact && chanceOf(before, parent?.turn ?? "X") === 1);
}
