"""client.js, run by node: what it asks, and what it does with answers and failures."""

import json
from typing import Any

import pytest

from bestmove.client.events import EVENTS
from tests.support.needs import NODE
from tests.web.node import address, node

pytestmark = NODE

MODULE = address("client.js")

CALL = """
const [path, name, args, answers, settings] = JSON.parse(process.argv[1]);
const { Client } = await import(path);
const real = globalThis.setTimeout;
const waits = [];
globalThis.setTimeout = (done, wait) => {
  waits.push(wait);
  if (wait !== settings.abortedPauseMs) return real(done, wait / 20);
  queueMicrotask(() => asked.abort());
};
const urls = [];
const calls = [];
const asked = new AbortController();
let closed = false;
const fake = async (url, options) => {
  urls.push(url.href);
  calls.push(JSON.parse(options.body));
  const { signal } = options;
  const aborted = new Promise((_, fail) => {
    signal.addEventListener("abort", () => {
      closed = true;
      fail(signal.reason);
    });
  });
  aborted.catch(() => {});
  const answer = answers[Math.min(calls.length, answers.length) - 1];
  if (answer === "lost") throw new TypeError("Failed to fetch");
  if (answer === "silent") return aborted;
  const [status, text, headers] = answer;
  const pieces = [text].flat();
  const body = new ReadableStream({
    async pull(to) {
      if (pieces.length === 0) return to.close();
      const piece = pieces.shift();
      if (piece === "stop") asked.abort();
      if (piece === "stop" || piece === "silent") await aborted;
      to.enqueue(new TextEncoder().encode(piece));
    },
  });
  return new Response(body, { status, headers });
};
const client = new Client({
  baseUrl: "http://host", timeoutMs: 50, maxPauseMs: 3000, ...settings, fetch: fake,
});
const items = [];
let answer = null;
let failure = null;
try {
  const found = client[name](...args, { ...settings.options, signal: asked.signal });
  if (found[Symbol.asyncIterator]) {
    for await (const item of found) {
      items.push(item);
      if (settings.leaves) break;
    }
  } else answer = await found;
} catch (error) {
  const { name, message, status, errors, timedOut } = error;
  failure = { name, message, status, errors, timedOut };
}
console.log(JSON.stringify({ urls, calls, waits, answer, items, error: failure, closed }));
process.exit(); // timers of calls without an end may still run
"""
"""A program that calls a method of a client. The client gets `answers` instead of a service's
answers. Timers run 20 times as fast.

An answer is its status, its body (or pieces of the body) and its headers. Special
answers and settings:

- "silent": a piece, or a whole answer, that never arrives
- "stop": a piece at which the caller aborts the call
- `abortedPauseMs`: the caller aborts the call when the client pauses for this time
- `leaves`: the caller leaves the loop over a stream at the first item
"""

WORD = '{"move": null}'
STREAM = {"Content-Type": EVENTS}
PROGRESS = 'event: progress\ndata: {"depth": 1}\n\n'
LAST = 'event: answer\ndata: {"search": {"depth": 2, "nodes": 2, "elapsed_ms": 3}}\n\n'


def call(name: str, answers: list[Any], options: Any = None, **settings: Any) -> dict[str, Any]:
    """Return the result of a client's method for the board "X........"."""
    given = {**settings, "options": options or {}}
    result: dict[str, Any] = node(CALL, json.dumps([MODULE, name, ["X........"], answers, given]))
    return result


@pytest.mark.parametrize("status", [429, 503])
def test_a_lost_connection_and_a_busy_service_are_asked_again(status: int) -> None:
    busy = [status, "", {"Retry-After": "0"}]
    result = call("bestMove", ["lost", busy, [200, WORD, {}]], {"level": 3})
    assert result["answer"] == {"move": None}
    assert result["calls"] == [{"board": "X........", "level": 3}] * 3


def test_a_textbook_search_that_ran_out_of_time_is_not_asked_again() -> None:
    body = json.dumps({"type": "urn:bestmove:problem:out-of-time", "detail": "Give more."})
    result = call("bestMove", [[503, body, {"Retry-After": "0"}]] * 2)
    assert (result["error"]["name"], len(result["calls"])) == ("ServiceUnavailable", 1)


