/**
 * The JavaScript client of Best Move. The service's own page uses it too. It runs in browsers, Node
 * and Deno without changes.
 *
 *     import { Client } from "https://your-host.example/static/client.js";
 *
 *     const service = new Client();                      // the service that this file came from
 *     const other = new Client("http://127.0.0.1:8000"); // or another
 *     const answer = await service.bestMove("X...O....", { level: 7 });
 *     console.log(answer.move.row, answer.move.column, answer.reason.text);
 *
 * A page of another origin may call the service only if `BESTMOVE_CORS_ORIGINS` names that origin.
 * This module does not know the rules of the game. In `play`, the service makes the caller's move.
 *
 * Every call resolves to the service's parsed answer, with the service's field names. A call that
 * fails rejects with
 *
 *     BestMoveError
 *     ├── ServiceUnreachable    no connection, or no answer in time
 *     ├── ServiceUnavailable    429, 502, 503 or 504, even after the retries
 *     ├── RequestRefused        any other 400 to 499; `.problem` says what to change
 *     └── InvalidAnswer         the answer does not have the service's format
 *
 * The message of an error names the address; `RequestRefused` has the address in `.url` instead. If the
 * caller aborts the `signal`, the call rejects with the signal's `AbortError`.
 *
 * @module client
 */

/** @typedef {"X" | "O"} Mark */
/** @typedef {number | string | {row?: number, column: number, index?: number, name?: string}} CellInput */
/**
 * @typedef {string | Array<unknown> | {moves: string | CellInput[]} | {}} Board  a board in any
 *     notation that the service reads, or the moves so far; `{}` with the option `game` is that game's empty board
 */
/**
 * @typedef {object} CallOptions  options of the call itself, which are not sent to the service
 * @property {AbortSignal} [signal]  cancels the call and its retries
 * @property {number} [timeoutMs]  replaces the client's `timeoutMs` for this call
 */
/** @typedef {PositionOptions & SearchOptions & CallOptions} Options */
/**
 * @typedef {Board | (PositionOptions & {board?: string | Array<unknown>,
 *     moves?: string | CellInput[]})} BatchBoard  a board, or a board with its own options
 */
/** @typedef {Options & MoveSearchOptions} MoveOptions */
/** @typedef {Options & AnalysisSearchOptions} AnalysisOptions */

/** @typedef {{turn: Mark, move: Move, reason: Reason}} InProgress */
/** @typedef {{turn: null, move: null, reason: null}} Finished */
/**
 * @typedef {BestMoveFields & (InProgress | Finished)} BestMove  when the game is over, `move` and some
 *     other fields are null
 */
/** @typedef {Move & MoveEvaluationFields} MoveEvaluation */
/** @typedef {AnalysisFields} Analysis */
/** @typedef {{result?: BestMove, problem?: Partial<Problem>}} BatchItem */
/**
 * @typedef {{proof: Certificate} | {proof: null, detail: string}} Proven  `detail` says why there is no certificate
 */
/**
 * @template Found
 * @typedef {object} Progress  one report of a search
 * @property {number} depth  plies
 * @property {number} nodes
 * @property {number} elapsed_ms
 * @property {Found} answer  the answer so far; in the last item, the final answer
 * @property {boolean} final  whether it is the last item
 */

// `make document` writes these types from the schemas of the service:
/**
 * @typedef {object} PositionOptions
 * @property {string} [game]  A game by name
 * @property {number} [rows]  The number of rows
 * @property {number} [columns]  The number of columns
 * @property {number} [k]  How many marks in a line end the game
 * @property {Mark} [first]  Who moved first
 * @property {boolean} [gravity]  A mark falls to the lowest empty cell of its column
 * @property {boolean} [overline]  More than k in a row count too, not only exactly k
 * @property {boolean} [misere]  Whoever completes a line loses
 */
/**
 * @typedef {object} SearchOptions
 * @property {number} [time_ms]  Milliseconds for the search
 * @property {number} [depth]  Plies to look ahead: the moves of both sides count
 * @property {number} [level]  1 (a child can beat it) to 10 (best play)
 * @property {number} [seed]  Equal questions with equal seeds get equal answers
 * @property {"auto" | "minimax" | "alpha-beta" | "alpha-beta-fail-hard" | "negamax" |
 *     "memoized-alpha-beta"} [algorithm]  The search: auto, the default, is the strongest for the
 *     board
 * @property {"bare" | "lines" | "shapes" | "ten-less-depth"} [evaluation]  How a textbook search
 *     values positions
 */
