/** Shows the list of moves, with variations in brackets. */

import { byId, html, reveal } from "./dom.js";
import { nameOf } from "./notation.js";
import { faultOf } from "./review.js";
import { labels, say } from "./words.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./review-search.js").Review} Review */

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
    this.record = byId("record");
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
    this.comment.addEventListener("change", () => this.#shown && onComment(this.#shown, this.comment.value));
  }

  /** @param {History} history @param {Review | null} review */
  show(history, review) {
    const written = history.text;
    if (history !== this.#history || written !== this.#written) this.#write(history);
    [this.#history, this.#written] = [history, written];
    for (const [node, button] of this.#buttons) this.#mark(node, button, history, Boolean(review?.isProvisional(node)));
    const button = this.#buttons.get(history.now);
    // Scroll in the next frame: the browser then computes the layout anyway. A game without moves needs no scrolling.
    if (history.now !== this.#shown && this.#buttons.size > 0) requestAnimationFrame(() => (button ? reveal(button, this.record) : this.record.scrollTo(0, 0)));
    const changes = history.now !== this.#shown;
    this.#shown = history.now;
    const comment = history.now.note?.comment ?? "";
    if (changes || document.activeElement !== this.comment) this.comment.value = comment;
    this.comment.hidden = !comment && history.now !== this.#commented;
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
}
