/**
 * A game in progress: the players, the running request, and the history.
 *
 * The history itself applies the rules, so the page can show every position without the service. A
 * failed request loses nothing, because `retry` repeats it.
 */

import { History } from "./history.js";
import { claimOf, informed, learn } from "./known.js";
import { drawsBySeed, spelled, TIC_TAC_TOE } from "./rules.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {{depth: number, nodes: number, elapsed_ms: number}} Effort */
/** @typedef {import("./address.js").Mode} Mode */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./rules.js").Rules} Rules */

/** @typedef {"ready" | "thinking" | "failed" | "over"} Phase */
/** @typedef {{level: number, time_ms: number, seed?: number}} Strength */

/** The pause after each move when the engine plays against itself. */
const LOOK_MS = 350;

const BEST_LEVEL = 10;
const MAX_SEED = 2 ** 31;

export class Game extends EventTarget {
  history = new History(TIC_TAC_TOE, "X");
  /** @type {Mark} */
  you = "X";
  /** @type {Mode} */
  mode = "engine";
  running = false;
  /** @type {Phase} */
  phase = "ready";
  /** @type {Error | null} */
  error = null;
  /** @type {Effort | null} */
  progress = null;
  begun = 0;
  /** @type {"move" | "hint"} */
  task = "move";
  /** @type {BestMove | null} */
  #hint = null;
  /** @type {(() => Promise<unknown>) | null} */
  #again = null;
  /** With it, the service chooses among equally good moves. Each game has its own. */
  #seed = 0;
  #calls = new AbortController();

  /**
   * @param {Client} client
   * @param {() => Strength} strength  called for every move
   */
  constructor(client, strength) {
    super();
    this.client = client;
    this.strength = strength;
  }

  get rules() {
    return this.history.rules;
  }

  get now() {
    return this.history.now;
  }

  /** The hint, corrected by later results for the position. */
  get hint() {
    return this.#hint && informed(this.#hint, this.now.known);
  }

  /** The mark that a click places; null if no mark may be placed. @returns {Mark | null} */
  get hand() {
    return this.handAt(this.now);
  }

  /** @param {Node} node */
  handAt({ turn }) {
    if (this.phase === "thinking" && this.task === "move") return null;
    if (this.mode === "engine") return turn === this.you ? turn : null;
    return this.mode === "watch" ? null : turn;
  }

  get engineToMove() {
    if (this.now.turn === null) return false;
    if (this.mode === "engine") return this.now.turn !== this.you;
    return this.mode === "watch" && this.running;
  }

  /**
   * @param {History} history @param {Mode} mode @param {Mark} you
   */
  begin(history, mode, you) {
    this.#drop();
    this.#seed = Math.floor(Math.random() * MAX_SEED);
    Object.assign(this, { history, mode, you, running: mode === "watch" });
    this.#goOn();
  }

  /** @param {Mode} mode */
  change(mode) {
    this.#drop();
    Object.assign(this, { mode, running: mode === "watch" });
    if (mode === "watch") this.history.go(this.history.line.at(-1) ?? this.now);
    this.#goOn();
  }

  /** @param {number[]} cells */
  play(...cells) {
    if (this.hand === null) return;
    this.#drop();
    for (const cell of cells) {
      const from = this.now;
      const before = from.children.length;
      this.history.play(cell);
      // Against the engine, the newest move in a position is the main line. Other moves there are variations.
      if (this.mode === "engine" && from.children.length > before) from.children.unshift(...from.children.splice(-1));
    }
    this.#goOn();
  }

  /** @param {Node} node */
  go(node) {
    if (node === this.now) return;
    this.#drop();
    this.running = false;
    this.history.go(node);
    this.#goOn();
  }

  /**
   * Changes the tree of moves. A deletion that leaves the board as it is stops no request.
   * @template T @param {(history: History) => T} change @returns {T}
   */
  tend(change) {
    const before = this.now;
    const result = change(this.history);
    if (this.now === before) this.#tell();
    else {
      this.#drop();
      this.running = false;
      this.#settle();
    }
    return result;
  }

