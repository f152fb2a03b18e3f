/** Draws a game tree in SVG, as it stands after a step of a search. */

import { svg } from "./dom.js";
import { numberInShort } from "./explorer-words.js";
import { heightOf, keyOf, walk } from "./trees.js";

/** @typedef {import("./trees.js").Node} Node */
/** @typedef {import("./trees.js").Tree} Tree */
/** @typedef {import("./searches.js").Trace} Trace */
/** @typedef {import("./searches.js").Step} Step */

/**
 * @typedef {object} State  the state of a node
 * @property {"ahead" | "open" | "done" | "pruned"} phase
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {number | null} value
 * @property {string} bound  "≤" or "≥" if the value of a node that is done is only a bound
 */

/** Sizes in SVG units (CSS pixels at scale 1). Inner nodes have room for alpha and beta next to them. */
const NUMBERS = { leaf: 44, inner: 116, level: 92, half: 17 };
const BOARDS = { leaf: 66, inner: 140, level: 116, half: 26 };
const MARGIN = 30;
/** The limits of the scale: `FIRST` for a new drawing, `BY_HAND` for the user's zooming. */
const FIRST = { smallest: 0.5, largest: 1.4 };
/** The scale of a new drawing that would be wider than the frame even at its smallest. */
const WIDE = 0.7;
const BY_HAND = { smallest: 0.03, largest: 3 };

export class TreeView {
  /** @type {Map<string, {group: SVGElement, edge: SVGElement | null, node: Node}>} */
  #nodes = new Map();
  /** @type {Map<string, [number, number]>} */
  #places = new Map();

  #scale = 1;
  /** Width and height of the drawing at scale 1. */
  #extent = [1, 1];
  #current = "";

  /** @param {HTMLElement} frame  the element around the tree. It scrolls if the tree is wider than the element */
  constructor(frame) {
    this.frame = frame;
  }

