"""The fastest Flask view: it parses the same JSON and returns a fixed answer of the same size.

gunicorn -c python:bestmove.gunicorn_conf benchmarks.peers.bare:app
"""

from typing import Any

from flask import Flask, request

app = Flask(__name__)

ANSWER = {
    "board": "X...O....",
    "rows": 3,
    "columns": 3,
    "k": 3,
    "gravity": False,
    "overline": True,
    "misere": False,
    "turn": "X",
    "status": "in_progress",
    "winner": None,
    "winning_line": None,
    "move": {"index": 1, "row": 0, "column": 1},
    "board_after": "XX..O....",
    "score": 0,
    "exact": True,
    "outcome": "draw",
    "plies": 7,
    "pv": [1, 2, 6, 3, 5, 7, 8],
    "reason": {
        "code": "holds-draw",
        "cells": [1],
        "text": "With best play it is a draw, and cell 1 (row 0, column 1) holds it.",
    },
    "search": {
        "algorithm": "memoized-alpha-beta",
        "nodes": 431,
        "cutoffs": 100,
        "table_hits": 106,
        "depth": 7,
        "elapsed_ms": 0.4,
    },
}


@app.post("/best-move")
def best_move() -> dict[str, Any]:
    request.get_json()
    return ANSWER


@app.get("/healthz")
def healthz() -> dict[str, Any]:
    return {"status": "ok"}
