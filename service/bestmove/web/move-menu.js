/** The menu of a move in the list of moves: comment, promote, make the main line, delete. */

import "./dialogs.js";
import { byId, html } from "./dom.js";
import { labels, say } from "./records-words.js";

/** @typedef {import("./history.js").Node} Node */
/** @typedef {"comment" | "promote" | "makeMain" | "delete"} Task */

/** The distance in px between the menu and the edge of the window. */
const EDGE = 8;

/**
 * Makes the menu of a move, and returns a function that opens the menu at the move's button, or deletes the move at once.
 * @param {(task: Task, node: Node, words: any) => void} onTask @param {(node: Node) => boolean} varies  whether a move is in a variation
 */
export function makeMenu(onTask, varies) {
  const menu = html("div", { class: "move-menu", role: "menu", popover: "auto", "aria-label": say.moveMenu });
  document.body.append(menu);
  /** @type {HTMLTextAreaElement} */ (byId("comment")).placeholder = say.commentHow;
  menu.addEventListener("keydown", (event) => {
    const items = /** @type {HTMLElement[]} */ ([...menu.children]);
    const here = items.findIndex((item) => item === document.activeElement);
    const ways = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 };
    if (event.key === "Tab" || event.code === "KeyZ") menu.hidePopover(); // Ctrl+Z undoes
    if (!(event.key in ways)) return;
    // The page's arrow keys would step through the game.
    event.preventDefault();
    event.stopPropagation();
    items.at(ways[/** @type {keyof ways} */ (event.key)] % items.length)?.focus();
  });

  return (/** @type {HTMLElement} */ button, /** @type {Node} */ node, deletes = false) => {
    if (deletes) return onTask("delete", node, say);
    const tasks = /** @type {Task[]} */ (varies(node) ? ["comment", "promote", "makeMain", "delete"] : ["comment", "delete"]);
    button.focus({ preventScroll: true });
    menu.replaceChildren(...tasks.map((task) => {
      const item = html("button", { type: "button", role: "menuitem" }, labels[task]);
      item.addEventListener("click", () => {
        menu.hidePopover();
        onTask(task, node, say);
      });
      return item;
    }));
    // At its last place, near an edge of the window, the menu would be narrower than its words.
    menu.style.left = "0";
    menu.togglePopover(true);
    const { left, bottom } = button.getBoundingClientRect();
    menu.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - menu.offsetWidth - EDGE))}px`;
    menu.style.top = `${Math.max(EDGE, Math.min(bottom, innerHeight - menu.offsetHeight - EDGE))}px`;
    /** @type {HTMLElement} */ (menu.firstElementChild)?.focus();
  };
}
