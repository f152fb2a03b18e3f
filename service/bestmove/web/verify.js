/**
 * Verifies certificates. This module was written from docs/proofs.md alone and shares no code with
 * other verifiers. It needs no other module, and runs in browsers and in node.
 */

/**
 * @typedef {object} Rules
 * @property {number} rows
 * @property {number} columns
 * @property {number} k
 * @property {boolean} gravity
 * @property {boolean} overline
 * @property {boolean} misere
 */

/**
 * @typedef {object} Root  the position that a certificate is about
 * @property {Rules} rules
 * @property {string} board
 * @property {"X" | "O" | null} turn
 */

/**
 * @typedef {object} Verdict  docs/proofs.md describes the fields
 * @property {boolean} stands  whether the certificate is valid
 * @property {string} statement
 * @property {string} reason  why the certificate is not valid; "" if it is valid
 * @property {number | null} claim
 * @property {number | null} node
 * @property {"X" | "O" | null} winner
 * @property {number | null} plies
 * @property {boolean} exactly
 * @property {boolean} draw
 * @property {number} nodes
 * @property {Rules | null} rules
 * @property {string | null} board
 * @property {"X" | "O" | null} turn
 */

/**
 * @typedef {object} Claim
 * @property {"wins" | "cannot-win"} kind
 * @property {"X" | "O"} side
 * @property {number | null} plies
 * @property {Fields[]} nodes
 */

/** @typedef {Record<string, any>} Fields  a JSON object of the certificate */

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_NODES = 1_000_000;
const MOST_DEPTH = 7;
const MOST_PLIES = 800;
const MOST_SIDE = 20;
/** Compressed bytes that a step decompresses. A step yields at most 17 MB, so that memory suffices. */
const PIECE = 16 * 1024;

const EMPTY = 0;
const X = 1;
const O = 2;
const MARKS = ".XO";
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** Thrown if a certificate is not valid. Holds the reason, the claim and the node. */
class Fault extends Error {
  /** @param {string} reason @param {number | null} [claim] @param {number | null} [node] */
  constructor(reason, claim = null, node = null) {
    super(reason);
    this.claim = claim;
    this.node = node;
  }
}

/**
 * Throws a `Fault` with the reason if the condition is false.
 * @param {unknown} condition @param {string} reason @param {number | null} [claim] @param {number | null} [node]
 * @returns {asserts condition}
 */
function demand(condition, reason, claim = null, node = null) {
  if (!condition) {
    throw new Fault(reason, claim, node);
  }
}

/**
 * Checks a certificate: a text, or the bytes of a file. If it is not valid, the verdict says why.
 * @param {string | Uint8Array} document
 * @param {Root | null} [expected]  the expected position; a certificate about another position is not valid
 * @returns {Promise<Verdict>}
 */
export async function verify(document, expected = null) {
  /** @type {Verdict} */
  const verdict = {
    stands: false,
    statement: "",
    reason: "",
    claim: null,
    node: null,
    winner: null,
    plies: null,
    exactly: false,
    draw: false,
    nodes: 0,
    rules: null,
    board: null,
    turn: null,
  };
  try {
    const fields = readFields(parse(await readText(document)));
    const claims = readClaims(fields.claims);
    verdict.nodes = claims.reduce((sum, { nodes }) => sum + nodes.length, 0);
    verdict.statement = statementOf(claims);
    const position = new Position(readRoot(fields));
    Object.assign(verdict, position.root);
    demand(!expected || isSame(expected, position.root), "the document is about another position");
    claims.forEach((claim, number) => new Graph(position, claim, number).check());
    const [{ kind, side, plies }] = claims;
    const [isWin, areTwo] = [kind === "wins", claims.length === 2];
    Object.assign(verdict, { stands: true, exactly: isWin && areTwo, draw: !isWin && areTwo });
    Object.assign(verdict, isWin && { winner: side, plies });
  } catch (fault) {
    if (!(fault instanceof Fault)) {
      throw fault;
    }
    Object.assign(verdict, { reason: fault.message, claim: fault.claim, node: fault.node });
  }
  return verdict;
}

// Bytes

