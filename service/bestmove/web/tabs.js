/** The tabs of the panel beside the board: one tab is chosen, and only its part of the panel is shown. */

import { byId, store, stored } from "./dom.js";

/** @typedef {"analysis" | "review" | "moves"} Tab */

const tabs = /** @type {HTMLElement[]} */ ([...byId("tabs").children]);

/** @param {Tab} name */
export function showTab(name) {
  choose(byId(`tab-${name}`));
}

/** The name under which the browser keeps the chosen tab, so that a reload shows it again. */
const CHOSEN = "bestmove-tab";

/** @param {HTMLElement} chosen */
function choose(chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    byId(String(tab.getAttribute("aria-controls"))).hidden = tab !== chosen;
  }
  store(CHOSEN, tabs.indexOf(chosen), "sessionStorage");
}
choose(tabs[stored(CHOSEN, "sessionStorage")] ?? tabs[0]);

byId("tabs").addEventListener("click", ({ target }) => {
  const tab = tabs.find((each) => each === target);
  if (tab) choose(tab);
});
byId("tabs").addEventListener("keydown", (event) => {
  const at = tabs.findIndex((tab) => tab === event.target);
  const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 };
  const to = ways[/** @type {keyof ways} */ (event.key)];
  const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
  if (!tab) return;
  event.preventDefault();
  event.stopPropagation();
  tab.focus();
  choose(tab);
});
