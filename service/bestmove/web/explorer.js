/** The pruning explorer shows a tree, its searches step by step, and a comparison with the service. */

import { BestMoveError, Client, RequestRefused } from "./client.js";
import { announce, byId, choose, html, label } from "./dom.js";
import { algorithms, examples, labels, narrate, numberInShort, say } from "./explorer-words.js";
import { ALGORITHMS, search } from "./searches.js";
import { InvalidTree, cutTree, growTree, heightOf, parseTree, plainOf } from "./trees.js";
import { TreeView } from "./tree-view.js";

/** @typedef {import("./trees.js").Tree} Tree */
/** @typedef {import("./searches.js").Trace} Trace */

const PAUSE_MS = 900;
const SHORT_PAUSE_MS = 140;
/** Traces with more steps than this are played faster. */
const LONG_TRACE = 90;
const ZOOM = 1.3;

label(labels);

const client = new Client();
const view = new TreeView(byId("frame"));
const input = /** @type {HTMLInputElement} */ (byId("tree"));
const example = /** @type {HTMLSelectElement} */ (byId("example"));
const depth = /** @type {HTMLSelectElement} */ (byId("depth"));
const slider = /** @type {HTMLInputElement} */ (byId("position"));

/** The text of the tree; empty until a tree has been read. */
let source = "";
/** The names of the tree's moves, parents first; empty if the address has none. @type {string[]} */
let moves = [];
/** The whole tree. `tree` is the part down to the chosen depth. @type {Tree} */
let whole;
/** @type {Tree} */
let tree;
/** @type {Trace[]} */
let traces = [];
/** @type {import("./searches.js").Algorithm} */
let shown = "alpha-beta";
let step = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let checks = new AbortController();
let reads = new AbortController();

const trace = () => /** @type {Trace} */ (traces.find(({ algorithm }) => algorithm === shown));

/** @param {string} text @param {AbortSignal} signal @returns {Promise<Tree>} */
async function read(text, signal) {
  const root = new FormData(/** @type {HTMLFormElement} */ (byId("source"))).get("root");
  // A text of numbers and brackets is a tree; any other text is a board, which the service reads.
  if (/^[\s[\]\d.,+\-eE]*\d[\s[\]\d.,+\-eE]*$/.test(text)) return parseTree(text, root === "max", moves);
  const answer = await client.bestMove(text, { signal }).catch((error) => {
    if (!(error instanceof RequestRefused)) throw error;
    // If the board has more O than X, O moved first.
    return client.bestMove(text, { first: "O", signal }).catch(() => Promise.reject(error));
  });
  const { rows, columns, k } = answer.rules;
  if (rows !== 3 || columns !== 3 || k !== 3) throw new InvalidTree(say.notSmall);
  if (answer.turn === null) throw new InvalidTree(say.over);
  return growTree(answer.board, answer.turn);
}

/**
 * Reads a text and shows its tree. Shows nothing if a newer text is read meanwhile.
 * @param {string} text @param {{depth?: number, step?: number}} [shared]
 */
async function draw(text, shared) {
  reads.abort();
  reads = new AbortController();
  const { signal } = reads;
  const error = byId("tree-error");
  let drawn;
  try {
    drawn = await read(text, signal);
    if (signal.aborted) return;
  } catch (problem) {
    if (signal.aborted) return;
    if (!(problem instanceof InvalidTree || problem instanceof BestMoveError)) throw problem;
    error.textContent = `${problem.message} ${traces.length === 0 ? say.exampleShown : say.oldShown}`;
    input.setAttribute("aria-invalid", "true");
    // If the address has no valid tree, show an example instead of an empty page.
    if (traces.length === 0) present(parseTree(examples[0].text, true));
    return;
  }
  error.textContent = "";
  input.removeAttribute("aria-invalid");
  source = text;
  choose("root", drawn.maximizing ? "max" : "min");
  present(drawn, shared);
}