/**
 * @typedef {object} MoveSearchOptions
 * @property {number} [threads]  Search with at most this many processors, by default one
 */
/**
 * @typedef {object} AnalysisSearchOptions
 * @property {number} [lines]  Search this many of the best moves deeper than the others
 */
/**
 * @typedef {object} GameRules
 * @property {number} rows  The number of rows
 * @property {number} columns  The number of columns
 * @property {number} k  How many marks in a line end the game
 * @property {boolean} gravity  A mark falls to the lowest empty cell of its column
 * @property {boolean} overline  More than k in a row count too, not only exactly k
 * @property {boolean} misere  Whoever completes a line loses
 * @property {Mark} first  Who moved first
 */
/**
 * @typedef {object} GameState
 * @property {string} board  The position
 * @property {Mark | null} turn  Whose move it is
 * @property {"in_progress" | "won" | "draw"} status  Whether the game goes on in this position, was
 *     won, or is a draw
 * @property {Mark | null} winner  Who has won
 * @property {number[] | null} winning_line  The k cells of the line that ended the game
 */
/**
 * @typedef {object} Move
 * @property {number} index  The index of a cell, counted from 0 along the rows
 * @property {number} row  Counted from 0 at the top
 * @property {number} column  Counted from 0 at the left
 * @property {string} name  Column letter and row number, such as `b3`
 */
/**
 * @typedef {object} SearchStats
 * @property {string} algorithm  The search that found the answer, such as `alpha-beta` or
 *     `proof-search`
 * @property {number} nodes  Calls of the search function, including the call for the root
 * @property {number} cutoffs  Nodes left early because alpha reached beta
 * @property {number} table_hits  Nodes answered by the transposition table
 * @property {number} depth  Plies that the last finished iteration looked ahead
 * @property {number} elapsed_ms  Wall-clock milliseconds of this request
 * @property {boolean} cached  True if the answer was looked up or remembered
 * @property {true} [timed_out]  True if the server's time limit ended the search of a GET, or of a
 *     request with `seed` or `depth`
 * @property {number} [granted_ms]  The milliseconds after which the search ended because other
 *     requests waited for their turn
 * @property {number} [threads]  How many threads searched, if the request has `threads`
 * @property {number} [value]  The value that a textbook search found for X, in the unit of its
 *     `evaluation`
 */
/**
 * @typedef {object} Reason
 * @property {"wins" | "blocks" | "forks" | "blocks-fork" | "forces-win" | "holds-draw" | "delays-loss"
 *     | "only-move" | "best-estimate" | "weakened"} code  A stable code for programs
 * @property {number[]} cells  The cells that the reason is about
 * @property {string} text  One plain sentence for people, which names the cells
 */
/**
 * @typedef {object} BestMoveFields
 * @property {Move | null} move  The best move
 * @property {number} score  The expected result for X
 * @property {boolean} exact  True if the score is proven
 * @property {"win" | "draw" | "loss" | "unknown" | null} outcome  The result for the side to move,
 *     while `score` is for X
 * @property {number | null} plies  The number of plies to the end with best play
 * @property {"in_progress" | "won" | "draw"} status  Whether the game goes on in this position, was
 *     won, or is a draw
 * @property {Mark | null} winner  Who has won
 * @property {number[] | null} winning_line  The k cells of the line that ended the game
 * @property {Mark | null} turn  Whose move it is
 * @property {GameState} after  The position after the move
 * @property {number[]} pv  The principal variation
 * @property {Reason | null} reason  The reason why the move was chosen
 * @property {string} board  The position
 * @property {GameRules} rules  The rules of the game
 * @property {SearchStats} search  The cost of the search
 */
/**
 * @typedef {object} MoveEvaluationFields
 * @property {number} score  The expected result for X after the move, as in `BestMove`
 * @property {boolean} exact  True if the score is proven
 * @property {"win" | "draw" | "loss" | "unknown"} outcome  The result for the side that makes the move
 * @property {number | null} plies  Plies to the end, counting this move, as in `BestMove`
 * @property {number[]} pv  The principal variation
 * @property {number} depth  Plies searched, counting the move
 */
