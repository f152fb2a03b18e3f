/** The lines of an analysis: their number, the time, and stepping through a line. */

import { announce, byId, html, store, stored } from "./dom.js";
import { nameOf } from "./notation.js";
import { other } from "./rules.js";
import { labels, linesName, say, untilStopped } from "./words.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./rules.js").Rules} Rules */

/**
 * @typedef {object} Opened  a copy of a line, because the search may replace the line
 * @property {Node} node  the position where the line begins
 * @property {number[]} cells
 * @property {number} at  how many of the line's moves are shown
 * @property {HTMLElement | null} place  the element with the line's moves; null for a line of the analysis
 */

/** @typedef {Partial<Opened> & Pick<Opened, "node" | "cells">} Line  a line that can be opened */

const KEY = "bestmove-analysis";
const COUNTS = [1, 2, 3, 5, 8, 12, 20];
const USUAL_COUNT = 5;
const UNTIL_STOPPED = "stopped";

/** Makes a button for each move of a line. @param {number[]} cells @param {Mark} by  the side that begins @param {Rules} rules */
export function plyButtons(cells, by, rules) {
  return cells.map((cell, at) => {
    const mover = at % 2 === 0 ? by : other(by);
    return html("button", { type: "button", class: `ply ${mover.toLowerCase()}`, "data-ply": at + 1, tabindex: at > 0 && -1 }, nameOf(cell, rules));
  });
}

export class Lines {
  /** @type {Opened | null} */
  opened = null;
  #count = /** @type {HTMLSelectElement} */ (byId("lines-count"));
  #time = /** @type {HTMLSelectElement} */ (byId("lines-time"));

  /**
   * @param {{stream_ms: number, lines: number}} limits  the service's limits
   * @param {object} table
   * @param {() => void} table.onChoice  called when the user has chosen another number or time
   * @param {() => void} table.onStep  called when the shown moves of the line have changed
   * @param {(cells: number[]) => void} table.onPlay
   */
  constructor(limits, { onChoice, onStep, onPlay }) {
    this.limits = limits;
    this.onStep = onStep;
    for (const count of COUNTS) {
      this.#count.append(html("option", { value: count, disabled: count > limits.lines }, linesName(count)));
    }
    this.#time.append(new Option(labels.asThinking, ""), new Option(untilStopped(limits.stream_ms), UNTIL_STOPPED));
    this.#count.value = String(USUAL_COUNT);
    this.#recall();
    for (const choice of [this.#count, this.#time]) {
      choice.addEventListener("change", () => {
        this.#remember();
        onChoice();
      });
    }
    const steps = { "line-back": "ArrowLeft", "line-on": "ArrowRight", "line-close": "Escape" };
    for (const [id, key] of Object.entries(steps)) byId(id).addEventListener("click", () => this.press(key));
    byId("line-play").addEventListener("click", () => this.opened && onPlay(this.shown ?? []));
    byId("line-moves").addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#go(Number(button.dataset.ply));
    });
  }

  get count() {
    return Number(this.#count.value);
  }

  /** @param {number} usual  the time in ms, unless the user has chosen “Until stopped” */
  timeFor(usual) {
    return this.#time.value === UNTIL_STOPPED ? Math.max(usual, this.limits.stream_ms) : usual;
  }

  /** @returns {number[] | null} */
  get shown() {
    return this.opened && this.opened.cells.slice(0, this.opened.at);
  }

  /**
   * Opens a line. If the line is already open at this move, closes it.
   * @param {Line} line @param {Rules} rules
   */
  open({ node, cells, place = null, at = 1 }, rules) {
    const { opened } = this;
    if (opened?.node === node && opened.place === place && String(opened.cells) === String(cells)) {
      if (place && opened.at !== at) this.#go(at);
      else this.close();
      return;
    }
    this.opened = { node, cells, at, place };
    this.rules = rules;
    if (!place) byId("line-moves").replaceChildren(...plyButtons(cells, node.turn ?? "X", rules));
    this.#show();
    announce(say.lineOpened(cells.map((cell) => nameOf(cell, rules)).join(" ")));
  }

  close() {
    if (!this.opened) return;
    const inside = byId("line").contains(document.activeElement);
    const [cell] = this.opened.cells;
    this.opened = null;
    announce("");
    // The focus returns to the button that opened the line.
    const from = document.querySelector(`#lines [data-index="${cell}"]`) ?? document.querySelector("#lines button");
    if (inside && from instanceof HTMLElement) from.focus({ preventScroll: true });
    this.#show();
  }

  /** Steps through the opened line. @param {string} key @returns {boolean} whether the key steps through lines */
  press(key) {
    const { opened } = this;
    if (!opened) return false;
    const { at, cells } = opened;
    const end = cells.length;
    const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: end };
    if (key === "Escape") this.close();
    else if (key in ways) this.#go(Math.max(0, Math.min(end, ways[/** @type {keyof ways} */ (key)])));
    else return false;
    return true;
  }

  /** @param {number} at */
  #go(at) {
    const { opened, rules } = this;
    if (!opened || !rules) return;
    opened.at = at;
    this.#show();
    const { cells, node } = opened;
    const by = at % 2 === 1 ? (node.turn ?? "X") : other(node.turn ?? "X");
    announce(at === 0 ? say.lineStart : say.lineAt(at, cells.length, by, nameOf(cells[at - 1], rules)));
  }

  #show() {
    const { opened } = this;
    byId("line").hidden = opened === null || opened.place !== null;
    for (const button of document.querySelectorAll("[data-ply][aria-current]")) button.removeAttribute("aria-current");
    if (opened) {
      const { at, cells } = opened;
      byId("line-place").textContent = say.lineWhere(at, cells.length);
      byId("line-back").setAttribute("aria-disabled", String(at === 0));
      byId("line-on").setAttribute("aria-disabled", String(at === cells.length));
      byId("line-play").setAttribute("aria-disabled", String(at === 0));
      const moves = opened.place ?? byId("line-moves");
      const ply = moves.querySelector(`[data-ply="${at}"]`);
      ply?.setAttribute("aria-current", "true");
      ply?.scrollIntoView({ block: "nearest" });
    }
    this.onStep();
  }

  #remember() {
    store(KEY, { lines: this.count, time: this.#time.value });
  }

  #recall() {
    const kept = stored(KEY);
    if (COUNTS.includes(kept?.lines)) this.#count.value = String(kept.lines);
    if (kept?.time === UNTIL_STOPPED) this.#time.value = UNTIL_STOPPED;
  }
}