/** @param {string | Uint8Array} document */
async function readText(document) {
  demand(document.length <= MOST_BYTES, "the file has more than 64 MiB");
  let bytes = typeof document === "string" ? new TextEncoder().encode(document) : document;
  if (typeof document !== "string" && bytes[0] === 0x1f && bytes[1] === 0x8b) {
    bytes = await unzip(bytes);
  }
  demand(bytes.length <= MOST_BYTES, "the text has more than 64 MiB");
  // Bytes that are not ASCII become characters that no certificate contains.
  return new TextDecoder("ascii").decode(bytes).replace(/\n$/, "");
}

/**
 * Returns the text in a gzip file with one member and nothing after it.
 *
 * Some browsers ignore bytes after the member, or read further members. To detect such bytes, the function also
 * decompresses the data without the last 9 bytes of the file. A lone member has 8 bytes after the data, so the
 * data would be incomplete.
 * @param {Uint8Array} bytes
 */
async function unzip(bytes) {
  const text = await decompress("gzip", bytes);
  demand(text !== null, "the file is damaged: gzip cannot decompress it");
  const trailer = 8;
  const shortened = bytes.subarray(gzipHeader(bytes), bytes.length - trailer - 1);
  demand((await decompress("deflate-raw", shortened)) === null, "bytes follow the gzip member");
  return text;
}

/** @param {Uint8Array} bytes */
function gzipHeader(bytes) {
  const [headerCrc, extra, name, comment] = [2, 4, 8, 16];
  const flags = bytes[3];
  let at = 10;
  if (flags & extra) {
    at += 2 + bytes[at] + 256 * bytes[at + 1];
  }
  for (const text of [name, comment]) {
    if (flags & text) {
      at = bytes.indexOf(0, at) + 1;
    }
  }
  return flags & headerCrc ? at + 2 : at;
}

/**
 * Returns the decompressed bytes; null if the data is damaged or incomplete.
 * @param {"gzip" | "deflate-raw"} format @param {Uint8Array} bytes
 * @throws {Fault} if there are too many bytes
 */
async function decompress(format, bytes) {
  /** @type {ReadableStream<BufferSource>} */
  const pieces = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += PIECE) {
        controller.enqueue(bytes.slice(at, at + PIECE));
      }
      controller.close();
    },
  });
  let length = 0;
  /** @type {TransformStream<Uint8Array, Uint8Array>} */
  const counter = new TransformStream({
    transform(piece, controller) {
      length += piece.length;
      if (length <= MOST_BYTES) {
        controller.enqueue(piece);
      } else {
        controller.terminate();
      }
    },
  });
  const text = pieces.pipeThrough(new DecompressionStream(format)).pipeThrough(counter);
  const found = await new Response(text).arrayBuffer().catch(() => null);
  demand(length <= MOST_BYTES, "the text has more than 64 MiB");
  return found && new Uint8Array(found);
}

// JSON

/**
 * A text consists of brackets and of these parts: strings of letters, dots and hyphens, integers of at most nine
 * digits, three literals, commas and colons.
 */
const PARTS = /"[A-Za-z.-]*"|-?\d{1,9}(?!\d)|true|false|null|[,:]/g;

/** Parses JSON as strictly as the format demands. @param {string} text @returns {unknown} */
function parse(text) {
  let rest = text.replace(PARTS, "");
  for (let level = 0; level < MOST_DEPTH; level++) {
    rest = rest.replace(/\[\]|\{\}/g, ""); // removes the innermost pairs of brackets
  }
  demand(
    rest === "",
    `the text is not compact JSON, has something that no certificate has, or is nested more than ${MOST_DEPTH} deep`,
  );
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault("the text is not JSON");
  }
  demand(JSON.stringify(value) === text, "the text has the same key twice in one object, or -0");
  return value;
}

/**
 * Returns whether a value is an object with the required fields and no unknown ones.
 * @param {unknown} value @param {string[]} required @param {string[]} [optional]
 * @returns {value is Fields}
 */
function hasFields(value, required, optional = []) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  const names = Object.keys(value);
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    names.every((name) => required.includes(name) || optional.includes(name))
  );
}

