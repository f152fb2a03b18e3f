"""Passes requests to the service's WSGI application. Runs in the browser, in Pyodide.

Without threads, a running search cannot be stopped. So a stream consists of several answers, and
each has twice the time of the answer before. The page can cancel the stream between two answers.
"""

import json

from werkzeug.test import Client

from bestmove.api.app import create_app
from bestmove.api.settings import Settings

FIRST_STEP_MS = 100

_app = create_app(
    Settings.from_environment(
        {"BESTMOVE_METRICS": "0", "BESTMOVE_LOG_LEVEL": "error", "BESTMOVE_MAX_TIME_MS": "60000"}
    )
)
_client = Client(_app)


def answer(method, path, body):
    found = _client.open(
        path, method=method, data=body, content_type="application/json" if body else None
    )
    return found.status_code, found.content_type, found.text


def steps(body):
    """Yield the search time of each answer of a stream, in ms."""
    asked = json.loads(body).get("time_ms", 1000)
    step = FIRST_STEP_MS
    while step < asked:
        yield step
        step *= 2
    yield asked


def event(path, body, time_ms, is_last):
    """Return an event of a stream, and whether the event is the last."""
    status, _, text = answer("POST", path, json.dumps(json.loads(body) | {"time_ms": time_ms}))
    if status >= 400:
        return f"event: problem\ndata: {text.strip()}\n\n", True
    found = json.loads(text)
    proven = all(move["exact"] for move in found["moves"]) if "moves" in found else found["exact"]
    if is_last or proven:
        return f"event: answer\ndata: {text.strip()}\n\n", True
    effort = {name: found["search"][name] for name in ("depth", "nodes", "elapsed_ms")}
    return f"event: progress\ndata: {json.dumps(effort | {'answer': found})}\n\n", False
