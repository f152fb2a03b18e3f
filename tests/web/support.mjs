/** What the tests of the page's modules share. */

import { deepStrictEqual } from "node:assert";
import { test as limited } from "node:test";

import { History } from "../../service/bestmove/web/history.js";
import { TIC_TAC_TOE } from "../../service/bestmove/web/rules.js";

export const GOMOKU = { ...TIC_TAC_TOE, rows: 15, columns: 15, k: 5 };
export const FOUR = { ...TIC_TAC_TOE, rows: 6, columns: 7, k: 4, gravity: true };

/** @type {(found: any, wanted: any) => void} */
export const is = deepStrictEqual;

/** Declares a test that is stopped after a minute. */
export const test = (name, run) => limited(name, { timeout: 60_000 }, run);

/** Checks the results of a call. A row of the table has the wanted result and the arguments. */
export function each(call, rows) {
  for (const [wanted, ...given] of rows) is(call(...given), wanted);
}

/** Returns the call's result, or the message of the error that the call throws. */
export function error(call) {
  try {
    return call();
  } catch (thrown) {
    return thrown.message;
  }
}

/** Returns the game that a text of moves describes. */
export function read(text, rules = TIC_TAC_TOE) {
  const history = new History(rules, "X");
  history.read(text);
  return history;
}

/**
 * Returns a function that chooses at random: one of `all`, or a number from 0 to below `all`. The same seed
 * gives the same choices.
 */
export function chooser(seed) {
  return (all) => {
    seed = (seed * 48271) % 2147483647;
    return typeof all === "number" ? seed % all : all[seed % all.length];
  };
}