/** @param {Tree} drawn @param {{depth?: number, step?: number}} [shared]  from the page's address */
function present(drawn, { depth: plies, step: at = 0 } = {}) {
  whole = drawn;
  const height = heightOf(whole);
  depth.replaceChildren(...Array.from({ length: height }, (_, ply) => new Option(String(ply + 1))));
  depth.value = String(plies && plies < height ? plies : height);
  look(at);
}

/** @param {number} at  the step */
function look(at) {
  halt();
  const height = heightOf(whole);
  tree = Number(depth.value) < height ? cutTree(whole, Number(depth.value)) : whole;
  traces = ALGORITHMS.map((algorithm) => search(tree, algorithm));
  view.build(tree);
  showSize();
  compare();
  go(at);
  keepAddress();
  check();
}

function keepAddress() {
  if (source === "" || !tree) return;
  /** @type {Record<string, string>} */
  const fields = { tree: source, root: tree.maximizing ? "max" : "min", show: shown };
  if (moves.length > 0) fields.moves = moves.join(" ");
  if (tree !== whole) fields.depth = depth.value;
  if (step > 0) fields.step = String(step);
  history.replaceState(null, "", `#${new URLSearchParams(fields)}`);
}

/** @param {number} to */
function go(to) {
  const now = trace();
  step = Math.min(Math.max(to, 0), now.steps.length);
  view.show(now, step);
  slider.max = String(now.steps.length);
  slider.value = String(step);
  const words = narrate(now, step);
  byId("narration").textContent = words;
  slider.setAttribute("aria-valuetext", say.stepOf(step, now.steps.length, words));
  const counts = step > 0 ? now.steps[step - 1].counts : { nodes: 0, leaves: 0, cutoffs: 0, pruned: 0 };
  byId("counts").textContent = say.counts(step, now.steps.length, counts);
  const [atStart, atEnd] = [step === 0, step === now.steps.length];
  for (const [id, off] of Object.entries({ first: atStart, previous: atStart, next: atEnd, last: atEnd })) {
    byId(id).setAttribute("aria-disabled", String(off)); // `disabled` would remove the focus
  }
}

/** @param {number} to */
function goByHand(to) {
  halt();
  go(to);
  keepAddress();
}

function play() {
  if (step === trace().steps.length) go(0);
  byId("play").textContent = labels.pause;
  const pause = trace().steps.length > LONG_TRACE ? SHORT_PAUSE_MS : PAUSE_MS;
  const tick = () => {
    go(step + 1);
    if (step < trace().steps.length) timer = setTimeout(tick, pause);
    else stop();
  };
  timer = setTimeout(tick, 0);
}

function halt() {
  clearTimeout(timer);
  timer = undefined;
  byId("play").textContent = labels.play;
}

function stop() {
  halt();
  keepAddress();
}

function showSize() {
  byId("size").textContent = `${view.percent} %`;
}

function compare() {
  const rows = ALGORITHMS.map((algorithm, index) => {
    const { value, counts } = traces[index];
    const radio = html("input", { type: "radio", name: "show", value: algorithm });
    radio.checked = algorithm === shown;
    const numbers = [counts.nodes, counts.leaves, counts.cutoffs, counts.pruned];
    return html(
      "tr",
      { "data-algorithm": algorithm },
      html("th", { scope: "row" }, html("label", {}, radio, algorithms[algorithm])),
      html("td", {}, numberInShort(value)),
      ...numbers.map((count) => html("td", {}, String(count))),
      html("td", { class: "verdict" }, say.asked),
    );
  });
  byId("compare").replaceChildren(...rows);
}

