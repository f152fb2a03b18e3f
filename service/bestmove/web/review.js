/** What each position of a game was worth, and where a side gave something away. */

import { spelled } from "./rules.js";
import { chanceOf } from "./words.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */

/**
 * @typedef {object} Judged  what a position is worth
 * @property {number} score  the expected result for X
 * @property {boolean} exact
 * @property {number | null} plies
 * @property {number | null} best  the cell to play
 */

/** The chance that a move must give away to be called a mistake. */
const MISTAKE = 0.2;

/** @typedef {"missed" | "mistake" | null} Fault */

/** @param {Node} node  the position after the move @returns {Fault} */
export function faultOf({ parent, judged, move }) {
  const before = parent?.judged;
  const mover = parent?.turn;
  if (!before || !judged || !mover || move === before.best) return null;
  const had = chanceOf(before, mover);
  const has = chanceOf(judged, mover);
  if (before.exact && had === 1) return judged.exact && has === 1 ? null : "missed";
  return had - has >= MISTAKE ? "mistake" : null;
}

export class Review extends EventTarget {
  running = false;
  done = 0;
  /** @type {Node[]} */
  nodes = [];
  /** @type {Error | null} */
  error = null;
  #calls = new AbortController();

  /** @param {Client} client */
  constructor(client) {
    super();
    this.client = client;
  }

  /**
   * Judges every position of the line on the board, one after another, from the last one back:
   * what comes later is known better. Asked again after a failure, it goes on where it ended.
   * @param {History} history @param {number} time_ms  for each position
   */
  async start(history, time_ms) {
    this.stop();
    const { signal } = (this.#calls = new AbortController());
    this.nodes = history.line;
    this.running = true;
    this.error = null;
    try {
      for (const node of [...this.nodes].reverse()) {
        node.judged ??= await this.#judge(history, node, time_ms, signal);
        if (signal.aborted) return;
        this.done = this.nodes.filter(({ judged }) => judged).length;
        this.dispatchEvent(new Event("change"));
      }
    } catch (error) {
      if (signal.aborted) return;
      this.error = /** @type {Error} */ (error);
    }
    this.running = false;
    this.dispatchEvent(new Event("change"));
  }

  stop() {
    this.#calls.abort();
    this.running = false;
  }

  /** Forgets the game. */
  clear() {
    this.stop();
    this.nodes = [];
    this.error = null;
  }

  /**
   * @param {History} history @param {Node} node @param {number} time_ms @param {AbortSignal} signal
   * @returns {Promise<Judged>}
   */
  async #judge({ rules, first }, node, time_ms, signal) {
    if (node.turn === null) {
      const score = { X: 1, O: -1 }[String(node.winner)] ?? 0;
      return { score, exact: true, plies: 0, best: null };
    }
    const options = { ...rules, first, time_ms, signal };
    const answer = await this.client.bestMove(spelled(node.cells, rules), options);
    const { score, exact, plies, move } = answer;
    return { score, exact, plies, best: move?.index ?? null };
  }
}