/** @param {unknown} value @param {number} least @param {number} most @returns {value is number} */
const isInteger = (value, least, most) => typeof value === "number" && value >= least && value <= most;

/** @param {unknown} value @returns {value is "X" | "O"} */
const isSide = (value) => value === "X" || value === "O";

// The document

/** @param {unknown} document */
function readFields(document) {
  demand(
    hasFields(document, ["format", "version", "rules", "board", "turn", "claims"]),
    "the document is not an object with the fields format, version, rules, board, turn and claims",
  );
  const isOurs = document.format === "bestmove-proof" && document.version === 1;
  demand(isOurs, "the document is not a bestmove-proof of version 1");
  return document;
}

/** Returns the root. Checks only types and ranges. @param {Fields} document @returns {Root} */
function readRoot({ rules, board, turn }) {
  demand(areRules(rules), "the rules are not those of a game");
  const isBoard = typeof board === "string" && board.length === rules.rows * rules.columns && !/[^XO.]/.test(board);
  demand(isBoard, "the board is not a string of rows · columns characters X, O and “.”");
  demand(turn === null || isSide(turn), 'turn is not "X", "O" or null');
  return { rules, board, turn };
}

/** @param {unknown} rules @returns {rules is Rules} */
function areRules(rules) {
  return (
    hasFields(rules, ["rows", "columns", "k", "gravity", "overline", "misere"]) &&
    isInteger(rules.rows, 1, MOST_SIDE) &&
    isInteger(rules.columns, 1, MOST_SIDE) &&
    isInteger(rules.k, 1, Math.max(rules.rows, rules.columns)) &&
    [rules.gravity, rules.overline, rules.misere].every((value) => typeof value === "boolean")
  );
}

/** @param {Root} one @param {Root} other */
function isSame(one, other) {
  const names = /** @type {Array<keyof Rules>} */ (Object.keys(other.rules));
  return (
    one.board === other.board &&
    one.turn === other.turn &&
    names.every((name) => one.rules?.[name] === other.rules[name])
  );
}

/** @param {unknown} found @returns {Claim[]} */
function readClaims(found) {
  const areFew = Array.isArray(found) && (found.length === 1 || found.length === 2);
  demand(areFew, "claims is not a list of one or two claims");
  return found.map((each, number) => {
    const isClaim = hasFields(each, ["kind", "side", "plies", "nodes"]);
    demand(isClaim, "a claim is not an object with the fields kind, side, plies and nodes", number);
    const { kind, side, plies, nodes } = each;
    demand(kind === "wins" || kind === "cannot-win", 'kind is not "wins" or "cannot-win"', number);
    demand(isSide(side), 'side is not "X" or "O"', number);
    const isPlies = isInteger(plies, 0, MOST_PLIES) || (plies === null && kind === "cannot-win");
    demand(isPlies, `plies is not an integer from 0 to ${MOST_PLIES}`, number);
    demand(Array.isArray(nodes), "nodes is not a list", number);
    demand(nodes.length <= MOST_NODES, "the claim has more than 1,000,000 nodes", number);
    return /** @type {Claim} */ ({ kind, side, plies, nodes });
  });
}

/** @param {Claim[]} claims @returns {boolean} whether the claims say that a side wins in exactly n plies */
const isExact = ([one, two]) =>
  one.kind === "wins" &&
  two.kind === "cannot-win" &&
  one.side === two.side &&
  one.plies !== null &&
  one.plies >= 1 &&
  two.plies === one.plies - 1;

/** @param {Claim[]} claims */
const isDraw = ([one, two]) =>
  [one, two].every(({ kind, plies }) => kind === "cannot-win" && plies === null) &&
  one.side === "X" &&
  two.side === "O";

/** @param {Claim[]} claims */
function statementOf(claims) {
  const [{ kind, side, plies }] = claims;
  const count = `${plies} ${plies === 1 ? "ply" : "plies"}`;
  if (claims.length === 1) {
    return `${side} ${kind === "wins" ? "wins" : "cannot win"}${plies === null ? "" : ` within ${count}`}`;
  }
  if (isExact(claims)) {
    return `${side} wins in exactly ${count}`;
  }
  demand(isDraw(claims), "the two claims together are not a statement");
  return "The game is a draw";
}

