/**
 * The textbook searches, which record their steps.
 *
 * They do not share code with the service. The explorer runs a search here and in the service, and
 * compares the results: value, principal variation, leaves and pruned subtrees must be the same.
 */

/** @typedef {import("./trees.js").Node} Node */
/** @typedef {import("./trees.js").Tree} Tree */

/**
 * @typedef {object} Step
 * @property {"enter" | "leaf" | "better" | "worse" | "cut" | "leave"} kind
 * @property {Node} node
 * @property {boolean} maximizing  whether the maximiser moves at the node
 * @property {number | null} alpha  null in minimax
 * @property {number | null} beta
 * @property {number | null} value  the best value so far, or the value of the node
 * @property {Node[]} pruned
 * @property {Counts} counts  after the step
 */

/** @typedef {{nodes: number, leaves: number, cutoffs: number, pruned: number}} Counts */

/**
 * @typedef {object} Trace
 * @property {Algorithm} algorithm
 * @property {Step[]} steps
 * @property {number} value  for the maximiser
 * @property {number[]} path  the principal variation
 * @property {number[][]} evaluated
 * @property {number[][]} pruned
 * @property {Counts} counts
 */

/** @typedef {[value: number, line: number[]]} Found */
/**
 * @typedef {(teller: Teller, node: Node, maximizing: boolean, alpha: number, beta: number) => Found} Visit
 */

/**
 * The searches of the package that do not remember positions: in a tree, no position comes twice.
 * @satisfies {Record<string, Visit>}
 */
const SEARCHES = { minimax, "alpha-beta": alphaBeta, "alpha-beta-fail-hard": failHard, negamax: negamaxAtRoot };

/** @typedef {keyof typeof SEARCHES} Algorithm */

export const ALGORITHMS = /** @type {Algorithm[]} */ (Object.keys(SEARCHES));

class Teller {
  /** @type {Step[]} */
  steps = [];
  /** @type {number[][]} */
  evaluated = [];
  /** @type {number[][]} */
  pruned = [];
  /** @type {Counts} */
  counts = { nodes: 0, leaves: 0, cutoffs: 0, pruned: 0 };

  /** @param {Step["kind"]} kind @param {Partial<Step> & {node: Node, maximizing: boolean}} rest */
  tell(kind, rest) {
    if (kind === "enter") this.counts.nodes += 1;
    if (kind === "leaf") {
      this.counts.leaves += 1;
      this.evaluated.push(rest.node.path);
    }
    if (kind === "cut") {
      this.counts.cutoffs += 1;
      for (const node of rest.pruned ?? []) this.pruned.push(node.path);
      this.counts.pruned = this.pruned.length;
    }
    const blank = { alpha: null, beta: null, value: null, pruned: [] };
    this.steps.push({ ...blank, ...rest, kind, counts: { ...this.counts } });
  }
}

/** @param {Tree} tree @param {Algorithm} algorithm @returns {Trace} */
export function search({ root, maximizing }, algorithm) {
  const teller = new Teller();
  const visit = /** @type {Visit} */ (SEARCHES[algorithm]);
  const [value, path] = visit(teller, root, maximizing, -Infinity, Infinity);
  const { steps, evaluated, pruned, counts } = teller;
  return { algorithm, steps, value: value + 0, path, evaluated, pruned, counts };
}

/**
 * @param {Teller} teller
 * @param {Node} node
 * @param {boolean} maximizing
 * @returns {Found}
 */
function minimax(teller, node, maximizing) {
  teller.tell("enter", { node, maximizing });
  if (node.value !== null) return leaf(teller, node, maximizing, node.value);
  let best = maximizing ? -Infinity : Infinity;
  /** @type {number[]} */
  let line = [];
  node.children.forEach((child, index) => {
    const [value, rest] = minimax(teller, child, !maximizing);
    const better = maximizing ? value > best : value < best;
    if (better) [best, line] = [value, [index, ...rest]];
    teller.tell(better ? "better" : "worse", { node, maximizing, value: best });
  });
  teller.tell("leave", { node, maximizing, value: best });
  return [best, line];
}

/**
 * Returns values outside the window unchanged (fail-soft).
 * @param {Teller} teller
 * @param {Node} node
 * @param {boolean} maximizing
 * @param {number} alpha
 * @param {number} beta
 * @returns {Found}
 */
