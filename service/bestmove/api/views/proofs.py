"""`POST /proof`: proves the result of a position."""

from __future__ import annotations

import time
from dataclasses import replace

from flask import Flask, Response, request

from bestmove.api import requests
from bestmove.api.capacity import Capacity
from bestmove.api.record import record
from bestmove.api.responses import JSON, json_response, json_text_response
from bestmove.api.schemas import ProofRequest
from bestmove.api.settings import PROOF_BYTES, Settings
from bestmove.proof.certificate import attempt


def register(app: Flask, settings: Settings, capacity: Capacity) -> None:
    schema = ProofRequest(max_time_ms=settings.max_time_ms)

    def post_proof() -> Response:
        now = record()
        requests.representation(request.environ, (JSON,))
        data = requests.body(request.environ, settings.max_body_bytes)
        with capacity.reading(len(data), now.arrived):
            query = requests.query_of_body(schema, requests.parse_json(data))
            # With `all_moves`, level and algorithm are ignored.
            question = requests.question(query, settings, now, all_moves=True)
        limits = replace(question.limits, threads=None)
        exactly = query.fields.get("exactly", False)
        if question.board.is_over:
            proof, why = attempt(question.board, limits)
        else:
            with capacity.slot(limits) as limits:
                started = time.perf_counter()
                proof, why = attempt(
                    question.board, limits, exactly=exactly, most_bytes=PROOF_BYTES
                )
                now.engine_ms = round((time.perf_counter() - started) * 1000, 3)
        if proof is None:
            return json_response({"proof": None, "detail": why})
        return json_text_response(f'{{"proof":{proof.text}}}')

    app.add_url_rule("/proof", view_func=post_proof, methods=["POST"])
