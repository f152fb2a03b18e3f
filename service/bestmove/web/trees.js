/** Game trees to look at: typed as nested numbers, or grown from a late tic-tac-toe position. */

import { other } from "./rules.js";

/** @typedef {import("./client.js").Mark} Mark */

/**
 * @typedef {object} Node
 * @property {number[]} path  the child to take at each node, from the root on
 * @property {Node[]} children
 * @property {number | null} value  of a leaf; null of a node with children
 * @property {string | null} board  the tic-tac-toe position, where the tree is one
 */

/** @typedef {{root: Node, maximizing: boolean, plain: unknown}} Tree  `plain` is the JSON of it */

/** What can still be drawn and followed. */
export const MAX_NODES = 400;
export const MAX_EMPTY = 5;

/** The text is no tree that can be drawn; the message says what to change. */
export class InvalidTree extends Error {}

/**
 * @param {string} text  such as [[5, 2, 9], [8, 4, 7]]; numbers are leaves
 * @param {boolean} maximizing  whether the root wants the larger value
 * @returns {Tree}
 * @throws {InvalidTree}
 */
export function parseTree(text, maximizing) {
  let plain;
  try {
    plain = JSON.parse(text);
  } catch {
    throw new InvalidTree("Write the tree as nested numbers, such as [[5, 2, 9], [8, 4, 7]].");
  }
  let count = 0;
  /** @param {unknown} value @param {number[]} path @returns {Node} */
  const grow = (value, path) => {
    count += 1;
    if (count > MAX_NODES) throw new InvalidTree(`A tree to draw has at most ${MAX_NODES} nodes.`);
    if (typeof value === "number") return { path, children: [], value, board: null };
    const at = path.length > 0 ? `The node at ${path.map((child) => child + 1).join(".")}` : "The root";
    if (!Array.isArray(value)) throw new InvalidTree(`${at} is neither a number nor an array.`);
    if (value.length === 0) throw new InvalidTree(`${at} is empty: a leaf is a number.`);
    const children = value.map((child, index) => grow(child, [...path, index]));
    return { path, children, value: null, board: null };
  };
  return { root: grow(plain, []), maximizing, plain };
}

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((line) =>
  [...line].map(Number),
);

/**
 * The whole rest of a game of tic-tac-toe; X maximises, and moves come in index order.
 * @param {string} board  nine marks, as the service spells them
 * @param {Mark} turn
 * @returns {Tree}
 * @throws {InvalidTree} more empty cells than can be drawn
 */
export function growTree(board, turn) {
  const empty = [...board].filter((mark) => mark === ".").length;
  if (empty > MAX_EMPTY) {
    throw new InvalidTree(
      `The position has ${empty} empty cells. At most ${MAX_EMPTY} can be drawn: play on first.`,
    );
  }
  /** @param {string} cells @param {Mark} mover @param {number[]} path @returns {Node} */
  const grow = (cells, mover, path) => {
    const value = resultOf(cells);
    if (value !== null) return { path, children: [], value, board: cells };
    const moves = [...cells].flatMap((mark, index) => (mark === "." ? [index] : []));
    const children = moves.map((move, index) => {
      const after = cells.slice(0, move) + mover + cells.slice(move + 1);
      return grow(after, other(mover), [...path, index]);
    });
    return { path, children, value: null, board: cells };
  };
  const root = grow(board, turn, []);
  return { root, maximizing: turn === "X", plain: plainOf(root) };
}

/** 1 if X has a line, -1 if O has, 0 on a full board, else null. @param {string} cells */
function resultOf(cells) {
  for (const [a, b, c] of LINES) {
    if (cells[a] !== "." && cells[a] === cells[b] && cells[b] === cells[c]) {
      return cells[a] === "X" ? 1 : -1;
    }
  }
  return cells.includes(".") ? null : 0;
}

/** @param {Node} node @returns {unknown} */
function plainOf(node) {
  return node.value ?? node.children.map(plainOf);
}

/** @param {Node} node @returns {Generator<Node>} the node and all below it, parents first */
export function* walk(node) {
  yield node;
  for (const child of node.children) yield* walk(child);
}

/** A node's name in sets and maps. @param {number[]} path */
export const keyOf = (path) => path.join(".");
