"""The verifier accepts no damaged certificate with a false claim or a missing reply."""

import gzip
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from bestmove import Board, Limits, Rules, prove, verify
from tests.proof.collection import SOUND, SYMMETRIES, Doc, damage, swap
from tests.support.needs import LONG, THIRDS
from tests.support.oracle import Position, positions
from tests.support.positions import board_of, game_of


def contradicts(claim: dict[str, Any], value: int, mover: str, played: int = 0) -> bool:
    """Return True if a full search contradicts a claim.

    Args:
        claim: the claim about the root.
        value: the value of a position, or of a move in that position, by the full search.
        mover: the side to move in that position.
        played: the plies from the root to that position.
    """
    winner = None if value == 0 else mover if value > 0 else "OX"["XO".index(mover)]
    plies = played + 30_000 - abs(value)
    wins: bool = winner == claim["side"] and (claim["plies"] is None or plies <= claim["plies"])
    return wins is not (claim["kind"] == "wins")


def image(position: Position, name: str) -> Position:
    rows, columns, _ = position.game.shape

    def moved(cells: int) -> int:
        found = 0
        for cell in range(rows * columns):
            row, column = SYMMETRIES[name](*divmod(cell, columns))
            found |= (cells >> cell & 1) << row % rows * columns + column % columns
        return found

    return replace(position, own=moved(position.own), other=moved(position.other))


def assert_whole(position: Position, claim: dict[str, Any]) -> None:
    nodes: list[dict[str, Any]] = claim["nodes"]
    begun = (position.own | position.other).bit_count()
    places = {len(nodes) - 1: position}
    for number in range(len(nodes) - 1, -1, -1):
        here, node = places[number], nodes[number]
        mover = "XO"[here.to_move - 1]
        # The plies of a win are not compared: its proof may have passes, which `played` omits.
        played = (here.own | here.other).bit_count() - begun
        whole = claim if claim["kind"] == "cannot-win" else {**claim, "plies": None}
        assert not contradicts(whole, here.value, mover, played)
        if "leaf" in node:
            continue
        entries = {cell: to for cell, *to in node.get("replies", [])}
        if "move" in node:
            entries = {node["move"]: [node[key] for key in ("node", "symmetry") if key in node]}
        for move in here.moves:
            after = here.after(move)
            if "move" not in node or move in entries:
                assert not contradicts(whole, here.value_of(move), mover, played)
            if entries.get(move):
                to, *name = entries[move]
                there = image(after, name[0]) if name else after
                assert places.setdefault(to, there) == there
            elif "move" not in node and "pass" not in node:
                is_over = here.wins(move) or not after.moves
                assert is_over or played + 1 == claim["plies"]
        if "pass" in node:
            passed = replace(here, own=here.other, other=here.own, to_move=3 - here.to_move)
            assert places.setdefault(node["pass"], passed) == passed


def assert_true(document: Doc) -> None:
    """Check each claim of a certificate, and each node, by a full search."""
    game = game_of(Rules(**document["rules"]))
    turn = document["turn"]
    root = Position.of(game, document["board"], 1 + "XO".index(turn or "X"))
    for claim in document["claims"]:
        if turn is None:
            sides = zip("XO", (root.own, root.other), strict=True)
            lines = [side for side, cells in sides if game.has_line(cells)]
            winners = [swap(side) for side in lines] if game.misere else lines
            assert (claim["side"] in winners) is (claim["kind"] == "wins")
        else:
            assert not contradicts(claim, root.value, turn)
            assert_whole(root, claim)


@THIRDS
def test_no_damage_makes_a_wrong_claim_of_a_valid_certificate(third: int) -> None:
    rng = random.Random(third)
    stood = 0
    for sound in SOUND[third::3]:
        assert_true(sound)
        for _ in range(15):
            document = damage(sound, rng)
            if verify(document):
                stood += 1
                assert_true(document)
    assert stood > 100


@pytest.mark.parametrize(
    ("seed", "count"),
    [(0, 400), *(pytest.param(seed, 2000, marks=[pytest.mark.slow, LONG]) for seed in range(1, 6))],
)
def test_no_damaged_certificate_proves_a_wrong_claim(seed: int, count: int) -> None:
    rng = random.Random(seed)
    tried = stood = 0
    for position in positions(rng, count, 9):
        board = board_of(position)
        proof = prove(board, Limits(time_ms=60_000))
        assert proof is not None, board
        for _ in range(8):
            document = damage(proof.to_dict(), rng)
            tried += 1
            verdict = verify(document)
            if verdict.stands:
                stood += 1
                assert_true(document)
            else:
                assert verdict.reason
            if tried >= count:
                assert stood < tried
                return


def test_a_cut_or_broken_file_is_refused() -> None:
    rng = random.Random(3)
    proof = prove(Board.parse("X...O...."), Limits(time_ms=60_000))
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
