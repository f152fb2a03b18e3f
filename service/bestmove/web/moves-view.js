/** Shows the list of moves, with variations in brackets, and the graph of a review. */

import { byId, html, reveal, svg } from "./dom.js";
import { nameOf } from "./notation.js";
import { faultOf, GRADES, lossOf } from "./review.js";
import { labels, say, valueInWords } from "./words.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./review.js").Review} Review */

/** The size of the graph in SVG units; the page stretches it. */
const [WIDTH, HEIGHT] = [300, 96];
/** The margin above and below the curve, for the dots of bad moves. */
const EDGE = 4;

export class MovesView {
  /** @type {Map<Node, HTMLElement>} */
  #buttons = new Map();
  /** @type {WeakMap<HTMLElement, Node>} */
  #nodes = new WeakMap();
  #written = "";
  /** @type {History | null} */
  #history = null;
  /** @type {Node | null} */
  #shown = null;

  /** The move whose comment the user asked to write. @type {Node | null} */
  #commented = null;

  /**
   * @param {(node: Node) => void} onGo
   * @param {(button: HTMLElement, node: Node, tasks: import("./move-menu.js").Task[]) => void} onMenu  opens the menu of a move
   * @param {(node: Node, text: string) => void} onComment
   */
  constructor(onGo, onMenu, onComment) {
    this.onGo = onGo;
    this.record = byId("record");
    this.graph = byId("graph");
    this.comment = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    this.record.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      const node = button && this.#nodes.get(button);
      if (node) onGo(node);
    });
    // A right click, a long press, the context-menu key, or Shift+F10.
    this.record.addEventListener("contextmenu", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      const node = button && this.#nodes.get(button);
      if (!button || !node) return;
      event.preventDefault();
      onMenu(button, node, ["comment", ...(this.#history?.variationOf(node) ? /** @type {const} */ (["promote", "makeMain"]) : []), "delete"]);
    });
    byId("faults").addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      const node = button && this.#nodes.get(button);
      if (node) onGo(node);
    });
    this.comment.addEventListener("change", () => this.#shown && onComment(this.#shown, this.comment.value));
  }

  /** @param {History} history @param {Review} review */
  show(history, review) {
    const written = history.text;
    if (history !== this.#history || written !== this.#written) this.#write(history);
    [this.#history, this.#written] = [history, written];
    for (const [node, button] of this.#buttons) this.#mark(node, button, history, review.isProvisional(node));
    const button = this.#buttons.get(history.now);
    // Scroll in the next frame: the browser then computes the layout anyway. A game without moves needs no scrolling.
    if (history.now !== this.#shown && this.#buttons.size > 0) requestAnimationFrame(() => (button ? reveal(button, this.record) : this.record.scrollTo(0, 0)));
    const changes = history.now !== this.#shown;
    this.#shown = history.now;
    const comment = history.now.note?.comment ?? "";
    if (changes || document.activeElement !== this.comment) this.comment.value = comment;
    this.comment.hidden = !comment && history.now !== this.#commented;
    this.#draw(history, review);
    this.#listFaults(history, review);
  }

  /** Lists the faults that the review found. @param {History} history @param {Review} review */
  #listFaults({ now, rules }, { nodes }) {
    const list = byId("faults");
    const rows = nodes.flatMap((node) => {
      const [fault, before, after, by] = [faultOf(node), node.parent?.judged, node.judged, node.by];
      if (!fault || !before || !after || !by) return [];
      const ends = say.fromTo(valueInWords(before, by, rules), valueInWords(after, by, rules, node.turn));
      return [{ node, by, move: `${Math.ceil(node.ply / 2)}. ${nameOf(Number(node.move), rules)} ${say.signs[fault]}`, ends }];
    });
    const written = JSON.stringify(rows.map(({ move, ends }) => [move, ends]));
    if (list.dataset.written !== written) {
      list.dataset.written = written;
      list.replaceChildren(...rows.map(({ by, move, ends }) => html("li", {}, html("button", { type: "button" }, html("b", { class: by.toLowerCase() }, move), html("span", {}, ends)))));
    }
    rows.forEach(({ node }, at) => {
      const button = /** @type {HTMLElement} */ (list.children[at].firstElementChild);
      this.#nodes.set(button, node);
      if (node === now) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  /** Shows the field for the comment on the position on the board. */
  askForComment() {
    this.#commented = this.#shown;
    this.comment.hidden = false;
    this.comment.focus();
  }

  /** @param {History} history */
  #write(history) {
    this.#buttons.clear();
    const list = html("span", { class: "main" });
    this.#fill(list, history.root, history, true);
    this.record.replaceChildren(list.childElementCount > 0 ? list : html("p", { class: "fine" }, labels.noMoves));
  }

  /** @param {HTMLElement} into @param {Node} from @param {History} history @param {boolean} numbered */
  #fill(into, from, history, numbered) {
    let fresh = numbered;
    for (let node = from; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      this.#add(into, main, history, fresh);
      fresh = false;
      for (const other of others) {
        const branch = html("span", { class: "branch" }, "(");
        this.#add(branch, other, history, true);
        this.#fill(branch, other, history, false);
        branch.append(")");
        into.append(branch);
        fresh = true;
      }
    }
  }

  /** @param {HTMLElement} into @param {Node} node @param {History} history @param {boolean} fresh */
  #add(into, node, { rules }, fresh) {
    const number = Math.ceil(node.ply / 2);
    const dots = node.ply % 2 === 1 ? "." : fresh ? "…" : null;
    const cell = nameOf(/** @type {number} */ (node.move), rules);
    const side = String(node.by).toLowerCase();
    const button = html("button", { type: "button", class: `ply ${side}` }, cell);
    this.#buttons.set(node, button);
    this.#nodes.set(button, node);
    into.append(html("span", { class: "move" }, dots && html("span", { class: "number" }, number + dots), button));
  }

  /** @param {Node} node @param {HTMLElement} button @param {History} history @param {boolean} provisional */
  #mark(node, button, { now, rules }, provisional) {
    const fault = faultOf(node);
    const state = `${node === now} ${fault} ${provisional}`;
    if (button.dataset.state === state) return;
    button.dataset.state = state;
    if (node === now) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    const cell = nameOf(/** @type {number} */ (node.move), rules);
    const words = say.moveLabel(node.ply, String(node.by), cell);
    button.setAttribute("aria-label", fault ? `${words}, ${provisional ? say.provisional : ""}${say.marks[fault]}` : words);
    button.dataset.fault = fault ?? "";
    button.classList.toggle("provisional", provisional);
  }

  /** @param {History} history @param {Review} review */
  #draw({ now }, review) {
    const { nodes } = review;
    for (const id of ["graph", "fault-back", "fault-on"]) byId(id).hidden = nodes.length === 0;
    const faults = nodes.map(faultOf);
    byId("review-summary").textContent = summaryOf(review);
    if (nodes.length === 0) return;
    const x = (/** @type {number} */ at) => ((at + 0.5) * WIDTH) / nodes.length;
    const y = (/** @type {number} */ score) => HEIGHT / 2 - score * (HEIGHT / 2 - EDGE);
    const known = nodes.map((node, at) => ({ at, score: node.judged?.score, fault: faults[at] }));
    const points = known.filter(({ score }) => score !== undefined);
    const path = points.map(({ at, score = 0 }) => `${x(at)},${y(score)}`).join(" ");
    const chart = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": say.graph },
      svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      svg("polyline", { class: "worth", points: path }),
    );
    const here = nodes.indexOf(now);
    if (here >= 0) chart.append(svg("path", { class: "here", d: `M${x(here)} 0V${HEIGHT}` }));
    for (const { at, score = 0, fault } of points) {
      if (!fault) continue;
      const d = `M${x(at)} ${y(score)}h0`;
      chart.append(svg("path", { class: `fault ${fault}`, d }));
    }
    nodes.forEach((node, at) => {
      const width = WIDTH / nodes.length;
      const bar = svg("rect", { x: at * width, y: 0, width, height: HEIGHT, class: "at", "data-at": at });
      bar.addEventListener("click", () => this.onGo(node));
      chart.append(bar);
    });
    this.graph.replaceChildren(chart);
  }
}

/** @param {Review} review */
function summaryOf({ nodes, done, running, checking, error }) {
  if (nodes.length === 0) return "";
  if (error) return say.notReviewed(done, nodes.length);
  if (checking) return say.checking(checking.at, checking.all);
  if (running || done < nodes.length) return say.reviewing(done, nodes.length);
  return /** @type {const} */ (["X", "O"])
    .map((side) => {
      const own = nodes.filter(({ by }) => by === side);
      const count = (/** @type {string} */ grade) => own.filter((node) => faultOf(node) === grade).length;
      const lost = own.reduce((sum, node) => sum + (lossOf(node) ?? 0), 0) / (own.length || 1);
      return say.reviewed(side, GRADES.map(([grade]) => [grade, count(grade)]), lost);
    })
    .join("\n");
}
