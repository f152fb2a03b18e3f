"""Runs in the browser, in Pyodide: hands requests to the service's WSGI application.

There are no threads in the browser, so an answer in events is made of several answers: each has
twice the time of the one before, and between two of them the page can cancel.
"""

import json

from werkzeug.test import Client

from bestmove.api.app import create_app
from bestmove.api.settings import Settings

FIRST_STEP_MS = 100
"""The time of the first answer of a stream."""

_app = create_app(
    Settings.from_environment(
        {"BESTMOVE_METRICS": "0", "BESTMOVE_LOG_LEVEL": "error", "BESTMOVE_MAX_TIME_MS": "60000"}
    )
)
_client = Client(_app)


def answer(method, path, body):
    """One answer: its status, its media type and its text."""
    found = _client.open(
        path, method=method, data=body, content_type="application/json" if body else None
    )
    return found.status_code, found.content_type, found.text


def steps(body):
    """The times in ms of a stream's answers, the last with the time that was asked for."""
    asked = json.loads(body).get("time_ms", 1000)
    step = FIRST_STEP_MS
    while step < asked:
        yield step
        step *= 2
    yield asked


def event(path, body, time_ms, is_last):
    """An event of a stream, and whether it is the last."""
    status, _, text = answer("POST", path, json.dumps(json.loads(body) | {"time_ms": time_ms}))
    if status >= 400:
        return f"event: problem\ndata: {text.strip()}\n\n", True
    found = json.loads(text)
    proven = all(move["exact"] for move in found["moves"]) if "moves" in found else found["exact"]
    if is_last or proven:
        return f"event: answer\ndata: {text.strip()}\n\n", True
    effort = {name: found["search"][name] for name in ("depth", "nodes", "elapsed_ms")}
    return f"event: progress\ndata: {json.dumps(effort | {'answer': found})}\n\n", False
