/** Loads the styles of a part of the page that few visits need. */

import { html } from "./dom.js";

/** Loads a style sheet of this folder. @param {string} name */
export function loadStyle(name) {
  const link = html("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href });
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => reject(new Error()));
    document.head.append(link);
  });
}