/**
 * @typedef {object} Threat
 * @property {"open-four" | "four" | "open-three"} kind  The kind of the threat
 * @property {number[]} cells  The cells of the marks, ascending
 * @property {number[]} open  The cells that stop the threat, ascending
 */
/**
 * @typedef {object} AnalysisFields
 * @property {MoveEvaluation[]} moves  Every legal move, best first, ties by index
 * @property {boolean} complete  True if there was time to search all moves (with `lines`, the first
 *     `lines` moves) equally deep
 * @property {{X: Threat[], O: Threat[]}} threats  The fours and open threes of either side, strongest
 *     first
 * @property {"in_progress" | "won" | "draw"} status  Whether the game goes on in this position, was
 *     won, or is a draw
 * @property {Mark | null} winner  Who has won
 * @property {number[] | null} winning_line  The k cells of the line that ended the game
 * @property {Mark | null} turn  Whose move it is
 * @property {string} board  The position
 * @property {GameRules} rules  The rules of the game
 * @property {SearchStats} search  The cost of the search
 */
/**
 * @typedef {object} Problem
 * @property {string} type  The kind of problem
 * @property {string} title
 * @property {number} status
 * @property {string} detail  What to change
 * @property {string} instance  The request's id
 * @property {Array<{pointer?: string, parameter?: string, detail: string}>} [errors]  The faults of a
 *     request: at most 100, and one for each place
 */
/**
 * @typedef {object} Certificate
 * @property {"bestmove-proof"} format
 * @property {1} version
 * @property {{rows: number, columns: number, k: number, gravity: boolean, overline: boolean, misere:
 *     boolean}} rules
 * @property {string} board  The cells, row by row, without separators
 * @property {Mark | null} turn  Whose move it is
 * @property {Array<{kind: "wins" | "cannot-win", side: Mark, plies: number | null, nodes:
 *     Array<Record<string, unknown>>}>} claims
 */
/**
 * @typedef {object} NamedGame
 * @property {string} name  The value of the field `game` that chooses this game
 * @property {string} title  The title to show to people
 * @property {GameRules} rules  The rules of the game
 */
/**
 * @typedef {object} Games
 * @property {NamedGame[]} games  The named games
 * @property {{rows: number, columns: number, boards: number, time_ms: number, stream_ms: number,
 *     depth: number, level: number, lines: number, body_bytes: number}} limits  The largest values
 *     that the server accepts
 */
/**
 * @typedef {object} VisitedNode
 * @property {number[]} path  The child indices from the root to the node
 * @property {number} value  What the search of the node returned
 * @property {number | null} alpha  The maximiser is sure of at least this when the search enters the
 *     node
 * @property {number | null} beta  The minimiser is sure of at most this when the search enters the
 *     node
 * @property {boolean} cutoff  Whether alpha reached beta before all children were tried
 */
/**
 * @typedef {object} GameTree
 * @property {number} value  The value of the root, for the maximiser
 * @property {number[]} path  The principal variation, to a leaf or to the depth of the search
 * @property {Array<number[]>} evaluated  The leaves and the nodes at the depth limit that the search
 *     evaluated, in search order
 * @property {Array<number[]>} pruned  The roots of the pruned subtrees, in search order
 * @property {SearchStats} search  The cost of the search
 * @property {VisitedNode[]} [trace]  The visited nodes, in search order
 */
// End of the part that `make document` makes.

/**
 * @typedef {object} ClientSettings
 * @property {string | URL} [baseUrl]  the service's root; by default the service that this module
 *     was loaded from, or http://127.0.0.1:8000 if the module was loaded from a file
 * @property {number} [timeoutMs]  for one attempt, in addition to the search's `time_ms`
 * @property {number} [retries]  further attempts after a lost connection or the status 429, 502, 503 or 504
 * @property {number} [maxPauseMs]  the longest pause before a retry; a call that would wait longer fails
 * @property {typeof fetch} [fetch]  replaces the global `fetch` in tests
 */

/**
 * @typedef {object} OpenStream  a stream whose headers have arrived
 * @property {Response} response
 * @property {AbortController} timer  aborts when the time of the attempt is up, or when the caller aborts
 * @property {() => void} release  stops the timer
 */

