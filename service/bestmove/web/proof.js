/**
 * Follows a claim of a certificate move by move, without a search (docs/proofs.md has the format).
 * verify.js must have accepted the certificate.
 *
 * - The “chooser” is the side that follows the proof: the certificate has its moves.
 * - The “replier” is the other side, and may try any move.
 *
 * If the certificate has no answer to a move of the replier, the move cannot matter (docs/proofs.md shows
 * why). The replier's mark then stays on the board, and the proof continues as if the replier had passed.
 */

import { landing, other, played, untouched } from "./rules.js";
import { Game } from "./verify.js";

/** @typedef {import("./client.js").Certificate} Certificate */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./rules.js").Stand} Stand */

/** @typedef {[cell: number, node: number, symmetry?: string]} Entry */
/**
 * @typedef {object} ProofNode  a node of the certificate
 * @property {number} [move]
 * @property {number} [node]
 * @property {string} [symmetry]
 * @property {Entry[]} [replies]
 * @property {number} [pass]
 * @property {"lines" | "pairs" | "sum"} [leaf]
 * @property {Array<[number, number]>} [pairs]
 */

/**
 * @typedef {"node" | "pass" | "pair" | "weight" | "free"} How  why the proof's last move is right
 *     - "node": the certificate has the move
 *     - "pass": the certificate has the move; the user's move counted as a pass
 *     - "pair": the user played in one cell of a pair, and the proof in the other
 *     - "weight": the move leaves the user the fewest chances
 *     - "free": every move is good enough
 */

/**
 * @typedef {object} Place  a position that the user has reached in a proof
 * @property {Stand} stand  the board
 * @property {number | null} last  the last move
 * @property {number | null} tried  the user's last move against the proof
 * @property {number | null} answer  the proof's answer to `tried`
 * @property {How} how
 * @property {number | null} node  the certificate's node for the board; null after a leaf and at the end
 * @property {number[]} image  for each cell of the board, the same cell in the node's position, which may be turned or mirrored
 * @property {Leaf | null} leaf
 */

/**
 * @typedef {object} Leaf  the last node of a proof that a side cannot win
 * @property {"lines" | "pairs" | "sum"} kind
 * @property {Array<[number, number]>} pairs  of cells of the board
 */

export class Claim {
  /** @type {ProofNode[]} */
  #nodes;
  /** In a proof of a win: for each node, the most plies that the win can take. @type {number[]} */
  #distances = [];
  #certificate;
  #game;

