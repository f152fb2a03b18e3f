/**
 * Draws the board as a picture on a canvas. The page's own board cannot be saved, because it consists
 * of HTML elements.
 */

import { stars } from "./drawing.js";
import { letterOf } from "./notation.js";

/** @typedef {import("./history.js").History} History */

/** In pixels: the largest cell, the longest side of a board, and the margin. */
const [CELL, LARGEST, EDGE] = [120, 1600, 44];

/**
 * @param {History} history
 * @param {string} kind  the kind of board: paper, goban or discs
 * @param {(name: string) => string} colour  returns the page's colour with this name
 * @returns {HTMLCanvasElement}
 */
export function drawPicture({ now, rules }, kind, colour) {
  const { rows, columns } = rules;
  const side = Math.min(CELL, Math.floor(LARGEST / Math.max(rows, columns)));
  const canvas = document.createElement("canvas");
  canvas.width = columns * side + 2 * EDGE;
  canvas.height = rows * side + 2 * EDGE;
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const [ground, rule, ink, x, o] = ["--ground", "--rule", "--ink", "--x", "--o"].map(colour);
  const faint = colour("--faint") || colour("--ink-2");
  const centre = (/** @type {number} */ index) =>
    /** @type {const} */ ([EDGE + ((index % columns) + 0.5) * side, EDGE + (Math.floor(index / columns) + 0.5) * side]);
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
    brush.arc(...centre(index), radius * side, 0, 2 * Math.PI);
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
  if (kind === "discs") for (let index = 0; index < rows * columns; index += 1) circle(index, 0.42, rule);
  else {
    const [from, shift] = kind === "paper" ? [1, 0] : [0, side / 2];
    const width = kind === "paper" ? 3 : 1.5;
    const [right, bottom] = [EDGE + columns * side - shift, EDGE + rows * side - shift];
    for (let at = from; at < columns; at += 1) {
      const across = EDGE + at * side + shift;
      stroke([[across, EDGE + shift], [across, bottom]], rule, width);
    }
    for (let at = from; at < rows; at += 1) {
      const down = EDGE + at * side + shift;
      stroke([[EDGE + shift, down], [right, down]], rule, width);
    }
    if (kind === "goban") {
      for (const row of stars(rows)) for (const column of stars(columns)) circle(row * columns + column, 0.08, rule);
    }
  }
  Object.assign(brush, { fillStyle: faint, font: `600 ${EDGE / 2}px sans-serif`, textAlign: "center", textBaseline: "middle" });
  for (let at = 0; at < columns; at += 1) brush.fillText(letterOf(at), EDGE + (at + 0.5) * side, canvas.height - EDGE / 2);
  for (let at = 0; at < rows; at += 1) brush.fillText(String(rows - at), EDGE / 2, EDGE + (at + 0.5) * side);

  const paper = kind === "paper";
  [...now.cells].forEach((mark, index) => {
    if (mark === ".") return;
    if (index === now.move) circle(index, 0.47, paper ? colour("--sunk") : null, paper ? undefined : kind === "discs" ? "#fff" : ink, 0.03);
    if (!paper) circle(index, kind === "discs" ? 0.42 : 0.44, mark === "X" ? "#0b6a6a" : kind === "discs" ? "#ffc46b" : "#f6ead9");
    const tint = paper ? (mark === "X" ? x : o) : mark === "X" ? "#d9f1ed" : "#b8430e";
    const width = paper ? 0.13 : 0.09;
    if (mark === "O") circle(index, paper ? 0.29 : 0.22, null, tint, width);
    else {
      const [across, down] = centre(index);
      const arm = side * (paper ? 0.26 : 0.18);
      for (const way of [1, -1]) stroke([[across - arm, down - way * arm], [across + arm, down + way * arm]], tint, width * side);
    }
  });
  const { line } = now;
  brush.globalAlpha = 0.8;
  if (line.length > 0) stroke([[...centre(line[0])], [...centre(line[line.length - 1])]], paper ? ink : "#fff", 0.1 * side);
  return canvas;
}
