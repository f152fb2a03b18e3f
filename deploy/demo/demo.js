/**
 * Starts the service in a web worker, and then the page's own script. The worker answers the page's
 * requests.
 */

const STAGES = {
  python: "Loading Python, 13 MB…",
  service: "Starting Best Move…",
  ready: "In your browser",
  failed: "Not in this browser",
};
const SLOW =
  "This page answers in your browser, without a server. Small boards are exact here. Gomoku and other long " +
  "searches look at several hundred times fewer positions than the service in the same time. To run the service:";
const COMMAND = "make run";

const root = new URL(".", import.meta.url);
const banner = document.createElement("details");
banner.className = "demo";
banner.innerHTML = '<summary aria-live="polite"></summary><div><p></p><p><a><code></code></a></p></div>';
const [summary, told, guide, command] = banner.querySelectorAll("summary, p:first-child, a, code");
told.textContent = SLOW;
guide.href = new URL("../start/", root).href;
command.textContent = COMMAND;
document.querySelector(".masthead nav").after(banner);

/** @param {keyof typeof STAGES} stage */
function say(stage) {
  banner.dataset.stage = stage;
  summary.textContent = STAGES[stage];
}

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
/** @type {Map<number, (message: any) => void>} */
const waiting = new Map();
let asked = 0;

worker.onmessage = async ({ data }) => {
  if (!data.stage) return waiting.get(data.id)?.(data);
  say(data.stage);
  if (data.stage === "ready") {
    const games = document.getElementById("service");
    if (games) games.textContent = await (await ask(new URL("games", root), {})).text();
    const page = location.pathname.endsWith("/explorer.html") ? "explorer.js" : "play.js";
    import(new URL(`static/${page}`, root).href);
  }
};
worker.onerror = () => say("failed");

/**
 * Asks the service in the worker.
 * @param {URL} url @param {RequestInit} options @returns {Promise<Response>}
 */
function ask(url, { method = "GET", headers, body = null, signal }) {
  const id = (asked += 1);
  const events = new Headers(headers).get("Accept") === "text/event-stream";
  const path = `/${url.href.slice(root.href.length)}`;
  return new Promise((resolve, reject) => {
    const stop = () => {
      waiting.delete(id);
      worker.postMessage({ cancel: id });
      const error = new DOMException("aborted", "AbortError");
      reject(error);
      if (stream) stream.error(error);
    };
    /** @type {ReadableStreamDefaultController<Uint8Array> | undefined} */
    let stream;
    waiting.set(id, ({ status, type, text, last, failed }) => {
      if (failed) {
        waiting.delete(id);
        return reject(new TypeError(failed));
      }
      if (!stream) {
        const content = new ReadableStream({ start: (controller) => void (stream = controller), cancel: stop });
        resolve(new Response(content, { status, headers: { "Content-Type": type } }));
      }
      stream?.enqueue(new TextEncoder().encode(text));
      if (!last) return;
      waiting.delete(id);
      signal?.removeEventListener("abort", stop);
      stream?.close();
    });
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    worker.postMessage({ id, method, path, body, events });
  });
}

const fetchFile = globalThis.fetch;
globalThis.fetch = (target, options = {}) => {
  const url = new URL(target instanceof Request ? target.url : target, location.href);
  return url.href.startsWith(root.href) ? ask(url, options) : fetchFile(target, options);
};
