/** Shows the list of moves, with variations in brackets. */

import { byId, html, reveal } from "./dom.js";
import { nameOf } from "./notation.js";
import { faultOf } from "./review.js";
import { labels, say } from "./words.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./review-search.js").Review} Review */

/** A touch of more ms opens the menu of a move. */
const LONG_PRESS_MS = 600;

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
   * @param {(button: HTMLElement, node: Node, deletes: boolean) => void} onMenu  opens the menu of a move, or deletes the move
   * @param {(node: Node, text: string) => void} onComment
   */
  constructor(onGo, onMenu, onComment) {
    this.record = byId("record");
    this.comment = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    /** Beside the current move. */
    this.more = html("button", { type: "button", class: "more", "aria-haspopup": "menu" }, "⋯");
    const act = (/** @type {Event} */ event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      const node = button && this.#nodes.get(button);
      if (!button || !node) return;
      event.preventDefault();
      if (event.type === "click" && button !== this.more) onGo(node);
      else onMenu(button, node, event.type === "keydown");
    };
    this.record.addEventListener("click", act);
    this.record.addEventListener("keydown", (event) => event.key === "Delete" && act(event));
    // A right click, the context-menu key, or Shift+F10.
    this.record.addEventListener("contextmenu", act);
    let timer = 0;
    this.record.addEventListener("touchstart", (event) => {
      timer = window.setTimeout(() => {
        timer = 0;
        act(event);
      }, LONG_PRESS_MS);
    }, { passive: true });
    // The browser cancels a touch that scrolls.
    this.record.addEventListener("pointercancel", () => clearTimeout(timer));
    this.record.addEventListener("touchend", (event) => {
      clearTimeout(timer);
      // The end of a long press may have closed the menu.
      if (timer === 0) act(event);
    });
    this.comment.addEventListener("change", () => this.#shown && onComment(this.#shown, this.comment.value));
    this.comment.addEventListener("keydown", ({ key }) => key === "Escape" && this.focus(this.#shown));
  }

  /** @param {History} history @param {Review | null} review */
  show(history, review) {
    const written = history.text;
    const focused = document.activeElement;
    if (history !== this.#history || written !== this.#written) this.#write(history);
    [this.#history, this.#written] = [history, written];
    for (const [node, button] of this.#buttons) this.#mark(node, button, history, Boolean(review?.isProvisional(node)));
    const button = this.#buttons.get(history.now);
    if (!button) this.more.remove();
    else if (this.more.previousSibling !== button) button.after(this.more);
    this.#nodes.set(this.more, history.now);
    this.more.setAttribute("aria-label", say.actions(history.now.ply, button?.textContent ?? ""));
    // An element that was replaced or moved has lost the focus.
    const from = focused instanceof HTMLElement ? this.#nodes.get(focused) : undefined;
    if (from && focused !== document.activeElement) this.focus(from);
    else if (from && history.now !== this.#shown) button?.focus({ preventScroll: true });
    // Scroll in the next frame, when the browser computes the layout anyway.
    if (history.now !== this.#shown && this.#buttons.size > 0) requestAnimationFrame(() => (button ? reveal(button, this.record) : this.record.scrollTo(0, 0)));
    const changes = history.now !== this.#shown;
    this.#shown = history.now;
    const comment = history.now.note?.comment ?? "";
    if (changes || document.activeElement !== this.comment) this.comment.value = comment;
    this.comment.hidden = !comment && history.now !== this.#commented;
  }

  /** Gives the focus to a move, otherwise to the nearest move before it. @param {Node | null | undefined} node */
  focus(node) {
    let at = node;
    while (at && !this.#buttons.has(at)) at = at.parent;
    const button = at && this.#buttons.get(at);
    (button ?? byId("tab-moves")).focus({ preventScroll: true });
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
    // O's move stays beside X's.
    if (dots) into.append(html("span", { class: "move" }, html("span", { class: "number" }, number + dots), button));
    else into.lastElementChild?.append(button);
  }

  /** @param {Node} node @param {HTMLElement} button @param {History} history @param {boolean} provisional */
  #mark(node, button, { now, rules }, provisional) {
    const [fault, comment] = [faultOf(node), node.note?.comment ?? ""];
    const state = `${node === now} ${fault} ${provisional} ${comment}`;
    if (button.dataset.state === state) return;
    button.dataset.state = state;
    button.ariaCurrent = node === now ? "true" : null;
    const cell = nameOf(/** @type {number} */ (node.move), rules);
    const words = say.moveLabel(node.ply, String(node.by), cell);
    const mark = fault ? `, ${provisional ? say.provisional : ""}${say.marks[fault]}` : "";
    button.setAttribute("aria-label", words + mark + (comment && say.commented));
    button.title = comment;
    button.dataset.fault = fault ?? "";
    button.classList.toggle("provisional", provisional);
  }
}
