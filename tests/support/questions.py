"""Random requests of clients about positions of random games. A seed determines the requests."""

import json
import random
from collections.abc import Sequence
from urllib.parse import quote

from bestmove.game import Board
from tests.support.connection import Answer, Connection, encode
from tests.support.positions import large, small

POOL = 600
"""How many requests a `Mix` makes in advance, to save time while clients ask."""


def best_move(board: Board, **options: object) -> bytes:
    return encode("/best-move", {"board": str(board), **options})


def get(path: str, **headers: str) -> bytes:
    """Return the bytes of a GET. Underscores in the names of headers become hyphens."""
    return encode(path, headers={name.replace("_", "-"): text for name, text in headers.items()})


class Only:
    """Asks these requests, one after another."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        self.requests = requests

    def __call__(self, connection: Connection, number: int) -> Answer:
        return connection.send(self.requests[number % len(self.requests)])


class Mix(Only):
    """A realistic mix of requests. `searches`: the share about 15×15; most others are about 3×3."""

    def __init__(self, seed: int, time_ms: int, searches: float = 0.1) -> None:
        chooser = random.Random(seed)
        super().__init__([self._one(chooser, time_ms, searches) for _ in range(POOL)])

    @staticmethod
    def _one(chooser: random.Random, time_ms: int, searches: float) -> bytes:
        if chooser.random() < searches:
            return best_move(large(chooser), time_ms=time_ms)
        board = small(chooser)
        kind = chooser.random()
        if kind < 0.55:
            return best_move(board)
        if kind < 0.75:
            return encode(f"/best-move?board={quote(str(board), safe='./')}")
        if kind < 0.85:
            return encode("/analyze", {"board": str(board)})
        if kind < 0.9:
            move = chooser.choice(board.moves)
            return encode("/play", {"board": str(board), "move": move})
        if kind < 0.95:
            return encode("/best-moves", {"boards": [str(small(chooser)) for _ in range(5)]})
        return encode("/healthz")

    @staticmethod
    def check(answer: Answer) -> str | None:
        """Return what is wrong with an answer to a valid question, or None."""
        if answer.status == 503:
            return None if answer.headers.get("retry-after", "").isdigit() else "no Retry-After"
        if answer.status != 200:
            return f"status {answer.status}: {answer.body[:200]!r}"
        try:
            document = json.loads(answer.body)
        except ValueError:
            return f"no JSON: {answer.body[:200]!r}"
        known = ("move", "moves", "results", "status")
        return None if any(name in document for name in known) else f"what is {answer.body[:200]!r}"
