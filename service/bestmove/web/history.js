/** The tree of a game's moves and variations, and the position on the board. */

import { inherit } from "./known.js";
import { isNumber, moveNamed, nameOf, wordsOf } from "./notation.js";
import { landing, played, untouched } from "./rules.js";
import { say } from "./words.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./live.js").Analysed} Analysed */
/** @typedef {import("./known.js").Claim} Claim */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./rules.js").Stand} Stand */

/**
 * @typedef {Stand & {
 *   parent: Node | null,
 *   children: Node[],
 *   next: Node | null,
 *   ply: number,
 *   move: number | null,
 *   by: Mark | null,
 *   answer: BestMove | null,
 *   analysed: Analysed | null,
 *   known: Claim | null,
 *   judged: Claim | null,
 *   note?: import("./sgf.js").Note,
 *   mark: import("./review.js").Grade | null,
 * }} Node  a position, the move that led to it, and the service's results for it
 *     - `children`: the first child continues the main line
 *     - `next`: the child visited last
 *     - `answer`: the engine's answer that chose `move`
 *     - `known`: the strongest result so far
 *     - `judged`: the result of the last review
 *     - `mark`: how a link or a file grades `move`; a review counts more
 */

/** Thrown if the moves of a text cannot be played. */
export class InvalidMoves extends Error {
  /**
   * @param {string} word  the first word that does not fit @param {number} number  of the move, counted from 1
   * @param {History} history  at the position before the move @param {number | null} [place]  the cell; NaN if the board has no such cell
   */
  constructor(word, number, history, place) {
    super(say.badMove(number, word));
    this.number = number;
    Object.assign(this, { word, place, now: history.now, rules: history.rules });
  }
}

export class History {
  /**
   * @param {Rules} rules
   * @param {Mark} first
   * @param {Stand} [start]  the position where the game begins; by default the empty board
   */
  constructor(rules, first, start = untouched(rules, first)) {
    this.rules = rules;
    this.first = first;
    this.root = nodeOf(start, null, null, null);
    this.now = this.root;
    this.fromEmpty = !/[XO]/.test(start.cells);
  }

  /**
   * Makes a move. If the move was already made from here, goes to its position in the tree.
   * @param {number} index @param {BestMove | null} [answer]
   * @returns {boolean} whether the move is legal
   */
  play(index, answer = null) {
    const { now, rules } = this;
    const cell = landing(now.cells, index, rules);
    if (cell === null || now.turn === null) return false;
    let child = now.children.find(({ move }) => move === cell);
    if (!child) {
      child = nodeOf(played(now.cells, cell, now.turn, rules), now, cell, now.turn);
      now.children.push(child);
      inherit(child, rules);
    }
    child.answer ??= answer;
    this.go(child);
    return true;
  }

  /** @param {Node} node */
  go(node) {
    this.now = node;
    for (let at = node; at.parent; at = at.parent) at.parent.next = at;
  }

  /** The position after the first move of the variation that `node` is in; null on the main line. @param {Node} node @returns {Node | null} */
  variationOf(node) {
    let at = /** @type {Node | null} */ (node);
    while (at?.parent?.children[0] === at) at = at?.parent ?? null;
    return at?.parent ? at : null;
  }

  /** Moves a variation before its neighbour. @param {Node} node  in the variation */
  promote(node) {
    const first = this.variationOf(node);
    const siblings = first?.parent?.children;
    if (first && siblings) siblings.splice(siblings.indexOf(first) - 1, 0, ...siblings.splice(siblings.indexOf(first), 1));
  }

  /** Makes the moves to `node` the main line. @param {Node} node */
  makeMain(node) {
    while (this.variationOf(node)) this.promote(node);
  }

  /**
   * Adds a line of moves without going there. Returns the first new move; null if the tree has all of them.
   * @param {Node} node  where the line begins @param {number[]} cells
   */
  insert(node, cells) {
    const [now, end, before] = [this.now, this.line.at(-1) ?? node, new Set(this.all)];
    this.go(node);
    for (const cell of cells) this.play(cell);
    // `end` keeps the moves after `now` on the board's line.
    this.go(end);
    this.go(now);
    return this.all.find((each) => !before.has(each)) ?? null;
  }

