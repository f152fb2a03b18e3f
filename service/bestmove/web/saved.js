/**
 * Keeps games in this browser, and lists them in the dialog “Open…”. The page loads this module when it first
 * needs it.
 */

import { byId, html, KEPT, keptGames, loadModule, store } from "./dom.js";
import { nameOf } from "./notation.js";
import { labels, say } from "./records-words.js";
import { strength, titleOf } from "./setup.js";
import { opponentInWords, rulesInWords } from "./words.js";

/** @typedef {import("./history.js").History} History */
/**
 * @typedef {object} Saved
 * @property {number} id
 * @property {number} time  when the game was saved, in ms since 1970
 * @property {string} address  contains the moves and the review's marks
 * @property {string} game  the title of the rules
 * @property {string} name  the name that the user gave, otherwise the same as `about`
 * @property {string} [about]  the opponent, the result, and the last move
 * @property {boolean} [isOver]
 * @property {boolean} [unasked]  whether the browser saved the game automatically
 * @property {string} [review]  the game's review as `Review.textOf` writes it, if it is complete
 * @property {string} [notes]  the game as SGF, if it has comments or anything else that the address does not contain
 */
/** @typedef {Pick<Saved, "id" | "time" | "name" | "address" | "notes" | "review">} Own  the game on the board, as this tab read or kept it last; `time` is 0 if it did not, `name` is "" if the user gave none */

/** How many of the last games the browser keeps automatically. */
const LAST = 20;
/** The longest notes and the longest review of a game, and the most that is stored of all games, in characters. A browser stores about 5 million for a service. */
const [LONGEST, MOST] = [100_000, 1_500_000];

/** @param {Saved[]} all */
const write = (all) => JSON.stringify(all).length <= MOST && store(KEPT, all);

/** Returns what is kept of a game, except which of its positions is shown. @param {Omit<Own, "id" | "time">} game */
const contentOf = ({ name, address, notes, review }) => [name, address.replace(/&at=\d+/, ""), notes, review].join(" ");

/**
 * Keeps a game in place of its earlier state. A game without moves, comments and a name is not kept. If another tab went on with the same game, both are kept.
 * @param {Own} own
 * @param {{history: History, name: string, address: string, review: string, mode: import("./address.js").Mode, you: import("./client.js").Mark}} present
 * @returns {Promise<boolean>} whether the browser keeps the whole game
 */
export async function keep(own, { history, name, address, review: written, mode, you }) {
  const { mainEnd, root, all, rules } = history;
  const noted = [root, ...all].some(({ note }) => note);
  const sgf = noted ? /** @type {typeof import("./sgf.js")} */ (await loadModule("sgf.js")).writeSgf(history) : "";
  const notes = sgf.length <= LONGEST ? sgf : "";
  const review = written.length <= LONGEST ? written : "";
  const games = keptGames();
  const isNew = !own.time || contentOf({ name, address, notes, review }) !== contentOf(own);
  if (games.some(({ id, time }) => id === own.id && time !== own.time)) {
    if (!isNew) return true;
    own.id = Math.random();
  }
  Object.assign(own, { name, address, notes, review }, isNew && { time: Date.now() });
  const who = root.note?.players || opponentInWords(mode, strength(mode).level);
  const about = say.keptGame(who, mainEnd, nameOf(Number(mainEnd.move), rules), mode === "engine" ? you : null);
  const game = titleOf(rules) ?? rulesInWords(rules);
  const others = games.filter((one) => one.id !== own.id && !(one.unasked && !one.notes && one.address === address));
  if (!mainEnd.parent && history.fromEmpty && !noted && !name) return write(others);
  const old = others.filter(({ unasked }) => unasked).slice(name ? LAST : LAST - 1);
  const kept = { ...own, name: name || about, unasked: !name, game, about, isOver: mainEnd.turn === null };
  const rest = others.filter((one) => !old.includes(one));
  return (write([kept, ...rest]) || write([{ ...kept, review: "" }, ...rest])) && notes === sgf;
}

/** Gives a game the notes that the browser keeps of it. @param {string} notes  as in `Saved` @param {History} history */
export async function putBack(notes, history) {
  const { passOn, readSgf } = /** @type {typeof import("./sgf.js")} */ (await loadModule("sgf.js"));
  const noted = readSgf(notes, history.rules).history;
  if (noted.text === history.text) passOn(noted, history);
}

/**
 * Lists the kept games, and returns a function that brings the list up to date.
 * @param {(game: Saved) => void} onOpen
 */
export function watchList(onOpen) {
  const list = byId("saved");
  /** The game that was deleted last. @type {Saved | null} */
  let deleted = null;

  list.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const game = keptGames().find(({ id }) => String(id) === button?.dataset.id);
    if (!button || !game) return;
    if (button.className === "kept") {
      list.closest("dialog")?.close();
      onOpen(game);
      return;
    }
    deleted = game;
    const isGone = write(keptGames().filter(({ id }) => id !== game.id));
    show(isGone ? say.deleted(game.name) : "");
    byId("bring-back").focus();
  });
  byId("bring-back").addEventListener("click", () => {
    if (deleted) write([...keptGames(), deleted].sort((one, two) => two.time - one.time));
    show();
    list.querySelector("button")?.focus();
  });

  window.addEventListener("storage", () => show());

  /** @param {string} [said]  that a game was deleted, which can be undone */
  function show(said = "") {
    byId("saved-said").textContent = said;
    byId("bring-back").hidden = said === "";
    const items = keptGames().map(({ id, time, name, game, about, unasked }) => {
      const date = new Date(time);
      const isToday = date.toDateString() === new Date().toDateString();
      const when = isToday ? say.today(date.toLocaleTimeString("en-GB", { timeStyle: "short" })) : date.toLocaleDateString("en", { dateStyle: "medium" });
      const more = unasked ? [about ?? name, when] : [game, about, when];
      const small = html("small", {}, more.filter(Boolean).join(" · "));
      const open = html("button", { type: "button", class: "kept", "data-id": id }, html("b", {}, unasked ? game : name), small);
      const remove = html("button", { type: "button", class: "small", "data-id": id, "aria-label": say.deleteGame(name) }, labels.delete);
      return html("li", {}, open, remove);
    });
    list.replaceChildren(...items);
    byId("none-saved").hidden = items.length > 0;
  }

  return show;
}
