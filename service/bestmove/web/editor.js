/** The dialog for setting up a board by hand. Each click places, changes or removes a mark. */

import { BoardView } from "./board-view.js";
import { byId } from "./dom.js";
import { say } from "./records-words.js";
import { landing, other, spelled } from "./rules.js";

/** @typedef {import("./address.js").Shared} Shared */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./history.js").History} History */

const EMPTY = ".";
const dialog = /** @type {HTMLDialogElement} */ (byId("editor-dialog"));
const form = /** @type {HTMLFormElement} */ (byId("editor"));

/**
 * @param {object} page
 * @param {() => History} page.history
 * @param {(shared: Shared, furnish: () => Promise<void>) => Promise<void>} page.load
 * @param {(error: Error) => string} page.explain
 * @returns {() => void} a function that opens the dialog with the game's board
 */
export function makeEditor({ history, load, explain }) {
  let cells = "";
  /** The boards since the dialog opened, and the side to move in each: the last is shown. @type {Array<[string, Mark]>} */
  let past = [];
  /** The side to move if X and O have equally many marks. @type {Mark} */
  let turn = "X";
  const board = byId("editor-board");
  const status = byId("editor-status");
  const view = new BoardView(board, (index) => put(index, tool() === "turns" && cells[index] !== EMPTY && !history().rules.gravity ? EMPTY : hand()));
  const tool = () => String(new FormData(form).get("mark"));
  /** What a click places on an empty cell. */
  const hand = () => (tool() === "turns" ? standing().next : tool());

  byId("clear").addEventListener("click", () => {
    cells = cells.replace(/[XO]/g, EMPTY);
    show();
  });
  byId("editor-undo").addEventListener("click", () => {
    if (past.length > 1) past.pop();
    [cells, turn] = past[past.length - 1];
    show();
  });
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "turn") turn = /** @type {Mark} */ (target.value);
    show();
  });
  // The keys X and O place a mark on the focused cell. Delete, Backspace and the dot remove the mark.
  board.addEventListener("keydown", (event) => {
    const cell = event.target instanceof HTMLElement ? event.target.dataset.index : undefined;
    const mark = { x: "X", o: "O", delete: EMPTY, backspace: EMPTY, ".": EMPTY }[event.key.toLowerCase()];
    if (cell === undefined || !mark || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    put(Number(cell), mark);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { rules } = history();
    const { lead } = standing();
    if (Math.abs(lead) > 1) return;
    const first = lead === 0 ? turn : lead > 0 ? "X" : "O";
    const shared = { game: null, rules, first, you: null, mode: null, moves: "", at: null };
    try {
      await load({ ...shared, board: spelled(cells, rules) }, async () => {});
      dialog.close();
    } catch (error) {
      byId("editor-error").textContent = explain(/** @type {Error} */ (error));
    }
  });

  /** @param {number} index @param {string} mark */
  function put(index, mark) {
    const { rules } = history();
    const was = cells[index];
    const lands = mark === EMPTY ? null : landing(cells, index, rules);
    if (lands !== null) {
      cells = withMark(lands, mark);
      turn = other(/** @type {Mark} */ (mark));
    } else if (mark !== EMPTY && mark !== was) cells = withMark(index, mark);
    else if (was !== EMPTY) {
      turn = /** @type {Mark} */ (was);
      // The marks above the removed mark fall.
      const step = rules.gravity ? rules.columns : cells.length;
      for (let at = index; at >= 0; at -= step) cells = withMark(at, cells[at - step] ?? EMPTY);
    }
    show();
  }

  /** @param {number} index @param {string} mark */
  const withMark = (index, mark) => cells.slice(0, index) + mark + cells.slice(index + 1);

  function standing() {
    const count = (/** @type {string} */ mark) => cells.split(mark).length - 1;
    const [x, o] = [count("X"), count("O")];
    return { x, o, lead: x - o, next: x === o ? turn : x > o ? /** @type {Mark} */ ("O") : /** @type {Mark} */ ("X") };
  }

  function show() {
    if (cells !== past.at(-1)?.[0]) past.push([cells, turn]);
    const held = hand() === EMPTY ? null : /** @type {Mark} */ (hand());
    const nothing = { last: null, line: [], hint: null, evaluations: [], ranked: 0, threats: null };
    view.show({ ...nothing, rules: history().rules, cells, hand: held, turn: held ?? "X", free: true });
    const { x, o, lead, next } = standing();
    const fits = Math.abs(lead) <= 1;
    status.textContent = fits ? say.editing(x, o, next) : say.tooMany(lead > 0 ? "X" : "O", Math.abs(lead));
    status.classList.toggle("wrong", !fits);
    byId("editor-done").setAttribute("aria-disabled", String(!fits));
    byId("editor-undo").setAttribute("aria-disabled", String(past.length < 2));
    for (const input of form.querySelectorAll('[name="turn"]')) {
      if (!(input instanceof HTMLInputElement)) continue;
      input.checked = input.value === next;
      input.disabled = lead !== 0 && input.value !== next;
    }
  }

  return () => {
    const { now } = history();
    ({ cells } = now);
    turn = now.turn ?? "X";
    past = [];
    byId("editor-error").textContent = "";
    show();
    if (!dialog.open) dialog.showModal();
  };
}