function alphaBeta(teller, node, maximizing, alpha, beta) {
  teller.tell("enter", { node, maximizing, alpha, beta });
  if (node.value !== null) return leaf(teller, node, maximizing, node.value, alpha, beta);
  let best = maximizing ? -Infinity : Infinity;
  /** @type {number[]} */
  let line = [];
  for (const [index, child] of node.children.entries()) {
    const [value, rest] = alphaBeta(teller, child, !maximizing, alpha, beta);
    const better = maximizing ? value > best : value < best;
    if (better) [best, line] = [value, [index, ...rest]];
    if (maximizing) alpha = Math.max(alpha, best);
    else beta = Math.min(beta, best);
    const step = { node, maximizing, alpha, beta, value: best };
    teller.tell(better ? "better" : "worse", step);
    if (cut(teller, step, index)) break;
  }
  teller.tell("leave", { node, maximizing, alpha, beta, value: best });
  return [best, line];
}

/**
 * Returns no value below alpha or above beta (fail-hard). The best value so far is alpha for the
 * maximiser, and beta for the minimiser.
 * @param {Teller} teller
 * @param {Node} node
 * @param {boolean} maximizing
 * @param {number} alpha
 * @param {number} beta
 * @returns {Found}
 */
function failHard(teller, node, maximizing, alpha, beta) {
  teller.tell("enter", { node, maximizing, alpha, beta });
  if (node.value !== null) {
    const value = Math.min(Math.max(alpha, node.value), beta);
    return leaf(teller, node, maximizing, value, alpha, beta);
  }
  /** @type {number[]} */
  let line = [];
  for (const [index, child] of node.children.entries()) {
    const [value, rest] = failHard(teller, child, !maximizing, alpha, beta);
    const better = maximizing ? value > alpha : value < beta;
    if (better) line = [index, ...rest];
    if (better && maximizing) alpha = value;
    if (better && !maximizing) beta = value;
    const step = { node, maximizing, alpha, beta, value: maximizing ? alpha : beta };
    teller.tell(better ? "better" : "worse", step);
    if (cut(teller, step, index)) break;
  }
  const value = maximizing ? alpha : beta;
  teller.tell("leave", { node, maximizing, alpha, beta, value });
  return [value, line];
}

/** @type {Visit} */
function negamaxAtRoot(teller, node, maximizing, alpha, beta) {
  const [value, line] = negamax(teller, node, maximizing, alpha, beta);
  return [maximizing ? value : -value, line];
}

/**
 * Treats both sides alike: the value, alpha and beta are for the side to move at the node. For the other
 * side, the signs change.
 * @param {Teller} teller
 * @param {Node} node
 * @param {boolean} maximizing
 * @param {number} alpha
 * @param {number} beta
 * @returns {Found}
 */
function negamax(teller, node, maximizing, alpha, beta) {
  teller.tell("enter", { node, maximizing, alpha, beta });
  if (node.value !== null) {
    const value = (maximizing ? node.value : -node.value) + 0;
    return leaf(teller, node, maximizing, value, alpha, beta);
  }
  let best = -Infinity;
  /** @type {number[]} */
  let line = [];
  for (const [index, child] of node.children.entries()) {
    const [theirs, rest] = negamax(teller, child, !maximizing, -beta, -alpha);
    const value = -theirs + 0;
    const better = value > best;
    if (better) [best, line] = [value, [index, ...rest]];
    alpha = Math.max(alpha, best);
    const step = { node, maximizing, alpha, beta, value: best };
    teller.tell(better ? "better" : "worse", step);
    if (cut(teller, step, index)) break;
  }
  teller.tell("leave", { node, maximizing, alpha, beta, value: best });
  return [best, line];
}

/**
 * @param {Teller} teller
 * @param {Node} node
 * @param {boolean} maximizing
 * @param {number} value
 * @param {number | null} [alpha]
 * @param {number | null} [beta]
 * @returns {Found}
 */
function leaf(teller, node, maximizing, value, alpha = null, beta = null) {
  teller.tell("leaf", { node, maximizing, value, alpha, beta });
  return [value, []];
}

/**
 * Returns whether alpha has reached beta. If so, and if children are left, records a cutoff.
 * @param {Teller} teller
 * @param {{node: Node, maximizing: boolean, alpha: number, beta: number, value: number}} step
 * @param {number} index  of the child just searched
 */
function cut(teller, step, index) {
  if (step.beta > step.alpha) return false;
  const pruned = step.node.children.slice(index + 1);
  if (pruned.length > 0) teller.tell("cut", { ...step, pruned });
  return true;
}
