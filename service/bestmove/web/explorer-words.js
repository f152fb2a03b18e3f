/** All texts of the explorer, and the sentences that describe the steps of a search. */

import { capital, labels as shared } from "./words.js";

/** @typedef {import("./searches.js").Trace} Trace */
/** @typedef {import("./searches.js").Step} Step */
/** @typedef {import("./trees.js").Node} Node */

/** The texts of buttons, fields and headings, keyed by the values of `data-word` and `data-label`. */
export const labels = {
  ...shared,
  skipToSteps: "Skip to the steps",
  explorerTitle: "What alpha-beta never visits",
  lead:
    "Alpha is the best value that the maximiser is already sure of, beta that of the minimiser. When " +
    "they meet, the rest of a node cannot matter and is pruned.",
  example: "Example",
  tree: "Nested numbers, or a 3 × 3 position",
  root: "The root",
  maximises: "▲ maximises",
  minimises: "▼ minimises",
  draw: "Draw",
  stageTitle: "The tree",
  lens: "What is drawn",
  depth: "Depth",
  smaller: "Smaller",
  fit: "Fit",
  larger: "Larger",
  frame: "The tree, which scrolls if it is too large",
  steps: "Steps",
  step: "Step",
  previous: "Back",
  next: "Next",
  compareTitle: "Side by side",
  compareFrame: "The counts, which scroll sideways if they are too wide",
  shown: "Shown above",
  value: "Value",
  nodes: "Nodes visited",
  leaves: "Leaves evaluated",
  cutoffs: "Cutoffs",
  pruned: "Subtrees pruned",
  service: "The service",
  recheck: "Ask the service again",
  legendTitle: "How to read it",
  legendMax: "the maximiser chooses (X in tic-tac-toe),",
  legendMin: "the minimiser (O).",
  legendNumber:
    "The number in a node is the best value found so far, and at the end the node's value. ≤ or ≥ " +
    "before it marks a bound. α and β are beside it.",
  legendPruned: "Grey, dashed nodes are pruned: the search never visits them.",
  legendDepth:
    "Where the depth limit cuts off a subtree, a node of a number tree gets the mean of its " +
    "leaves, and a 3 × 3 position gets 0.",
  legendLine: "The bold line is the principal variation, the best play of both sides.",
  legendSearches:
    "Fail-soft returns what it found, even outside the window from α to β; fail-hard clamps it to " +
    "the window. Negamax shows values and window for the side to move, so signs change from level " +
    "to level.",
  computed:
    "The steps are computed in this page; value, line, leaves and pruned subtrees are compared with " +
    "POST /game-tree.",
  readApi: "Read and try the API",
};

/** @type {Record<import("./searches.js").Algorithm, string>} */
export const algorithms = {
  minimax: "Minimax",
  "alpha-beta": "Alpha-beta, fail-soft",
  "alpha-beta-fail-hard": "Alpha-beta, fail-hard",
  negamax: "Negamax",
};

export const examples = [
  { name: "Two of three pruned", text: "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]" },
  { name: "Six leaves, two moves", text: "[[5, 2, 9], [8, 4, 7]]" },
  { name: "A deep cutoff", text: "[[6, [7, 8]], [[[3, [1, 9]], 5], 4], [2, 11]]" },
  { name: "Three plies, best first", text: "[[[8, 5], [9, 6]], [[4, 3], [7, 2]], [[2, 1], [8, 9]]]" },
  { name: "The same, best last", text: "[[[1, 2], [9, 8]], [[3, 4], [2, 7]], [[5, 8], [6, 9]]]" },
  { name: "Tic-tac-toe, 3 cells left", text: "XOX/OO./.X." },
  { name: "Tic-tac-toe, 4 cells left", text: "XX./OOX/..." },
  { name: "Tic-tac-toe from its first move", text: "X../.../..." },
];

