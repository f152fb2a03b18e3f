/** Shows a review: its state, the graph, the faults, and the lines of the fault on the board. Loaded with the first review. */

import { byId, html, svg } from "./dom.js";
import { plyButtons } from "./lines.js";
import { nameOf } from "./notation.js";
import { say } from "./review-words.js";
import { Review } from "./review-search.js";
import { faultOf, GRADES, hadWon, lossOf } from "./review.js";
import { loadStyle } from "./style.js";
import { capital, labels, say as general, valueInWords } from "./words.js";

await loadStyle("review.css");

/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./known.js").Claim} Claim */
/** @typedef {import("./lines.js").Line} Line */
/** @typedef {import("./rules.js").Rules} Rules */

/** The size of the graph in SVG units; the page stretches it. */
const [WIDTH, HEIGHT] = [300, 96];
/** The margin above and below the curve, for the dots of bad moves. */
const EDGE = 7;
/** The space in px between what sticks above the list and the row of a fault. */
const GAP = 10;
/** The page lists at most this many moves of a line. */
const SHOWN_PLIES = 24;

export { Review };

export class ReviewView {
  /** What is shown under the row of the fault on the board. */
  #detail = html("div", { class: "detail" });
  #said = html("p");
  /** What the rows say. */
  #written = "";
  /** The lines of the fault on the board. @type {Line[]} */
  #lines = [];

  /**
   * @param {Review} review @param {(node: Node) => void} onGo
   * @param {(node: Node, cells: number[]) => void} onInsert  adds a line to the tree of moves
   */
  constructor(review, onGo, onInsert) {
    this.review = review;
    this.onGo = onGo;
    this.onInsert = onInsert;
  }

  /** Returns the line that a button names a move of. @param {HTMLElement} button @returns {Line | null} */
  lineAt({ parentElement, dataset }) {
    const line = this.#lines.find(({ place }) => place === parentElement);
    return line ? { ...line, at: Number(dataset.ply) } : null;
  }

  /** @param {History} history */
  show({ now, rules }) {
    const { nodes } = this.review;
    for (const id of ["graph", "fault-back", "fault-on"]) byId(id).hidden = nodes.length === 0;
    byId("review-summary").textContent = summaryOf(this.review, rules);
    byId("review-decided").textContent = decidedIn(this.review, rules);
    if (nodes.length > 0) this.#draw(now);
    const faults = nodes.filter((node) => lossOf(node) && faultOf(node));
    const texts = faults.map((fault) => this.#textsOf(fault, rules));
    const isNew = JSON.stringify(texts) !== this.#written;
    const place = this.#detail.getBoundingClientRect().top;
    if (isNew) {
      this.#written = JSON.stringify(texts);
      byId("faults").replaceChildren(...texts.map(([move, ends, better, label], at) => {
        const button = html("button", { type: "button", "aria-label": label }, html("b", { class: faults[at].by?.toLowerCase() }, move), html("span", {}, ends), html("span", {}, better));
        button.addEventListener("click", () => this.onGo(faults[at]));
        return html("li", { class: this.review.isProvisional(faults[at]) && "provisional" }, button);
      }));
    }
    faults.forEach((fault, at) => {
      const row = byId("faults").children[at];
      row.firstElementChild?.setAttribute("aria-current", String(fault === now));
      if (fault === now) this.#describe(fault, row, rules, isNew);
    });
    if (!faults.includes(now)) this.#detail.replaceWith((this.#detail = html("div", { class: "detail" })));
    // While the review goes on, the details that somebody scrolled to stay where they are.
    else if (isNew && place && byId("panel-review").scrollTop > 0) byId("panel-review").scrollTop += this.#detail.getBoundingClientRect().top - place;
  }

  /** Returns what the row of a fault says: the move, its value before and after it, a better move, and all for screen readers. @param {Node} fault @param {Rules} rules */
  #textsOf(fault, rules) {
    const grade = /** @type {import("./review.js").Grade} */ (faultOf(fault));
    const [cell, ends] = [nameOf(Number(fault.move), rules), endsOf(fault, rules)];
    const mark = (this.review.isProvisional(fault) ? general.provisional : "") + general.marks[grade];
    const best = fault.parent?.judged?.best ?? null;
    const better = best === null ? "" : say.betterMove(nameOf(best, rules));
    return [`${say.numbered(fault.ply, cell)} ${say.signs[grade]}`, ends, better, `${general.moveLabel(fault.ply, String(fault.by), cell)}, ${mark}, ${ends}${better && `, ${better}`}`];
  }

