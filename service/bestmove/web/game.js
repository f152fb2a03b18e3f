/**
 * One game between a person and the service: what was played, whose turn it is, what is awaited.
 *
 * The rules stay with the service. A move goes to POST /play, which refuses an illegal one and
 * tells how the game stands; a loaded position is described by POST /best-move. What was played
 * is kept here, so that a service that does not answer costs nothing but a retry.
 */

import { RequestRefused } from "./client.js";
import { emptyBoard, other, withMark } from "./position.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").BestMoveError} BestMoveError */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./client.js").Analysis} Analysis */
/** @typedef {import("./position.js").Rules} Rules */

/**
 * @typedef {object} Stand  one position of the game
 * @property {string} board
 * @property {Mark | null} turn
 * @property {"in_progress" | "won" | "draw"} status
 * @property {Mark | null} winner
 * @property {number[] | null} line  the winning line
 * @property {number | null} move  the cell just played; null for a position that was loaded
 * @property {Mark | null} by
 * @property {BestMove | null} answer  what the service said when it played this move
 */

/** @typedef {"ready" | "thinking" | "failed" | "over"} Phase */

/** A shallow, short search: enough to learn whose turn it is and whether the game is over. */
const GLANCE = { depth: 1, time_ms: 50 };

export class Game extends EventTarget {
  /** @type {Stand[]} */
  stands = [];
  /** @type {Phase} */
  phase = "ready";
  /** The cell that the person played and the service has not confirmed. @type {number | null} */
  pending = null;
  /** @type {Error | null} */
  error = null;
  /** @type {BestMove | null} */
  hint = null;
  /** @type {Analysis | null} */
  analysis = null;
  /** What the service is, or was last, asked for. @type {"a move" | "a hint" | "an analysis"} */
  task = "a move";
  /** @type {(() => Promise<void>) | null} */
  #again = null;
  #calls = new AbortController();

  /**
   * @param {Client} client
   * @param {() => {level: number, time_ms: number, seed?: number}} strength  read anew for every move
   */
  constructor(client, strength) {
    super();
    this.client = client;
    this.strength = strength;
    /** @type {Rules} */
    this.rules = { rows: 3, columns: 3, k: 3 };
    /** @type {Mark} */
    this.first = "X";
    /** @type {Mark} */
    this.you = "X";
  }

  get now() {
    return this.stands[this.stands.length - 1];
  }

  /** Whether the person may play; a hint or an analysis under way is no hindrance. */
  get yourTurn() {
    return this.now?.turn === this.you && this.pending === null;
  }

  get canUndo() {
    return this.pending !== null || this.stands.some((stand) => stand.by === this.you);
  }

  /**
   * Starts afresh on an empty board.
   * @param {{rules: Rules, first: Mark, you: Mark}} setup
   */
  async start({ rules, first, you }) {
    this.#drop();
    Object.assign(this, { rules, first, you });
    this.stands = [untouched(emptyBoard(rules), first)];
    await this.#goOn();
  }

  /**
   * Loads a position in any spelling.
   * @param {import("./position.js").Shared} shared  of the rules that are not given the service
   *     takes the usual ones; without `you` the person is to move
   * @throws {BestMoveError} no position of a game, or no answer; the game in progress is kept
   */
  async load({ board, rules, first, you }) {
    const answer = await this.client.bestMove(board, { ...rules, first, ...GLANCE });
    this.#drop();
    this.rules = { rows: answer.rows, columns: answer.columns, k: answer.k };
    this.first = first;
    this.you = you ?? answer.turn ?? this.you;
    this.stands = [standOf(answer)];
    await this.#goOn();
  }

  /** The same game from its start. */
  async restart() {
    const [start] = this.stands;
    this.#drop();
    this.stands = [start];
    await this.#goOn();
  }

  /** The person's move. @param {number} index */
  async play(index) {
    if (!this.yourTurn) return;
    this.pending = index;
    await this.#exchange();
  }

  /** Takes back the person's last move, and the reply to it. */
  undo() {
    if (!this.canUndo) return;
    const confirmed = this.pending === null;
    this.#drop();
    if (confirmed) {
      const last = this.stands.findLastIndex((stand) => stand.by === this.you);
      this.stands.length = last;
    }
    this.#settle();
  }

