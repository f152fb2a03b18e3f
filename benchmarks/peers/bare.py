"""The fastest Flask view: it parses the same JSON and returns a fixed answer of the same size.

gunicorn -c python:bestmove.gunicorn_conf benchmarks.peers.bare:app
"""

from typing import Any

from flask import Flask, request

from bestmove import Board
from bestmove.search import analysis

app = Flask(__name__)

ANSWER = analysis.best_move(Board.parse("X...O....")).to_dict()


@app.post("/best-move")
def best_move() -> dict[str, Any]:
    request.get_json()
    return ANSWER


@app.get("/healthz")
def healthz() -> dict[str, Any]:
    return {"status": "ok"}