  /** Shows under the row of a fault what the row does not say. `isNew`: the list was just written. @param {Node} fault @param {Element} row @param {Rules} rules @param {boolean} isNew */
  #describe(fault, row, rules, isNew) {
    const { parent, judged } = fault;
    const { best = null, pv = [] } = parent?.judged ?? {};
    const better = best === null || pv[0] === best ? pv : [best];
    this.#said.textContent = this.#sentences(fault, rules);
    const written = JSON.stringify([fault.ply, better, judged?.pv]);
    if (this.#detail.parentElement === row && this.#detail.dataset.written === written) return;
    if (this.#detail.dataset.written !== written) {
      this.#detail.dataset.written = written;
      this.#lines = [];
      this.#detail.replaceChildren(this.#said);
      for (const [title, node, cells] of /** @type {const} */ ([[say.better, parent, better], [say.refutation, fault, judged?.pv]])) {
        if (!node || !cells?.length) continue;
        const shown = cells.slice(0, SHOWN_PLIES);
        const place = html("span", {}, ...plyButtons(shown, node.turn ?? "X", rules));
        const add = html("button", { type: "button", class: "small", "aria-label": say.addLine(title) }, say.add);
        add.addEventListener("click", () => this.onInsert(node, shown));
        this.#lines.push({ node, cells: shown, place });
        this.#detail.append(html("div", { class: "way", role: "group", "aria-label": title }, html("b", {}, title), place, add));
      }
    }
    const [panel, { top }] = [byId("panel-review"), row.getBoundingClientRect()];
    row.append(this.#detail);
    if (isNew) return; // the result of the review stays in view
    // The row stays where it is, unless its details could not be seen. The page itself scrolls only if something in the panel was pressed.
    const scroller = panel.scrollHeight > panel.clientHeight ? panel : document.documentElement;
    if (scroller !== panel && !panel.contains(document.activeElement)) return;
    scroller.scrollTop += row.getBoundingClientRect().top - top;
    const view = scroller === panel ? panel.getBoundingClientRect() : { top: 0, bottom: innerHeight };
    const stuck = /** @type {HTMLElement} */ ([byId("found"), byId("review").parentElement].find((part) => part && getComputedStyle(part).position === "sticky"));
    const { top: from, bottom: to } = row.getBoundingClientRect();
    const above = view.top + parseFloat(getComputedStyle(stuck).top) + stuck.offsetHeight + GAP;
    scroller.scrollTop += Math.min(from - above, Math.max(0, to - view.bottom));
  }

  /** Returns what screen readers say on arriving at a fault; nothing at another move. @param {Node} node @param {Rules} rules */
  spoken(node, rules) {
    const grade = this.review.nodes.includes(node) && lossOf(node) && faultOf(node);
    if (!grade) return "";
    const fault = `${capital(general.marks[grade])}, ${endsOf(node, rules)}.`;
    const best = node.parent?.judged?.best ?? null;
    return [fault, this.#sentences(node, rules), best === null ? "" : say.best(nameOf(best, rules))].filter(Boolean).join(" ");
  }

  /** Returns what else is known of a fault. @param {Node} fault @param {Rules} rules */
  #sentences(fault, rules) {
    const { parent, judged, known, turn } = fault;
    const allowed = judged?.allowed;
    const longer = endsOf(fault, rules, deeper(parent?.known, parent?.judged), deeper(known, judged));
    const missed = hadWon(fault) ? (parent?.judged?.best ?? null) : null;
    const answer = judged?.exact && turn && judged.score === (turn === "X" ? 1 : -1) ? judged.pv?.[0] : undefined;
    return [
      this.review.isProvisional(fault) ? say.beingChecked : "",
      missed === null ? "" : say.missed(nameOf(missed, rules)),
      answer === undefined || allowed || !turn ? "" : say.winsNow(turn, nameOf(answer, rules)),
      allowed && turn ? say.allowed(turn, allowed.kinds, nameOf(allowed.cell, rules), allowed.atOnce) : "",
      longer === endsOf(fault, rules) ? "" : say.longerLook(longer),
    ].filter(Boolean).join(" ");
  }

  /** @param {Node} now */
  #draw(now) {
    const { nodes } = this.review;
    const x = (/** @type {number} */ at) => ((at + 0.5) * WIDTH) / nodes.length;
    const y = (/** @type {number} */ score) => HEIGHT / 2 - score * (HEIGHT / 2 - EDGE);
    const points = nodes.flatMap((node, at) => (node.judged ? [{ at: x(at), worth: y(node.judged.score), fault: faultOf(node) }] : []));
    const path = points.map(({ at, worth }) => `${at},${worth}`).join(" ");
    const chart = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": say.graph },
      svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      svg("polyline", { class: "worth", points: path }),
    );
    const here = nodes.indexOf(now);
    if (here >= 0) chart.append(svg("path", { class: "here", d: `M${x(here)} 0V${HEIGHT}` }));
    for (const { at, worth, fault } of points) {
      if (fault) chart.append(svg("path", { class: `fault ${fault}`, d: `M${at} ${worth}h0` }));
    }
    nodes.forEach((node, at) => {
      const width = WIDTH / nodes.length;
      const bar = svg("rect", { x: at * width, y: 0, width, height: HEIGHT, class: "at", "data-at": at });
      bar.addEventListener("click", () => this.onGo(node));
      chart.append(bar);
    });
    byId("graph").replaceChildren(chart);
  }
}

