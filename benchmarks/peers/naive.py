"""A Flask view that searches each position by the usual minimax, as a user could write it.

gunicorn -c python:bestmove.gunicorn_conf benchmarks.peers.naive:app
"""

from typing import Any

from flask import Flask, request

from benchmarks.peers import usual

app = Flask(__name__)


@app.post("/best-move")
def post_best_move() -> dict[str, Any]:
    return {"move": usual.best_move(list(request.get_json()["board"]))}


@app.get("/healthz")
def healthz() -> dict[str, Any]:
    return {"status": "ok"}
