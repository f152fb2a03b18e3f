/** The dialog to open a game or a board: pasted, from a file, set up by hand, or kept in the browser. */

import { completeRules } from "./address.js";
import { byId, loadModule } from "./dom.js";
import { History, InvalidMoves } from "./history.js";
import { guessFirst, listsMoves, marksIn, nameOf, readGomocup } from "./notation.js";

/** @typedef {import("./address.js").Shared} Shared */

const dialog = /** @type {HTMLDialogElement} */ (byId("open-dialog"));
/** In bytes; every game is shorter. */
const LARGEST_FILE = 1_000_000;

/**
 * @param {object} page
 * @param {() => History} page.history
 * @param {(shared: Shared) => Promise<void>} page.load
 * @param {(history: History) => void} page.take
 * @param {(error: Error) => string} page.explain
 * @param {() => void} page.onShow  called when the dialog opens
 */
export function watchOpening({ history, load, take, explain, onShow }) {
  /** Few users need the editor, so it is loaded only when it is needed, once. @type {Promise<() => void> | null} */
  let editor = null;
  const area = /** @type {HTMLTextAreaElement} */ (byId("paste-text"));
  const k = /** @type {HTMLInputElement} */ (byId("paste-k"));
  const file = /** @type {HTMLInputElement} */ (byId("file"));

  const open = (/** @type {string} */ pasted) => {
    area.value = pasted;
    complain("");
    onShow();
    dialog.showModal();
    if (pasted) area.focus();
  };
  byId("open").addEventListener("click", () => open(""));
  document.addEventListener("paste", (event) => {
    const elsewhere = event.target instanceof Element && event.target.closest("input, textarea");
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (elsewhere || document.querySelector("dialog[open]") || pasted.trim() === "") return;
    event.preventDefault();
    open(pasted);
  });
  const change = async () => {
    try {
      editor ??= loadModule("editor.js").then((/** @type {typeof import("./editor.js")} */ { makeEditor }) => makeEditor({ history, load, explain }));
      const edit = await editor;
      dialog.close();
      edit();
    } catch (error) {
      editor = null;
      if (!dialog.open) open("");
      complain(explain(/** @type {Error} */ (error)));
    }
  };
  byId("edit").addEventListener("click", change);
  byId("edit-here").addEventListener("click", change);
  byId("open-file").addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    area.value = await chosen.slice(0, LARGEST_FILE).text();
    file.value = ""; // so that the same file can be chosen again
    await bringIn();
  });
  byId("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    bringIn();
  });

  async function bringIn() {
    try {
      await setUp(area.value, k.value ? Number(k.value) : undefined);
      dialog.close();
    } catch (error) {
      complain(explain(/** @type {Error} */ (error)));
      area.focus();
    }
  }

  /** @param {string} text @param {number | undefined} length  how many marks in a row win */
  async function setUp(text, length) {
    const { rules, first } = history();
    const given = length ? { k: length } : {};
    if (/^\s*\(\s*;/.test(text)) {
      const { readSgf } = /** @type {typeof import("./sgf.js")} */ (await loadModule("sgf.js"));
      const sgf = readSgf(text);
      return load({ ...sgf, rules: { ...sgf.rules, ...given } });
    }
    const gomocup = readGomocup(text, rules);
    if (gomocup || listsMoves(text, rules)) {
      const whole = completeRules(given, gomocup?.rules ?? rules);
      const pasted = new History(whole, gomocup ? "X" : first);
      gomocup?.cells.forEach((cell, at) => {
        if (!pasted.play(cell)) throw new InvalidMoves(nameOf(cell, whole), at + 1);
      });
      if (!gomocup) pasted.read(text);
      return take(pasted);
    }
    // A board of the current size is read under the current rules.
    const known = marksIn(text) === rules.rows * rules.columns ? rules : {};
    return load({
      board: text,
      game: null,
      rules: { ...known, ...given },
      first: guessFirst(text),
      you: null,
      mode: null,
      moves: "",
      at: null,
    });
  }

  /** @param {string} sentence */
  function complain(sentence) {
    byId("paste-error").textContent = sentence;
    area.setAttribute("aria-invalid", String(sentence !== ""));
  }
}
