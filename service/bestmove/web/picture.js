/**
 * Draws the board as a picture on a canvas. The page's own board cannot be saved, because it consists
 * of HTML elements.
 */

import { CELL, centre, rulingOf } from "./drawing.js";
import { LETTERS } from "./notation.js";

/** @typedef {import("./history.js").History} History */

/** In pixels: the largest cell, the longest side of a board, and the margin. */
const [LARGEST_CELL, LARGEST, EDGE] = [120, 1600, 44];

/**
 * @param {History} history
 * @param {string} kind  the kind of board: paper, goban or discs
 * @param {(name: string) => string} colour  returns the page's colour with this name
 * @returns {HTMLCanvasElement}
 */
export function drawPicture({ now, rules }, kind, colour) {
  const { rows, columns } = rules;
  const side = Math.min(LARGEST_CELL, Math.floor(LARGEST / Math.max(rows, columns)));
  const canvas = document.createElement("canvas");
  canvas.width = columns * side + 2 * EDGE;
  canvas.height = rows * side + 2 * EDGE;
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const [ground, rule, ink, x, o] = ["--ground", "--rule", "--ink", "--x", "--o"].map(colour);
  const faint = colour("--faint") || colour("--ink-2");
  const paper = kind === "paper";
  const scaled = (/** @type {number} */ at) => EDGE + (at * side) / CELL;
  const middle = (/** @type {number} */ index) => /** @type {[number, number]} */ (centre(index, columns).map(scaled));
  /** @param {number[][]} points @param {string} tint @param {number} width */
  const stroke = (points, tint, width) => {
    brush.beginPath();
    for (const [across, down] of points) brush.lineTo(across, down);
    Object.assign(brush, { strokeStyle: tint, lineWidth: width, lineCap: "round" });
    brush.stroke();
  };
  /** @param {number} index @param {number} radius  in cells @param {string | null} fill @param {string} [line] @param {number} [width] */
  const circle = (index, radius, fill, line, width = 0) => {
    brush.beginPath();
    brush.arc(...middle(index), radius * side, 0, 2 * Math.PI);
    if (fill) {
      brush.fillStyle = fill;
      brush.fill();
    }
    if (!line) return;
    Object.assign(brush, { strokeStyle: line, lineWidth: width * side });
    brush.stroke();
  };

  brush.fillStyle = ground;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  const { lines, dots } = rulingOf(rows, columns, kind);
  for (const line of lines) {
    const [x1, y1, x2, y2] = line.map(scaled);
    stroke([[x1, y1], [x2, y2]], rule, paper ? 3 : 1.5);
  }
  for (const cell of dots) circle(cell, kind === "discs" ? 0.42 : 0.08, rule);
  Object.assign(brush, { fillStyle: faint, font: `600 ${EDGE / 2}px sans-serif`, textAlign: "center", textBaseline: "middle" });
  for (let at = 0; at < columns; at += 1) brush.fillText(LETTERS[at], EDGE + (at + 0.5) * side, canvas.height - EDGE / 2);
  for (let at = 0; at < rows; at += 1) brush.fillText(String(rows - at), EDGE / 2, EDGE + (at + 0.5) * side);

  [...now.cells].forEach((mark, index) => {
    if (mark === ".") return;
    if (index === now.move) circle(index, 0.47, paper ? colour("--sunk") : null, paper ? undefined : kind === "discs" ? "#fff" : ink, 0.03);
    if (!paper) circle(index, kind === "discs" ? 0.42 : 0.44, mark === "X" ? "#0b6a6a" : kind === "discs" ? "#ffc46b" : "#f6ead9");
    const tint = paper ? (mark === "X" ? x : o) : mark === "X" ? "#d9f1ed" : "#b8430e";
    const width = paper ? 0.13 : 0.09;
    if (mark === "O") circle(index, paper ? 0.29 : 0.22, null, tint, width);
    else {
      const [across, down] = middle(index);
      const arm = side * (paper ? 0.26 : 0.18);
      for (const way of [1, -1]) stroke([[across - arm, down - way * arm], [across + arm, down + way * arm]], tint, width * side);
    }
  });
  const { line } = now;
  brush.globalAlpha = 0.8;
  if (line.length > 0) stroke([middle(line[0]), middle(line[line.length - 1])], paper ? ink : "#fff", 0.1 * side);
  return canvas;
}
