/** Games in and out: copied, pasted, and shared as an address. */

import { byId } from "./dom.js";
import { guessFirst, listsMoves, readGomocup } from "./notation.js";
import { History } from "./history.js";
import { spelled } from "./rules.js";
import { say } from "./words.js";

/** @typedef {import("./address.js").Shared} Shared */

const dialog = /** @type {HTMLDialogElement} */ (byId("share-dialog"));

/**
 * @param {object} page
 * @param {() => History} page.history
 * @param {(shared: Shared) => Promise<void>} page.load
 * @param {(history: History) => void} page.take
 * @param {(error: Error) => string} page.explain
 */
export function watchSharing({ history, load, take, explain }) {
  const area = /** @type {HTMLTextAreaElement} */ (byId("paste-text"));
  const k = /** @type {HTMLInputElement} */ (byId("paste-k"));
  const board = () => spelled(history().now.cells, history().rules);

  byId("copy-link").addEventListener("click", () => copy(location.href, say.theLink));
  byId("copy-board").addEventListener("click", () => copy(board(), say.theBoard));
  byId("copy-moves").addEventListener("click", () => copy(history().text, say.theMoves));
  byId("send-link").hidden = !("share" in navigator);
  byId("send-link").addEventListener("click", () => {
    // A sheet that is closed without sending is no fault.
    navigator.share({ title: document.title, url: location.href }).catch(() => {});
  });

  const open = (/** @type {string} */ pasted) => {
    area.value = pasted;
    complain("");
    byId("copied").textContent = "";
    showPosition(history());
    dialog.showModal();
    if (pasted) area.focus();
  };
  byId("share").addEventListener("click", () => open(""));
  document.addEventListener("paste", (event) => {
    const elsewhere = event.target instanceof Element && event.target.closest("input, textarea");
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (elsewhere || document.querySelector("dialog[open]") || pasted.trim() === "") return;
    event.preventDefault();
    open(pasted);
  });

  byId("paste-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await setUp(area.value, k.value ? Number(k.value) : undefined);
      dialog.close();
    } catch (error) {
      complain(explain(/** @type {Error} */ (error)));
      area.focus();
    }
  });

  /** @param {string} text @param {number | undefined} length  in a row */
  async function setUp(text, length) {
    const { rules, first } = history();
    const gomocup = readGomocup(text, rules);
    if (gomocup || listsMoves(text, rules)) {
      const of = { ...(gomocup?.rules ?? rules), ...(length ? { k: length } : {}) };
      const pasted = new History(of, gomocup ? "X" : first);
      if (gomocup) for (const cell of gomocup.cells) pasted.play(cell);
      else pasted.read(text);
      take(pasted);
      return;
    }
    // A line break after the last row would be one row more.
    const shown = text.replace(/^[\r\n]+|[\r\n]+$/g, "");
    const same = [...shown].filter((mark) => /[^\s/|]/.test(mark)).length;
    // On a board of the size of this one, this game is meant.
    const known = same === rules.rows * rules.columns ? rules : {};
    await load({
      board: shown,
      game: null,
      rules: { ...known, ...(length ? { k: length } : {}) },
      first: guessFirst(shown),
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

/** @param {History} history */
function showPosition({ now, rules }) {
  const { rows, columns, k } = rules;
  const lines = now.cells.match(new RegExp(`.{${columns}}`, "g")) ?? [];
  byId("text").textContent = lines.join("\n");
  // The explorer draws what is left of a game of tic-tac-toe.
  const plain = rows === 3 && columns === 3 && k === 3 && !rules.gravity && !rules.misere;
  byId("explore").hidden = !plain || now.turn === null;
  const link = byId("explore").querySelector("a");
  if (link) link.hash = new URLSearchParams({ tree: now.cells }).toString();
}

/** @param {string} text @param {string} what */
async function copy(text, what) {
  const done = byId("copied");
  try {
    await navigator.clipboard.writeText(text);
    done.textContent = say.copied(what);
  } catch {
    // No clipboard without HTTPS, or not permitted: the person copies it by hand.
    done.textContent = text;
    getSelection()?.selectAllChildren(done);
  }
}
