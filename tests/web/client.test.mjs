/** client.js: what it asks, and what it does with answers and failures. */

import { Client } from "../../service/bestmove/web/client.js";
import { error, is, test } from "./support.mjs";

const BOARD = "X........";
const OK = [200, '{"move": null}', {}];
const AT_ONCE = { "Retry-After": "0" };
const STREAM = { "Content-Type": "text/event-stream" };
const PROGRESS = 'event: progress\ndata: {"depth": 1}\n\n';
const LAST = 'event: answer\ndata: {"search": {"depth": 2, "nodes": 2, "elapsed_ms": 3}}\n\n';
const LONG = 10 ** 6;

const busy = (seconds) => [503, "", { "Retry-After": seconds }];
const stream = (...pieces) => [200, pieces, STREAM];
const problem = (status) => `event: problem\ndata: {"status": ${status}, "detail": "no"}\n\n`;

/**
 * Calls a method of a client for `BOARD` and returns what happened. The client gets `answers` instead of
 * a service's answers, and the last one for all further requests. Timers run 20 times as fast.
 *
 * An answer is its status, its body (or the pieces of its body) and its headers, or "lost". A piece or an
 * answer that is "silent" never arrives. The caller aborts the call at the piece "stop", or when the
 * client pauses for `abortedPauseMs`, and leaves the loop over a stream at the first item if it `leaves`.
 */
async function call({ method = "bestMove", answers, options, settings, abortedPauseMs, leaves }) {
  const found = { calls: 0, asked: [], urls: [], waits: [], depths: [], finals: [], closed: false };
  const caller = new AbortController();
  const real = globalThis.setTimeout;
  globalThis.setTimeout = /** @type {any} */ ((done, wait) => {
    found.waits.push(wait);
    if (wait !== abortedPauseMs) return real(done, wait / 20);
    queueMicrotask(() => caller.abort());
  });
  const fetch = async (url, { body: asked, signal }) => {
    found.urls.push(url.href);
    found.asked.push(JSON.parse(asked));
    const aborted = new Promise((_, fail) => {
      signal.addEventListener("abort", () => {
        found.closed = true;
        fail(signal.reason);
      });
    });
    aborted.catch(() => {});
    const answer = answers[Math.min(found.calls, answers.length - 1)];
    found.calls += 1;
    if (answer === "lost") throw new TypeError("Failed to fetch");
    if (answer === "silent") return aborted;
    const [status, text, headers] = answer;
    const pieces = [text].flat();
    const body = new ReadableStream({
      async pull(to) {
        if (pieces.length === 0) return to.close();
        const piece = pieces.shift();
        if (piece === "stop") caller.abort();
        if (piece === "stop" || piece === "silent") await aborted;
        to.enqueue(new TextEncoder().encode(piece));
      },
    });
    return new Response(body, { status, headers });
  };
  const client = new Client({ baseUrl: "http://host", timeoutMs: 50, maxPauseMs: 3000, ...settings, fetch });
  try {
    const given = client[method](BOARD, { ...options, signal: caller.signal });
    if (method !== "stream") found.answer = await given;
    else {
      for await (const { depth, final } of given) {
        found.depths.push(depth);
        found.finals.push(final);
        if (leaves) break;
      }
    }
  } catch ({ name, message, status, errors, timedOut }) {
    Object.assign(found, { error: name, message, status, errors, timedOut });
  } finally {
    globalThis.setTimeout = real;
  }
  return found;
}

const OUT_OF_TIME = JSON.stringify({ type: "urn:bestmove:problem:out-of-time", detail: "Give more." });
const TOO_LARGE = [{ pointer: "/k", detail: "too large" }];
const REFUSED = JSON.stringify({ detail: "no", errors: TOO_LARGE });
const GATEWAY = JSON.stringify({ detail: "a gateway", errors: { a: ["b"] } });
const [unreachable, unavailable, refused, invalid] =
  ["ServiceUnreachable", "ServiceUnavailable", "RequestRefused", "InvalidAnswer"];

