/** Loads Python and the service, and answers the page's requests one after another. */

import { loadPyodide } from "./python/pyodide.mjs";

const tell = (stage) => postMessage({ stage });
const cancelled = new Set();
/** Resolves when all requests so far are answered. @type {Promise<void>} */
let queue = start().catch((error) => {
  tell("failed");
  throw error;
});
let service;

async function start() {
  tell("python");
  const archive = fetch(new URL("python/bestmove.zip", import.meta.url)).then((file) => file.arrayBuffer());
  const code = fetch(new URL("answers.py", import.meta.url)).then((file) => file.text());
  const python = await loadPyodide({ indexURL: new URL("python/", import.meta.url).href });
  tell("service");
  python.unpackArchive(await archive, "zip", { extractDir: "/service" });
  python.runPython("import sys; sys.path.insert(0, '/service')");
  const namespace = python.globals.get("dict")();
  python.runPython(await code, { globals: namespace });
  service = { answer: namespace.get("answer"), steps: namespace.get("steps"), event: namespace.get("event") };
  tell("ready");
}

/** Waits for a moment, so that messages from the page can arrive. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

onmessage = ({ data }) => {
  if (data.cancel) cancelled.add(data.cancel);
  else queue = queue.then(() => answer(data)).catch((error) => postMessage({ id: data.id, failed: String(error) }));
};

async function answer({ id, method, path, body, events }) {
  await pause();
  if (!events) {
    if (!cancelled.delete(id)) {
      const [status, type, text] = service.answer(method, path, body).toJs();
      postMessage({ id, status, type, text, last: true });
    }
    return;
  }
  const steps = [...service.steps(body)];
  for (const [number, step] of steps.entries()) {
    if (cancelled.delete(id)) return;
    const [text, last] = service.event(path, body, step, number === steps.length - 1).toJs();
    postMessage({ id, status: 200, type: "text/event-stream", text, last });
    if (last) return;
    await pause();
  }
}
