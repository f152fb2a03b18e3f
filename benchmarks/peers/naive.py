"""What a user may write instead: a Flask view that searches by the usual minimax each time.

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
