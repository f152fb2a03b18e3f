/** Boards in and out: copied, pasted, and shared as an address. */

import { byId } from "./dom.js";
import { guessFirst } from "./position.js";

/** @typedef {import("./position.js").Shared} Shared */

/**
 * @param {object} page
 * @param {() => string} page.text  the board in the service's spelling
 * @param {(shared: Shared) => Promise<void>} page.load
 * @param {(error: Error) => string} page.explain
 */
export function watchPositions({ text, load, explain }) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("paste-dialog"));
  const area = /** @type {HTMLTextAreaElement} */ (byId("paste-text"));
  const k = /** @type {HTMLInputElement} */ (byId("paste-k"));

  byId("copy").addEventListener("click", () => copy(text(), "The board"));
  byId("share").addEventListener("click", () => share(location.href));

  const open = (/** @type {string} */ pasted) => {
    area.value = pasted;
    complain("");
    dialog.showModal();
    area.focus();
  };
  byId("paste").addEventListener("click", () => open(""));
  byId("paste-cancel").addEventListener("click", () => dialog.close());
  document.addEventListener("paste", (event) => {
    const elsewhere = event.target instanceof Element && event.target.closest("input, textarea");
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (elsewhere || dialog.open || pasted.trim() === "") return;
    event.preventDefault();
    open(pasted);
  });

  byId("paste-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    // A line break after the last row would be one row more.
    const board = area.value.replace(/^[\r\n]+|[\r\n]+$/g, "");
    const rules = k.value ? { k: Number(k.value) } : {};
    try {
      await load({ board, rules, first: guessFirst(board), you: null });
      dialog.close();
    } catch (error) {
      complain(explain(/** @type {Error} */ (error)));
      area.focus();
    }
  });

  /** @param {string} sentence */
  function complain(sentence) {
    byId("paste-error").textContent = sentence;
    area.setAttribute("aria-invalid", String(sentence !== ""));
  }
}

/** @param {string} text @param {string} what */
async function copy(text, what) {
  const done = byId("copied");
  try {
    await navigator.clipboard.writeText(text);
    done.textContent = `${what} is on the clipboard.`;
  } catch {
    // No clipboard without HTTPS, or not permitted: the person copies it by hand.
    done.textContent = text;
    getSelection()?.selectAllChildren(done);
  }
}

/** A phone's own sheet where there is one, else the clipboard. @param {string} url */
async function share(url) {
  const finger = matchMedia("(pointer: coarse)").matches;
  if (finger && navigator.share) {
    try {
      await navigator.share({ title: document.title, url });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copy(url, "The link to this position");
}