  /** @param {Tree} tree */
  build({ root, maximizing }) {
    const size = root.board === null ? NUMBERS : BOARDS;
    const width = this.#place(root, 0, 0, size);
    const height = heightOf({ root }) * size.level + 2 * size.half;
    this.#nodes.clear();
    const edges = svg("g", { class: "edges" });
    const nodes = svg("g", { class: "nodes" });
    for (const node of walk(root)) {
      const key = keyOf(node.path);
      const [x, y] = this.#placeOf(key);
      const max = maximizing === (node.path.length % 2 === 0);
      const shape = shapeOf(node, max, size.half);
      const group = svg("g", { transform: `translate(${x} ${y})`, "data-path": key }, shape);
      const [x1, y1] = this.#placeOf(keyOf(node.path.slice(0, -1)));
      const ends = { x1, y1: y1 + size.half, x2: x, y2: y - size.half };
      const edge = node.path.length > 0 ? svg("line", ends) : null;
      if (edge) edges.append(edge);
      nodes.append(group);
      this.#nodes.set(key, { group, edge, node });
    }
    const [w, h] = (this.#extent = [width + 2 * MARGIN, height + 2 * MARGIN]);
    const viewBox = `${-MARGIN} ${-MARGIN - size.half} ${w} ${h}`;
    this.frame.replaceChildren(svg("svg", { viewBox, role: "img", "aria-labelledby": "narration" }, edges, nodes));
    const fitting = this.frame.clientWidth / w;
    this.#resize(fitting < FIRST.smallest ? WIDE : fitting, FIRST);
  }

  /** Draws the tree larger or smaller by a factor. The current node stays visible. @param {number} factor */
  zoom(factor) {
    this.#resize(this.#scale * factor, BY_HAND);
    this.#reveal(this.#current);
  }

  fit() {
    const room = this.frame.ownerDocument.documentElement.clientHeight * 0.7;
    const [w, h] = this.#extent;
    const scale = Math.min(this.frame.clientWidth / w, room / h);
    this.#resize(scale, { ...BY_HAND, largest: FIRST.largest });
  }

  get percent() {
    return Math.round(100 * this.#scale);
  }

  /** @param {number} scale @param {typeof BY_HAND} limits */
  #resize(scale, { smallest, largest }) {
    this.#scale = Math.min(Math.max(scale, smallest), largest);
    const [w, h] = this.#extent;
    const drawing = this.frame.firstElementChild;
    drawing?.setAttribute("width", String(w * this.#scale));
    drawing?.setAttribute("height", String(h * this.#scale));
  }

  /**
   * Shows the tree after the first `count` steps.
   * @param {Trace} trace
   * @param {number} count
   */
  show(trace, count) {
    const states = statesAfter(trace, count);
    const current = count > 0 ? keyOf(trace.steps[count - 1].node.path) : "";
    const finished = count === trace.steps.length;
    const line = new Set(trace.path.map((_, ply) => keyOf(trace.path.slice(0, ply + 1))));
    for (const [key, { group, edge, node }] of this.#nodes) {
      const state = states.get(key) ?? { phase: "ahead", alpha: null, beta: null, value: null, bound: "" };
      const best = finished && (line.has(key) || key === "");
      const kind = node.value === null ? "inner" : "leaf";
      group.setAttribute("class", `node ${kind} ${state.phase}`);
      group.classList.toggle("current", key === current && !finished);
      group.classList.toggle("best", best);
      edge?.setAttribute("class", `edge ${state.phase}${best ? " best" : ""}`);
      for (const old of group.querySelectorAll(".told")) old.remove();
      group.append(...labelsOf(node, state));
    }
    this.#current = current;
    this.#reveal(current);
  }

  /**
   * Places a subtree to the right of earlier subtrees, and its root above the middle of the children.
   * @param {Node} node
   * @param {number} left
   * @param {number} ply
   * @param {typeof NUMBERS} size
   * @returns {number} the width of the subtree
   */
  #place(node, left, ply, size) {
    const own = node.children.length > 0 ? size.inner : size.leaf;
    let width = 0;
    for (const child of node.children) width += this.#place(child, left + width, ply + 1, size);
    if (width < own) {
      // If the node is wider than its subtree, the subtree is centred below the node.
      const shift = (own - width) / 2;
      for (const below of node.children.flatMap((child) => [...walk(child)])) {
        this.#placeOf(keyOf(below.path))[0] += shift;
      }
    }
    const [first, last] = [node.children[0], node.children[node.children.length - 1]];
    const x = first
      ? (this.#placeOf(keyOf(first.path))[0] + this.#placeOf(keyOf(last.path))[0]) / 2
      : left + own / 2;
    this.#places.set(keyOf(node.path), [x, ply * size.level]);
    return Math.max(width, own);
  }

  /** @param {string} key @returns {[number, number]} */
  #placeOf(key) {
    return this.#places.get(key) ?? [0, 0];
  }

  /** Scrolls the frame, but not the page, so that a node is visible. @param {string} key */
  #reveal(key) {
    const [x, y] = this.#placeOf(key).map((at) => (at + MARGIN) * this.#scale);
    const { scrollLeft, clientWidth, scrollTop, clientHeight } = this.frame;
    if (x < scrollLeft + 60 || x > scrollLeft + clientWidth - 90) {
      this.frame.scrollLeft = x - clientWidth / 2;
    }
    if (y < scrollTop + 30 || y > scrollTop + clientHeight - 40) {
      this.frame.scrollTop = y - clientHeight / 2;
    }
  }
}

/**
 * @param {Trace} trace
 * @param {number} count
 */
function statesAfter(trace, count) {
  /** @type {Map<string, State>} */
  const states = new Map();
  /** The step that enters each node: its window tells whether the node's value is a bound. @type {Map<Node, Step>} */
  const entered = new Map();
  for (const step of trace.steps.slice(0, count)) {
    if (step.kind === "enter") entered.set(step.node, step);
    const phase = step.kind === "leaf" || step.kind === "leave" ? "done" : "open";
    const { alpha, beta, value } = step;
    const bound = step.kind === "leave" ? boundOf(value, entered.get(step.node)) : "";
    states.set(keyOf(step.node.path), { phase, alpha, beta, value, bound });
    for (const node of step.pruned.flatMap((pruned) => [...walk(pruned)])) {
      states.set(keyOf(node.path), { phase: "pruned", alpha: null, beta: null, value: null, bound: "" });
    }
  }
  return states;
}

/** @param {number | null} value @param {Step | undefined} entry */
function boundOf(value, entry) {
  if (value === null || !entry || entry.alpha === null || entry.beta === null) return "";
  return value <= entry.alpha ? "≤" : value >= entry.beta ? "≥" : "";
}

/**
 * @param {Node} node
 * @param {boolean} max
 * @param {number} half
 */
function shapeOf(node, max, half) {
  const side = max ? "max" : "min";
  if (node.board !== null) return boardOf(node.board, side, half);
  if (node.children.length === 0) return svg("circle", { class: "shape leaf", r: half - 2 });
  const [tip, base] = max ? [-half - 5, half - 1] : [half + 5, -half + 1];
  return svg("path", { class: `shape ${side}`, d: `M0 ${tip}L${half + 5} ${base}H${-half - 5}Z` });
}

/** @param {string} board @param {string} side @param {number} half */
function boardOf(board, side, half) {
  const marks = [...board].map((mark, index) => {
    const at = { transform: `translate(${(index % 3) * 14 - 14} ${Math.floor(index / 3) * 14 - 14})` };
    if (mark === "O") return svg("circle", { ...at, class: "o", r: 4 });
    return mark === "X" ? svg("path", { ...at, class: "x", d: "M-3.500-3.500 3.500 3.500M3.500-3.500-3.500 3.500" }) : null;
  });
  const frame = svg("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 6 });
  const ruling = svg("path", { class: "ruling", d: "M-7-21V21M7-21V21M-21-7H21M-21 7H21" });
  return svg("g", { class: `shape position ${side}` }, frame, ruling, ...marks);
}

/** @param {Node} node @param {State} state */
function labelsOf(node, { phase, alpha, beta, value, bound }) {
  /** @type {SVGElement[]} */
  const labels = [];
  /** @param {number} x @param {number} y @param {string} kind @param {string} text */
  const put = (x, y, kind, text) => labels.push(svg("text", { x, y, class: `told ${kind}` }, text));
  const onBoard = node.board !== null;
  const leafy = node.children.length === 0;
  if (node.move) put(0, -NUMBERS.half - 11, "move", node.move);
  const beside = (onBoard ? BOARDS.half : NUMBERS.half) + 9;
  // As in textbooks, a leaf shows its number even before the search reaches it, and though fail-hard clamps it.
  const shown = leafy && !onBoard && (phase !== "done" || Math.abs(value ?? 0) !== Math.abs(node.value ?? 0)) ? node.value : value;
  const number = shown !== null && Number.isFinite(shown) ? bound + numberInShort(shown) : "";
  if (!onBoard) put(0, leafy ? 5 : 6, bound ? "value bound" : "value", number);
  else if (leafy) put(0, BOARDS.half + 16, "value", number);
  else put(beside, -10, "value beside", number);
  if (!leafy && alpha !== null && phase !== "pruned") {
    const y = onBoard ? 8 : -3;
    put(beside, y, "window", `α ${numberInShort(alpha)}`);
    put(beside, y + 16, "window", `β ${numberInShort(beta)}`);
  }
  return labels;
}