/** What a call does, and a part of what happens. */
const CASES = {
  "a lost connection and a busy service are asked again": [
    ...[429, 503].map((status) => [
      { answers: ["lost", [status, "", AT_ONCE], OK], options: { level: 3 } },
      { answer: { move: null }, asked: Array(3).fill({ board: BOARD, level: 3 }) },
    ]),
  ],
  "a textbook search that ran out of time is not asked again": [
    [{ answers: [[503, OUT_OF_TIME, AT_ONCE]] }, { error: unavailable, calls: 1 }],
  ],
  "every failure has its error": [
    [{ answers: ["lost"] }, { calls: 3, error: unreachable, timedOut: false }],
    [{ answers: ["silent"], options: { time_ms: 1 } }, { calls: 1, error: unreachable, timedOut: true }],
    [{ answers: [[502, "<html>", {}]] }, { calls: 3, error: unavailable, status: 502 }],
    [{ answers: [[503, "{}", { "Retry-After": "60" }]] }, { calls: 1, error: unavailable, status: 503 }],
    [{ answers: [[200, "<html>", {}]] }, { calls: 1, error: invalid }],
    [{ answers: [[500, "oops", {}]] }, { calls: 1, error: invalid }],
    [{ answers: [[422, REFUSED, {}]] },
      { calls: 1, error: refused, status: 422, message: "too large", errors: TOO_LARGE }],
    [{ answers: [[404, "", {}]] }, { calls: 1, error: refused, status: 404, errors: [] }],
    [{ answers: [[400, GATEWAY, {}]] }, { calls: 1, error: refused, message: "a gateway", errors: [] }],
  ],
  "a call waits for the time of its search and its timeout": [
    [{ answers: [OK] }, { waits: [50 + 1000] }],
    [{ answers: [OK], options: { time_ms: 300 } }, { waits: [50 + 300] }],
    [{ answers: [OK], options: { timeoutMs: 700 } }, { waits: [700 + 1000] }],
    [{ answers: [OK], options: { timeoutMs: 700, time_ms: 300 } }, { waits: [700 + 300] }],
    [{ answers: [OK], options: { timeoutMs: 10 ** 12 } }, { waits: [2 ** 31 - 1] }],
  ],
  "a client waits as long as it is asked to, but not longer than its longest pause": [
    [{ answers: [busy("1"), OK] }, { calls: 2, waits: [1050, 1000, 1050] }],
    [{ answers: [busy("3"), OK] }, { calls: 2, waits: [1050, 3000, 1050] }],
    [{ answers: [busy("4"), OK] }, { calls: 1, waits: [1050] }],
  ],
  "the pauses double if the service does not say how long they are": [
    [{ answers: ["lost"], settings: { retries: 3, timeoutMs: 5 } },
      { waits: [1005, 250, 1005, 500, 1005, 1000, 1005] }],
  ],
  "the service may have a path": [
    ...["http://host/bestmove", "http://host/bestmove/"].map((url) => [
      { answers: [OK], settings: { baseUrl: url } }, { urls: ["http://host/bestmove/best-move"] },
    ]),
  ],
  "a caller who aborts in a pause does not wait for its end": [
    [{ answers: ["lost"], abortedPauseMs: 250 }, { calls: 1, error: "AbortError" }],
  ],
};
const STREAMS = {
  "a stream that breaks after an event does not begin again": [
    [{ answers: ["lost", stream(PROGRESS)] }, { finals: [false], calls: 2, error: unreachable, timedOut: false }],
  ],
  "the connection of a stream is closed if the caller leaves the loop": [
    [{ answers: [stream(PROGRESS, "silent")], leaves: true, settings: { timeoutMs: LONG } },
      { depths: [1], closed: true }],
  ],
  "a problem in a stream is an error of its status": [
    ...[[503, unavailable], [422, refused], [500, invalid]].map(([status, name]) => [
      { answers: [stream(PROGRESS, problem(status))] }, { depths: [1], error: name },
    ]),
  ],
  "each attempt of a stream has its whole timeout": [
    [{ answers: [busy("2"), stream(LAST)], options: { time_ms: 1, timeoutMs: 1500 } }, { depths: [2] }],
  ],
  "a stream ends if nothing arrives or its caller aborts it": [
    [{ answers: ["silent"], options: { time_ms: 1 } }, { calls: 1, timedOut: true }],
    [{ answers: [stream(PROGRESS, "silent")] }, { depths: [1], timedOut: true }],
    [{ answers: [stream(PROGRESS, "stop")], settings: { timeoutMs: LONG } },
      { depths: [1], error: "AbortError" }],
  ],
  // A byte at a time: the stream may be cut anywhere.
  "the lines of a stream end as the standard allows": [
    ...["\n", "\r\n", "\r"].map((end) => [
      { answers: [stream(...`${PROGRESS}:\n\n${LAST}`.replaceAll("\n", end))] }, { depths: [1, 2], finals: [false, true] },
    ]),
  ],
};

for (const [method, cases] of [["bestMove", CASES], ["stream", STREAMS]]) {
  for (const [name, rows] of Object.entries(cases)) {
    test(name, async () => {
      for (const [given, wanted] of rows) {
        const found = await call({ method, ...given });
        is(Object.fromEntries(Object.keys(wanted).map((key) => [key, found[key]])), wanted);
      }
    });
  }
}

test("cookies are sent to the origin of the page", async () => {
  let sent;
  const fetch = async (url, options) => {
    sent = new Request(url, options).credentials;
    return Response.json({});
  };
  await new Client({ baseUrl: "http://host", fetch }).games();
  is(sent, "same-origin");
});

test("an invalid address is refused at once", () => {
  for (const baseUrl of ["nowhere:8000", "file:///tmp", "http://"]) {
    const said = `${baseUrl} is not the address of a service, such as http://host:port`;
    is(error(() => new Client({ baseUrl })), said);
  }
});
