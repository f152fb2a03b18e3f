/**
 * The board as a grid that can be seen, heard and worked by mouse, finger and keyboard.
 *
 * One cell has the focus (roving tabindex), the arrow keys move it. Small boards are drawn as
 * ruled paper with bold marks, large ones as a goban with stones on the crossings.
 */

import { announce, html, svg } from "./dom.js";
import { drawGround, drawLine, drawMark, drawVariation } from "./drawing.js";
import { cellInWords, cellsOf, scoreInShort, scoreInWords } from "./position.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */
/** @typedef {import("./position.js").Rules} Rules */

/**
 * @typedef {object} Picture  all that the board shows
 * @property {Rules} rules
 * @property {string} board
 * @property {Mark | null} hand  the mark that a click puts down; null when none may be put down
 * @property {number | null} pending  a cell that waits for the service
 * @property {number | null} last  the last move
 * @property {number[]} line  the winning line
 * @property {number | null} hint
 * @property {MoveEvaluation[]} evaluations  best first; empty when no analysis is shown
 */

/** The longest side that is still drawn as ruled paper. */
const PAPER_SIDE = 8;
/** CSS pixels: below this a finger's first tap aims and its second one plays. */
const SURE_TOUCH = 32;
/** CSS pixels: below this a score has room for one digit only. */
const ROOMY = 31;
/** CSS pixels: from here on a proven score has room for its distance. */
const SPACIOUS = 44;
/** No more than this much of a variation is drawn: after it nobody follows the numbers. */
const SHOWN_PLIES = 9;

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
  /** The side of a cell in CSS pixels. */
  #size = 1;
  #focus = 0;
  /** @type {number | null} */
  #aim = null;
  /** @type {number | null} */
  #pointed = null;
  #over = svg("svg", { class: "over", "aria-hidden": "true" });

  /**
   * @param {HTMLElement} root
   * @param {(index: number) => void} onPlay
   */
  constructor(root, onPlay) {
    this.root = root;
    this.onPlay = onPlay;
    root.addEventListener("click", (event) => this.#clicked(event));
    root.addEventListener("keydown", (event) => this.#pressed(event));
    root.addEventListener("focusin", (event) => this.#focused(this.#indexOf(event.target)));
    root.addEventListener("pointerover", (event) => this.#point(this.#indexOf(event.target)));
    root.addEventListener("pointerleave", () => this.#point(null));
    new ResizeObserver(() => this.#picture && this.show(this.#picture)).observe(root);
  }

  /** @param {Picture} picture */
  show(picture) {
    const { rows, columns, k } = picture.rules;
    const shape = `${rows}x${columns}x${k}`;
    if (shape !== this.#shape) this.#build(picture.rules);
    this.#shape = shape;
    this.#picture = picture;
    this.#aim = null;
    // Measured once: each reading after a change makes the browser lay the board out anew.
    this.#size = this.#cells[0].clientWidth || 1;
    this.root.dataset.hand = picture.hand ?? "";
    const marks = cellsOf(picture.board);
    const scored = new Map(picture.evaluations.map((found) => [found.index, found]));
    this.#cells.forEach((cell, index) => this.#fill(cell, index, marks[index], scored.get(index)));
    this.#draw();
  }

  focus() {
    this.#cells[this.#focus].focus();
  }

  /** @param {Rules} rules */
  #build({ rows, columns, k }) {
    const paper = Math.max(rows, columns) <= PAPER_SIDE;
    this.root.className = `board ${paper ? "paper" : "goban"}`;
    this.root.style.setProperty("--rows", String(rows));
    this.root.style.setProperty("--columns", String(columns));
    this.#cells = Array.from({ length: rows * columns }, (_, index) =>
      html("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-index": index }),
    );
    this.#focus = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    const label = `Board of ${rows} rows and ${columns} columns, ${k} in a row win`;
    const grid = html("div", { class: "grid", role: "grid", "aria-label": label });
    for (let row = 0; row < rows; row += 1) {
      const cells = this.#cells.slice(row * columns, (row + 1) * columns);
      grid.append(html("div", { class: "row", role: "row" }, ...cells));
    }
    this.#over = svg("svg", { class: "over", "aria-hidden": "true" });
    this.#over.setAttribute("viewBox", `0 0 ${columns * 100} ${rows * 100}`);
    const ground = drawGround(rows, columns, paper);
    this.root.replaceChildren(
      edge("columns", columns),
      edge("rows", rows),
      html("div", { class: "field" }, ground, grid, this.#over),
    );
  }

  /**
   * @param {HTMLElement} cell
   * @param {number} index
   * @param {string} mark
   * @param {MoveEvaluation | undefined} evaluation
   */
  #fill(cell, index, mark, evaluation) {
    const picture = /** @type {Picture} */ (this.#picture);
    const empty = mark === ".";
    const flags = {
      pending: picture.pending === index,
      last: picture.last === index,
      won: picture.line.includes(index),
      hint: picture.hint === index,
    };
    const value = [evaluation?.score, evaluation?.exact, evaluation && this.#size < ROOMY];
    const state = [mark, ...Object.values(flags), ...value].join();
    if (cell.dataset.state !== state) {
      const news = cell.dataset.mark !== mark;
      cell.dataset.state = state;
      cell.dataset.mark = mark;
      for (const [name, on] of Object.entries(flags)) cell.classList.toggle(name, on);
      // A mark that stays is not drawn again: its stroke would run again.
      if (news) cell.replaceChildren(...(empty ? [] : [drawMark(mark)]));
      cell.querySelector(".value")?.remove();
      if (evaluation) cell.append(this.#valueOf(evaluation));
    }
    const words = [cellInWords(index, picture.rules.columns), empty ? "empty" : mark];
    if (flags.last) words.push("last move");
    if (flags.won) words.push("winning line");
    if (flags.hint) words.push("suggested");
    if (evaluation) words.push(scoreInWords(evaluation));
    cell.setAttribute("aria-label", words.join(", "));
    cell.tabIndex = index === this.#focus ? 0 : -1;
  }

  /** @param {MoveEvaluation} evaluation */
  #valueOf(evaluation) {
    const { score, exact, plies } = evaluation;
    const lean = score > 0 ? "x" : score < 0 ? "o" : "even";
    const text = scoreInShort(score, exact, this.#size < ROOMY);
    const value = html("span", { class: `value ${lean}`, "aria-hidden": "true" }, text);
    value.classList.toggle("exact", exact);
    value.classList.toggle("best", evaluation === this.#picture?.evaluations[0]);
    if (exact && score !== 0 && this.#size >= SPACIOUS) {
      value.append(html("small", {}, `in ${plies}`));
    }
    value.style.setProperty("--heat", `${heatOf(evaluation)}%`);
    return value;
  }

  /** The winning line, or the variation of the cell in hand, or else of the best move. */
  #draw() {
    const picture = /** @type {Picture} */ (this.#picture);
    const { columns } = picture.rules;
    const { evaluations, hand } = picture;
    this.#over.replaceChildren();
    if (picture.line.length > 0) this.#over.append(drawLine(picture.line, columns));
    const pointed = evaluations.find((found) => found.index === this.#pointed);
    const chosen = pointed ?? evaluations[0];
    if (chosen && hand) {
      const size = this.#size;
      const radius = (100 * Math.min(Math.max(size * 0.17, 7), 13)) / size;
      this.#over.append(drawVariation(chosen.pv.slice(0, SHOWN_PLIES), columns, hand, radius));
    }
    for (const ghost of this.root.querySelectorAll(".ghost")) ghost.remove();
    const under = this.#aim ?? this.#pointed;
    this.root.classList.toggle("aiming", this.#aim !== null);
    if (hand && under !== null && this.#cells[under].dataset.mark === "." && !pointed) {
      const ghost = drawMark(hand);
      ghost.classList.add("ghost");
      this.#cells[under].append(ghost);
    }
  }

  /** However the focus came to a cell, it is the one to come back to. @param {number | null} index */
  #focused(index) {
    if (index !== null) this.#move(index, false);
    this.#point(index);
  }

  /** @param {number | null} index */
  #point(index) {
    if (index === this.#pointed || !this.#picture) return;
    this.#pointed = index;
    this.#draw();
  }

  /** @param {EventTarget | null} target @returns {number | null} */
  #indexOf(target) {
    const cell = target instanceof Element ? target.closest(".cell") : null;
    return cell instanceof HTMLElement ? Number(cell.dataset.index) : null;
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const index = this.#indexOf(event.target);
    if (index === null) return;
    this.#move(index, false);
    if (byFinger(event) && this.#size < SURE_TOUCH && this.#aim !== index && this.#canPlay(index)) {
      this.#aim = index;
      this.#draw();
      const { columns } = /** @type {Picture} */ (this.#picture).rules;
      announce(`Aimed at ${cellInWords(index, columns)}. Tap again to play there.`);
      return;
    }
    this.#choose(index);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { rules } = /** @type {Picture} */ (this.#picture);
    const index = this.#indexOf(event.target);
    if (index === null || event.altKey || event.metaKey) return;
    const step = STEPS[event.ctrlKey ? `Control+${event.key}` : event.key];
    if (step) this.#move(step(index, rules.rows, rules.columns), true);
    else if ((event.key === "Enter" || event.key === " ") && !event.ctrlKey) this.#choose(index);
    else return;
    event.preventDefault();
  }

  /** @param {number} index */
  #canPlay(index) {
    return Boolean(this.#picture?.hand) && this.#cells[index].dataset.mark === ".";
  }

  /** @param {number} index */
  #choose(index) {
    if (this.#canPlay(index)) this.onPlay(index);
    else announce(`${this.#cells[index].getAttribute("aria-label")}: you cannot play here now.`);
  }

  /** @param {number} index @param {boolean} focus */
  #move(index, focus) {
    this.#cells[this.#focus].tabIndex = -1;
    this.#focus = index;
    this.#cells[index].tabIndex = 0;
    if (focus) this.#cells[index].focus();
  }
}

/** Older browsers do not say what clicked. @param {MouseEvent} event */
function byFinger(event) {
  if (event instanceof PointerEvent) return event.pointerType === "touch";
  return matchMedia("(pointer: coarse)").matches;
}

/** The numbers along an edge, for people who read 'row 2 column 3'. */
function edge(/** @type {string} */ side, /** @type {number} */ count) {
  const numbers = Array.from({ length: count }, (_, at) => html("span", {}, String(at + 1)));
  return html("div", { class: `edge ${side}`, "aria-hidden": "true" }, ...numbers);
}

/**
 * How strong the colour of a cell is, in percent: estimates by their size; proven results are
 * the paler the farther off they are, for a loss in thirty moves is not a loss in two.
 * @param {MoveEvaluation} evaluation
 */
function heatOf({ score, exact, plies }) {
  if (score === 0) return 30;
  return exact ? Math.max(55, 102 - 2 * (plies ?? 0)) : Math.round(90 * Math.abs(score));
}
