/** Makes the explorer's game trees from nested numbers or from a position of tic-tac-toe. */

import { say } from "./explorer-words.js";
import { played, TIC_TAC_TOE } from "./rules.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./rules.js").Stand} Stand */

/**
 * @typedef {object} Node
 * @property {number[]} path  the indices of the children from the root to the node
 * @property {Node[]} children
 * @property {number | null} value  the value of a leaf; null for a node with children
 * @property {string | null} board  the position, in a tree of tic-tac-toe
 * @property {string} [move]  the name of the move that leads to the node
 */

/** @typedef {{root: Node, maximizing: boolean}} Tree */

/** Larger trees are too slow to draw, and too hard to follow. */
const MAX_NODES = 1000;

/** The text is not a tree that can be drawn; the message says what to change. */
export class InvalidTree extends Error {}

/**
 * @param {string} text  such as [[5, 2, 9], [8, 4, 7]]; numbers are leaves
 * @param {boolean} maximizing  whether the root wants the larger value
 * @param {string[]} [moves]  the names of the moves, parents first
 * @returns {Tree}
 * @throws {InvalidTree}
 */
export function parseTree(text, maximizing, moves = []) {
  let plain;
  try {
    plain = JSON.parse(text);
  } catch {
    throw new InvalidTree(say.noTree);
  }
  let count = 0;
  /** @param {unknown} value @param {number[]} path @returns {Node} */
  const grow = (value, path) => {
    const move = path.length > 0 ? moves[count - 1] : undefined;
    count += 1;
    if (count > MAX_NODES) throw new InvalidTree(say.tooMany(MAX_NODES));
    if (typeof value === "number") return { path, children: [], value, board: null, move };
    if (!Array.isArray(value)) throw new InvalidTree(say.noNode(path));
    if (value.length === 0) throw new InvalidTree(say.emptyNode(path));
    const children = value.map((child, index) => grow(child, [...path, index]));
    return { path, children, value: null, board: null, move };
  };
  return { root: grow(plain, []), maximizing };
}

/**
 * Returns the tree of all games from a position, as deep as `MAX_NODES` allows. An unfinished position
 * at that depth has the value 0.
 * @param {string} board  nine cells, without a line
 * @param {Mark} turn
 * @returns {Tree}
 */
export function growTree(board, turn) {
  const empty = [...board].filter((mark) => mark === ".").length;
  let [depth, count, level] = [0, 1, 1];
  while (depth < empty && count + level * (empty - depth) <= MAX_NODES) {
    level *= empty - depth;
    count += level;
    depth += 1;
  }
  /** @param {Pick<Stand, "cells" | "turn" | "winner">} stand @param {number[]} path @returns {Node} */
  const grow = ({ cells, turn: mover, winner }, path) => {
    if (mover === null || path.length === depth) {
      const value = winner === null ? 0 : winner === "X" ? 1 : -1;
      return { path, children: [], value, board: cells };
    }
    const moves = [...cells].flatMap((mark, index) => (mark === "." ? [index] : []));
    const children = moves.map((move, at) => grow(played(cells, move, mover, TIC_TAC_TOE), [...path, at]));
    return { path, children, value: null, board: cells };
  };
  return { root: grow({ cells: board, turn, winner: null }, []), maximizing: turn === "X" };
}

/**
 * Returns a tree without the nodes deeper than `depth`. A node whose children are removed gets a value:
 * the mean of the leaves below the node, or 0 in a tree of tic-tac-toe.
 * @param {Tree} tree
 * @param {number} depth  plies
 * @returns {Tree}
 */
export function cutTree({ root, maximizing }, depth) {
  /** @param {Node} node @returns {Node} */
  const cut = (node) => {
    if (node.path.length < depth || node.children.length === 0) {
      return { ...node, children: node.children.map(cut) };
    }
    const leaves = [...walk(node)].flatMap(({ value }) => (value === null ? [] : [value]));
    const sum = leaves.reduce((total, value) => total + value, 0);
    const mean = Math.round((10 * sum) / leaves.length) / 10;
    return { ...node, children: [], value: node.board === null ? mean : 0 };
  };
  return { root: cut(root), maximizing };
}

/** @param {Pick<Tree, "root">} tree */
export function heightOf({ root }) {
  return Math.max(...[...walk(root)].map(({ path }) => path.length));
}

/** Returns a tree as nested arrays. @param {Node} node @returns {unknown} */
export function plainOf(node) {
  return node.value ?? node.children.map(plainOf);
}

/** @param {Node} node @returns {Generator<Node>} the node and all nodes below it, parents first */
export function* walk(node) {
  yield node;
  for (const child of node.children) yield* walk(child);
}

/** @param {number[]} path */
export const keyOf = (path) => path.join(".");
