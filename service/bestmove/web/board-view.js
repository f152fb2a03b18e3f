/**
 * Shows the board as a grid for mouse, finger, keyboard and screen readers.
 *
 * One cell has the focus (roving tabindex), and the arrow keys move the focus. A board looks like
 * - ruled paper with bold marks, if it is small
 * - a goban with stones on the crossings, if it is large
 * - a frame with discs, if the game has gravity
 */

import { announce, html, svg } from "./dom.js";
import { colour, drawAim, drawGround, drawLine, drawMark, drawPlan, drawThreats } from "./drawing.js";
import { LETTERS, nameOf } from "./notation.js";
import { landing, played } from "./rules.js";
import { boardInWords, say, valueInShort, valueInWords } from "./words.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */
/** @typedef {import("./client.js").Threat} Threat */
/** @typedef {import("./rules.js").Rules} Rules */

/**
 * @typedef {object} Picture  everything that the board shows
 * @property {Rules} rules
 * @property {string} cells
 * @property {Mark | null} hand  the mark that a click places; null if no mark may be placed
 * @property {Mark | null} turn
 * @property {number | null} last  the last move
 * @property {number[]} line  the winning line
 * @property {number | null} hint
 * @property {MoveEvaluation[]} evaluations  best first; empty when no analysis is shown
 * @property {number} ranked  how many moves are listed beside the board; a large board shows only the values of these moves
 * @property {Record<Mark, Threat[]> | null} threats
 * @property {boolean} [free]  whether the user may also choose a cell that has a mark; another tap undoes a tap, so no tap aims
 * @property {Map<number, string>} [notes]  for screen readers: additional words about a cell
 * @property {SVGElement} [drawn]  an additional drawing over the cells
 */

/** Boards with sides of up to this many cells are drawn as ruled paper. */
const PAPER_SIDE = 8;
/** On smaller cells, in CSS pixels, a finger's first tap aims and the second tap plays. */
const SURE_TOUCH = 32;
/** On narrower cells, in CSS pixels, only the listed moves show their values. */
const ROOMY = 26;
/** The smallest text on the board, in CSS pixels: what does not fit is shortened or left out. */
const LEAST_TEXT = 11;
/** How much of a cell's width a value may take. */
const VALUE_ROOM = 0.78;
/** If a board has more cells than this, only the listed moves show their values. */
const FEW_CELLS = 64;
/** The height, in cells, of the strip of column values above a board with gravity. */
const STRIP = 0.44;
/** How many plies of a variation are drawn before the user steps through it. */
const SHOWN_PLIES = 8;

/** @type {Record<string, (index: number, rows: number, columns: number) => number>} */
const STEPS = {
  ArrowLeft: (index, _rows, columns) => (index % columns > 0 ? index - 1 : index),
  ArrowRight: (index, _rows, columns) => (index % columns < columns - 1 ? index + 1 : index),
  ArrowUp: (index, _rows, columns) => (index >= columns ? index - columns : index),
  ArrowDown: (index, rows, columns) => (index < (rows - 1) * columns ? index + columns : index),
  Home: (index, _rows, columns) => index - (index % columns),
  End: (index, _rows, columns) => index - (index % columns) + columns - 1,
  PageUp: (index, _rows, columns) => index % columns,
  PageDown: (index, rows, columns) => (rows - 1) * columns + (index % columns),
  "Control+Home": () => 0,
  "Control+End": (_index, rows, columns) => rows * columns - 1,
};

export class BoardView {
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {Picture | null} */
  #picture = null;
  #shape = "";
  /** The width of a cell in CSS pixels, from a `ResizeObserver`: reading the width would force a layout. */
  #size = 0;
  #resized;
  #focus = 0;
  /** @type {number | null} */
  #aim = null;
  /** @type {number | null} */
  #pointed = null;
  /** @type {number[] | null} */
  #plan = null;
  #over = svg("svg", { class: "over", "aria-hidden": "true" });
  /** One element above each column, in games with gravity. @type {HTMLElement[]} */
  #strip = [];

