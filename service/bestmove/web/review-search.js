/** Reviews a game: finds the value of each position, and each side's faults. Loaded with the first review. */

import { History, isWithin } from "./history.js";
import { claimOf, learn } from "./known.js";
import { faultOf, hadWon } from "./review.js";
import { isGomoku, other, played, spelled } from "./rules.js";
import { chanceOf, isExact } from "./words.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./known.js").Claim} Claim */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./rules.js").Rules} Rules */

/**
 * @typedef {object} Allowed  threats that a fault allowed
 * @property {number} cell  the move that makes the threats
 * @property {string[]} kinds  of the threats, strongest first
 * @property {boolean} atOnce  whether the move is possible at once, and the better move prevents the threats; otherwise the
 *     move is in the refutation
 */

/** The search that confirms a fault visits this many times as many nodes as the first search. */
const LONGER = 4;
/** A seed makes the service count nodes instead of time, so that a repeated review gives the same result. */
const SEED = 1;
/** The review looks for threats in this many plies of a refutation: in three moves of the side that refutes. */
const THREAT_PLIES = 5;
/** `#settle` may count an estimate of at least this chance as a win. */
const STILL_WON = 0.8;

/**
 * Returns the kinds of the threats that a move makes: threats that share no other mark, strongest first.
 * @param {import("./client.js").Threat[]} threats  strongest first @param {number} move
 */
function kindsAt(threats, move) {
  /** @type {import("./client.js").Threat[]} */
  const made = [];
  for (const threat of threats.filter(({ cells }) => cells.includes(move))) {
    const shares = made.some(({ cells }) => cells.some((cell) => cell !== move && threat.cells.includes(cell)));
    if (!shares) made.push(threat);
  }
  return made.map(({ kind }) => kind);
}

export class Review extends EventTarget {
  running = false;
  /** The positions of the reviewed line, also those that the user has deleted. @type {Node[]} */
  #line = [];
  /** While faults are checked: the number of the fault, and how many there are. @type {{at: number, all: number} | null} */
  checking = null;
  /** @type {Error | null} */
  error = null;
  /** The same positions in a tree that only this review changes, so that no other search changes its result. @type {Node[]} */
  #copies = [];
  /** What the service answered about each position, by `time_ms`. @type {WeakMap<Node, Map<number, Claim | null>>} */
  #answers = new WeakMap();
  /** The faults that the longer searches have checked. @type {Set<Node>} */
  #checked = new Set();
  #calls = new AbortController();

  /** @param {Client} client */
  constructor(client) {
    super();
    this.client = client;
  }

  /** The reviewed positions that are in the tree of moves. */
  get nodes() {
    const end = this.#line.findIndex((node) => node.parent && !node.parent.children.includes(node));
    return this.#line.slice(0, end < 0 ? undefined : end);
  }

  get isComplete() {
    return this.#line.length > 0 && !this.running && !this.error;
  }

  get done() {
    return this.nodes.filter(({ judged }) => judged).length;
  }

  /** Returns whether the review may still change what it says about a move. @param {Node} node */
  isProvisional(node) {
    return this.running && this.nodes.includes(node) && !this.#checked.has(node);
  }