async function check() {
  checks.abort();
  checks = new AbortController();
  const { signal } = checks;
  byId("recheck").hidden = true;
  byId("agreement").textContent = say.asking;
  try {
    const verdicts = await Promise.all(traces.map((own) => verdictOn(own, signal)));
    const all = verdicts.every((differences) => differences.length === 0);
    byId("agreement").textContent = all ? say.allAgree : say.notAllAgree;
  } catch (error) {
    if (signal.aborted) return;
    byId("agreement").textContent = say.unchecked(/** @type {Error} */ (error).message);
    byId("recheck").hidden = false;
  }
}

/**
 * @param {Trace} own
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>} what differs between the two searches
 */
async function verdictOn(own, signal) {
  const { algorithm } = own;
  const theirs = await client.gameTree(plainOf(tree.root), { algorithm, maximizing: tree.maximizing, signal });
  /** @type {Array<[string, unknown, unknown]>} */
  const pairs = [
    ["value", own.value, theirs.value],
    ["line", own.path, theirs.path],
    ["leaves", own.evaluated, theirs.evaluated],
    ["pruned", own.pruned, theirs.pruned],
    ["nodes", own.counts.nodes, theirs.search.nodes],
    ["cutoffs", own.counts.cutoffs, theirs.search.cutoffs],
  ];
  const differences = pairs
    .filter(([, mine, its]) => JSON.stringify(mine) !== JSON.stringify(its))
    .map(([name]) => name);
  const cell = byId("compare").querySelector(`[data-algorithm="${algorithm}"] .verdict`);
  if (cell && !signal.aborted) {
    const same = differences.length === 0;
    cell.textContent = same ? say.agrees : say.differs(differences);
    cell.classList.toggle("same", same);
  }
  return differences;
}

function open() {
  const fields = new URLSearchParams(location.hash.replace(/^#/, ""));
  const known = ALGORITHMS.find((algorithm) => algorithm === fields.get("show"));
  if (known) shown = known;
  choose("root", fields.get("root") === "min" ? "min" : "max");
  input.value = fields.get("tree") ?? examples[0].text;
  moves = fields.get("moves")?.split(" ") ?? [];
  matchExample();
  const number = (/** @type {string} */ name) => Number(fields.get(name)) || undefined;
  return draw(input.value, { depth: number("depth"), step: number("step") });
}

function matchExample() {
  const bare = (/** @type {string} */ text) => text.replace(/\s/g, "");
  example.value = examples.find(({ text }) => bare(text) === bare(input.value))?.text ?? "";
}

example.append(html("option", { value: "" }, say.ownTree));
for (const { name, text } of examples) example.append(html("option", { value: text }, name));
example.addEventListener("change", () => {
  if (example.value === "") return;
  input.value = example.value;
  moves = [];
  draw(input.value);
});
input.addEventListener("input", matchExample);
byId("source").addEventListener("submit", (event) => {
  event.preventDefault();
  if (input.value !== source) moves = [];
  draw(input.value);
});
byId("compare").addEventListener("change", (event) => {
  shown = /** @type {any} */ (event.target).value;
  goByHand(0);
});
const places = { first: () => 0, previous: () => step - 1, next: () => step + 1, last: () => Infinity };
for (const [id, to] of Object.entries(places)) {
  byId(id).addEventListener("click", () => {
    goByHand(to());
    announce(byId("narration").textContent ?? "");
  });
}
depth.addEventListener("change", () => look(0));
const lens = { smaller: () => view.zoom(1 / ZOOM), larger: () => view.zoom(ZOOM), fit: () => view.fit() };
for (const [id, change] of Object.entries(lens)) {
  byId(id).addEventListener("click", () => {
    change();
    showSize();
    announce(byId("size").textContent ?? "");
  });
}
byId("play").addEventListener("click", () => (timer === undefined ? play() : stop()));
slider.addEventListener("input", () => goByHand(Number(slider.value)));
// The address's fragment contains the tree. The link's default action would replace the fragment by `#stepper`.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("next").focus();
});
byId("recheck").addEventListener("click", check);
window.addEventListener("hashchange", open);
open();
