"""Two verifiers that share no code give the verdicts of the collection."""

from typing import Any

import pytest

from bestmove.proof.verify import verify
from tests.proof.collection import VECTORS, content
from tests.support.needs import NODE
from tests.web.node import shown

SIZES = pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.slow)])
"""Whether the certificates are large. The few large ones take longer than all others together."""


def _of_size(large: bool) -> list[dict[str, Any]]:
    return [vector for vector in VECTORS if vector.get("large", False) is large]


def _verdict(vector: dict[str, Any]) -> dict[str, Any]:
    """Leave out the reason: each verifier says it in its own words."""
    return {name: value for name, value in vector["verdict"].items() if name != "reason"}


@SIZES
def test_the_verifier_in_python_gives_each_verdict(large: bool) -> None:
    for vector in _of_size(large):
        found = verify(content(vector), vector.get("expected"))
        wanted = _verdict(vector)
        assert {name: getattr(found, name) for name in wanted} == wanted, vector
        assert bool(found.reason) is not found.stands


@NODE
@SIZES
def test_the_verifier_in_javascript_gives_each_verdict(large: bool) -> None:
    found = shown(
        """
        const { verify } = await load("verify.js");
        const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
        const verdicts = [];
        for (const { document, base64, expected } of given) {
          verdicts.push(await verify(document ?? bytes(base64), expected));
        }
        show(verdicts);
        """,
        _of_size(large),
    )
    for vector, verdict in zip(_of_size(large), found, strict=True):
        assert bool(verdict.pop("reason")) is not verdict["stands"]
        assert verdict == _verdict(vector), vector
