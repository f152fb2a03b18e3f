/** Keeps games in this browser. Each game has a name, and an address that contains the game. */

import { fromFragment } from "./address.js";
import { byId, store, stored } from "./dom.js";
import { say } from "./words.js";

/**
 * @typedef {object} Saved
 * @property {string} name
 * @property {string} address
 * @property {string} game
 * @property {number} time  when the game was saved, in ms since 1970
 * @property {boolean} [unasked]  whether the browser saved the game automatically
 */

export const KEY = "bestmove-games";
/** How many of the last games the browser keeps automatically. */
const LAST = 5;

/** @returns {Saved[]} the newest first */
export function read() {
  try {
    const isSaved = (/** @type {any} */ one) => typeof one?.name === "string" && fromFragment(String(one.address));
    return stored(KEY).filter(isSaved);
  } catch {
    return []; // nothing is stored, or something else is under this key
  }
}

/**
 * @param {object} page
 * @param {() => {address: string, game: string, name: string}} page.present  returns the address of the game on the board,
 *     the title of the rules, and the name for saving the game automatically
 */
export function watchSaved({ present }) {
  const name = /** @type {HTMLInputElement} */ (byId("keep-name"));
  /** The address under which the game on the board was saved automatically; "" if it was not. */
  let own = "";

  byId("keep-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const called = name.value.trim();
    if (!called) return;
    const others = read().filter((one) => one.name !== called);
    const done = store(KEY, [{ ...present(), name: called, time: Date.now() }, ...others]);
    byId("copied").textContent = done ? say.kept(called) : say.notKept;
  });

  return {
    /** Keeps the game on the board among the last games, in place of its earlier state. @param {string} address */
    remember: (address) => {
      if (address === own) return;
      const others = read().filter((one) => !one.unasked || ![own, address].includes(one.address));
      const old = others.filter(({ unasked }) => unasked).slice(LAST - 1);
      store(KEY, [{ ...present(), time: Date.now(), unasked: true }, ...others.filter((one) => !old.includes(one))]);
      own = address;
    },
    leave: () => {
      own = "";
    },
    last: () => read().find(({ unasked }) => unasked) ?? null,
    suggest: () => {
      name.value = `${present().game}, ${new Date().toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`;
    },
  };
}
