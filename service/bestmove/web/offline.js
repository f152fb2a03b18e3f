/**
 * The service worker of the page at `/`. It keeps the page for times when the service does not answer.
 *
 * - The page comes from the service if the service answers, or else from the cache.
 * - The page's files come from the cache. They are never outdated, because the name of their folder is a
 *   hash of their contents.
 */

/** Files that the page loads later and that need no service. */
const LATER = ["dialogs.css", "dialogs.js", "editor.js", "keys.js", "move-menu.js", "opening.js", "picture.js", "records.js", "records-words.js", "review-search.js",
  "review-view.js", "review-words.js", "review.css", "saved.js", "sgf.js", "sharing.js", "style.js"];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const home = worker.registration.scope;
/** Shown in place of any page but `/` if the service does not answer. */
const GONE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Best Move</title><h1>The service does not answer.</h1><p>This page needs it. <a href="${home}">The board</a> works without it.`;

worker.addEventListener("install", (event) => event.waitUntil(fetch(home).then(keep)));
worker.addEventListener("fetch", (event) => {
  const { mode, url } = event.request;
  if (mode === "navigate") event.respondWith(visit(event, url.split(/[?#]/)[0] === home));
  else if (url.startsWith(`${home}static/v-`)) event.respondWith(caches.match(url).then((kept) => kept ?? fetch(url)));
});

/** @param {FetchEvent} event @param {boolean} isHome */
async function visit(event, isHome) {
  const page = await fetch(event.request).catch(() => null);
  if (isHome && page?.ok) event.waitUntil(keep(page.clone()));
  // If the service does not run, a proxy answers with a status such as 502.
  if (page && (!isHome || page.status < 500)) return page;
  const kept = isHome ? await caches.match(home) : undefined;
  return kept ?? page ?? new Response(GONE, { status: 503, headers: { "Content-Type": "text/html" } });
}

/** Keeps a page and its files, and deletes the files that were kept before. @param {Response} page */
async function keep(page) {
  const files = [...(await page.clone().text()).matchAll(/static\/v-[^"]+/g)].map(String);
  const folder = home + files[0].replace(/[^/]*$/, "");
  const cache = await caches.open(folder);
  const all = [...files.map((file) => home + file), ...LATER.map((name) => folder + name)];
  if (!(await cache.match(home))) await cache.addAll([...new Set(all)]);
  await cache.put(home, page);
  for (const name of await caches.keys()) if (name.startsWith(home) && name !== folder) await caches.delete(name);
}