def test_cookies_are_sent_to_the_origin_of_the_page() -> None:
    """A proxy at which users log in needs the cookies."""
    program = """
    const { Client } = await import(process.argv[1]);
    const answer = async (...call) => Response.json({ sent: new Request(...call).credentials });
    const { sent } = await new Client({ baseUrl: "http://host", fetch: answer }).games();
    console.log(JSON.stringify(sent));
    """
    assert node(program, MODULE) == "same-origin"


@pytest.mark.parametrize(
    ("answers", "calls", "error"),
    [
        (["lost"], 3, {"name": "ServiceUnreachable", "timedOut": False}),
        (["silent"], 1, {"name": "ServiceUnreachable", "timedOut": True}),
        ([[502, "<html>", {}]], 3, {"name": "ServiceUnavailable", "status": 502}),
        ([[503, "{}", {"Retry-After": "60"}]], 1, {"name": "ServiceUnavailable", "status": 503}),
        ([[200, "<html>", {}]], 1, {"name": "InvalidAnswer"}),
        ([[500, "oops", {}]], 1, {"name": "InvalidAnswer"}),
        (
            [[422, '{"detail": "no", "errors": [{"pointer": "/k", "detail": "too large"}]}', {}]],
            1,
            {
                "name": "RequestRefused",
                "status": 422,
                "message": "too large",
                "errors": [{"pointer": "/k", "detail": "too large"}],
            },
        ),
        ([[404, "", {}]], 1, {"name": "RequestRefused", "status": 404, "errors": []}),
        (
            [[400, '{"detail": "a gateway", "errors": {"a": ["b"]}}', {}]],
            1,
            {"name": "RequestRefused", "message": "a gateway", "errors": []},
        ),
    ],
)
def test_every_failure_has_its_error(
    answers: list[object], calls: int, error: dict[str, object]
) -> None:
    result = call("analyze", answers, {"time_ms": 1})
    assert len(result["calls"]) == calls
    assert error.items() <= result["error"].items()


@pytest.mark.parametrize(
    ("options", "wait"),
    [
        ({}, 50 + 1000),
        ({"time_ms": 300}, 50 + 300),
        ({"timeoutMs": 700}, 700 + 1000),
        ({"timeoutMs": 700, "time_ms": 300}, 700 + 300),
        ({"timeoutMs": 10**12}, 2**31 - 1),
    ],
)
def test_a_call_waits_for_the_time_of_its_search_and_its_timeout(
    options: dict[str, int], wait: int
) -> None:
    assert call("bestMove", [[200, WORD, {}]], options)["waits"] == [wait]


@pytest.mark.parametrize(("seconds", "calls"), [("1", 2), ("3", 2), ("4", 1)])
def test_a_client_waits_as_long_as_it_is_asked_to_but_not_longer_than_its_longest_pause(
    seconds: str, calls: int
) -> None:
    busy = [503, "", {"Retry-After": seconds}]
    result = call("bestMove", [busy, [200, WORD, {}]])
    assert len(result["calls"]) == calls
    assert (1000 * int(seconds) in result["waits"]) == (calls == 2)


def test_the_pauses_double_if_the_service_does_not_say_how_long_they_are() -> None:
    waits = call("bestMove", ["lost"], retries=3, timeoutMs=5)["waits"]
    assert [wait for wait in waits if wait != 5 + 1000] == [250, 500, 1000]


@pytest.mark.parametrize("base", ["http://host/bestmove", "http://host/bestmove/"])
def test_the_service_may_have_a_path(base: str) -> None:
    asked = call("bestMove", [[200, WORD, {}]], baseUrl=base)["urls"]
    assert asked == ["http://host/bestmove/best-move"]


@pytest.mark.parametrize("base", ["nowhere:8000", "file:///tmp", "http://"])
def test_an_invalid_address_is_refused_at_once(base: str) -> None:
    program = (
        "const { Client } = await import(process.argv[1]); let said = null;"
        "try { new Client(process.argv[2]) } catch (error) { said = error.message }"
        "console.log(JSON.stringify(said))"
    )
    said = node(program, MODULE, base)
    assert said == f"{base} is not the address of a service, such as http://host:port"