// The game

/**
 * @typedef {object} Window  k consecutive cells
 * @property {number[]} cells
 * @property {number[]} ends  the cells just before and just after the window, if the board has them. Empty if
 *     longer lines count too
 */

/** Applies the rules of a game to boards. Each cell of a board is EMPTY, X or O. */
export class Game {
  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.cells = rules.rows * rules.columns;
    this.windows = this.#windows();
    /** For each cell, a name such as c2; rows count from the bottom. */
    this.squares = Array.from(
      { length: this.cells },
      (_, cell) => `${"abcdefghijklmnopqrst"[cell % rules.columns]}${rules.rows - Math.floor(cell / rules.columns)}`,
    );
    this.symmetries = this.#symmetries();
    /** For each cell, the windows that contain it. */
    this.windowsAt = this.squares.map((_, cell) => this.windows.filter(({ cells }) => cells.includes(cell)));
  }

  /** @param {number} row @param {number} column @returns {number} -1 if the board has no such cell */
  #cell(row, column) {
    const { rows, columns } = this.rules;
    const inside = row >= 0 && row < rows && column >= 0 && column < columns;
    return inside ? row * columns + column : -1;
  }

  #windows() {
    const { rows, columns, k, overline } = this.rules;
    /** @type {Window[]} */
    const windows = [];
    for (const [down, right] of k === 1 ? [[0, 1]] : DIRECTIONS) {
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const at = (/** @type {number} */ step) => this.#cell(row + step * down, column + step * right);
          if (at(k - 1) >= 0) {
            windows.push({
              cells: Array.from({ length: k }, (_, step) => at(step)),
              ends: overline || k === 1 ? [] : [at(-1), at(k)].filter((cell) => cell >= 0),
            });
          }
        }
      }
    }
    return windows;
  }

  /** Returns the symmetries by name. A symmetry maps each cell to the cell where its mark goes. */
  #symmetries() {
    const { rows, columns, gravity } = this.rules;
    const [bottom, right] = [rows - 1, columns - 1];
    /** @type {Record<string, (row: number, column: number) => [number, number]>} */
    const all = {
      "left-right": (row, column) => [row, right - column],
      "top-bottom": (row, column) => [bottom - row, column],
      "half-turn": (row, column) => [bottom - row, right - column],
      "quarter-turn": (row, column) => [column, bottom - row],
      "three-quarter-turn": (row, column) => [right - column, row],
      diagonal: (row, column) => [column, row],
      antidiagonal: (row, column) => [right - column, bottom - row],
    };
    const names = Object.keys(all).slice(0, gravity ? 1 : rows === columns ? 7 : 3);
    /** @type {Map<unknown, number[]>} */
    const symmetries = new Map();
    for (const name of names) {
      const image = Array.from({ length: this.cells }, (_, cell) =>
        this.#cell(...all[name](Math.floor(cell / columns), cell % columns)),
      );
      symmetries.set(name, image);
    }
    return symmetries;
  }

  /** @param {Uint8Array} board @param {number} cell */
  isLegal(board, cell) {
    const below = cell + this.rules.columns;
    return board[cell] === EMPTY && !(this.rules.gravity && below < this.cells && board[below] === EMPTY);
  }

  /**
   * Returns how many cells of a window are empty; null if the window can never become a line of `filler`.
   * @param {Uint8Array} board @param {Window} window @param {number} filler
   */
  emptiesLeft(board, { cells, ends }, filler) {
    if (ends.some((cell) => board[cell] === filler)) {
      return null;
    }
    let empties = 0;
    for (const cell of cells) {
      if (board[cell] === EMPTY) {
        empties++;
      } else if (board[cell] !== filler) {
        return null;
      }
    }
    return empties;
  }

  /** @param {Uint8Array} board @param {number} side */
  hasLine(board, side) {
    return this.windows.some((window) => this.emptiesLeft(board, window, side) === 0);
  }

  /** Returns whether the mark on a cell is in a line. @param {Uint8Array} board @param {number} cell */
  isInLine(board, cell) {
    return this.windowsAt[cell].some((window) => this.emptiesLeft(board, window, board[cell]) === 0);
  }

  /** Returns the side that wins if `side` completes a line. @param {number} side */
  winnerBy(side) {
    return this.rules.misere ? other(side) : side;
  }
}