export const say = {
  notSmall: "Give a position of 3 × 3 tic-tac-toe.",
  over: "The game is over in this position.",
  stepOf: (/** @type {number} */ step, /** @type {number} */ all, /** @type {string} */ words) =>
    `${step} of ${all}: ${words}`,
  counts: (
    /** @type {number} */ step,
    /** @type {number} */ all,
    /** @type {import("./searches.js").Counts} */ { nodes, leaves, cutoffs, pruned },
  ) =>
    `Step ${step} of ${all}. Nodes ${nodes}, leaves ${leaves}, cutoffs ${cutoffs}, ` +
    `pruned ${pruned}.`,
  asked: "checking",
  asking: "Asking the service.",
  allAgree: "The service agrees on everything: value, line, leaves in order, subtrees pruned, counts.",
  notAllAgree: "The service does not agree on everything.",
  unchecked: (/** @type {string} */ why) => `Not checked: ${why}.`,
  agrees: "✓ agrees",
  differs: (/** @type {string[]} */ what) => `✗ different ${what.join(", ")}`,
  oldShown: "(The tree below is the one before.)",
  exampleShown: "(The tree below is an example.)",
  ownTree: "Your own",
  noTree: "Write the tree as nested numbers, such as [[5, 2, 9], [8, 4, 7]].",
  tooMany: (/** @type {number} */ most) => `A tree to draw has at most ${most} nodes.`,
  noNode: (/** @type {number[]} */ path) => `${placeOf(path)} is neither a number nor an array.`,
  emptyNode: (/** @type {number[]} */ path) => `${placeOf(path)} is empty: a leaf is a number.`,
  nothingYet: "Nothing is searched yet.",
};

/** @param {number[]} path */
const placeOf = (path) =>
  path.length > 0 ? `The node at ${path.map((child) => child + 1).join(".")}` : "The root";

/** @param {number | null} value */
export function numberInShort(value) {
  if (value === null) return "";
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  return String(Math.round(value * 1000) / 1000).replace("-", "−");
}

/** @param {Trace} trace @param {number} count  how many steps are shown */
export function narrate(trace, count) {
  if (count === 0) return say.nothingYet;
  const step = trace.steps[count - 1];
  if (count === trace.steps.length && step.kind !== "leaf") {
    const end = trace.path.map((child) => child + 1).join(".");
    return `Done: the root is worth ${numberInShort(trace.value)}; best play leads to node ${end}.`;
  }
  return SENTENCES[step.kind](step, trace);
}

/** @type {Record<Step["kind"], (step: Step, trace: Trace) => string>} */
const SENTENCES = {
  enter: (step) => {
    if (step.node.value !== null) return `Go down to ${nameOf(step.node)}, a leaf.`;
    const window = step.alpha === null ? "" : `, with α ${numberInShort(step.alpha)} and β ${numberInShort(step.beta)}`;
    return `Go down to ${nameOf(step.node)}, where the ${sideOf(step)} chooses${window}.`;
  },
  leaf: (step, trace) => {
    const own = step.node.value;
    if (step.value === own) return `The leaf is worth ${numberInShort(own)}.`;
    const why = trace.algorithm === "negamax" ? "for the side to move" : "clamped to the window";
    return `The leaf is worth ${numberInShort(own)}: ${numberInShort(step.value)}, ${why}.`;
  },
  better: (step, { algorithm }) => {
    const best = `${numberInShort(step.value)} is the best so far at ${nameOf(step.node)}`;
    if (step.alpha === null) return `${best}.`;
    const raises = step.maximizing || algorithm === "negamax";
    const bound = raises ? `α is ${numberInShort(step.alpha)}` : `β is ${numberInShort(step.beta)}`;
    return `${best}: ${bound} now.`;
  },
  worse: (step) => `No better: ${nameOf(step.node)} keeps ${numberInShort(step.value)}.`,
  cut: (step) => {
    const [first, ...rest] = step.pruned;
    const what = rest.length > 0 ? `its other ${rest.length + 1} children are` : "its last child is";
    return (
      `Cutoff at ${nameOf(step.node)}: β ${numberInShort(step.beta)} is not above α ${numberInShort(step.alpha)}, ` +
      `so ${what} pruned, from ${nameOf(first)} on.`
    );
  },
  leave: (step) => `${capital(nameOf(step.node))} is done, and returns ${numberInShort(step.value)}.`,
};

/** @param {Node} node */
function nameOf({ path }) {
  return path.length > 0 ? `node ${path.map((child) => child + 1).join(".")}` : "the root";
}

/** @param {Step} step */
const sideOf = ({ maximizing }) => (maximizing ? "maximiser" : "minimiser");
