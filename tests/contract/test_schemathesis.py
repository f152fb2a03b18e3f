"""schemathesis drives the application from openapi.yaml: what fits it and what does not."""

import copy
from typing import Any

import hypothesis
import schemathesis
from schemathesis import checks
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from tests.api.http import DOCUMENT
from tests.support.needs import COMPILED

EXAMPLES = 40
OUT_OF_TIME = "urn:bestmove:problem:out-of-time"
FOR_OTHERS: list[Any] = [checks.not_a_server_error, positive_data_acceptance]

# A short limit on the time, so that a test of this size stays a short one.
SETTINGS = Settings(max_time_ms=15, max_stream_ms=15)
document = copy.deepcopy(DOCUMENT)
for name in ("TimeMs", "StreamTimeMs"):
    document["components"]["schemas"][name]["maximum"] = 15

# JSON Schema cannot say which boards a game can reach: of what fits it some is still refused.
config = SchemathesisConfig.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "304", "404", "422"]}}}
)
schema = schemathesis.openapi.from_dict(document, config=config)
schema.app = create_app(SETTINGS, write_log=lambda _: None)


@COMPILED
@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_the_service_keeps_to_the_document(case: schemathesis.Case[Any]) -> None:
    # The transport in process does not unpack what it says it takes.
    answer = case.call(headers={"Accept-Encoding": "identity"})
    # A textbook search that does not end in those 15 ms is a 503 by contract.
    late = answer.status_code == 503 and answer.json()["type"] == OUT_OF_TIME
    if late and case.path != "/game-tree":
        asked = case.body if isinstance(case.body, dict) else case.query
        assert asked["algorithm"] != "auto"
    case.validate_response(answer, excluded_checks=FOR_OTHERS if late else [])
