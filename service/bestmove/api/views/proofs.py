"""`POST /proof`: proves the result of a position."""

from __future__ import annotations

import time
from dataclasses import replace

from flask import Flask, Response, request

from bestmove.api import requests
from bestmove.api.capacity import Capacity
from bestmove.api.record import record
from bestmove.api.requests import Query, Question
from bestmove.api.responses import JSON, json_response, json_text_response
from bestmove.api.schemas import ProofRequest
from bestmove.api.settings import PROOF_BYTES, PROVING, Settings
from bestmove.proof.certificate import attempt
from bestmove.search.engine import SEARCH_BYTES


def register(app: Flask, settings: Settings, capacity: Capacity) -> None:
    schema = ProofRequest(max_time_ms=settings.max_time_ms)

    def post_proof() -> Response:
        now = record()
        requests.representation(request.environ, (JSON,))

        def asked(query: Query) -> tuple[Question, bool]:
            # With `all_moves`, level and algorithm are ignored.
            question = requests.question(query, settings, now, all_moves=True)
            return question, query.fields.get("exactly", False)

        question, exactly = capacity.read(schema, asked)
        limits = replace(question.limits, threads=None)
        if question.board.is_over:
            proof, why = attempt(question.board, limits)
        else:
            with capacity.slot(
                limits, SEARCH_BYTES + PROOF_BYTES * PROVING, is_timed=False
            ) as work:
                started = time.perf_counter()
                proof, why = attempt(
                    question.board,
                    work.limits,
                    exactly=exactly,
                    most_bytes=PROOF_BYTES,
                    cancellation=work.cancellation,
                )
                now.engine_ms = round((time.perf_counter() - started) * 1000, 3)
        if proof is None:
            return json_response({"proof": None, "detail": why})
        return json_text_response(f'{{"proof":{proof.text}}}')

    app.add_url_rule("/proof", view_func=post_proof, methods=["POST"])
