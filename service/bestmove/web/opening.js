/** The dialog “Open…”. A game or board may come from a pasted text, a file, the editor, or the saved games. */

import { byId, html, loadModule, onDemand } from "./dom.js";
import { gameNames, presetNamed, titleOf } from "./setup.js";
import { showTab } from "./tabs.js";

/** @typedef {import("./address.js").Shared} Shared */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./records.js").Option} Option */

/** How long a notice stays, and how much longer for each of its characters. */
const [READ_MS, READ_CHARACTER_MS] = [5000, 60];

const dialog = /** @type {HTMLDialogElement} */ (byId("open-dialog"));
/** @returns {Promise<typeof import("./records.js")>} */
const loadRecords = () => loadModule("records.js");

/**
 * @param {object} page
 * @param {() => History} page.history
 * @param {(shared: Shared) => Promise<void>} page.load
 * @param {(history: History) => void} page.take
 * @param {(error: Error) => string} page.explain
 * @param {() => void} page.onShow  called when the dialog opens
 */
export function watchOpening({ history, load, take, explain, onShow }) {
  const edit = onDemand("editor.js", (/** @type {typeof import("./editor.js")} */ { makeEditor }) => {
    const show = makeEditor({ history, load, explain });
    return () => {
      dialog.close();
      show();
    };
  });
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
      await edit();
    } catch (error) {
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
    await bringIn(chosen);
    file.value = ""; // so that the same file can be chosen again
  });
  byId("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    bringIn();
  });

  /**
   * @param {File} [chosen]  a file to read instead of the text in the dialog
   * @param {Option} [option]  what the user chose between several readings
   */
  async function bringIn(chosen, option) {
    try {
      const { passOn, readRecord, textOf } = await loadRecords();
      area.value = chosen ? await textOf(chosen) : (option?.text ?? area.value);
      if (!dialog.open) return;
      const games = gameNames().map((name) => presetNamed(name)).filter((rules) => rules !== undefined);
      const before = history();
      const { rules, first } = before;
      const opened = readRecord(area.value, {
        rules: option?.rules ?? rules,
        first,
        k: k.value ? Number(k.value) : undefined,
        games: games.map((known) => ({ title: String(titleOf(known)), rules: known })),
      });
      if (opened.shared) await load(opened.shared);
      else if (opened.history) take(opened.history);
      dialog.close();
      if (history() === before) return; // the user closed the dialog during the loading
      if (opened.shared && opened.history) passOn(opened.history, history());
      if ([history().root, ...history().all].some(({ note }) => note?.comment)) showTab("moves");
      tell(opened.told ?? []);
    } catch (error) {
      complain(explain(/** @type {Error} */ (error)), /** @type {{options?: Option[]}} */ (error).options);
      area.focus();
    }
  }

  /** The game on the board when the notice appeared. @type {History | null} */
  let about = null;
  /** What the notice's “Undo” does. @type {(() => void) | null} */
  let takeBack = null;
  let timer = 0;
  /**
   * Shows a notice. A notice without “Undo” closes when there was time to read it.
   * @param {string[]} sentences @param {"hint" | "done" | "fault"} [kind] @param {() => void} [undo]
   */
  function tell(sentences, kind = "hint", undo) {
    about = history();
    takeBack = undo ?? null;
    const text = sentences.join(" ");
    byId("told-undo").hidden = !undo;
    byId("told-text").textContent = text;
    byId("told").className = `notice ${kind}`;
    byId("told").hidden = text === "";
    clearTimeout(timer);
    if (text && !undo) timer = window.setTimeout(leave, READ_MS + READ_CHARACTER_MS * text.length);
  }
  /** Closes the notice, but not while the user points at it. */
  function leave() {
    if (byId("told").matches(":hover, :focus-within")) timer = window.setTimeout(leave, READ_MS);
    else tell([]);
  }
  byId("told-undo").addEventListener("click", () => takeBack?.());
  byId("told-close").addEventListener("click", () => tell([]));
  // Close the notice when another game is on the board.
  for (const event of ["click", "submit", "hashchange"]) {
    window.addEventListener(event, () => {
      if (history() !== about) tell([]);
    });
  }

  /** @param {string} sentence @param {Option[]} [options]  a button each */
  function complain(sentence, options = []) {
    const buttons = options.map((option) => {
      const button = html("button", { type: "button" }, option.label);
      button.addEventListener("click", () => bringIn(undefined, option));
      return button;
    });
    byId("paste-error").replaceChildren(sentence, ...buttons);
    area.setAttribute("aria-invalid", String(sentence !== ""));
  }

  return { tell };
}
