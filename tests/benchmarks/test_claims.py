"""What README claims: that the checks speak of its words, and hold."""

from __future__ import annotations

import pytest

from benchmarks.claims.__main__ import missing, verdicts
from benchmarks.claims.checks import CHECKS
from tests.support.documents import README
from tests.support.needs import COMPILED, require


def test_every_claim_that_is_checked_stands_in_readme() -> None:
    assert missing(README.read_text(encoding="utf-8")) == []
    assert missing("") == list(CHECKS)


@COMPILED
@pytest.mark.slow
def test_every_claim_holds() -> None:
    require("curl", "curl")
    by_check = {check: text for text, check in CHECKS.items()}
    assert dict.fromkeys(by_check.values(), "holds") == dict(verdicts([*by_check.values()], 1))