  /** What the service would play for the person, at its best. */
  async askForHint() {
    if (!this.yourTurn) return;
    await this.#ask("a hint", async (signal) => {
      this.hint = await this.client.bestMove(this.now.board, this.#atItsBest(signal));
    });
  }

  /** Every cell's score in the position on the board. */
  async analyze() {
    if (!this.yourTurn) return;
    await this.#ask("an analysis", async (signal) => {
      this.analysis = await this.client.analyze(this.now.board, this.#atItsBest(signal));
    });
  }

  /** Asks again for what the service owes. */
  async retry() {
    if (this.phase === "failed") await this.#again?.();
  }

  /** Lets the service move if it is its turn. */
  async #goOn() {
    if (this.now.status !== "in_progress" || this.now.turn === this.you) this.#settle();
    else await this.#exchange();
  }

  /** Sends the person's move, if there is one to send, and plays the service's. */
  async #exchange() {
    this.#forget();
    await this.#ask("a move", async (signal) => {
      const asked = { ...this.#options(), ...this.strength(), signal };
      // Asked anew after a failure, the person's move may have arrived and only the reply not.
      if (this.pending === null) {
        await this.#reply(await this.client.bestMove(this.now.board, asked), signal);
        return;
      }
      const answer = await this.client.play(this.now.board, this.pending, asked);
      this.stands.push({ ...standOf(answer), move: this.pending, by: this.you });
      this.pending = null;
      await this.#reply(answer, signal);
    });
  }

  /**
   * Puts the service's move on the board.
   * @param {BestMove} answer
   * @param {AbortSignal} signal
   */
  async #reply(answer, signal) {
    if (!answer.move || !answer.board_after || !answer.turn) return;
    const turn = other(answer.turn);
    const played = { move: answer.move.index, by: answer.turn, answer };
    // A proven end in one ply, or a full board: the service says how it ended and where.
    const over = (answer.exact && answer.plies === 1) || !answer.board_after.includes(".");
    let stand = untouched(answer.board_after, turn);
    if (over) {
      const asked = { ...this.#options(), ...GLANCE, signal };
      stand = standOf(await this.client.bestMove(answer.board_after, asked));
    }
    this.stands.push({ ...stand, ...played });
  }

  /**
   * Runs one question to the service; a failure is remembered with the way to ask again.
   * @param {Game["task"]} task
   * @param {(signal: AbortSignal) => Promise<void>} question
   */
  async #ask(task, question) {
    const calls = this.#renew();
    this.#again = () => this.#ask(task, question);
    this.phase = "thinking";
    this.task = task;
    this.error = null;
    this.#tell();
    try {
      await question(calls.signal);
    } catch (error) {
      if (calls.signal.aborted) return;
      if (error instanceof RequestRefused && this.pending !== null) {
        // A refused move is no move: the person plays another.
        this.pending = null;
        this.#again = async () => this.#settle();
      }
      this.phase = "failed";
      this.error = /** @type {Error} */ (error);
      this.#tell();
      return;
    }
    if (!calls.signal.aborted) this.#settle();
  }

  #options() {
    return { ...this.rules, first: this.first };
  }

  /** @param {AbortSignal} signal */
  #atItsBest(signal) {
    return { ...this.#options(), time_ms: this.strength().time_ms, signal };
  }

  /** Stops waiting, and forgets what was awaited. */
  #drop() {
    this.#renew();
    this.pending = null;
    this.error = null;
    this.#forget();
  }

  /** Forgets what holds for one position only. */
  #forget() {
    this.hint = null;
    this.analysis = null;
  }

  #renew() {
    this.#calls.abort();
    this.#calls = new AbortController();
    return this.#calls;
  }

  #settle() {
    this.phase = this.now.status === "in_progress" ? "ready" : "over";
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }

  /** The board to draw: what is confirmed, and the person's move that is not yet. */
  get board() {
    return this.pending === null
      ? this.now.board
      : withMark(this.now.board, this.pending, this.you);
  }
}

/** @param {string} board @param {Mark} turn @returns {Stand} */
function untouched(board, turn) {
  const nothing = { winner: null, line: null, move: null, by: null, answer: null };
  return { board, turn, status: "in_progress", ...nothing };
}

/** @param {BestMove} answer @returns {Stand} */
function standOf({ board, turn, status, winner, winning_line }) {
  return { board, turn, status, winner, line: winning_line, move: null, by: null, answer: null };
}
