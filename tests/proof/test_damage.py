"""Certificates damaged in one place: none stands whose claim a search contradicts."""

from __future__ import annotations

import copy
import gzip
import json
import random
from typing import Any

import pytest

from bestmove import Board, Limits, Rules, prove, verify
from tests.support.needs import LONG
from tests.support.oracle import Position, positions

SYMMETRIES = [
    "left-right",
    "top-bottom",
    "half-turn",
    "quarter-turn",
    "three-quarter-turn",
    "diagonal",
    "antidiagonal",
]


def damaged(rng: random.Random, document: dict[str, Any], cells: int) -> dict[str, Any] | None:
    """The document with one place changed; None where there is no such place."""
    document = copy.deepcopy(document)
    claim = rng.choice(document["claims"])
    nodes: list[dict[str, Any]] = claim["nodes"]
    kind = rng.choice(
        ["move", "node", "image", "pair", "reply", "pass", "plies", "leaf", "side", "cut"]
    )
    node = rng.choice(nodes) if nodes else {}
    replies = node.get("replies", [])
    if kind == "plies" and claim["plies"]:
        claim["plies"] -= rng.randint(1, claim["plies"])
    elif kind == "side":
        claim["side"] = "O" if claim["side"] == "X" else "X"
    elif kind == "cut" and nodes:
        del nodes[rng.randrange(len(nodes))]
    elif kind == "move" and "move" in node:
        node["move"] = rng.randrange(cells)
    elif kind == "node" and ("node" in node or replies):
        if "node" in node:
            node["node"] = rng.randrange(len(nodes))
        else:
            rng.choice(replies)[1] = rng.randrange(len(nodes))
    elif kind == "image" and "node" in node:
        node["symmetry"] = rng.choice(SYMMETRIES)
    elif kind == "image" and replies:
        reply = rng.choice(replies)
        reply[2:] = [rng.choice(SYMMETRIES)]
    elif kind == "pair" and node.get("pairs"):
        rng.choice(node["pairs"])[rng.randrange(2)] = rng.randrange(cells)
    elif kind == "reply" and replies:
        if rng.random() < 0.7:
            replies.pop(rng.randrange(len(replies)))
        else:
            rng.choice(replies)[0] = rng.randrange(cells)
    elif kind == "pass" and "pass" in node:
        if rng.random() < 0.5:
            node["pass"] = rng.randrange(len(nodes))
        else:
            del node["pass"]
    elif kind == "leaf" and nodes:
        node.clear()
        node["leaf"] = rng.choice(["lines", "sum"])
    else:
        return None
    return document


def contradicts(position: Position, claim: dict[str, Any]) -> bool:
    """Whether a full search of the position says other than a claim."""
    value = position.value
    mover, waiting = "XO"[position.to_move - 1], "OX"[position.to_move - 1]
    winner = None if value == 0 else mover if value > 0 else waiting
    plies = 30_000 - abs(value)
    wins: bool = winner == claim["side"] and (claim["plies"] is None or plies <= claim["plies"])
    return wins is not (claim["kind"] == "wins")


@pytest.mark.parametrize(
    ("seed", "count"),
    [(0, 400), *(pytest.param(seed, 2000, marks=[pytest.mark.slow, LONG]) for seed in range(1, 6))],
)
def test_no_damaged_certificate_stands_for_a_wrong_claim(seed: int, count: int) -> None:
    rng = random.Random(seed)
    tried = stood = 0
    for position in positions(rng, count, 9):
        game = position.game
        board = Board(position.text, Rules(*game.shape, **game.switches))
        proof = prove(board, Limits(time_ms=60_000))
        assert proof is not None, board
        for _ in range(8):
            document = damaged(rng, proof.to_dict(), game.size)
            if document is None:
                continue
            tried += 1
            verdict = verify(document)
            if verdict.stands:
                stood += 1
                assert not any(contradicts(position, claim) for claim in document["claims"])
            else:
                assert verdict.reason
            if tried >= count:
                assert stood < tried
                return


def test_a_cut_or_broken_file_is_refused() -> None:
    rng = random.Random(3)
    proof = prove(Board.parse("X...O...."))
    assert proof is not None
    data = gzip.compress(proof.text.encode())
    text = proof.text.encode()
    for whole in (data, text):
        for _ in range(300):
            broken = bytearray(whole[: rng.randrange(len(whole))])
            if rng.random() < 0.5:
                broken = bytearray(whole)
                broken[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
            verdict = verify(bytes(broken))
            if verdict.stands:
                plain = gzip.decompress(bytes(broken)) if whole is data else bytes(broken)
                assert json.loads(plain).keys() == json.loads(text).keys()


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[" * 100_000, b'{"a":' * 5000, b"\x1f\x8b", b"null", b"\xff"]
)
def test_what_is_no_document_is_refused(data: bytes) -> None:
    assert not verify(data)


@LONG
@pytest.mark.slow
def test_a_bomb_costs_no_more_than_the_bound() -> None:
    bomb = gzip.compress(b" " * (200 << 20))
    assert not verify(bomb)
