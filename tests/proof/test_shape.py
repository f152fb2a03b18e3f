"""How two symmetries combine, and how the verifier applies symmetries to sets of cells."""

from itertools import product

import pytest

from bestmove import Board, Limits, Rules, prove
from bestmove.proof import verify

RULES = [Rules(4, 4, 3), Rules(3, 5, 3), Rules(4, 4, 3, gravity=True)]


def labels(rules: Rules) -> str:
    """Return a text with a different character for each cell."""
    return "".join(chr(ord("a") + cell) for cell in range(rules.size))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_two_symmetries_after_one_another_are_one_or_none(rules: Rules) -> None:
    shape = rules.geometry
    for first, then in product(shape.symmetries[1:], repeat=2):
        image = then.moved(first.moved(labels(rules)))
        combined = shape.combined(first, then.name)
        assert image == (combined.moved(labels(rules)) if combined else labels(rules))


def test_the_verifier_counts_the_cells_of_images_where_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = Rules(4, 4, 3, overline=False)
    made: list[verify.Checker] = []
    symmetries: list[str] = []

    class Kept(verify.Checker):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            made.append(self)

    def below(number: int) -> tuple[set[str], set[str]]:
        node = nodes[number]
        moves = [[node[name] for name in ("move", "node", "symmetry") if name in node]]
        found = {labels(rules)[node["move"]]} if "move" in node else set()
        replies = {labels(rules)[reply[0]] for reply in node.get("replies", [])}
        edges = [to for _, *to in node.get("replies", moves) if to]
        for to in [*edges, *([[node["pass"]]] if "pass" in node else [])]:
            theirs = below(to[0])
            image = labels(rules)
            if to[1:]:
                image = rules.geometry.named(to[1]).moved(image)
                symmetries.append(to[1])
            back = dict(zip(labels(rules), image, strict=True))
            found |= {back[cell] for cell in theirs[0]}
            replies |= {back[cell] for cell in theirs[1]}
        return found, replies

    monkeypatch.setattr(verify, "Checker", Kept)
    proof = prove(Board.empty(4, 4, 3, overline=False), Limits(time_ms=None, nodes=10**6))
    assert proof is not None
    assert verify.verify(proof)
    (checker,) = made
    nodes = proof.claims[0]["nodes"]
    for number in range(len(nodes)):
        sets = (
            {cell for i, cell in enumerate(labels(rules)) if cells >> i & 1}
            for cells in (checker.own[number], checker.replies[number])
        )
        assert tuple(sets) == below(number)
    assert symmetries
