/** The texts of a review. */

import { listed } from "./words.js";

/** @typedef {import("./client.js").Mark} Mark */

/** Returns threats in words: “two open threes”, “a four and an open three”. @param {string[]} kinds  strongest first */
function threatsInWords(kinds) {
  return listed([...new Set(kinds)].map((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    const article = kind.startsWith("o") ? "an" : "a";
    return `${["", article, "two", "three", "four"][count]} ${kind.replace("-", " ")}${count === 1 ? "" : "s"}`;
  }));
}

export const say = {
  better: "Better",
  betterMove: (/** @type {string} */ cell) => `better ${cell}`,
  refutation: "Refutation",
  add: "Add",
  notReviewed: (/** @type {number} */ done, /** @type {number} */ all) => `The review stopped at ${done} of ${all}.`,
  reviewing: (/** @type {number} */ done, /** @type {number} */ all) => `Judging the positions: ${done} of ${all}`,
  checking: (/** @type {number} */ at, /** @type {number} */ all) => `Checking the faults again: ${at} of ${all}`,
  beingChecked: "Provisional, still being checked.",
  longerLook: (/** @type {string} */ ends) => `A longer look: ${ends}.`,
  /** @param {Mark} side @param {Array<[string, number]>} faults @param {number} lost  the mean loss of a move, from 0 to 1 */
  reviewed: (side, faults, lost) => {
    const found = faults.filter(([, count]) => count > 0);
    const plural = (/** @type {string} */ word) => (word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`);
    const counted = found.map(([kind, count]) => `${count} ${count === 1 ? kind : plural(kind)}`);
    return `${side}: ${counted.join(", ") || "no faults"}. Lost ${(100 * lost).toFixed(1)} % a move.`;
  },
  numbered: (/** @type {number} */ ply, /** @type {string} */ cell) => `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"} ${cell}`,
  decided: (/** @type {string} */ move) =>
    `After ${move} the game was decided: later moves that only lengthen or shorten it are not listed.`,
  noFaults: "No faults: no move lost 10 % or more of the expected result.",
  graph: "Evaluation over the moves, X above, O below",
  best: (/** @type {string} */ cell) => `Best was ${cell}.`,
  missed: (/** @type {string} */ cell) => `Missed the win with ${cell}.`,
  winsNow: (/** @type {Mark} */ rival, /** @type {string} */ cell) => `${rival} now wins with ${cell}.`,
  addLine: (/** @type {string} */ line) => `Add to the moves: ${line}`,
  /** @param {Mark} rival @param {string[]} kinds @param {string} cell @param {boolean} atOnce */
  allowed: (rival, kinds, cell, atOnce) =>
    atOnce ? `Let ${rival} build ${threatsInWords(kinds)} at ${cell}.` : `Refuted by ${threatsInWords(kinds)} at ${cell}.`,
  /** @type {Record<import("./review.js").Grade, string>} */
  signs: { inaccuracy: "?!", mistake: "?", blunder: "??" },
  fromTo: (/** @type {string} */ before, /** @type {string} */ after) => `from ${before} to ${after}`,
};