/** The base class of this module's errors. */
export class BestMoveError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No connection to the service, or no answer in time. */
export class ServiceUnreachable extends BestMoveError {
  /** @param {string} message @param {{timedOut: boolean, cause: unknown}} why */
  constructor(message, { timedOut, cause }) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

/** The service answered 429, 502, 503 or 504, even after the retries. */
export class ServiceUnavailable extends BestMoveError {
  /** @param {URL} url @param {number} status @param {Problem} problem */
  constructor(url, status, problem) {
    super(`${url}: ${status} ${problem.detail ?? "the service is unavailable"}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The service refused the request. The request must be changed. */
export class RequestRefused extends BestMoveError {
  /** @param {URL} url @param {number} status @param {Problem} problem */
  constructor(url, status, problem) {
    const errors = problem.errors ?? [];
    super(
      errors.map((error) => error.detail).join("; ") ||
        (problem.detail ?? `the service refused the request (${status})`),
    );
    this.url = url.href;
    this.status = status;
    this.problem = problem;
    /** All faults of the request: each has a place (`pointer`) and a `detail`. */
    this.errors = errors;
  }
}

/** The answer does not have the format of this service. */
export class InvalidAnswer extends BestMoveError {}

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";
const LOCAL_SERVICE = "http://127.0.0.1:8000";
const RETRIED = new Set([429, 502, 503, 504]);
/** The problem's `type` if a request needs too much time. A retry would fail again. */
const OUT_OF_TIME = "urn:bestmove:problem:out-of-time";
const FIRST_PAUSE_MS = 250;
/** The longest delay of a timer, 24 days. A timer with a longer delay, or `Infinity`, fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A client of a service. It stores nothing about a game, so one client can serve any number of games. */
export class Client {
  /**
   * @param {string | URL | ClientSettings} [settings]  the service's address, or all settings
   */
  constructor(settings = {}) {
    /** @type {ClientSettings} */
    const given =
      typeof settings === "string" || settings instanceof URL ? { baseUrl: settings } : settings;
    const {
      baseUrl = home(),
      timeoutMs = 10_000,
      retries = 2,
      maxPauseMs = 5_000,
      fetch: fetchLike = (url, options) => globalThis.fetch(url, options),
    } = given;
    const root = addressOf(baseUrl);
    if (!root.pathname.endsWith("/")) root.pathname += "/";
    this.baseUrl = root;
    this.timeoutMs = timeoutMs;
    this.retries = retries;
    this.maxPauseMs = maxPauseMs;
    this.fetch = fetchLike;
  }

  /**
   * Returns the best move on this board. If the game is over, `move` is null.
   * @param {Board} board
   * @param {MoveOptions} [options]
   * @returns {Promise<BestMove>}
   */
  bestMove(board, options = {}) {
    return this.#ask("best-move", positionOf(board), options);
  }

  /**
   * Returns every legal move with its score, best first.
   * @param {Board} board
   * @param {AnalysisOptions} [options]
   * @returns {Promise<Analysis>}
   */
  analyze(board, options = {}) {
    return this.#ask("analyze", positionOf(board), options);
  }

  /**
   * Yields the best move so far after each depth of the search. The last item (`final`) has the
   * answer. Leaving the loop, or aborting the `signal`, ends the search. The loop throws the errors
   * of `bestMove`.
   *
   *     for await (const { depth, answer, final } of service.stream(board, { signal })) …
   *
   * @param {Board} board
   * @param {MoveOptions} [options]
   * @returns {AsyncGenerator<Progress<BestMove>, void, void>}
   */
  stream(board, options = {}) {
    return this.#stream("best-move", positionOf(board), options);
  }

  /**
   * Yields the analysis so far after each depth of the search, like `stream`.
   * @param {Board} board
   * @param {AnalysisOptions} [options]
   * @returns {AsyncGenerator<Progress<Analysis>, void, void>}
   */
  streamAnalysis(board, options = {}) {
    return this.#stream("analyze", positionOf(board), options);
  }

  /**
   * Makes the caller's move and returns the reply. In the answer, `board` is the position after `move`,
   * and `after` is the position after the reply. The game goes on while `after.status` is `in_progress`.
   * @param {Board} board
   * @param {CellInput} move  a cell's index or its name such as "d1", a move of an answer, or with gravity
   *     `{column}`
   * @param {MoveOptions} [options]
   * @returns {Promise<BestMove>}
   */
  play(board, move, options = {}) {
    // A move of an analysis has more fields than the service reads.
    const place = typeof move === "object" ? (move.index ?? move) : move;
    return this.#ask("play", { ...positionOf(board), move: place }, options);
  }

  /**
   * Returns a certificate of the position's result, or the reason why the service has none.
   * @param {Board} board
   * @param {MoveOptions & {exactly?: boolean}} [options]  exactly: whether also to prove, if possible, that no shorter win exists
   * @returns {Promise<Proven>}
   */
  prove(board, options = {}) {
    return this.#ask("proof", positionOf(board), options);
  }

  /**
   * Returns the best moves on up to 1,000 boards, which share one time budget. An invalid board
   * gets a `problem`.
   * @param {BatchBoard[]} boards
   * @param {Options} [options]
   * @returns {Promise<{results: BatchItem[]}>}
   */
  bestMoves(boards, options = {}) {
    return this.#ask("best-moves", { boards }, options);
  }

  /**
   * Returns the named games, and the largest values that the server accepts.
   * @param {CallOptions} [options]
   * @returns {Promise<Games>}
   */
  games(options = {}) {
    return this.#ask("games", null, options);
  }

  /**
   * Searches an explicit game tree. A leaf is a number. A node is an array, or an object `{value,
   * children}`; its `value` counts if `depth` ends the search at the node.
   * @param {unknown} tree
   * @param {{maximizing?: boolean, depth?: number, algorithm?: string, trace?: boolean} & CallOptions} [options]
   * @returns {Promise<GameTree>}
   */
  gameTree(tree, options = {}) {
    return this.#ask("game-tree", { tree }, options);
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} question
   * @param {Record<string, unknown> & CallOptions} options
   * @returns {AsyncGenerator<any, void, void>}
   */
  async *#stream(path, question, options) {
    const { signal } = options;
    const url = new URL(path, this.baseUrl);
    /** @type {OpenStream} */
    const { response, timer, release } = await this.#ask(path, question, options, EVENTS);
    try {
      for await (const [name, data] of eventsOf(response)) {
        const value = parse(data, response, url);
        if (name === "progress") yield { ...value, final: false };
        if (name === "problem") throw refusal(url, value.status, value);
        if (name !== "answer") continue;
        const { depth, nodes, elapsed_ms } = value.search;
        yield { depth, nodes, elapsed_ms, answer: value, final: true };
        return;
      }
      throw new TypeError("the stream ended before its answer");
    } catch (error) {
      signal?.throwIfAborted();
      throw failure(error, url, timer.signal.aborted, "the connection was lost");
    } finally {
      release();
      timer.abort();
    }
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown> | null} question  null for a GET
   * @param {Record<string, unknown> & CallOptions} options
   * @param {string} media  the media type to accept; for `EVENTS` the result is an `OpenStream`
   * @returns {Promise<any>}
   */
  async #ask(path, question, options, media = JSON_TYPE) {
    const { signal, timeoutMs, ...asked } = options;
    // An undefined option is not sent, because JSON cannot express it.
    const body = question && JSON.stringify({ ...question, ...asked });
    const url = new URL(path, this.baseUrl);
    const patience = (timeoutMs ?? this.timeoutMs) + (typeof asked.time_ms === "number" ? asked.time_ms : 1000);
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= this.retries;
      let pause = FIRST_PAUSE_MS * 2 ** attempt;
      try {
        const response = await this.#send(url, body, signal, patience, media);
        if (response.ok) return response.answer;
        pause = response.retryAfterMs ?? pause;
        const isFinal = last || pause > this.maxPauseMs || response.answer.type === OUT_OF_TIME;
        if (isFinal || !RETRIED.has(response.status)) throw refusal(url, response.status, response.answer);
      } catch (error) {
        // No retry after a time-out: the caller has waited long enough.
        const lost = error instanceof ServiceUnreachable && !error.timedOut;
        if (!lost || last) throw error;
      }
      await sleep(pause, signal);
    }
  }

  /**
   * @param {URL} url
   * @param {string | null} body
   * @param {AbortSignal | undefined} signal
   * @param {number} patience  milliseconds
   * @param {string} media
   * @returns {Promise<{ok: boolean, status: number, answer: any, retryAfterMs: number | null}>}
   */
  async #send(url, body, signal, patience, media) {
    signal?.throwIfAborted();
    const timer = new AbortController();
    const end = () => timer.abort();
    const timeout = setTimeout(end, Math.min(patience, LONGEST_TIMER_MS));
    signal?.addEventListener("abort", end, { once: true });
    const release = () => {
      clearTimeout(timeout);
      signal?.removeEventListener("abort", end);
    };
    let isOpen = false;
    try {
      const response = await this.fetch(url, {
        method: body === null ? "GET" : "POST",
        headers: { ...(body !== null && { "Content-Type": JSON_TYPE }), Accept: media },
        body,
        signal: timer.signal,
        cache: "no-store",
      });
      isOpen = response.ok && media === EVENTS;
      return {
        ok: response.ok,
        status: response.status,
        answer: isOpen
          ? { response, timer, release }
          : parse(await response.text(), response, url),
        retryAfterMs: pauseAskedFor(response.headers.get("Retry-After")),
      };
    } catch (error) {
      signal?.throwIfAborted();
      const isOurs = (globalThis.location?.origin ?? url.origin) === url.origin;
      throw failure(error, url, timer.signal.aborted, `no connection${isOurs ? "" : ", or BESTMOVE_CORS_ORIGINS lacks this origin"}`);
    } finally {
      if (!isOpen) release();
    }
  }
}

/** Returns the address of the service that this module came from. */
function home() {
  // Programs load `static/client.js`; the service's own pages load `static/v-…/client.js`. A module that a
  // bundler made part of a script has no address.
  const here = import.meta.url ?? "file:";
  const root = new URL(/\/v-[0-9a-f]+\/[^/]*$/.test(here) ? "../.." : "..", here);
  return root.protocol.startsWith("http") ? root : new URL(LOCAL_SERVICE);
}

/** @param {string | URL} address @returns {URL} */
function addressOf(address) {
  let url;
  try {
    url = new URL(address, home());
  } catch {
    // The address is not a URL. The TypeError below says so.
  }
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new TypeError(`${address} is not the address of a service, such as http://host:port`);
}

/** @param {Board} board @returns {Record<string, unknown>} */
function positionOf(board) {
  return typeof board === "string" || Array.isArray(board) ? { board } : { ...board };
}

/**
 * @param {Response} response
 * @returns {AsyncGenerator<[string, string], void, void>}
 */
async function* eventsOf(response) {
  if (!response.body || !response.headers.get("Content-Type")?.startsWith(EVENTS)) {
    throw new InvalidAnswer(`${response.url} answered with something that is not a stream of events`);
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let halfBreak = false;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    let text = decoder.decode(value, { stream: true });
    if (text === "") continue;
    // A line ends with CRLF, LF or CR; the two bytes of a CRLF may arrive separately.
    if (halfBreak && text.startsWith("\n")) text = text.slice(1);
    halfBreak = text.endsWith("\r");
    const blocks = (rest + text.replace(/\r\n?/g, "\n")).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s)));
      if (fields.data !== undefined) yield [fields.event ?? "message", fields.data];
    }
  }
}