  /** The position that Undo leads to: against the engine, the person is to move. */
  get undone() {
    let node = this.now.parent;
    while (node && !this.#ownTurn(node)) node = node.parent;
    return node ?? null;
  }

  get redone() {
    let node = this.now.next;
    while (node?.next && !this.#ownTurn(node)) node = node.next;
    return node;
  }

  /** @param {Node} node */
  #ownTurn(node) {
    return this.mode !== "engine" || node.turn === this.you;
  }

  async letEngineMove() {
    if (this.now.turn === null) return;
    const { hint } = this;
    this.#drop();
    if (this.mode === "watch") this.running = true;
    if (!hint?.move || this.engineToMove) return this.#reply();
    this.history.play(hint.move.index, hint);
    return this.#goOn();
  }

  pause() {
    this.running = false;
    this.#drop();
    this.#settle();
  }

  /** Asks for the best move. If the engine plays both sides, pauses the game. */
  async askForHint() {
    if (this.now.turn === null) return;
    this.running = false;
    await this.#ask("hint", async (signal) => {
      const { time_ms } = this.strength();
      const hint = await this.#search({ time_ms, signal });
      if (signal.aborted) return;
      this.#hint = hint;
      learn(this.now, claimOf(hint), this.rules);
    });
  }

  async retry() {
    if (this.phase !== "failed") return;
    if (this.engineToMove && this.now.children.length === 0) await this.#reply();
    else await this.#again?.();
  }

  #goOn() {
    if (this.engineToMove && this.now.children.length === 0) return this.#reply();
    this.#settle();
  }

  async #reply() {
    const answered = await this.#ask("move", async (signal) => {
      const { seed, ...strength } = this.strength();
      // For a person, the engine plays a hint's move.
      if (!this.engineToMove) strength.level = BEST_LEVEL;
      const isBest = strength.level === BEST_LEVEL;
      const chosen = seed ?? (isBest && this.engineToMove && drawsBySeed(this.rules) ? this.#seed : undefined);
      const seeded = chosen === undefined ? {} : { seed: chosen };
      const answer = await this.#search({ ...strength, ...seeded, signal });
      if (!answer.move || signal.aborted) return;
      // A lower level searches little, so its answer says little about the position.
      if (isBest) learn(this.now, claimOf(answer), this.rules);
      this.history.play(answer.move.index, answer);
    });
    if (!answered || !this.engineToMove) return;
    const { signal } = this.#calls;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (!signal.aborted) this.#goOn();
  }

  /**
   * @param {Partial<Strength> & {signal: AbortSignal}} asked
   * @returns {Promise<BestMove>}
   */
  async #search(asked) {
    const { now, rules, history } = this;
    const options = { ...rules, first: history.first, ...asked };
    /** @type {BestMove | null} */
    let found = null;
    for await (const progress of this.client.stream(spelled(now.cells, rules), options)) {
      found = progress.answer;
      if (progress.final) break;
      this.progress = progress;
      this.#tell();
    }
    return /** @type {BestMove} */ (found);
  }

  /**
   * @param {"move" | "hint"} task
   * @param {(signal: AbortSignal) => Promise<void>} question
   * @returns {Promise<boolean>} whether it was answered
   */
  async #ask(task, question) {
    const { signal } = this.#renew();
    this.#again = task === "move" ? () => this.#reply() : () => this.#ask(task, question);
    this.phase = "thinking";
    this.begun = performance.now();
    this.task = task;
    this.error = null;
    this.progress = null;
    this.#tell();
    try {
      await question(signal);
    } catch (error) {
      if (signal.aborted) return false;
      this.phase = "failed";
      this.error = /** @type {Error} */ (error);
      this.#tell();
      return false;
    }
    if (!signal.aborted) this.#settle();
    return !signal.aborted;
  }

  #drop() {
    this.#renew();
    this.error = null;
    this.#hint = null;
    this.progress = null;
  }

  #renew() {
    this.#calls.abort();
    this.#calls = new AbortController();
    return this.#calls;
  }

  #settle() {
    this.phase = this.now.turn === null ? "over" : "ready";
    this.progress = null;
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
