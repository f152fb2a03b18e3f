"""client.js, imported by a page from another origin."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from bestmove.client.events import EVENTS
from tests.browser.conftest import OpenPage
from tests.browser.origins import other_origin
from tests.support.servers import running_service

pytestmark = pytest.mark.slow


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[str]:
    """The origin of another site, with an empty page on it."""
    (tmp_path / "index.html").write_text(
        '<!doctype html><html lang="en"><title>A game</title><link rel="icon" href="data:,"></html>'
    )
    with other_origin(tmp_path) as origin:
        yield origin


PLAY_A_GAME = """
async (url) => {
  const { Client } = await import(`${url}/static/client.js`);
  const service = new Client();
  let answer = await service.bestMove("X........");
  let moves = 2;
  while (answer.move && answer.board_after.includes(".")) {
    const hint = await service.bestMove(answer.board_after);
    if (!hint.move) break;
    answer = await service.play(answer.board_after, hint.move.index);
    moves += answer.move ? 2 : 1;
  }
  return [answer.status, moves, service.baseUrl.href];
}
"""


def test_a_game_of_another_origin_imports_the_module_and_plays(
    open_page: OpenPage, stranger: str
) -> None:
    with running_service(cors_origins=stranger) as url:
        page = open_page(stranger)
        assert page.evaluate(PLAY_A_GAME, url) == ["draw", 9, f"{url}/"]


def test_an_origin_that_is_not_configured_is_shut_out(
    open_page: OpenPage, service: str, stranger: str
) -> None:
    page = open_page(stranger, expect=("CORS", "Failed to load"))
    said = page.evaluate(
        "url => import(`${url}/static/client.js`).then(() => 'imported', () => 'shut out')", service
    )
    assert said == "shut out"


CALL = """
async ([name, args, settings]) => {
  const module = await import("/static/client.js");
  const calls = [];
  const waits = [];
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (done, wait) => {
    waits.push(wait);
    return setTimeout(done, wait);
  };
  const answers = settings.answers;
  const fake = async (url, options) => {
    calls.push(JSON.parse(options.body));
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    if (answer === "lost") throw new TypeError("Failed to fetch");
    if (answer === "silent") {
      return new Promise((_, fail) => {
        options.signal.addEventListener("abort", () => fail(options.signal.reason));
      });
    }
    const [status, body, headers] = answer;
    return new Response(body, { status, headers });
  };
  const client = new module.Client({ timeoutMs: 50, maxPauseMs: 3000, fetch: fake });
  const items = [];
  try {
    const asked = client[name](...args);
    if (!asked[Symbol.asyncIterator]) return { calls, waits, answer: await asked };
    for await (const item of asked) items.push(item);
    return { calls, items };
  } catch (error) {
    const { name, message, status, errors, timedOut } = error;
    return { calls, items, error: { name, message, status, errors, timedOut } };
  }
}
"""
WORD = '{"move": null}'


Call = Callable[..., dict[str, Any]]


@pytest.fixture
def call(open_page: OpenPage) -> Call:
    """Calls a method of the client, which gets `answers` instead of the service's."""
    page = open_page("/static/explorer.html")

    def call_(name: str, *args: object, answers: list[object]) -> dict[str, Any]:
        result: dict[str, Any] = page.evaluate(CALL, [name, list(args), {"answers": answers}])
        return result

    return call_


def test_a_lost_connection_and_a_busy_service_are_asked_again(call: Call) -> None:
    busy = [503, "", {"Retry-After": "0"}]
    result = call("bestMove", "X........", {"level": 3}, answers=["lost", busy, [200, WORD, {}]])
    assert result["answer"] == {"move": None}
    assert result["calls"] == [{"board": "X........", "level": 3}] * 3


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
    ],
)
def test_every_failure_has_its_error(
    call: Call,
    answers: list[object],
    calls: int,
    error: dict[str, object],
) -> None:
    result = call("analyze", "X........", {"time_ms": 1}, answers=answers)
    assert len(result["calls"]) == calls
    assert error.items() <= result["error"].items()