/** @param {string} text @param {Response} response @param {URL} url */
function parse(text, response, url) {
  try {
    const answer = JSON.parse(text);
    if (answer !== null && typeof answer === "object" && !Array.isArray(answer)) return answer;
  } catch {
    // The text is not JSON, but for example a proxy's HTML page.
  }
  if (!response.ok) return {};
  throw new InvalidAnswer(`${url} answered with something that is not an answer of the service`);
}

/** @param {unknown} error @param {URL} url @param {boolean} timedOut @param {string} why  if not timed out */
function failure(error, url, timedOut, why) {
  if (error instanceof BestMoveError) return error;
  const message = `${url}: ${timedOut ? "no answer in time" : why}`;
  return new ServiceUnreachable(message, { timedOut, cause: error });
}

/** @param {URL} url @param {number} status @param {any} answer */
function refusal(url, status, answer) {
  /** @type {Problem} */
  const problem = { ...answer, errors: Array.isArray(answer.errors) ? answer.errors : undefined };
  if (RETRIED.has(status)) return new ServiceUnavailable(url, status, problem);
  if (status >= 400 && status < 500) return new RequestRefused(url, status, problem);
  return new InvalidAnswer(`${url}: ${status} ${problem.detail ?? "without an answer of the service"}`);
}

/**
 * Reads `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3).
 * @param {string | null} header
 * @returns {number | null} milliseconds
 */
function pauseAskedFor(header) {
  if (!header) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
