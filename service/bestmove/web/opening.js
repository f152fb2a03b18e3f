/**
 * The dialog “Open…”. A game or board may come from a pasted text, a file, the editor, or the saved games. The page
 * loads this module when it first needs it.
 */

import { byId, html, loadModule, onDemand, store } from "./dom.js";
import { KEY, read } from "./saved.js";
import { gameNames, presetNamed, titleOf } from "./setup.js";
import { showTab } from "./tabs.js";
import { labels, say } from "./words.js";

/** @typedef {import("./address.js").Shared} Shared */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./records.js").Option} Option */

const dialog = /** @type {HTMLDialogElement} */ (byId("open-dialog"));
/** @returns {Promise<typeof import("./records.js")>} */
const loadRecords = () => loadModule("records.js");

/**
 * Makes the dialog, and returns a function that opens the dialog or the editor.
 * @param {object} page
 * @param {() => History} page.history
 * @param {(shared: Shared) => Promise<void>} page.load
 * @param {(history: History) => void} page.take
 * @param {(error: Error) => string} page.explain
 * @param {(sentences: string[]) => void} page.tell  shows a notice
 */
export function makeOpening({ history, load, take, explain, tell }) {
  const edit = onDemand("editor.js", (/** @type {typeof import("./editor.js")} */ { makeEditor }) => {
    const show = makeEditor({ history, load, explain });
    return () => {
      dialog.close();
      show();
    };
  });
  const showSaved = watchList();
  const area = /** @type {HTMLTextAreaElement} */ (byId("paste-text"));
  const k = /** @type {HTMLInputElement} */ (byId("paste-k"));
  const file = /** @type {HTMLInputElement} */ (byId("file"));

  const open = (/** @type {string} */ pasted) => {
    area.value = pasted;
    complain("");
    showSaved();
    dialog.showModal();
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
  byId("edit").addEventListener("click", change);
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

  /** @param {string | null} pasted  null for the editor */
  return (pasted) => {
    if (pasted === null) change();
    else open(pasted);
  };
}

/** Lists the games that the browser keeps, and returns a function that brings the list up to date. */
function watchList() {
  const list = byId("saved");
  /** @type {import("./saved.js").Saved[]} */
  let before = [];

  list.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    const games = read();
    const game = games[Number(button.dataset.at)];
    if (!game) return;
    if (button.className === "kept") {
      list.closest("dialog")?.close();
      location.hash = game.address;
      return;
    }
    before = games;
    if (store(KEY, games.filter((one) => one !== game))) byId("saved-said").textContent = say.deleted(game.name);
    show();
    byId("bring-back").hidden = false;
    byId("bring-back").focus();
  });
  byId("bring-back").addEventListener("click", () => {
    store(KEY, before);
    clear();
    show();
    list.querySelector("button")?.focus();
  });

  function clear() {
    byId("saved-said").textContent = "";
    byId("bring-back").hidden = true;
  }

  function show() {
    const items = read().map((game, at) => {
      const when = new Date(game.time).toLocaleDateString("en", { dateStyle: "medium" });
      const open = html("button", { type: "button", class: "kept", "data-at": at }, html("b", {}, game.name), html("small", {}, `${game.game} · ${when}`));
      const remove = html("button", { type: "button", class: "small", "data-at": at }, labels.delete);
      remove.setAttribute("aria-label", say.delete(game.name));
      return html("li", {}, open, remove);
    });
    list.replaceChildren(...items);
    byId("none-saved").hidden = items.length > 0;
  }

  return () => {
    clear();
    show();
  };
}
