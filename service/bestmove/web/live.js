/** Analyses the position on the board, and reports each deeper result. */

import { learnMoves } from "./known.js";
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
 * @typedef {object} Analysed  the part of an analysis that the page keeps
 * @property {MoveEvaluation[]} moves  best first; only the best moves have a variation
 * @property {Record<Mark, Threat[]>} threats
 * @property {Effort} search
 * @property {number} time_ms  the time limit of the analysis; 0 if the analysis is not complete (still running, stopped, or yielded)
 * @property {number} lines  how many of the best moves were searched to full depth
 * @property {boolean} yielded  whether the service ended the search early for other requests
 */

/** The time in ms for a request that needs only a board's threats or status. */
const GLANCE_MS = 50;

/**
 * A long analysis is a sequence of searches, so that all variations get deeper. The first search takes
 * `FIRST_STAGE_MS`. Each later search takes `NEXT_STAGE` times as long as the search before.
 */
const FIRST_STAGE_MS = 1000;
const NEXT_STAGE = 4;

/** @param {number} time_ms */
function stagesOf(time_ms) {
  const stages = [];
  let left = time_ms;
  for (let stage = FIRST_STAGE_MS; left > (1 + NEXT_STAGE) * stage; stage *= NEXT_STAGE) {
    stages.push(stage);
    left -= stage;
  }
  return [...stages, left];
}

export class Live extends EventTarget {
  running = false;
  begun = 0;
  /**
   * The time limit of ordinary requests, in ms. If other requests wait, a longer search ends the analysis.
   */
  usual = Infinity;
  /** @type {Error | null} */
  error = null;
  /** The position of the last call of `start`; null after `leave`. @type {Node | null} */
  #node = null;
  #time = 0;
  #lines = 0;
  /** @type {Node | null} */
  #glanced = null;
  #glance = new AbortController();
  #calls = new AbortController();

  /** @param {Client} client */
  constructor(client) {
    super();
    this.client = client;
  }

  get glance() {
    return Math.min(GLANCE_MS, this.usual);
  }

  /**
   * Analyses a position, except in two cases:
   * - the last call had the same arguments (the user may have stopped that analysis)
   * - the position has an analysis with at least this much time and this many lines
   * @param {History} history @param {Node} node @param {number} time_ms
   * @param {number} lines  how many of the best moves to search to full depth
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
    this.begun = performance.now();
    this.#tell();
    try {
      const { rules, first } = history;
      const board = spelled(node.cells, rules);
      const stages = stagesOf(time_ms);
      let [before, isDone] = [{ depth: 0, nodes: 0, elapsed_ms: 0 }, false];
      for (const [at, stage] of stages.entries()) {
        const asked = { ...rules, first, time_ms: stage, signal, lines };
        for await (const { answer, final, depth, nodes, elapsed_ms } of this.client.streamAnalysis(board, asked)) {
          if (signal.aborted) return;
          if (!final && depth < before.depth) continue;
          const isLast = at === stages.length - 1;
          const yielded = final && answer.search.granted_ms !== undefined && (isLast || stage > this.usual);
          const search = { depth, nodes: before.nodes + nodes, elapsed_ms: before.elapsed_ms + elapsed_ms };
          isDone = final && (yielded || isLast || answer.moves.slice(0, lines).every(({ exact }) => exact));
          node.analysed = kept(answer, node.analysed, search, isDone && !yielded ? time_ms : 0, lines, yielded);
          learnMoves(node, rules);
          if (final) before = search;
          this.#tell();
        }
        if (isDone) break;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.error = /** @type {Error} */ (error);
    }
    this.running = false;
    this.#tell();
  }

  stop() {
    const node = this.#node;
    this.leave();
    this.#node = node;
    this.#tell();
  }

  /** Ends the search, so that `start` may begin it again. */
  leave() {
    this.#node = null;
    this.#calls.abort();
    this.#calls = new AbortController();
    this.running = false;
    this.error = null;
  }

  /**
   * Requests the threats on the board, unless an analysis has them or will have them. Cancels an
   * earlier request for another position.
   * @param {History} history @param {Node | null} node  null if the page shows no threats
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
    const asked = { ...rules, first, time_ms: this.glance, signal, lines: 1 };
    try {
      const answer = await this.client.analyze(spelled(node.cells, rules), asked);
      // `start` may have stored an analysis during the request.
      node.analysed ??= { ...kept(answer, null, answer.search, 0, 0), moves: [] };
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
 * Returns what the page keeps of an analysis. To save memory, only the moves that the page lists keep their
 * variations. Results that the previous analysis (`old`) proved are kept too.
 * @param {Analysis} analysis @param {Analysed | null} old @param {Effort} search @param {number} time_ms @param {number} lines @param {boolean} [yielded]
 * @returns {Analysed}
 */
function kept({ moves, threats }, old, search, time_ms, lines, yielded = false) {
  const before = new Map((old?.moves ?? []).map((move) => [move.index, move]));
  const brief = moves.map((move, rank) => {
    const was = before.get(move.index);
    if (was?.exact && (!move.exact || (was.plies ?? 0) < (move.plies ?? 0))) return was;
    return rank < lines ? move : { ...move, pv: [] };
  });
  return { moves: brief, threats, search, time_ms, lines, yielded };
}
