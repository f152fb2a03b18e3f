/** Makes the board's SVG drawings: background, marks, lines, variations and threats. */

import { svg } from "./dom.js";
import { chanceOf } from "./words.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").Threat} Threat */

/** One cell is 100 units wide in every drawing. */
export const CELL = 100;

/** @param {number} index @param {number} columns @returns {[number, number]} x and y */
export function centre(index, columns) {
  return [((index % columns) + 0.5) * CELL, (Math.floor(index / columns) + 0.5) * CELL];
}

/**
 * Returns the lines of a paper board or of a goban (the coordinates of both ends), and the cells with a goban's dots or
 * with the holes of a frame for discs.
 * @param {number} rows @param {number} columns @param {string} kind  paper, goban or discs
 */
export function rulingOf(rows, columns, kind) {
  /** @type {number[][]} */
  const lines = [];
  if (kind === "discs") return { lines, dots: Array.from({ length: rows * columns }, (_, cell) => cell) };
  const paper = kind === "paper";
  const [start, shift, inset] = paper ? [1, 0, 4] : [0, CELL / 2, CELL / 2];
  const [right, bottom] = [columns * CELL - inset, rows * CELL - inset];
  for (let at = start; at < columns; at += 1) lines.push([at * CELL + shift, inset, at * CELL + shift, bottom]);
  for (let at = start; at < rows; at += 1) lines.push([inset, at * CELL + shift, right, at * CELL + shift]);
  const dots = paper ? [] : stars(rows).flatMap((row) => stars(columns).map((column) => row * columns + column));
  return { lines, dots };
}

/** @param {number} rows @param {number} columns @param {string} kind */
export function drawGround(rows, columns, kind) {
  const viewBox = `0 0 ${columns * CELL} ${rows * CELL}`;
  const { lines, dots } = rulingOf(rows, columns, kind);
  const r = kind === "discs" ? 42 : 10;
  const circles = dots.map((cell) => {
    const [cx, cy] = centre(cell, columns);
    return svg("circle", { cx, cy, r });
  });
  const rules = lines.map(([x1, y1, x2, y2]) => svg("line", { x1, y1, x2, y2 }));
  return svg("svg", { class: "ground", "aria-hidden": "true", viewBox }, ...rules, ...circles);
}

/**
 * Returns the rows that have dots, as on a Go board. Also works for columns.
 * @param {number} side  how many rows the board has
 */
function stars(side) {
  if (side < 7) return side % 2 ? [(side - 1) / 2] : [];
  const inset = side < 13 ? 2 : 3;
  const ends = [inset, side - 1 - inset];
  return side % 2 ? [ends[0], (side - 1) / 2, ends[1]] : ends;
}

/**
 * Colours an element that shows a value, from lost to won. A proven value has brighter colours and its
 * own shape.
 * @param {HTMLElement} element @param {{score: number, exact: boolean}} found @param {Mark} mover
 */
export function colour(element, found, mover) {
  const heat = found.exact ? chanceOf(found, mover) : 0.1 + 0.8 * chanceOf(found, mover);
  element.style.setProperty("--heat", `${Math.round(100 * heat)}%`);
  element.classList.toggle("proven", found.exact);
}

/** @param {string} mark */
export function drawMark(mark) {
  const strokes =
    mark === "X"
      ? [
          svg("path", { d: "M24 24 76 76", pathLength: 1 }),
          svg("path", { d: "M76 24 24 76", pathLength: 1, class: "second" }),
        ]
      : [svg("path", { d: "M50 21a29 29 0 1 1-.01 0", pathLength: 1 })];
  const kind = `mark ${mark.toLowerCase()}`;
  return svg("svg", { class: kind, viewBox: "0 0 100 100", "aria-hidden": "true" }, ...strokes);
}

/** @param {number[]} cells @param {number} columns */
export function drawLine(cells, columns) {
  const [[x1, y1], [x2, y2]] = [cells[0], cells[cells.length - 1]].map((at) => centre(at, columns));
  // A line of one cell (k = 1) is a point. Round caps make it a dot.
  return svg("path", { class: "winning", d: `M${x1} ${y1}L${x2} ${y2}` });
}

/**
 * @param {number[]} cells
 * @param {number} columns
 * @param {Mark} mark  the side that plays the first cell
 * @param {number} least  the size of the smallest text. Numbers that do not fit at this size are left out.
 */
export function drawPlan(cells, columns, mark, least) {
  const group = svg("g", { class: "plan" });
  cells.forEach((cell, ply) => {
    const last = ply === cells.length - 1 ? " newest" : "";
    const [x, y] = centre(cell, columns);
    const side = (ply % 2 === 0) === (mark === "X") ? "x" : "o";
    const number = String(ply + 1);
    const size = Math.max(ply < 99 ? 42 : 34, least);
    const fits = 0.7 * size * number.length < 84;
    const text = svg("text", { y: 0.36 * size, "text-anchor": "middle", "font-size": size }, number);
    group.append(
      svg(
        "g",
        { class: side + last, transform: `translate(${x} ${y})` },
        svg("circle", { r: 46 }),
        fits ? text : null,
      ),
    );
  });
  return group;
}

/**
 * Draws cross-hairs through the cell that a finger has aimed at.
 * @param {number} index @param {number} rows @param {number} columns
 */
export function drawAim(index, rows, columns) {
  const [x, y] = centre(index, columns);
  const d = `M${x} 0V${rows * CELL}M0 ${y}H${columns * CELL}`;
  return svg("path", { class: "aim", d });
}

/**
 * Draws a band over the marks of each threat, and a ring around each cell that stops it.
 * @param {Record<Mark, Threat[]>} threats
 * @param {number} columns
 */
export function drawThreats(threats, columns) {
  const group = svg("g", { class: "threats" });
  for (const side of /** @type {Mark[]} */ (["X", "O"])) {
    for (const { kind, cells, open } of threats[side]) {
      const points = cells.map((cell) => centre(cell, columns).join(",")).join(" ");
      const own = svg("g", { class: `${side.toLowerCase()} ${kind}` }, svg("polyline", { points }));
      for (const cell of open) {
        const [cx, cy] = centre(cell, columns);
        own.append(svg("circle", { cx, cy, r: 34 }));
      }
      group.append(own);
    }
  }
  return group;
}