  /**
   * Judges every position of the game on the board, the last position first: later positions are easier
   * to judge. Then searches the positions before and after each bad move again, with more nodes. Keeps
   * the service's answers, so that the next call repeats no request.
   * @param {History} history @param {number} time_ms  for each position
   */
  async start(history, time_ms) {
    this.stop();
    const { signal } = (this.#calls = new AbortController());
    const { rules, first, root } = history;
    const copy = new History(rules, first, root);
    this.#line = history.line;
    for (const node of this.#line) {
      node.judged = null;
      if (node.move !== null) copy.play(node.move);
    }
    this.#copies = copy.line;
    this.#checked.clear();
    this.running = true;
    this.error = null;
    try {
      for (const at of [...this.#line.keys()].reverse()) {
        const { known } = this.#copies[at];
        const isRough = known?.atMost && isExact(rules);
        if (isRough || !known?.exact) await this.#judge(history, at, time_ms, signal);
        if (signal.aborted) return;
        this.#settle(at);
        this.#publish(at);
      }
      const faults = this.#line.filter(faultOf).reverse();
      for (const [count, fault] of faults.entries()) {
        this.checking = { at: count + 1, all: faults.length };
        this.dispatchEvent(new Event("change"));
        const place = this.#line.indexOf(fault);
        for (const at of [place, place - 1]) {
          if (this.#copies[at].known?.exact) continue;
          await this.#judge(history, at, LONGER * time_ms, signal);
          if (signal.aborted) return;
        }
        for (const at of [...this.#line.keys()].reverse()) this.#settle(at);
        this.#checked.add(fault);
        this.#publish(0);
      }
      const quiet = this.#line.filter((node) => isGomoku(rules) && faultOf(node) && !hadWon(node));
      for (const fault of quiet) await this.#findThreats(history, fault, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.error = /** @type {Error} */ (error);
    }
    this.running = false;
    this.checking = null;
    this.dispatchEvent(new Event("change"));
  }

  /** Shows the results for the positions from a number on. @param {number} from */
  #publish(from) {
    for (let at = from; at < this.#line.length; at += 1) this.#line[at].judged = this.#copies[at].known;
    this.dispatchEvent(new Event("change"));
  }

  /** Returns the nearest fault before (-1) or after (1) a position. @param {Node} now @param {-1 | 1} way */
  fault(now, way) {
    const faults = this.nodes.filter(faultOf);
    return (way === 1 ? faults.find(({ ply }) => ply > now.ply) : faults.reverse().find(({ ply }) => ply < now.ply)) ?? null;
  }

  /** Ends if the game goes on after its reviewed moves. A variation does not end the review. @param {Node} now */
  follow(now) {
    const last = this.nodes.at(-1);
    if (last && now !== last && isWithin(now, last)) this.clear();
  }

  stop() {
    this.#calls.abort();
    this.running = false;
    this.checking = null;
  }

  clear() {
    this.stop();
    this.#line = [];
    this.error = null;
  }

  /** Returns a complete review as text, for `restore`; otherwise "". @param {History} history */
  textOf({ all }) {
    return this.isComplete ? JSON.stringify(this.nodes.map((node) => [all.indexOf(node), node.judged])) : "";
  }

  /** Shows a review that `textOf` has written. @param {History} history @param {string} text */
  restore({ root, all, rules }, text) {
    this.#line = JSON.parse(text).map((/** @type {[number, Claim]} */ [at, judged]) => {
      const node = all[at] ?? root;
      node.judged = judged;
      learn(node, judged, rules);
      return node;
    });
  }

  /**
   * Finds the threats that a fault allowed: the first move of the refutation that makes two threats or an open four, or
   * the refutation's very first move, if the better move prevents its threat.
   * @param {History} history @param {Node} fault @param {AbortSignal} signal
   */
  async #findThreats({ rules, first }, fault, signal) {
    const { judged, parent, cells, turn } = fault;
    const best = parent?.judged?.best ?? null;
    if (!judged || !parent?.turn || !turn || best === null) return;
    const threatsAt = async (/** @type {string} */ board, /** @type {number} */ cell) => {
      const { threats } = await this.client.analyze(spelled(board, rules), { ...rules, first, depth: 1, lines: 1, signal });
      return kindsAt(threats[turn], cell);
    };
    const better = played(parent.cells, best, parent.turn, rules);
    let stand = /** @type {Pick<import("./rules.js").Stand, "cells" | "turn">} */ ({ cells, turn });
    for (const [ply, cell] of judged.pv.slice(0, THREAT_PLIES).entries()) {
      stand = played(stand.cells, cell, stand.turn ?? turn, rules);
      if (!stand.turn) return;
      const kinds = ply % 2 === 0 ? await threatsAt(stand.cells, cell) : [];
      if (kinds.length === 0) continue;
      const isOpen = ply === 0 && better.turn && best !== cell;
      const others = isOpen ? await threatsAt(played(better.cells, cell, turn, rules).cells, cell) : [];
      const atOnce = ply === 0 && String(kinds) !== String(others);
      if (atOnce || kinds.length > 1 || kinds[0] === "open-four") {
        fault.judged = { ...judged, allowed: { cell, kinds, atOnce } };
        return;
      }
    }
  }

  /**
   * Searches a position. The result replaces an earlier estimate of this review.
   * @param {History} history @param {number} at @param {number} time_ms @param {AbortSignal} signal
   */
  async #judge({ rules, first }, at, time_ms, signal) {
    const [node, copy] = [this.#line[at], this.#copies[at]];
    const answers = this.#answers.get(node) ?? new Map();
    this.#answers.set(node, answers);
    if (!answers.has(time_ms)) {
      const options = { ...rules, first, time_ms, seed: SEED, signal };
      const claim = claimOf(await this.client.bestMove(spelled(node.cells, rules), options));
      if (signal.aborted) return;
      answers.set(time_ms, claim);
    }
    const claim = answers.get(time_ms) ?? null;
    if (!copy.known?.exact) copy.known = null;
    learn(copy, claim, rules);
    learn(node, claim, rules);
  }

  /**
   * Corrects the evaluation of a position by the next position of the game:
   * - The mover can reach the next position, so this position is worth at least as much to the mover.
   * - If the previous and the next position are proven wins for the opponent, this position counts as won for
   *   the opponent too. The opponent's chance must be at least `STILL_WON`.
   * @param {number} at
   */
  #settle(at) {
    const [node, next] = [this.#copies[at], this.#copies[at + 1]];
    const [own, after] = [node.known, next?.known];
    if (!node.turn || !own || own.exact || !after) return;
    const rival = other(node.turn);
    const had = node.parent?.known;
    const stays = had?.exact && after.exact && Math.min(chanceOf(had, rival), chanceOf(after, rival)) === 1;
    if (stays && chanceOf(own, rival) >= STILL_WON) node.known = { ...own, score: after.score };
    else if (chanceOf(after, node.turn) > chanceOf(own, node.turn)) {
      const pv = [Number(next.move), ...after.pv];
      node.known = { ...own, score: after.score, best: next.move, pv };
    }
  }
}