/** @param {number} side */
const other = (side) => X + O - side;

/** @param {"X" | "O"} side */
const markOf = (side) => MARKS.indexOf(side);

/** @param {Uint8Array} board */
const countMarks = (board) => board.reduce((sum, mark) => sum + (mark === EMPTY ? 0 : 1), 0);

/** The root position of a certificate. The constructor throws if no game can reach the position. */
class Position {
  /** @param {Root} root */
  constructor(root) {
    this.root = root;
    this.game = new Game(root.rules);
    this.board = Uint8Array.from(root.board, (mark) => MARKS.indexOf(mark));
    this.marks = countMarks(this.board);
    this.turn = root.turn === null ? EMPTY : markOf(root.turn);
    const lines = [X, O].filter((side) => this.game.hasLine(this.board, side));
    this.over = lines.length > 0 || !this.board.includes(EMPTY);
    this.winner = lines.length > 0 ? this.game.winnerBy(lines[0]) : EMPTY;
    demand(lines.length < 2, "both sides have lines");
    const state = this.over ? "the game is over, but turn is not null" : "the game is not over, but turn is null";
    demand(this.over === (root.turn === null), state);
    const ahead = this.board.reduce((sum, mark) => sum + (mark === X ? 1 : mark === O ? -1 : 0), 0);
    const allowed = { [EMPTY]: [-1, 0, 1], [X]: [-1, 0], [O]: [0, 1] }[this.turn];
    demand(allowed?.includes(ahead), "the numbers of X and O do not fit the side to move");
    const { columns, gravity } = root.rules;
    const floats = this.board.some((mark, cell) => mark !== EMPTY && this.board[cell + columns] === EMPTY);
    demand(!gravity || !floats, "a mark is above an empty cell");
  }
}

/** Checks one claim. */
class Graph {
  /** @param {Position} root @param {Claim} claim @param {number} number */
  constructor(root, { kind, side, plies, nodes }, number) {
    this.root = root;
    this.game = root.game;
    this.number = number;
    this.nodes = nodes;
    this.wins = kind === "wins";
    this.plies = plies;
    this.side = markOf(side);
    this.chooser = this.wins ? this.side : other(this.side);
    const { gravity, overline, misere } = this.game.rules;
    this.mayPass = this.wins && !gravity && !misere && overline;
    this.filler = misere ? other(this.side) : this.side;
    /** With this many marks, the claim is decided: the board is full, or the plies of the claim are over. */
    this.mostMarks = Math.min(this.game.cells, this.wins || plies === null ? Infinity : root.marks + plies);
    /** The packed position of each node that an edge has led to. @type {Array<string | undefined>} */
    this.positions = Array(nodes.length).fill(undefined);
    /** @type {number | null} */
    this.node = null;
    /** The position of the node that is being checked. */
    this.board = Uint8Array.from(root.board);
    this.turn = root.turn;
    this.marks = root.marks;
  }

