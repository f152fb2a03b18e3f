"""schemathesis drives the application from openapi.yaml: what fits it and what does not."""

from __future__ import annotations

import copy
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig

from benchmarks.load.needs import COMPILED
from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from tests.api.http import DOCUMENT

EXAMPLES = 40

# A short limit on the time, so that a test of this size stays a short one.
SETTINGS = Settings(max_time_ms=15)
document = copy.deepcopy(DOCUMENT)
document["components"]["schemas"]["TimeMs"]["maximum"] = 15

# JSON Schema cannot say which boards a game can reach: of what fits it some is still refused.
config = SchemathesisConfig.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "304", "404", "422"]}}}
)
schema = schemathesis.openapi.from_dict(document, config=config)
schema.app = create_app(SETTINGS, write_log=lambda _: None)


@COMPILED
@pytest.mark.slow
@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_the_service_keeps_to_the_document(case: schemathesis.Case[Any]) -> None:
    # The transport in process does not unpack what it says it takes.
    case.call_and_validate(headers={"Accept-Encoding": "identity"})