def test_a_stream_that_breaks_after_an_event_does_not_begin_again() -> None:
    result = call("stream", ["lost", [200, PROGRESS, STREAM]])
    assert result["items"] == [{"depth": 1, "final": False}]
    assert len(result["calls"]) == 2
    assert (result["error"]["name"], result["error"]["timedOut"]) == ("ServiceUnreachable", False)


def test_a_caller_who_aborts_in_a_pause_does_not_wait_for_its_end() -> None:
    result = call("bestMove", ["lost"], abortedPauseMs=250)
    assert (len(result["calls"]), result["error"]["name"]) == (1, "AbortError")


def test_the_connection_of_a_stream_is_closed_if_the_caller_leaves_the_loop() -> None:
    result = call("stream", [[200, [PROGRESS, "silent"], STREAM]], leaves=True, timeoutMs=10**6)
    assert (len(result["items"]), result["closed"]) == (1, True)


@pytest.mark.parametrize(
    ("status", "name"),
    [(503, "ServiceUnavailable"), (422, "RequestRefused"), (500, "InvalidAnswer")],
)
def test_a_problem_in_a_stream_is_an_error_of_its_status(status: int, name: str) -> None:
    problem = f'event: problem\ndata: {{"status": {status}, "detail": "no"}}\n\n'
    result = call("stream", [[200, [PROGRESS, problem], STREAM]])
    assert (len(result["items"]), result["error"]["name"]) == (1, name)


def test_each_attempt_of_a_stream_has_its_whole_timeout() -> None:
    busy = [503, "", {"Retry-After": "2"}]
    options = {"time_ms": 1, "timeoutMs": 1500}
    result = call("stream", [busy, [200, LAST, STREAM]], options)
    assert [item["depth"] for item in result["items"]] == [2]


def test_a_stream_ends_if_nothing_arrives_or_its_caller_aborts_it() -> None:
    result = call("stream", ["silent"], {"time_ms": 1})
    assert (len(result["calls"]), result["error"]["timedOut"]) == (1, True)
    result = call("stream", [[200, [PROGRESS, "silent"], STREAM]])
    assert (len(result["items"]), result["error"]["timedOut"]) == (1, True)
    result = call("stream", [[200, [PROGRESS, "stop"], STREAM]], timeoutMs=10**6)
    assert (len(result["items"]), result["error"]["name"]) == (1, "AbortError")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_lines_of_a_stream_end_as_the_standard_allows(end: str) -> None:
    text = f"{PROGRESS}:\n\n{LAST}".replace("\n", end)
    # Send one byte at a time: the stream may be cut anywhere.
    result = call("stream", [[200, list(text), STREAM]])
    assert [item["depth"] for item in result["items"]] == [1, 2]


EVERY_METHOD = """
const [path, baseUrl] = process.argv.slice(1);
const { Client } = await import(path);
const client = new Client({ baseUrl });
const abort = new AbortController();
abort.abort();
const { signal } = abort;
console.log(JSON.stringify([
  (await client.bestMove("XX.OO....")).move.index,
  (await client.analyze("XX.OO....")).moves[0].outcome,
  (await client.play("XX.OO....", { row: 0, column: 2 })).winner,
  (await client.bestMoves(["XX.OO....", "XXXX"])).results.map(Object.keys),
  (await client.gameTree([[5, 2], [1, 9]])).pruned,
  (await client.prove("XX.OO....")).proof.claims[0].nodes,
  (await client.prove({}, { game: "gomoku", time_ms: 20 })).detail,
  await client.bestMove("XX.OO....", { signal }).catch((error) => error.name),
]));
"""


def test_every_method_asks_its_endpoint(url: str) -> None:
    assert node(EVERY_METHOD, MODULE, url) == [
        *(2, "win", "X", [["result"], ["problem"]], [[1, 1]]),
        *([{"move": 2}], "The result was not proven within the budget.", "AbortError"),
    ]
