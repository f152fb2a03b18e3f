/** Keeps games in this browser. Each game has a name, and an address that contains the game. */

import { fromFragment } from "./address.js";
import { byId, html, store, stored } from "./dom.js";
import { labels, say } from "./words.js";

/**
 * @typedef {object} Saved
 * @property {string} name
 * @property {string} address
 * @property {string} game
 * @property {number} time  when the game was saved, in ms since 1970
 * @property {boolean} [unasked]  whether the browser saved the game automatically
 */

const KEY = "bestmove-games";
/** How many of the last games the browser keeps automatically. */
const LAST = 5;

/** @returns {Saved[]} the newest first */
function read() {
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
  const list = byId("saved");
  /** @type {Saved[]} */
  let before = [];
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
    list: () => {
      clear();
      show();
    },
    suggest: () => {
      name.value = `${present().game}, ${new Date().toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`;
    },
  };
}
