/** The dialog for sharing a game as a link, text, a picture or a file. */

import "./dialogs.js";
import { byId, html, label, loadModule } from "./dom.js";
import { dialogs, say } from "./records-words.js";
import { titleOf } from "./setup.js";
import { rulesInWords, say as words, trouble } from "./words.js";

/** @typedef {import("./history.js").History} History */

const dialog = /** @type {HTMLDialogElement} */ (byId("share-dialog"));
label(dialogs);

/**
 * @param {object} page
 * @param {() => History} page.history
 * @param {() => string} page.name  returns the name under which the game is kept; "" if it has none
 * @param {(name: string) => Promise<boolean>} page.keep  keeps the game under a name. Returns whether that was possible
 * @returns {() => void} a function that opens the dialog
 */
export function makeSharing({ history, name, keep }) {
  byId("copy-link").addEventListener("click", () => {
    const { root, all } = history();
    const told = [root, ...all].some(({ note }) => note?.players || note?.comment);
    copy(location.href, told ? say.theMovesOnly : say.theLink);
  });
  byId("copy-board").addEventListener("click", () => copy(`${byId("text").textContent}${history().rules.rows === 1 ? "/" : ""}`, say.theBoard));
  byId("copy-moves").addEventListener("click", () => copy(history().text, say.theMoves));
  byId("send-link").hidden = !("share" in navigator);
  // Cancelling is not an error.
  byId("send-link").addEventListener("click", () => navigator.share({ title: document.title, url: location.href }).catch(() => {}));
  byId("save-picture").addEventListener("click", () => save(history(), "png", async () => {
    const { drawPicture } = /** @type {typeof import("./picture.js")} */ (await loadModule("picture.js"));
    const shown = byId("board");
    const style = getComputedStyle(shown);
    const kind = ["discs", "goban"].find((name) => shown.classList.contains(name)) ?? "paper";
    const canvas = drawPicture(history(), kind, (name) => style.getPropertyValue(name).trim());
    return new Promise((done) => canvas.toBlob((blob) => done(blob ?? new Blob())));
  }));
  byId("save-file").addEventListener("click", () => save(history(), "sgf", async () => {
    const { writeSgf } = /** @type {typeof import("./sgf.js")} */ (await loadModule("sgf.js"));
    return new Blob([writeSgf(history())], { type: "application/x-go-sgf" });
  }));
  const called = /** @type {HTMLInputElement} */ (byId("keep-name"));
  byId("keep-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = called.value.trim();
    if (text) byId("copied").textContent = (await keep(text)) ? say.kept(text) : words.notKept;
  });
  return () => {
    byId("copied").textContent = "";
    showPosition(history());
    byId("copy-moves").hidden = history().text === "";
    const time = new Date().toLocaleString("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
    called.value = name() || `${gameOf(history().rules)}, ${time}`;
    dialog.showModal();
  };
}

/** @param {import("./rules.js").Rules} rules */
const gameOf = (rules) => titleOf(rules) ?? rulesInWords(rules);

/** @param {History} history */
function showPosition({ now, rules }) {
  const { rows, columns, k } = rules;
  const lines = now.cells.match(new RegExp(`.{${columns}}`, "g")) ?? [];
  byId("text").textContent = lines.join("\n");
  // The explorer can draw the tree of an unfinished game of tic-tac-toe.
  const plain = rows === 3 && columns === 3 && k === 3 && !rules.gravity && !rules.misere;
  byId("explore").hidden = !plain || now.turn === null;
  const link = byId("explore").querySelector("a");
  if (link) link.hash = new URLSearchParams({ tree: now.cells }).toString();
}

/**
 * Downloads a file that `make` creates. The game and the date name the file.
 * @param {History} history @param {string} ending @param {() => Promise<Blob>} make
 */
async function save({ rules }, ending, make) {
  try {
    // Swedish dates are those of ISO 8601.
    const words = ["bestmove", gameOf(rules), new Date().toLocaleDateString("sv")].join(" ");
    const name = `${words.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${ending}`;
    const href = URL.createObjectURL(await make());
    html("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href));
    byId("copied").textContent = say.saved(name);
  } catch {
    byId("copied").textContent = Object.values(trouble("gone", "file", "")).join(" ");
  }
}

/** @param {string} text @param {string} what */
async function copy(text, what) {
  const done = byId("copied");
  try {
    await navigator.clipboard.writeText(text);
    done.textContent = say.copied(what);
  } catch {
    // Without HTTPS or permission there is no clipboard. Select the text: the user can copy it.
    done.textContent = text;
    getSelection()?.selectAllChildren(done);
  }
}
