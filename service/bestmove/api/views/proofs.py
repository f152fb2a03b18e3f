"""`POST /proof`: certificates of results."""

from __future__ import annotations

import time
from dataclasses import replace

from flask import Flask, Response, request

from bestmove.api import requests
from bestmove.api.capacity import Capacity
from bestmove.api.middleware import record
from bestmove.api.responses import JSON, json_response, json_text_response
from bestmove.api.schemas import PositionRequest
from bestmove.api.settings import PROOF_BYTES, Settings
from bestmove.proof.certificate import attempt


class Proofs:
    """The view of /proof."""

    def __init__(self, settings: Settings, capacity: Capacity) -> None:
        self._settings = settings
        self._capacity = capacity
        self._schema = PositionRequest(max_time_ms=settings.max_time_ms)

    def register(self, app: Flask) -> None:
        """Give the app its route."""
        app.add_url_rule("/proof", view_func=self.post_proof, methods=["POST"])

    def post_proof(self) -> Response:
        """`POST /proof`."""
        now = record()
        requests.representation(request.environ, (JSON,))
        data = requests.body(request.environ, self._settings.max_body_bytes)
        with self._capacity.reading(len(data), now.arrived):
            query = requests.query_of_body(self._schema, requests.parse_json(data))
            # The certificate is of the result: no level and no algorithm changes it.
            question = requests.question(query, self._settings, now.arrived, all_moves=True)
        rules = question.board.rules
        now.board = f"{rules.rows}x{rules.columns}"
        limits = replace(question.limits, threads=None)
        if question.board.is_over:
            proof, why = attempt(question.board, limits)
        else:
            with self._capacity.slot(limits) as limits, self._capacity.working():
                started = time.perf_counter()
                proof, why = attempt(question.board, limits, most_bytes=PROOF_BYTES)
                now.note_search((time.perf_counter() - started) * 1000)
        if proof is None:
            return json_response({"proof": None, "detail": why})
        return json_text_response(f'{{"proof":{proof.text}}}\n')
