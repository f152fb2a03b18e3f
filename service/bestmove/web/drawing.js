/** What is drawn in SVG on and under the board: ground, marks, winning line, variation. */

import { svg } from "./dom.js";

/** One cell is 100 units wide in every drawing. */
const CELL = 100;

/** @param {number} index @param {number} columns @returns {[number, number]} x and y */
function centre(index, columns) {
  return [((index % columns) + 0.5) * CELL, (Math.floor(index / columns) + 0.5) * CELL];
}

/**
 * The lines between the cells of a paper board; the lines through the cells of a goban.
 * @param {number} rows
 * @param {number} columns
 * @param {boolean} paper
 */
export function drawGround(rows, columns, paper) {
  const viewBox = `0 0 ${columns * CELL} ${rows * CELL}`;
  const ground = svg("svg", { class: "ground", "aria-hidden": "true", viewBox });
  const rule = (/** @type {number[]} */ [x1, y1, x2, y2]) =>
    ground.append(svg("line", { x1, y1, x2, y2 }));
  const inset = paper ? 4 : CELL / 2;
  const [right, bottom] = [columns * CELL - inset, rows * CELL - inset];
  const [start, shift] = paper ? [1, 0] : [0, CELL / 2];
  for (let at = start; at < columns; at += 1) {
    rule([at * CELL + shift, inset, at * CELL + shift, bottom]);
  }
  for (let at = start; at < rows; at += 1) {
    rule([inset, at * CELL + shift, right, at * CELL + shift]);
  }
  if (!paper) {
    for (const row of stars(rows)) {
      for (const column of stars(columns)) {
        const [cx, cy] = centre(row * columns + column, columns);
        ground.append(svg("circle", { cx, cy, r: 10 }));
      }
    }
  }
  return ground;
}

/** The handicap points along one side, as on a Go board. @param {number} side */
function stars(side) {
  if (side < 7) return side % 2 ? [(side - 1) / 2] : [];
  const inset = side < 13 ? 2 : 3;
  const ends = [inset, side - 1 - inset];
  return side % 2 ? [ends[0], (side - 1) / 2, ends[1]] : ends;
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
  // A line of one cell (k = 1) is a point: round caps make it a dot.
  return svg("path", { class: "winning", d: `M${x1} ${y1}L${x2} ${y2}`, pathLength: 1 });
}

/**
 * Numbered badges from cell to cell, in the cells' upper right corners.
 * @param {number[]} cells
 * @param {number} columns
 * @param {string} mark  who plays the first of them
 * @param {number} radius  of a badge, in hundredths of a cell
 */
export function drawVariation(cells, columns, mark, radius) {
  const shift = 41 - radius * 0.6;
  const places = cells.map((at) => {
    const [x, y] = centre(at, columns);
    return [x + shift, y - shift];
  });
  const points = places.map((place) => place.join(",")).join(" ");
  const group = svg("g", { class: "variation" }, svg("polyline", { points }));
  places.forEach(([x, y], ply) => {
    const side = (ply % 2 === 0) === (mark === "X") ? "x" : "o";
    const text = { y: radius * 0.42, "text-anchor": "middle", "font-size": radius * 1.2 };
    group.append(
      svg(
        "g",
        { class: side, transform: `translate(${x} ${y})` },
        svg("circle", { r: radius }),
        svg("text", text, String(ply + 1)),
      ),
    );
  });
  return group;
}