  /** @param {Certificate} certificate @param {number} number  of the claim */
  constructor(certificate, number) {
    const { kind, side, plies, nodes } = certificate.claims[number];
    this.#certificate = certificate;
    /** @type {Rules} */
    this.rules = certificate.rules;
    this.#game = new Game(this.rules);
    this.wins = kind === "wins";
    this.side = side;
    this.plies = plies;
    this.chooser = this.wins ? side : other(side);
    this.replier = other(this.chooser);
    /** `side` wins if `filler` completes a line. In misère, `filler` is the other side. */
    this.filler = this.rules.misere ? other(side) : side;
    this.#nodes = nodes;
    if (this.wins) for (const node of this.#nodes) this.#distances.push(1 + this.#farthest(node));
  }

  /** Returns the place where the user makes the first move. The proof's own first move, if any, is already made. @returns {Place} */
  start() {
    return this.#goOn(this.root());
  }

  /** @returns {Place} */
  root() {
    const { board, turn } = this.#certificate;
    const stand = { ...untouched(this.rules, this.side), cells: board, turn };
    const image = Array.from(board, (_, cell) => cell);
    const node = this.#nodes.length - 1;
    return { stand, last: null, tried: null, answer: null, how: "node", node, image, leaf: null };
  }

  /**
   * Makes the user's move and the proof's answer.
   * @param {Place} place @param {number} index @returns {Place | null} null if the user cannot move there
   */
  attempt(place, index) {
    const cell = landing(place.stand.cells, index, this.rules);
    if (cell === null || !this.open(place)) return null;
    const stand = played(place.stand.cells, cell, this.replier, this.rules);
    /** @type {Place} */
    const next = { ...place, stand, last: cell, tried: cell, answer: null, how: "node" };
    if (place.leaf) return this.#answerAtLeaf(next, cell);
    if (stand.turn === null) return { ...next, node: null };
    const node = this.#nodes[/** @type {number} */ (place.node)];
    const entry = node.replies?.find(([at]) => at === place.image[cell]);
    if (entry) return this.#goOn({ ...next, node: entry[1], image: this.#turned(place.image, entry[2]) });
    if (node.pass !== undefined) return this.#goOn({ ...next, node: node.pass, how: "pass" });
    return { ...next, node: null }; // no plies of the claim are left
  }

  /** Whether the user can still try a move. @param {Place} place */
  open({ stand, node, leaf }) {
    if (stand.turn !== this.replier) return false;
    return leaf ? leaf.kind !== "lines" && this.linesLeft(stand).length > 0 : node !== null;
  }

  /** Whether the certificate continues below a place. @param {Place} place */
  grows = (place) => this.#below(place).length > 0;

  /** In a proof of a win: returns the most plies that the win can still take. @param {Place} place */
  distance({ node }) {
    return node === null ? 0 : this.#distances[node];
  }

  /**
   * Returns the empty cells in the node's `replies`. A move on any other cell counts as a pass.
   * @param {Place} place @returns {number[] | null} null if the node has no `replies` or no `pass`
   */
  zone({ stand, node, image }) {
    const { replies, pass } = node === null ? /** @type {ProofNode} */ ({}) : this.#nodes[node];
    if (!replies || pass === undefined) return null;
    const own = new Set(replies.map(([cell]) => cell));
    return image.flatMap((cell, index) => (own.has(cell) && stand.cells[index] === "." ? [index] : []));
  }

  /** Returns the pairs with both cells empty. @param {Place} place */
  pairsLeft({ leaf, stand }) {
    return leaf?.pairs.filter((pair) => pair.every((cell) => stand.cells[cell] === ".")) ?? [];
  }

  /** Returns the empty cells of each line that the side `filler` can still complete. @param {Stand} stand */
  linesLeft({ cells }) {
    const theirs = other(this.filler);
    return this.#game.windows
      .filter((window) => !window.cells.some((cell) => cells[cell] === theirs))
      .filter((window) => !window.ends.some((cell) => cells[cell] === this.filler))
      .map((window) => window.cells.filter((cell) => cells[cell] === "."));
  }

  /**
   * Returns the sum of ½ⁿ over the lines that the side `filler` can still complete. n is the number of a
   * line's empty cells.
   * @param {Stand} stand
   */
  weight(stand) {
    return this.linesLeft(stand).reduce((sum, empties) => sum + 2 ** -empties.length, 0);
  }

  /** Returns how many marks the side `filler` can still place. @param {Stand} stand */
  turnsLeft({ cells, turn }) {
    const empty = (/** @type {string} */ board) => board.split(".").length - 1;
    const gone = empty(this.#certificate.board) - empty(cells);
    const left = Math.min(empty(cells), this.wins || this.plies === null ? Infinity : this.plies - gone);
    return turn === this.filler ? Math.ceil(left / 2) : Math.floor(left / 2);
  }

  /**
   * Returns the tree below a place, as nested lists of results for X, and the names of the tree's moves in preorder.
   * The tree is as deep as possible with fewer than `most` nodes. Where it is cut, a result stands in
   * place of the subtree.
   * @param {Place} place @param {number} most @param {(cell: number | null) => string} name  returns a move's name; null means a pass
   */
  tree(place, most, name) {
    /** @type {{tree: unknown, names: string[], maximizing: boolean}} */
    let found = { tree: this.#worth(place.stand), names: [], maximizing: place.stand.turn === "X" };
    for (let depth = 1; ; depth += 1) {
      /** @type {string[]} */
      const names = [];
      let isCut = false;
      /** @param {Place} at @param {number} left @returns {unknown} */
      const grow = (at, left) => {
        const below = this.#below(at);
        isCut ||= below.length > 0 && left === 0;
        if (below.length === 0 || left === 0) return this.#worth(at.stand);
        return below.map((child) => {
          names.push(name(child.last));
          return names.length < most ? grow(child, left - 1) : 0;
        });
      };
      const tree = grow(place, depth);
      if (names.length >= most) return found;
      found = { ...found, tree, names };
      if (!isCut) return found;
    }
  }

  /** @param {Stand} stand */
  #worth({ status, winner }) {
    if (status === "draw" || (status === "in_progress" && !this.wins)) return 0;
    return (winner ?? this.side) === "X" ? 1 : -1;
  }

  /**
   * Returns the places that follow a place in the certificate. A pass does not change the board.
   * @param {Place} place @returns {Place[]}
   */
  #below(place) {
    const { stand, node, image } = place;
    if (stand.turn === null || node === null || this.#nodes[node].leaf) return [];
    if (stand.turn === this.chooser) return [this.#choose(place)];
    const { replies = [], pass } = this.#nodes[node];
    const entries = new Map(replies.map((entry) => [entry[0], entry]));
    /** @type {Place[]} */
    const children = [];
    image.forEach((cell, index) => {
      const entry = entries.get(cell);
      if (landing(stand.cells, index, this.rules) !== index || (!entry && pass !== undefined)) return;
      const after = played(stand.cells, index, this.replier, this.rules);
      const [, target = null, symmetry] = entry ?? [];
      children.push({ ...place, stand: after, last: index, node: target, image: this.#turned(image, symmetry) });
    });
    if (pass !== undefined) {
      children.push({ ...place, stand: { ...stand, turn: this.chooser }, last: null, node: pass });
    }
    return children;
  }

  /**
   * @param {Place} place @returns {Place}
   */
  #goOn(place) {
    const { stand, node, image } = place;
    if (stand.turn === null || node === null) return { ...place, node: null };
    const { leaf, pairs = [] } = this.#nodes[node];
    if (!leaf) return stand.turn === this.chooser ? this.#goOn(this.#choose(place)) : place;
    const own = pairs.map(([a, b]) => /** @type {[number, number]} */ ([image.indexOf(a), image.indexOf(b)]));
    const there = { ...place, node: null, leaf: { kind: leaf, pairs: own } };
    return stand.turn === this.chooser && leaf !== "lines" ? this.#answerAtLeaf(there, null) : there;
  }

  /** @param {Place} place @returns {Place} */
  #choose(place) {
    const { move, node = null, symmetry } = this.#nodes[/** @type {number} */ (place.node)];
    const cell = place.image.indexOf(/** @type {number} */ (move));
    const stand = played(place.stand.cells, cell, this.chooser, this.rules);
    return { ...place, stand, last: cell, answer: cell, node, image: this.#turned(place.image, symmetry) };
  }

  /** @param {Place} place @param {number | null} tried @returns {Place} */
  #answerAtLeaf(place, tried) {
    const { stand, leaf } = place;
    if (stand.turn !== this.chooser || !leaf || this.linesLeft(stand).length === 0) return place;
    const partner = leaf.pairs.find((pair) => tried !== null && pair.includes(tried))?.find((cell) => cell !== tried);
    const isPair = partner !== undefined && stand.cells[partner] === ".";
    const cell = isPair ? partner : this.#heaviest(place);
    const how = isPair ? "pair" : leaf.kind === "sum" ? "weight" : "free";
    return { ...place, stand: played(stand.cells, cell, this.chooser, this.rules), last: cell, answer: cell, how };
  }

  /**
   * Returns the empty cell that is best for stopping lines. Each line through a cell counts, and a line
   * with fewer empty cells counts more. If the proof pairs cells, an unpaired cell is preferred.
   * @param {Place} place
   */
  #heaviest({ stand, leaf }) {
    const paired = new Set(leaf?.pairs.flat());
    /** @type {number[]} */
    const weights = Array.from(stand.cells, (mark, cell) => (mark !== "." ? -1 : paired.has(cell) ? 0 : 1e-9));
    for (const empties of this.linesLeft(stand)) {
      for (const cell of empties) if (!paired.has(cell)) weights[cell] += 2 ** -empties.length;
    }
    return weights.indexOf(Math.max(...weights));
  }

  /** @param {ProofNode} node */
  #farthest({ node, replies = [], pass }) {
    const next = [node, pass, ...replies.map(([, at]) => at)];
    return Math.max(0, ...next.map((at) => (at === undefined ? 0 : this.#distances[at])));
  }

  /** @param {number[]} image @param {string} [symmetry] */
  #turned(image, symmetry) {
    const to = this.#game.symmetries.get(symmetry);
    return to ? image.map((cell) => to[cell]) : image;
  }
}
