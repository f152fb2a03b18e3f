/** The dialog for sharing a game as a link, text, a picture or a file. */

import { byId, html, loadModule } from "./dom.js";
import { isGomoku, spelled } from "./rules.js";
import { say, trouble } from "./words.js";

/** @typedef {import("./history.js").History} History */

const dialog = /** @type {HTMLDialogElement} */ (byId("share-dialog"));

/**
 * @param {object} page
 * @param {() => History} page.history
 * @param {() => void} page.onShow  called when the dialog opens
 * @returns {() => void} a function that opens the dialog
 */
export function makeSharing({ history, onShow }) {
  const board = () => spelled(history().now.cells, history().rules);

  byId("copy-link").addEventListener("click", () => {
    const { root, all } = history();
    const told = [root, ...all].some(({ note }) => note?.players || note?.comment);
    copy(location.href, told ? say.theMovesOnly : say.theLink);
  });
  byId("copy-board").addEventListener("click", () => copy(board(), say.theBoard));
  byId("copy-moves").addEventListener("click", () => copy(history().text, say.theMoves));
  byId("send-link").hidden = !("share" in navigator);
  byId("send-link").addEventListener("click", () => {
    // Cancelling is not an error.
    navigator.share({ title: document.title, url: location.href }).catch(() => {});
  });
  byId("save-picture").addEventListener("click", () => {
    save("png", async () => {
      const { drawPicture } = /** @type {typeof import("./picture.js")} */ (await loadModule("picture.js"));
      const shown = byId("board");
      const style = getComputedStyle(shown);
      const kind = ["discs", "goban"].find((name) => shown.classList.contains(name)) ?? "paper";
      const canvas = drawPicture(history(), kind, (name) => style.getPropertyValue(name).trim());
      return new Promise((done) => canvas.toBlob((blob) => done(blob ?? new Blob())));
    });
  });
  byId("save-file").addEventListener("click", () => {
    // Of the page's games, SGF has only gomoku. For any other game, the file contains the link.
    if (!isGomoku(history().rules)) {
      save("txt", async () => new Blob([`${location.href}\n`], { type: "text/plain" }));
      return;
    }
    save("sgf", async () => {
      const { writeSgf } = /** @type {typeof import("./sgf.js")} */ (await loadModule("sgf.js"));
      return new Blob([writeSgf(history())], { type: "application/x-go-sgf" });
    });
  });
  return () => {
    byId("copied").textContent = "";
    showPosition(history());
    onShow();
    dialog.showModal();
  };
}

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
 * Downloads a file that `make` creates.
 * @param {string} ending @param {() => Promise<Blob>} make
 */
async function save(ending, make) {
  try {
    const href = URL.createObjectURL(await make());
    html("a", { href, download: `bestmove.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(href));
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