  /**
   * @param {HTMLElement} root
   * @param {(index: number) => void} onPlay
   * @param {(index: number | null) => void} [onAim]  called with the cell that a second tap would play
   */
  constructor(root, onPlay, onAim = () => {}) {
    this.root = root;
    this.onPlay = onPlay;
    this.onAim = onAim;
    // A click focuses the board, not a cell, so that the arrow keys step through the game.
    root.tabIndex = -1;
    root.addEventListener("mousedown", (event) => {
      event.preventDefault();
      root.focus({ preventScroll: true });
    });
    root.addEventListener("click", (event) => this.#clicked(event));
    root.addEventListener("keydown", (event) => this.#pressed(event));
    root.addEventListener("focusin", ({ target }) => {
      const index = this.#indexOf(target);
      if (index !== null) this.#move(index, false);
      // A cell that gets the focus by keyboard is drawn like a cell under the mouse.
      if (target instanceof Element && target.matches(":focus-visible")) this.#point(index);
    });
    root.addEventListener("focusout", () => this.#point(null));
    // `pointerover` would also occur if a dialog closes under a resting mouse.
    root.addEventListener("pointermove", (event) => this.#point(this.#indexOf(event.target)));
    root.addEventListener("pointerleave", () => this.#point(null));
    this.#resized = new ResizeObserver(([{ contentRect }]) => {
      this.#size = contentRect.width;
      if (this.#picture) this.show(this.#picture);
    });
  }

  /** @param {Picture} picture */
  show(picture) {
    const { rules } = picture;
    const shape = JSON.stringify(rules);
    if (shape !== this.#shape) this.#build(rules);
    this.#shape = shape;
    if (picture.cells !== this.#picture?.cells) {
      this.#plan = null;
      this.#pointed = null;
      this.#take(null);
    }
    this.#picture = picture;
    this.root.dataset.hand = picture.hand ?? "";
    const ranks = new Map(picture.evaluations.map(({ index }, rank) => [index, rank]));
    this.#cells.forEach((cell, index) => this.#fill(cell, index, ranks.get(index)));
    this.#strip.forEach((place) => place.replaceChildren());
    picture.evaluations.forEach((found, rank) => {
      const place = this.#strip[found.index % rules.columns];
      place?.replaceChildren(this.#valueOf(found, rank, picture.turn ?? "X", rules));
    });
    this.#draw();
  }

  focus() {
    this.#cells[this.#focus].focus();
  }

  /**
   * Shows the moves of a variation as faint, numbered marks.
   * @param {number[] | null} cells  null for no variation
   * @param {boolean} alone  whether the user steps through the variation. The board then shows the whole variation,
   *     and no values of other cells
   */
  plan(cells, alone = false) {
    this.#plan = alone || !cells ? cells : cells.slice(0, SHOWN_PLIES);
    this.root.classList.toggle("alone", alone);
    if (this.#picture) this.#draw();
  }

  confirm() {
    if (this.#aim !== null) this.#choose(this.#aim);
  }

  /** @param {Rules} rules */
  #build(rules) {
    const { rows, columns, gravity } = rules;
    const kind = gravity ? "discs" : Math.max(rows, columns) <= PAPER_SIDE ? "paper" : "goban";
    this.root.className = `board ${kind}`;
    const high = rows + (gravity ? STRIP : 0);
    for (const [name, value] of Object.entries({ rows, columns, high })) {
      document.body.style.setProperty(`--${name}`, String(value));
    }
    this.#cells = Array.from({ length: rows * columns }, (_, index) =>
      html("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-index": index }),
    );
    this.#resized.disconnect();
    this.#resized.observe(this.#cells[0]);
    this.#focus = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    this.#cells[this.#focus].tabIndex = 0;
    const grid = html("div", { class: "grid", role: "grid", "aria-label": boardInWords(rules) });
    for (let row = 0; row < rows; row += 1) {
      const cells = this.#cells.slice(row * columns, (row + 1) * columns);
      const line = html("div", { class: "row", role: "row" }, ...cells);
      line.style.setProperty("--row", String(row));
      grid.append(line);
    }
    this.#over.setAttribute("viewBox", `0 0 ${columns * 100} ${rows * 100}`);
    const numbers = Array.from({ length: rows }, (_, at) => String(rows - at));
    const letters = [...LETTERS.slice(0, columns)];
    this.#strip = gravity ? letters.map((_, at) => html("span", { "data-index": at })) : [];
    this.root.replaceChildren(
      html("div", { class: "strip", "aria-hidden": "true" }, ...this.#strip),
      edge("rows", numbers),
      html("div", { class: "field" }, drawGround(rows, columns, kind), grid, this.#over),
      edge("columns", letters),
    );
  }

  /** @param {HTMLElement} cell @param {number} index @param {number | undefined} rank */
  #fill(cell, index, rank) {
    const picture = /** @type {Picture} */ (this.#picture);
    const { rules, cells } = picture;
    const mark = cells[index];
    const flags = {
      last: picture.last === index,
      won: picture.line.includes(index),
      hint: picture.hint === index,
    };
    const evaluation = rank === undefined ? undefined : picture.evaluations[rank];
    const mover = picture.turn ?? "X";
    const seen = evaluation && !rules.gravity && this.#shows(/** @type {number} */ (rank));
    const value = seen && [rank, valueInShort(evaluation, mover, rules), mover, this.#size];
    const state = [mark, ...Object.values(flags), value].join();
    if (cell.dataset.state !== state) {
      const news = cell.dataset.mark !== mark;
      cell.dataset.state = state;
      cell.dataset.mark = mark;
      for (const [name, on] of Object.entries(flags)) cell.classList.toggle(name, on);
      // Do not redraw an unchanged mark, because its animation would run again.
      if (news) cell.replaceChildren(...(mark === "." ? [] : [drawMark(mark)]));
      cell.querySelector(".value")?.remove();
      if (seen) cell.append(this.#valueOf(evaluation, /** @type {number} */ (rank), mover, rules));
    }
    const words = [nameOf(index, rules), mark === "." ? say.cell.empty : mark];
    const lands = mark === "." && rules.gravity ? landing(cells, index, rules) : index;
    if (lands !== null && lands !== index) words.push(say.falls(nameOf(lands, rules)));
    for (const [name, on] of Object.entries(flags)) if (on) words.push(say.cell[name]);
    if (evaluation) words.push(valueInWords(evaluation, mover, rules));
    const note = picture.notes?.get(index);
    if (note) words.push(note);
    const label = words.join(", ");
    if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
  }

  /** @param {number} rank */
  #shows(rank) {
    const roomy = this.#size >= ROOMY && this.#cells.length <= FEW_CELLS;
    return roomy || rank < /** @type {Picture} */ (this.#picture).ranked;
  }

  /** @param {MoveEvaluation} evaluation @param {number} rank @param {Mark} mover @param {Rules} rules */
  #valueOf(evaluation, rank, mover, rules) {
    const text = valueInShort(evaluation, mover, rules);
    // The widths in em, in a wide font with the board's letter spacing: W 1.07, ≤ 0.8, a digit 0.65.
    const wide = 0.65 * text.length + 0.15 * Number(text.includes("≤")) + 0.42 * Number(text[0] === "W");
    const fits = wide * LEAST_TEXT <= VALUE_ROOM * this.#size;
    const shown = fits ? text : evaluation.exact ? text[0] : "";
    const value = html("span", { class: "value", "aria-hidden": "true" }, shown);
    value.style.setProperty("--wide", String(fits ? wide : 1.1));
    value.classList.toggle("best", rank === 0);
    colour(value, evaluation, mover);
    return value;
  }

  #draw() {
    const picture = /** @type {Picture} */ (this.#picture);
    const { rules, hand, turn, evaluations } = picture;
    const { columns, rows } = rules;
    this.#over.replaceChildren(...(picture.drawn ? [picture.drawn] : []));
    if (picture.threats) this.#over.append(drawThreats(picture.threats, columns));
    if (picture.line.length > 0) this.#over.append(drawLine(picture.line, columns));
    const under = this.#target(this.#aim ?? this.#pointed);
    const found = this.#aim === null && evaluations.find(({ index }) => index === under)?.pv;
    const plan = this.#plan ?? (found && found.length > 0 ? found.slice(0, SHOWN_PLIES) : null);
    if (plan && turn) {
      // At the end of a line that wins, the winning row is drawn.
      let stand = /** @type {Pick<import("./rules.js").Stand, "cells" | "turn" | "line">} */ ({ cells: picture.cells, turn, line: [] });
      for (const cell of plan) stand = played(stand.cells, cell, stand.turn ?? turn, rules);
      if (stand.line.length > 0) this.#over.append(drawLine(stand.line, columns));
      this.#over.append(drawPlan(plan, columns, turn, (100 * LEAST_TEXT) / (this.#size || 100)));
    }
    if (this.#aim !== null) this.#over.append(drawAim(this.#aim, rows, columns));
    for (const ghost of this.root.querySelectorAll(".ghost")) ghost.remove();
    this.root.classList.toggle("aiming", this.#aim !== null);
    if (hand && under !== null && !plan && picture.cells[under] === ".") {
      const ghost = drawMark(hand);
      ghost.classList.add("ghost");
      this.#cells[under].append(ghost);
    }
  }

  /** @param {number | null} index */
  #target(index) {
    const picture = this.#picture;
    if (picture === null || index === null) return null;
    if (picture.free && picture.cells[index] !== ".") return index;
    return landing(picture.cells, index, picture.rules);
  }

  /** @param {number | null} index */
  #point(index) {
    if (index === this.#pointed || !this.#picture) return;
    this.#pointed = index;
    this.#draw();
  }

  /** @param {EventTarget | null} target @returns {number | null} */
  #indexOf(target) {
    const cell = target instanceof Element ? target.closest("[data-index]") : null;
    return cell instanceof HTMLElement ? Number(cell.dataset.index) : null;
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const index = this.#indexOf(event.target);
    if (index === null) return;
    this.#move(index, false);
    const target = this.#target(index);
    const small = byFinger(event) && this.#size < SURE_TOUCH && !this.#picture?.free;
    if (small && target !== null && this.#aim !== target && this.#picture?.hand) {
      this.#take(target);
      this.#draw();
      announce(say.aimed(nameOf(target, this.#picture.rules)));
      return;
    }
    this.#choose(index);
  }

  /** @param {number | null} index */
  #take(index) {
    if (this.#aim === index) return;
    this.#aim = index;
    this.onAim(index);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { rules } = /** @type {Picture} */ (this.#picture);
    const index = this.#indexOf(event.target);
    if (index === null || event.altKey || event.metaKey || event.shiftKey) return;
    const step = STEPS[event.ctrlKey ? `Control+${event.key}` : event.key];
    if (step) this.#move(step(index, rules.rows, rules.columns), true);
    else if ((event.key === "Enter" || event.key === " ") && !event.ctrlKey) this.#choose(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index */
  #choose(index) {
    const target = this.#target(index);
    const may = target !== null && Boolean(this.#picture?.hand || this.#picture?.free);
    this.#take(null);
    if (may) this.onPlay(target);
    else announce(say.noPlay(String(this.#cells[index].getAttribute("aria-label"))));
  }

  /** @param {number} index @param {boolean} focus */
  #move(index, focus) {
    this.#cells[this.#focus].tabIndex = -1;
    this.#focus = index;
    this.#cells[index].tabIndex = 0;
    if (focus) this.#cells[index].focus();
  }
}

/** Returns whether a finger clicked. Older browsers only tell whether there is a touch screen. @param {MouseEvent} event */
function byFinger(event) {
  if (event instanceof PointerEvent) return event.pointerType === "touch";
  return matchMedia("(pointer: coarse)").matches;
}

/** @param {string} side @param {string[]} names */
function edge(side, names) {
  const spans = names.map((name) => html("span", {}, name));
  return html("div", { class: `edge ${side}`, "aria-hidden": "true" }, ...spans);
}
