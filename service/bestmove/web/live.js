/** The analysis of the position on the board, which grows while it runs and can be stopped. */

import { spelled } from "./rules.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").Analysis} Analysis */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */
/** @typedef {import("./game.js").Effort} Effort */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./client.js").Threat} Threat */

/**
 * @typedef {object} Analysed  what is kept of an analysis
 * @property {MoveEvaluation[]} moves  best first; those after the best have no variation
 * @property {Record<Mark, Threat[]>} threats
 * @property {Effort} search
 * @property {number} time_ms  the budget; 0 until the answer was whole
 * @property {number} lines  so many moves were searched as well as the best one
 * @property {boolean} yielded  whether the search ended before its time because others waited
 */

/** A search that ends by itself takes at least this share of its time, or proves something. */
const WHOLE = 0.95;
/** A glance is enough for the threats on the board, which need no search. */
const GLANCE_MS = 50;

export class Live extends EventTarget {
  running = false;
  /** A search of more ms than this one yields to others that wait. */
  usual = Infinity;
  /** @type {Error | null} */
  error = null;
  /** The position that was asked about last; it is not asked about again by itself. @type {Node | null} */
  #node = null;
  #time = 0;
  #lines = 0;
  /** The position whose threats were asked for last. @type {Node | null} */
  #glanced = null;
  #glance = new AbortController();
  #calls = new AbortController();

  /** @param {Client} client */
  constructor(client) {
    super();
    this.client = client;
  }

  /**
   * Analyses a position, unless it has been for as long, or was stopped.
   * @param {History} history @param {Node} node @param {number} time_ms
   * @param {number} lines  moves to search as well as the best one, and to rank
   */
  async start(history, node, time_ms, lines) {
    if (node === this.#node && time_ms === this.#time && lines === this.#lines) return;
    this.leave();
    this.learnThreats(history, null);
    [this.#node, this.#time, this.#lines] = [node, time_ms, lines];
    const { analysed } = node;
    if (node.turn === null || (analysed && analysed.time_ms >= time_ms && analysed.lines >= lines)) return;
    const { signal } = this.#calls;
    this.running = true;
    this.#tell();
    try {
      const { rules, first } = history;
      const asked = { ...rules, first, time_ms, signal, lines };
      const board = spelled(node.cells, rules);
      for await (const { answer, final, ...effort } of this.client.streamAnalysis(board, asked)) {
        if (signal.aborted) return;
        const early = effort.elapsed_ms > this.usual && effort.elapsed_ms < WHOLE * time_ms;
        const yielded = final && early && !answer.moves[0]?.exact;
        node.analysed = kept(answer, effort, final && !yielded ? time_ms : 0, lines, yielded);
        this.#tell();
      }
    } catch (error) {
      if (signal.aborted) return;
      this.error = /** @type {Error} */ (error);
    }
    this.running = false;
    this.#tell();
  }

  /** Ends the search; what it has found so far stays. */
  stop() {
    this.#calls.abort();
    this.#calls = new AbortController();
    this.running = false;
    this.error = null;
    this.#tell();
  }

  /** Ends the search, and is ready to begin it anew. */
  leave() {
    this.#node = null;
    if (!this.running && !this.error) return;
    this.#calls.abort();
    this.#calls = new AbortController();
    this.running = false;
    this.error = null;
  }

  /**
   * Learns the threats on the board, where no analysis has told them. A request for another position
   * is cancelled.
   * @param {History} history @param {Node | null} node  null: nobody looks at threats
   */
  async learnThreats(history, node) {
    if (this.#glanced === node) return;
    this.#glance.abort();
    this.#glanced = null;
    if (!node || node.turn === null || node.analysed || this.running) return;
    this.#glanced = node;
    this.#glance = new AbortController();
    const { signal } = this.#glance;
    const { rules, first } = history;
    const asked = { ...rules, first, time_ms: GLANCE_MS, signal, lines: 1 };
    try {
      const answer = await this.client.analyze(spelled(node.cells, rules), asked);
      // An analysis that has begun meanwhile knows more.
      node.analysed ??= { ...kept(answer, answer.search, 0, 0), moves: [] };
    } catch (error) {
      if (signal.aborted) return;
      this.#glanced = null;
      this.error = /** @type {Error} */ (error);
    }
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Without the variations that nobody looks at: a long game keeps an analysis for every position.
 * @param {Analysis} analysis @param {Effort} search @param {number} time_ms @param {number} lines @param {boolean} [yielded]
 * @returns {Analysed}
 */
function kept({ moves, threats }, search, time_ms, lines, yielded = false) {
  const brief = moves.map((move, rank) => (rank < lines ? move : { ...move, pv: [] }));
  return { moves: brief, threats, search, time_ms, lines, yielded };
}
