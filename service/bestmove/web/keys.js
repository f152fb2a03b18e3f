/** The help dialog (`?`). Loaded when it opens first. */

import "./dialogs.js";
import { byId, html } from "./dom.js";

/** The rows of the help dialog (`?`): each explains a sign or a key. */
const KEYS = [
  ["W3 L2 =", "In a square: proven for the side to move. It wins in 3 of its moves, loses in 2, draws; W≤3: in at most 3"],
  ["53", "In a circle: not proven, its chance in percent"],
  ["↓7", "Depth 7: not proven, searched 7 moves ahead, both sides' counted"],
  ["▮", "The bar beside the board: X's share of the chances, and O's"],
  ["(h9)", "A variation, after the move that it replaces"],
  ["4. 4…", "The fourth move of the side that began, and of the other side"],
  ["?! ? ??", "An inaccuracy, a mistake, a blunder: the move lost 10, 20, 30 % or more of the expected result"],
  ["✎", "The move has a comment"],
  ["← →", "One move back, one move on"],
  ["⋯ Shift+F10", "On a move: comment, delete, promote; so does the right button or a long press"],
  ["Delete", "On a move: delete it"],
  ["Home End", "To the start, to the end of the game"],
  ["Shift+← Shift+→", "From fault to fault of a review"],
  ["1…9", "Open a line of the analysis: then ← → Home End go through it"],
  ["Escape", "Close the line"],
  ["Tab", "To the board, where the keys below work"],
  ["↑ ↓ ← →", "From cell to cell; Home, End: to the ends of the row"],
  ["Enter", "Play"],
  ["U R", "Undo, redo; elsewhere Ctrl+Z, Ctrl+Shift+Z"],
  ["H", "Hint"],
  ["A T W", "Analysis, threats, why a result is proven"],
  ["?", "This list"],
];

/** Fills the dialog. Returns the function that opens it. */
export function makeKeys() {
  const rows = KEYS.map(([keys, what]) => {
    const marked = keys.split(" ").map((key) => html("kbd", {}, key));
    return html("div", {}, html("dt", {}, ...marked), html("dd", {}, what));
  });
  byId("keys").replaceChildren(...rows);
  return () => /** @type {HTMLDialogElement} */ (byId("keys-dialog")).showModal();
}