/**
 * Returns what the position was worth to the mover before and after a move.
 * @param {Node} node @param {Rules} rules @param {Claim | null} [before] @param {Claim | null} [after]
 */
function endsOf(node, rules, before = node.parent?.judged, after = node.judged) {
  const by = node.by ?? "X";
  return before && after ? say.fromTo(valueInWords(before, by, rules), valueInWords(after, by, rules, node.turn)) : "";
}

/**
 * Returns what a longer search than the review's found, otherwise the review's result.
 * @param {Claim | null | undefined} known @param {Claim | null | undefined} judged
 */
function deeper(known, judged) {
  if (!judged || !known || (judged.exact && !known.exact)) return judged;
  return known.exact || known.nodes > judged.nodes ? known : judged;
}

/** @param {Review} review @param {Rules} rules */
function summaryOf({ nodes, done, running, checking, error }, rules) {
  if (nodes.length === 0) return labels.reviewWhat;
  if (error) return say.notReviewed(done, nodes.length);
  if (checking) return say.checking(checking.at, checking.all);
  if (running || done < nodes.length) return say.reviewing(done, nodes.length);
  if (!nodes.some(faultOf)) return say.noFaults;
  return /** @type {const} */ (["X", "O"])
    .map((side) => {
      const own = nodes.filter(({ by }) => by === side);
      const count = (/** @type {string} */ grade) => own.filter((node) => faultOf(node) === grade).length;
      const lost = own.reduce((sum, node) => sum + (lossOf(node) ?? 0), 0) / (own.length || 1);
      return say.reviewed(side, GRADES.map(([grade]) => [grade, count(grade)]), lost);
    })
    .join("\n");
}

/** Returns after which move a reviewed game was decided, if more than two moves follow. @param {Review} review @param {Rules} rules */
function decidedIn({ nodes, done }, rules) {
  const end = nodes.at(-1)?.judged;
  const decided = nodes.findLastIndex(({ judged }) => !judged?.exact || judged.score !== end?.score) + 1;
  const isLong = done === nodes.length && nodes.some(faultOf) && end?.score && decided > 0 && decided < nodes.length - 2;
  return isLong ? say.decided(say.numbered(decided, nameOf(Number(nodes[decided].move), rules))) : "";
}