  /** @param {unknown} condition @param {string} reason @returns {asserts condition} */
  #demand(condition, reason) {
    demand(condition, reason, this.number, this.node);
  }

  /** @param {number} winner  EMPTY if nobody has won */
  #isWell(winner) {
    return this.wins ? winner === this.side : winner !== this.side;
  }

  check() {
    const last = this.nodes.length - 1;
    if (this.root.over || this.marks >= this.mostMarks) {
      this.#demand(last < 0, "the root is settled, but the claim has nodes");
      this.#demand(this.#isWell(this.root.winner), "the claim is wrong at its root");
      return;
    }
    this.#demand(last >= 0, "the claim has no nodes, but its root is not settled");
    this.positions[last] = this.#pack(this.turn);
    for (let node = last; node >= 0; node--) {
      this.#checkNode(node);
    }
    if (this.wins) {
      if (this.nodes.some(hasPass)) {
        this.#checkZones();
      }
      this.#checkDistance();
    }
  }

  /** @param {number} node */
  #checkNode(node) {
    this.node = node;
    const position = this.positions[node];
    this.#demand(position !== undefined, "no edge leads to the node");
    this.#unpack(position);
    const fields = this.nodes[node];
    if (hasFields(fields, ["move"]) || hasFields(fields, ["move", "node"], ["symmetry"])) {
      this.#checkMove(fields);
    } else if (hasFields(fields, ["replies"], ["pass"])) {
      this.#checkReplies(fields);
    } else {
      this.#demand(hasFields(fields, ["leaf"], ["pairs"]), "the node is not a move, replies or a leaf");
      this.#checkLeaf(fields);
    }
    // To save memory, keep only the positions that `#checkZones` needs: those of nodes with a pass.
    if (!hasPass(fields)) {
      this.positions[node] = undefined;
    }
  }

  /**
   * Returns the current marks and `turn` as a short string. With `image`, each mark first goes to `image[cell]`.
   * @param {number} turn @param {number[]} [image]
   */
  #pack(turn, image) {
    const codes = [turn, ...Array(Math.ceil(this.game.cells / 8)).fill(0)];
    for (let cell = 0; cell < this.game.cells; cell++) {
      const to = image ? image[cell] : cell;
      codes[1 + (to >> 3)] |= this.board[cell] << (2 * (to & 7));
    }
    return String.fromCharCode(...codes);
  }

  /** @param {string} position */
  #unpack(position) {
    this.turn = position.charCodeAt(0);
    for (let cell = 0; cell < this.game.cells; cell++) {
      this.board[cell] = (position.charCodeAt(1 + (cell >> 3)) >> (2 * (cell & 7))) & 3;
    }
    this.marks = countMarks(this.board);
  }

  /**
   * Follows an edge: the current board becomes the position of the node `to`.
   * @param {unknown} to @param {unknown} [symmetry]
   */
  #follow(to, symmetry) {
    const isLower = isInteger(to, 0, /** @type {number} */ (this.node) - 1);
    this.#demand(isLower, "an edge does not lead to a node with a lower number");
    const image = this.game.symmetries.get(symmetry);
    this.#demand(symmetry === undefined || image, "an edge names a symmetry that this board does not have");
    const position = this.#pack(other(this.turn), image);
    this.positions[to] ??= position;
    this.#demand(this.positions[to] === position, `another edge gives node ${to} another position`);
  }

  /**
   * Plays a legal move. Returns "open" if play goes on. At the end, returns "well" if the claim holds, or
   * else "badly".
   * @param {number} cell @returns {"open" | "well" | "badly"}
   */
  #play(cell) {
    this.board[cell] = this.turn;
    const line = this.game.isInLine(this.board, cell);
    if (!line && this.marks + 1 < this.mostMarks) {
      return "open";
    }
    return this.#isWell(line ? this.game.winnerBy(this.turn) : EMPTY) ? "well" : "badly";
  }

  /** @param {unknown} cell @returns {number} */
  #legal(cell) {
    const isLegal = isInteger(cell, 0, this.game.cells - 1) && this.game.isLegal(this.board, cell);
    this.#demand(isLegal, "a move is not legal");
    return cell;
  }

  /** @param {Fields} fields */
  #checkMove({ move, node, symmetry }) {
    this.#demand(this.turn === this.chooser, "the node has a move, but the other side is to move");
    const result = this.#play(this.#legal(move));
    const after = `the position after the move to ${this.game.squares[move]}`;
    if (node === undefined) {
      this.#demand(result === "well", `${after} is not settled as claimed`);
    } else {
      this.#demand(result === "open", `${after} is settled, but has an edge`);
      this.#follow(node, symmetry);
    }
  }

  /** @param {Fields} fields */
  #checkReplies({ replies, pass }) {
    this.#demand(this.turn !== this.chooser, "the node has replies, but the other side is to move");
    this.#demand(Array.isArray(replies), "replies is not a list");
    /** @type {Map<number, unknown[]>} */
    const entries = new Map();
    for (const entry of replies) {
      const isReply = Array.isArray(entry) && (entry.length === 2 || entry.length === 3);
      this.#demand(isReply, "a reply is not a list of a cell, a node and perhaps a symmetry");
      const cell = this.#legal(entry[0]);
      this.#demand(!entries.has(cell), `the reply in ${this.game.squares[cell]} occurs twice`);
      entries.set(cell, entry);
    }
    if (pass !== undefined) {
      this.#demand(this.mayPass, "this claim may have no pass");
      this.#follow(pass);
    }
    for (let cell = 0; cell < this.game.cells; cell++) {
      if (this.game.isLegal(this.board, cell)) {
        const result = this.#play(cell);
        const entry = entries.get(cell);
        const reply = `the reply in ${this.game.squares[cell]}`;
        this.#demand(result !== "badly", `the claim is wrong after ${reply}`);
        if (entry) {
          this.#demand(result === "open", `the position after ${reply} is settled, but has an edge`);
          this.#follow(entry[1], entry[2]);
        } else {
          this.#demand(result === "well" || pass !== undefined, `${reply} is not covered`);
        }
        this.board[cell] = EMPTY;
      }
    }
  }

  /** @param {Fields} fields */
  #checkLeaf({ leaf, pairs }) {
    this.#demand(!this.wins, "a claim of kind wins has a leaf");
    const { gravity, misere } = this.game.rules;
    this.#demand(leaf === "lines" || (!gravity && !misere), "this game allows no leaf but lines");
    this.#demand((leaf === "pairs") === (pairs !== undefined), "pairs and only pairs have pairs");
    const left = this.game.windows.flatMap((window) => {
      const empties = this.game.emptiesLeft(this.board, window, this.filler);
      return empties === null ? [] : [{ cells: window.cells, empties }];
    });
    if (leaf === "lines") {
      const plies = this.mostMarks - this.marks;
      const turns = this.turn === this.filler ? Math.ceil(plies / 2) : Math.floor(plies / 2);
      this.#demand(left.every(({ empties }) => empties > turns), "a window can still be filled");
    } else if (leaf === "sum") {
      // Multiplied by 2²⁰, every term is an integer, so the sum is exact.
      const one = 2 ** MOST_SIDE;
      const sum = left.reduce((total, { empties }) => total + one / 2 ** empties, 0);
      this.#demand(sum < (this.turn === this.side ? one / 2 : one), "the sum is too great");
    } else {
      this.#demand(leaf === "pairs", "the leaf is not lines, sum or pairs");
      const partners = this.#partners(pairs);
      const areStopped = left.every(({ cells }) => cells.some((cell) => cells.includes(partners.get(cell) ?? -1)));
      this.#demand(areStopped, "a window contains no pair");
    }
  }

  /** Maps each cell of a pair to the other cell of the pair. @param {unknown} pairs */
  #partners(pairs) {
    this.#demand(Array.isArray(pairs), "pairs is not a list");
    /** @type {Map<number, number>} */
    const partners = new Map();
    for (const pair of pairs) {
      this.#demand(Array.isArray(pair) && pair.length === 2, "a pair is not a list of two cells");
      for (const [cell, partner] of [pair, pair.toReversed()]) {
        const isEmpty = isInteger(cell, 0, this.game.cells - 1) && this.board[cell] === EMPTY;
        this.#demand(isEmpty, "a pair is not of two empty cells");
        this.#demand(!partners.has(cell), `${this.game.squares[cell]} is twice in pairs`);
        partners.set(cell, partner);
      }
    }
    return partners;
  }

  /** @param {number} node */
  #edges(node) {
    const { move, node: next, symmetry, replies, pass } = this.nodes[node];
    /** @type {Array<{ cell: number | null, to: number, symmetry?: string }>} */
    const edges = (replies ?? []).map((/** @type {any[]} */ [cell, to, name]) => ({ cell, to, symmetry: name }));
    if (next !== undefined) {
      edges.push({ cell: move, to: next, symmetry });
    }
    if (pass !== undefined) {
      edges.push({ cell: null, to: pass });
    }
    return edges;
  }

  #checkDistance() {
    const distances = new Int32Array(this.nodes.length);
    for (let node = 0; node < distances.length; node++) {
      distances[node] = 1 + this.#edges(node).reduce((most, { to }) => Math.max(most, distances[to]), 0);
    }
    this.node = distances.length - 1;
    const distance = distances[this.node];
    this.#demand(distance <= /** @type {number} */ (this.plies), `the win takes up to ${distance} plies`);
  }

  #checkZones() {
    const { cells, symmetries } = this.game;
    const length = this.nodes.length;
    const winners = new CellSets(length, cells);
    const losers = new CellSets(length, cells);
    const turns = new Int32Array(length);
    const passes = new Int32Array(length);
    for (let node = 0; node < length; node++) {
      this.node = node;
      const { move, replies, pass } = this.nodes[node];
      if (move !== undefined) {
        winners.add(node, move);
      }
      for (const { cell, to, symmetry } of this.#edges(node)) {
        const image = symmetries.get(symmetry);
        winners.addAll(node, to, image);
        losers.addAll(node, to, image);
        if (replies && cell !== null) {
          losers.add(node, cell);
        }
        turns[node] = Math.max(turns[node], turns[to]);
        passes[node] = Math.max(passes[node], passes[to] + (cell === null ? 1 : 0));
      }
      turns[node] += replies ? 1 : 0;
      if (pass !== undefined) {
        this.#unpack(/** @type {string} */ (this.positions[node]));
        const zone = this.#zone(winners.of(pass), losers.of(pass), turns[pass], passes[pass]);
        for (const [cell] of replies) {
          zone[cell] = 0;
        }
        const uncovered = zone.indexOf(1);
        const reply = `the reply in ${this.game.squares[uncovered]}`;
        this.#demand(uncovered < 0, `${reply} is in the zone, but is not covered`);
      }
    }
  }

  /**
   * Returns the zone of a pass on the current board: 1 for each cell in the zone. docs/proofs.md defines
   * the zone and the sets D and R.
   * @param {Uint8Array} winners  1 for each cell in D @param {Uint8Array} losers  1 for each cell in R
   * @param {number} turns @param {number} passes
   */
  #zone(winners, losers, turns, passes) {
    const { board, side } = this;
    const zone = winners.map((cell, at) => (board[at] === EMPTY ? cell : 0));
    for (const window of this.game.windows) {
      const count = this.game.emptiesLeft(board, window, other(side));
      if (count !== null && count <= 1 + turns) {
        const empties = window.cells.filter((cell) => board[cell] === EMPTY);
        const played = empties.filter((cell) => losers[cell] === 1).length;
        if (count <= 1 + passes + played) {
          empties.forEach((cell) => (zone[cell] = 1));
        }
      }
    }
    return zone;
  }
}

