/** Creates elements, loads modules on demand, and stores values in the browser. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} node
 * @param {Record<string, unknown>} attributes  attributes that are false, null or undefined are left out
 * @param {Array<Node | string | null>} children
 */
function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, attributes = {}, ...children) {
  return /** @type {any} */ (furnish(document.createElement(tag), attributes, children));
}

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {any} */ (furnish(document.createElementNS(SVG, tag), attributes, children));
}

/**
 * Returns the element with this id, which must exist.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return /** @type {any} */ (found);
}

/** Chooses a radio button. @param {string} name @param {string} value */
export function choose(name, value) {
  const radio = document.querySelector(`input[name="${name}"][value="${value}"]`);
  if (radio instanceof HTMLInputElement) radio.checked = true;
}

/**
 * Lets screen readers say a sentence, through the page's live region.
 * @param {string} sentence
 */
export function announce(sentence) {
  byId("announcer").textContent = sentence;
}

/**
 * Scrolls a list to one of its buttons. Does not scroll the page.
 * @param {Element} button @param {HTMLElement} list
 */
export function reveal(button, list) {
  const [own, all] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.top < all.top || own.bottom > all.bottom) list.scrollTop += own.top - all.top - 40;
  if (own.left < all.left || own.right > all.right) list.scrollLeft += own.left - all.left - 40;
}

/**
 * Gives every element the text that its `data-word` or `data-label` names, if `words` has it.
 * @param {Record<string, string>} words
 */
export function label(words) {
  for (const node of document.querySelectorAll("[data-word], [data-label]")) {
    const { word, label: name } = /** @type {HTMLElement} */ (node).dataset;
    if (word && word in words) node.textContent = words[word];
    if (!name || !(name in words)) continue;
    node.setAttribute("aria-label", words[name]);
    if (node instanceof HTMLButtonElement) node.title = words[name];
  }
}

let failures = 0;

/**
 * Loads a module of this folder. Browsers do not load a failed URL again, so after a failure
 * the URLs get a new query.
 * @param {string} name @returns {Promise<any>}
 */
export async function loadModule(name) {
  try {
    return await import(failures ? `./${name}?${failures}` : `./${name}`);
  } catch (error) {
    failures += 1;
    throw error;
  }
}

/**
 * Returns a function that loads a module of this folder at the first call. After a failure, the next call tries again.
 * @template {any[]} Args @template Result
 * @param {string} name @param {(module: any) => ((...args: Args) => Result) | Promise<(...args: Args) => Result>} make  makes the function
 */
export function onDemand(name, make) {
  /** @type {Promise<(...args: Args) => Result> | null} */
  let made = null;
  return async (/** @type {Args} */ ...args) => {
    made ??= loadModule(name).then(make);
    const use = await made.catch((error) => {
      made = null;
      throw error;
    });
    return use(...args);
  };
}

/** @typedef {"localStorage" | "sessionStorage"} Kind  `sessionStorage`: until the browser's tab is closed */

/** Returns what the browser has stored under a key; null if there is no readable value. @param {string} key @param {Kind} [storage] @returns {any} */
export function stored(key, storage = "localStorage") {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value in the browser. Returns whether that was possible. @param {string} key @param {unknown} value @param {Kind} [storage] */
export function store(key, value, storage = "localStorage") {
  try {
    window[storage].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The key under which the browser stores the kept games. */
export const KEPT = "bestmove-games";

/** Returns the games that the browser keeps, the newest first. @returns {Array<import("./saved.js").Saved>} */
export function keptGames() {
  const isGame = (/** @type {any} */ one) =>
    typeof one?.name === "string" && typeof one.address === "string" && Number.isFinite(one.time);
  const all = stored(KEPT);
  return Array.isArray(all) ? all.filter(isGame).map((one) => ({ ...one, id: one.id ?? one.time })) : [];
}
