"""The verifier accepts no damaged certificate with a false claim or a missing reply."""

import random
from dataclasses import replace
from typing import Any

from bestmove import Rules, verify
from tests.proof.collection import SOUND, SYMMETRIES, Doc, damage, swap
from tests.support.needs import THIRDS
from tests.support.oracle import Position
from tests.support.positions import game_of


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
