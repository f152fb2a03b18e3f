/**
 * The dialog “Open…”. A game or board may come from a pasted text, a file, the editor, or the saved games. The page
 * loads this module when it first needs it.
 */

import "./dialogs.js";
import { InvalidLink } from "./address.js";
import { byId, html, label, loadModule, onDemand } from "./dom.js";
import { InvalidMoves } from "./history.js";
import { showTab } from "./panel.js";
import { dialogs, notices } from "./records-words.js";
import { watchList } from "./saved.js";
import { gameNames, presetNamed, titleOf } from "./setup.js";

/** @typedef {import("./address.js").Shared} Shared */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./records.js").Option} Option */

const dialog = /** @type {HTMLDialogElement} */ (byId("open-dialog"));
label(dialogs);
/** @returns {Promise<typeof import("./records.js")>} */
const loadRecords = () => loadModule("records.js");

/**
 * Makes the dialog, and returns a function that opens the dialog or the editor.
 * @param {object} page
 * @param {() => History} page.history
 * @param {(shared: Shared, furnish: (history: History) => Promise<void>) => Promise<void>} page.load  `furnish`: called before the game is shown
 * @param {(history: History) => void} page.take
 * @param {() => () => void} page.remember  returns a function that puts the game on the board back
 * @param {(game: import("./saved.js").Saved) => void} page.resume  opens a kept game
 * @param {(error: Error) => string} page.explain
 * @param {(sentences: string[], kind?: "done", undo?: () => void) => void} page.tell  shows a notice
 */
export function makeOpening({ history, load, take, resume, remember, explain, tell }) {
  const edit = onDemand("editor.js", (/** @type {typeof import("./editor.js")} */ { makeEditor }) => {
    const show = makeEditor({ history, load: (...asked) => arrive(() => load(...asked)), explain });
    return () => {
      dialog.close();
      show();
    };
  });
  const showSaved = watchList((kept) => {
    resume(kept);
    showTab(kept.review ? "review" : kept.notes ? "moves" : "analysis");
  });
  const area = /** @type {HTMLTextAreaElement} */ (byId("paste-text"));
  const k = /** @type {HTMLInputElement} */ (byId("paste-k"));
  const file = /** @type {HTMLInputElement} */ (byId("file"));

  const open = (/** @type {string} */ pasted) => {
    area.value = pasted;
    complain("");
    showSaved();
    if (!dialog.open) dialog.showModal();
    if (pasted) area.focus();
  };
  const change = async () => {
    try {
      await edit();
    } catch (error) {
      if (!dialog.open) open("");
      complain(explain(/** @type {Error} */ (error)));
    }
  };
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
   * Opens a game, shows the tab that says most of it, and tells what is open.
   * @param {() => Promise<void> | void} bring @param {string[]} [told] @param {() => void} [undo]
   */
  async function arrive(bring, told = [], undo) {
    const mode = /** @type {HTMLSelectElement} */ (byId("mode"));
    const [before, was] = [history(), mode.value];
    await bring();
    dialog.close();
    const { root, all } = history();
    if (history() === before) return; // the user closed the dialog during the loading
    showTab([root, ...all].some(({ note }) => note?.comment) ? "moves" : "analysis");
    tell(mode.value === "analysis" && was !== mode.value ? [...told, notices.analysis] : told, "done", undo);
  }

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
      const [before, putBack] = [history(), remember()];
      const { rules, fromEmpty } = before;
      const opened = readRecord(area.value, {
        rules: option?.rules ?? rules,
        first: fromEmpty ? before.first : "X", // the side to move first in a set-up board says nothing of another game
        k: k.value ? Number(k.value) : undefined,
        games: games.map((known) => ({ title: String(titleOf(known)), rules: known })),
      });
      const { shared, history: read, told, isOther } = opened;
      const bring = () => (shared ? load(shared, async (loaded) => read && passOn(read, loaded)) : read && take(read));
      await arrive(bring, told, isOther ? putBack : undefined);
    } catch (error) {
      const told = error instanceof InvalidMoves ? new InvalidLink((await loadRecords()).sentenceOf(error)) : error;
      complain(explain(/** @type {Error} */ (told)), /** @type {{options?: Option[]}} */ (error).options);
      area.focus();
    }
  }

  /** @param {string} sentence @param {Option[]} [options]  a button each */
  function complain(sentence, options = []) {
    const buttons = options.map((option) => {
      const button = html("button", { type: "button" }, option.label);
      button.addEventListener("click", () => bringIn(undefined, option));
      return button;
    });
    byId("paste-error").replaceChildren(sentence, ...buttons);
    byId("paste-error").scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-invalid", String(sentence !== ""));
  }

  /** @param {string | null} pasted  null for the editor */
  return (pasted) => {
    if (pasted === null) change();
    else open(pasted);
  };
}