  /** Deletes a move and all moves after it. @param {Node} node */
  delete(node) {
    const { parent } = node;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(node), 1);
    if (parent.next === node) parent.next = parent.children[0] ?? null;
    if (isWithin(this.now, node)) this.go(parent);
  }

  /** Returns a function that undoes all later changes of the tree. */
  keep() {
    const { now } = this;
    const kept = [this.root, ...this.all].map((node) => ({ node, children: [...node.children], next: node.next }));
    return () => {
      for (const { node, ...before } of kept) Object.assign(node, before);
      this.go(now);
    };
  }

  /** All positions of the game or variation on the board, from the start to the end. @returns {Node[]} */
  get line() {
    const nodes = [this.now];
    while (nodes[0].parent) nodes.unshift(nodes[0].parent);
    for (let last = this.now; last.next; last = last.next) nodes.push(last.next);
    return nodes;
  }

  /** @returns {Node} */
  get mainEnd() {
    let node = this.root;
    while (node.children.length > 0) node = node.children[0];
    return node;
  }

  /** All moves, in the order in which `text` writes them. @returns {Node[]} */
  get all() {
    return [...this.#written()].filter((part) => typeof part !== "string");
  }

  /** The moves as text. Each variation is in brackets after the move that it replaces: "h8 i9 (h9 i8) j10". */
  get text() {
    const parts = [...this.#written()].map((part) => (typeof part === "string" ? part : nameOf(Number(part.move), this.rules)));
    return parts.join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
  }

  /** @returns {Generator<Node | "(" | ")">} the moves after a position, and the brackets around variations */
  *#written(from = this.root) {
    for (let node = from; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      yield main;
      for (const first of others) {
        yield* /** @type {const} */ (["(", first]);
        yield* this.#written(first);
        yield ")";
      }
    }
  }

  /**
   * @param {string} text
   * @throws {InvalidMoves}
   */
  read(text) {
    this.go(this.root);
    /** @type {Node[]} */
    const branches = [];
    let number = 0;
    // Numbers such as "2." may count moves or pairs of moves. A flag is true while all fit.
    let byMoves = true;
    let byPairs = true;
    /**
     * True if the text names columns by letters, false if by numbers; null until the first move. No text may do both:
     * "d 1" could be one move or two.
     * @type {boolean | null}
     */
    let byLetters = null;
    wordsOf(text, this.rules).forEach((word) => {
      if (word === "(" && this.now.parent) {
        branches.push(this.now);
        this.now = this.now.parent;
        return;
      }
      const back = word === ")" ? branches.pop() : undefined;
      if (back) {
        this.go(back);
        return;
      }
      if (isNumber(word)) {
        const { ply } = this.now;
        byMoves &&= parseInt(word) === ply + 1;
        byPairs &&= parseInt(word) === Math.floor(ply / 2) + 1;
        if (!byMoves && !byPairs) throw new InvalidMoves(word, number + 1, this);
        return;
      }
      number += 1;
      const cell = moveNamed(word, this.now.cells, this.rules);
      const byLetter = !/^\d/.test(word);
      byLetters ??= byLetter;
      if (cell === null || byLetters !== byLetter || !this.play(cell)) throw new InvalidMoves(word, number, this);
    });
    this.go(this.mainEnd);
  }
}

/** Returns whether a position is `ancestor` or comes after it. @param {Node | null} node @param {Node} ancestor */
export function isWithin(node, ancestor) {
  let at = node;
  while (at && at !== ancestor) at = at.parent;
  return at === ancestor;
}

/**
 * @param {Stand} stand @param {Node | null} parent @param {number | null} move
 * @param {Mark | null} by
 * @returns {Node}
 */
function nodeOf(stand, parent, move, by) {
  const ply = parent ? parent.ply + 1 : 0;
  const nothing = { next: null, answer: null, analysed: null, known: null, judged: null, mark: null };
  return { ...stand, parent, children: [], ply, move, by, ...nothing };
}
