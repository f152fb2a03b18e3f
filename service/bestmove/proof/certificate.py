"""Certificates: a position's result and its proof, in the format of docs/proofs.md."""

from __future__ import annotations

import gzip
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Never

from bestmove.game import Board, O, X
from bestmove.game.board import not_a_board
from bestmove.proof.builder import LATE, TOO_LARGE, Builder, CannotWin, Spent, Unproven, Wins
from bestmove.proof.verify import MOST_NODES, USUAL
from bestmove.search.analysis import best_move
from bestmove.search.cancellation import Cancellation
from bestmove.search.dispatch import consulted
from bestmove.search.limits import Limits, SearchLimits

FORMAT: Final = "bestmove-proof"
VERSION: Final = 1

DEFAULT_BYTES: Final = 16 << 20
"""The default limit for the bytes of a certificate's text. Several hundred thousand nodes fit."""

_RESULT_SHARE: Final = 0.5
"""The search for the result gets this share of the time, and the certificate gets the rest."""

_DEFAULT: Final = Limits()


@dataclass(frozen=True)
class Proof:
    """A certificate, which `bestmove.verify` can check.

    Attributes:
        board: the position.
        claims: the claims, in the form of docs/proofs.md.
    """

    board: Board
    claims: tuple[dict[str, Any], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the document, ready for JSON."""
        rules = self.board.rules
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": {name: getattr(rules, name) for name in ("rows", "columns", "k", *USUAL)},
            "board": self.board.cells,
            "turn": self.board.turn,
            "claims": list(self.claims),
        }

    @cached_property
    def text(self) -> str:
        """The document as JSON text."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    @property
    def nodes(self) -> int:
        """The number of nodes of all claims."""
        return sum(len(claim["nodes"]) for claim in self.claims)

    def fits(self, most_bytes: int) -> bool:
        """Return True if the text and the number of each claim's nodes are within the limits."""
        within = all(len(claim["nodes"]) <= MOST_NODES for claim in self.claims)
        return within and len(self.text) <= most_bytes

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the document to a file, compressed with gzip."""
        Path(path).write_bytes(compressed(self.text))


def compressed(text: str) -> bytes:
    """Compress a certificate's text. Without a timestamp, equal texts make equal files."""
    return gzip.compress(text.encode("ascii"), mtime=0)


def prove(
    board: Board,
    limits: Limits = _DEFAULT,
    *,
    exactly: bool = False,
    most_bytes: int = DEFAULT_BYTES,
    cancellation: Cancellation | None = None,
    **options: Never,
) -> Proof | None:
    """Return a certificate of the position's result, or None if the budget does not suffice.

    Args:
        board: a position. If the game is over, the certificate has no moves.
        limits: `nodes` limits the searches. `time_ms` and `deadline` limit the whole call. Other
            limits are ignored.
        exactly: also try to prove that no shorter win exists.
        most_bytes: the most bytes of the certificate's text.
        cancellation: lets another thread end the call, which then returns None.

    Raises:
        TypeError: `board` is not a `Board`, or an option such as `nodes` is not in `limits`.
    """
    limits = SearchLimits.of(limits, options)
    return attempt(
        board, limits, exactly=exactly, most_bytes=most_bytes, cancellation=cancellation
    )[0]


def attempt(
    board: Board,
    limits: Limits = _DEFAULT,
    *,
    exactly: bool = False,
    most_bytes: int = DEFAULT_BYTES,
    cancellation: Cancellation | None = None,
) -> tuple[Proof | None, str]:
    """Like `prove`, but also return a sentence that says why there is no certificate."""
    if not isinstance(board, Board):
        raise not_a_board(board)
    if not board.rules.are_known(USUAL.keys()):
        return None, f"Certificates know only the switches {', '.join(USUAL)}."
    if board.is_over:
        return _proof_of_the_end(board), ""
    due = _due(SearchLimits.of(limits))
    result = _result(board, limits, due, cancellation)
    if due is not None and time.monotonic() >= due:
        return None, _why(result, LATE)
    with consulted(board, due, limits.nodes, cancellation) as adviser:

        def builder(kind: type[Builder], side: str) -> Any:
            return kind(board.rules, side, adviser, due, most_bytes, cancellation)

        def drawn() -> list[dict[str, Any]]:
            return [_cannot_win(builder, board, side, None) for side in ("X", "O")]

        def won(side: str, plies: int | None) -> list[dict[str, Any]]:
            claims = [_wins(builder, board, side, plies if adviser.keeps_plies else None)]
            return claims + (_none_shorter(builder, board, claims[0]) if exactly else [])

        ways: list[Callable[[], list[dict[str, Any]]]]
        if result is None:
            # The search proved nothing. But a draw may be evident, or the adviser may prove a win.
            ways = [drawn, partial(won, board.turn or "", None)]
        else:
            winner, plies = result
            ways = [drawn if winner is None else partial(won, winner, plies)]
        for way in ways:
            try:
                claims = way()
            except Unproven:
                failed = LATE
            except Spent as spent:
                failed = str(spent)
            else:
                proof = Proof(board, tuple(claims))
                if proof.fits(most_bytes):
                    return proof, ""
                failed = TOO_LARGE
    return None, _why(result, failed)


ProvenResult = tuple[str | None, int | None]
"""The winner, and the plies to the end. Both are None for a draw."""


def _why(result: ProvenResult | None, failed: str) -> str:
    if result is None:
        return "The result was not proven within the budget."
    winner = result[0]
    proven = "a draw" if winner is None else f"a win for {winner}"
    return f"The result is proven, {proven}, but its certificate {failed}."


def _due(limits: SearchLimits) -> float | None:
    if limits.time_ms is None:
        return limits.deadline
    due = time.monotonic() + limits.time_ms / 1000
    return due if limits.deadline is None else min(due, limits.deadline)


def _result(
    board: Board, limits: Limits, due: float | None, cancellation: Cancellation | None
) -> ProvenResult | None:
    time_ms = limits.time_ms
    if time_ms is not None:
        time_ms = max(1, int(time_ms * _RESULT_SHARE))
    within = SearchLimits(time_ms=time_ms, nodes=limits.nodes, deadline=due)
    answer = best_move(board, within, cancellation=cancellation)
    if not answer.exact:
        return None
    if answer.score == 0:
        return None, None
    return (X if answer.score > 0 else O), answer.plies


def claim(kind: str, side: str, plies: int | None, nodes: list[dict[str, Any]]) -> dict[str, Any]:
    return {"kind": kind, "side": side, "plies": plies, "nodes": nodes}


def _wins(builder: Any, board: Board, side: str, plies: int | None) -> dict[str, Any]:
    graph: Wins = builder(Wins, side)
    distance = graph.build(board.cells, board.turn or "", plies)
    return claim("wins", side, distance, graph.nodes)


def _cannot_win(builder: Any, board: Board, side: str, plies: int | None) -> dict[str, Any]:
    if plies == 0:
        return claim("cannot-win", side, 0, [])
    graph: CannotWin = builder(CannotWin, side)
    graph.build(board.cells, board.turn or "", plies)
    return claim("cannot-win", side, plies, graph.nodes)


def _none_shorter(builder: Any, board: Board, won: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        return [_cannot_win(builder, board, won["side"], won["plies"] - 1)]
    except (Unproven, Spent):
        return []


def _proof_of_the_end(board: Board) -> Proof:
    if board.winner is not None:
        return Proof(board, (claim("wins", board.winner, 0, []),))
    return Proof(board, tuple(claim("cannot-win", side, None, []) for side in ("X", "O")))