/** @param {Fields} fields */
const hasPass = (fields) => fields.pass !== undefined;

/** A set of cells for each node. */
class CellSets {
  /** @param {number} nodes @param {number} cells */
  constructor(nodes, cells) {
    this.cells = cells;
    this.words = Math.ceil(cells / 32);
    this.bits = new Uint32Array(nodes * this.words);
  }

  /** @param {number} node @param {number} cell */
  add(node, cell) {
    this.bits[node * this.words + (cell >> 5)] |= 1 << (cell & 31);
  }

  /** @param {number} node @param {number} cell */
  has(node, cell) {
    return ((this.bits[node * this.words + (cell >> 5)] >>> (cell & 31)) & 1) === 1;
  }

  /** Returns a 1 for each cell in the set of a node. @param {number} node */
  of(node) {
    return new Uint8Array(this.cells).map((_, cell) => (this.has(node, cell) ? 1 : 0));
  }

  /**
   * Adds the set of the node `from` to the set of `node`. With `image`, adds instead each cell whose
   * `image[cell]` is in the set of `from`.
   * @param {number} node @param {number} from @param {number[]} [image]
   */
  addAll(node, from, image) {
    if (image) {
      for (let cell = 0; cell < this.cells; cell++) {
        if (this.has(from, image[cell])) {
          this.add(node, cell);
        }
      }
    } else {
      for (let word = 0; word < this.words; word++) {
        this.bits[node * this.words + word] |= this.bits[from * this.words + word];
      }
    }
  }
}
