/** The review of a game: the value of each position, and each side's faults. */

import { spelled } from "./rules.js";
import { chanceOf } from "./words.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */

/**
 * @typedef {object} Judged  the value of a position
 * @property {number} score  the expected result for X
 * @property {boolean} exact
 * @property {number | null} plies
 * @property {number | null} best  the cell to play
 */

/** @typedef {"blunder" | "mistake" | "inaccuracy"} Grade */

/**
 * The grades of faults, worst first. A move has a grade if it loses at least this much of the expected
 * result; a win counts 1, a draw ½.
 * @type {Array<[Grade, number]>}
 */
export const GRADES = [
  ["blunder", 0.3],
  ["mistake", 0.2],
  ["inaccuracy", 0.1],
];

/**
 * How much of the expected result a move lost.
 * @param {Node} node  the position after the move @returns {number | null} null until both positions are judged
 */
export function lossOf({ parent, judged, move }) {
  const before = parent?.judged;
  const mover = parent?.turn;
  if (!before || !judged || !mover) return null;
  return move === before.best ? 0 : Math.max(0, chanceOf(before, mover) - chanceOf(judged, mover));
}

/** @param {Node} node  the position after the move @returns {Grade | null} */
export function faultOf(node) {
  const loss = lossOf(node);
  if (!loss) return null;
  const [grade] = GRADES.find(([, least]) => loss >= least) ?? [null];
  // A move that gives up a proven win is always a fault.
  const before = node.parent?.judged;
  const won = before?.exact && chanceOf(before, node.parent?.turn ?? "X") === 1;
  return grade ?? (won ? "inaccuracy" : null);
}

export class Review extends EventTarget {
  running = false;
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

  /** How many of the positions are judged. */
  get done() {
    return this.nodes.filter(({ judged }) => judged).length;
  }

  /**
   * Judges every position of the line on the board, from the last one back, because later positions
   * are easier to judge. Called again after a failure, it continues where it stopped.
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
        this.dispatchEvent(new Event("change"));
      }
    } catch (error) {
      if (signal.aborted) return;
      this.error = /** @type {Error} */ (error);
    }
    this.running = false;
    this.dispatchEvent(new Event("change"));
  }

  /** The nearest fault before (-1) or after (1) a position. @param {Node} now @param {-1 | 1} way */
  fault(now, way) {
    const here = this.nodes.indexOf(now);
    const nodes = way === 1 ? this.nodes.slice(here + 1) : this.nodes.slice(0, Math.max(0, here)).reverse();
    return nodes.find((node) => faultOf(node)) ?? null;
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