def test_a_call_waits_for_the_time_of_its_search_and_its_timeout(call: Call) -> None:
    for options, wait in (
        ({}, 50 + 1000),
        ({"time_ms": 300}, 50 + 300),
        ({"timeoutMs": 700}, 700 + 1000),
        ({"timeoutMs": 700, "time_ms": 300}, 700 + 300),
    ):
        result = call("bestMove", "X........", options, answers=[[200, WORD, {}]])
        assert result["waits"] == [wait]


def test_a_stream_that_breaks_after_an_event_does_not_begin_again(call: Call) -> None:
    events = 'event: progress\ndata: {"depth": 1}\n\n'
    answers = ["lost", [200, events, {"Content-Type": "text/event-stream"}]]
    result = call("stream", "X........", answers=answers)
    assert result["items"] == [{"depth": 1, "final": False}]
    assert len(result["calls"]) == 2
    assert (result["error"]["name"], result["error"]["timedOut"]) == ("ServiceUnreachable", False)


def test_each_attempt_of_a_stream_has_its_whole_timeout(call: Call) -> None:
    events = 'event: answer\ndata: {"search": {"depth": 1, "nodes": 2, "elapsed_ms": 3}}\n\n'
    busy, answer = [503, "", {"Retry-After": "2"}], [200, events, {"Content-Type": EVENTS}]
    options = {"time_ms": 1, "timeoutMs": 1500}
    result = call("stream", "X........", options, answers=[busy, answer])
    assert [item["depth"] for item in result["items"]] == [1]
    result = call("stream", "X........", {"time_ms": 1}, answers=["silent"])
    assert len(result["calls"]) == 1
    assert result["error"]["timedOut"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_lines_of_a_stream_end_as_the_standard_allows(open_page: OpenPage, end: str) -> None:
    events = ["event: progress", 'data: {"depth": 1}', "", ":", "", "event: answer"]
    events += ['data: {"search": {"depth": 2, "nodes": 1, "elapsed_ms": 1}}', "", ""]
    depths = open_page("/static/explorer.html").evaluate(
        """async (text) => {
          const { Client } = await import("/static/client.js");
          // One byte at a time: no place to cut may matter.
          const bytes = [...new TextEncoder().encode(text)];
          const body = new ReadableStream({
            pull(to) {
              if (bytes.length === 0) to.close();
              else to.enqueue(new Uint8Array([bytes.shift()]));
            },
          });
          const headers = { "Content-Type": "text/event-stream" };
          const client = new Client({ fetch: async () => new Response(body, { headers }) });
          const depths = [];
          for await (const { depth } of client.stream("X........")) depths.push(depth);
          return depths;
        }""",
        end.join(events),
    )
    assert depths == [1, 2]


def test_every_method_asks_its_endpoint(open_page: OpenPage) -> None:
    page = open_page("/static/explorer.html")
    expect(page.locator(".verdict.same")).to_have_count(4)
    answers = page.evaluate(
        """
        async () => {
          const { Client } = await import("/static/client.js");
          const client = new Client({ baseUrl: location.origin });
          const abort = new AbortController();
          abort.abort();
          const { signal } = abort;
          return [
            (await client.bestMove("XX.OO....")).move.index,
            (await client.analyze("XX.OO....")).moves[0].outcome,
            (await client.play("XX.OO....", { row: 0, column: 2 })).winner,
            (await client.bestMoves(["XX.OO....", "XXXX"])).results.map(Object.keys),
            (await client.gameTree([[5, 2], [1, 9]])).pruned,
            (await client.prove("XX.OO....")).proof.claims[0].nodes,
            (await client.prove({}, { game: "gomoku", time_ms: 20 })).detail,
            await client.bestMove("XX.OO....", { signal }).catch((error) => error.name),
          ];
        }
        """
    )
    assert answers == [
        *(2, "win", "X", [["result"], ["problem"]], [[1, 1]]),
        *([{"move": 2}], "The result was not proven within the budget.", "AbortError"),
    ]
