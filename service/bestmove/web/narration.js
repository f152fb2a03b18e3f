/** What a search does at a step, in a sentence. */

import { numberInShort } from "./tree-view.js";

/** @typedef {import("./searches.js").Trace} Trace */
/** @typedef {import("./searches.js").Step} Step */
/** @typedef {import("./trees.js").Node} Node */

/** @param {Trace} trace @param {number} count  steps taken */
export function narrate(trace, count) {
  if (count === 0) return "Nothing is searched yet.";
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
    const window = step.alpha === null ? "" : `, with α ${short(step.alpha)} and β ${short(step.beta)}`;
    return `Go down to ${nameOf(step.node)}, where the ${sideOf(step)} chooses${window}.`;
  },
  leaf: (step, trace) => {
    const own = step.node.value;
    if (step.value === own) return `The leaf is worth ${short(own)}.`;
    const why = trace.algorithm === "negamax" ? "for the side to move" : "clamped to the window";
    return `The leaf is worth ${short(own)}: ${short(step.value)}, ${why}.`;
  },
  better: (step, { algorithm }) => {
    const best = `${short(step.value)} is the best so far at ${nameOf(step.node)}`;
    if (step.alpha === null) return `${best}.`;
    const raises = step.maximizing || algorithm === "negamax";
    const bound = raises ? `α is ${short(step.alpha)}` : `β is ${short(step.beta)}`;
    return `${best}: ${bound} now.`;
  },
  worse: (step) => `No better: ${nameOf(step.node)} keeps ${short(step.value)}.`,
  cut: (step) => {
    const [first, ...rest] = step.pruned;
    const what = rest.length > 0 ? `its other ${rest.length + 1} children are` : "its last child is";
    return (
      `Cutoff at ${nameOf(step.node)}: β ${short(step.beta)} is not above α ${short(step.alpha)}, ` +
      `so ${what} pruned, from ${nameOf(first)} on.`
    );
  },
  leave: (step) => `${capital(nameOf(step.node))} is done, and returns ${short(step.value)}.`,
};

const short = numberInShort;

/** @param {Node} node */
function nameOf({ path }) {
  return path.length > 0 ? `node ${path.map((child) => child + 1).join(".")}` : "the root";
}

/** @param {Step} step */
const sideOf = ({ maximizing }) => (maximizing ? "maximiser" : "minimiser");

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
