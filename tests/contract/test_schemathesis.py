"""schemathesis makes valid and invalid requests from openapi.yaml, and sends them."""

import copy
import re
from typing import Any

import hypothesis
import schemathesis
from schemathesis import checks
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from tests.api.http import DOCUMENT
from tests.support.needs import COMPILED

EXAMPLES = 40
OUT_OF_TIME = "urn:bestmove:problem:out-of-time"
FOR_OTHERS: list[Any] = [checks.not_a_server_error, positive_data_acceptance]

# The time limits are short, because the test sends many requests.
SETTINGS = Settings(max_time_ms=15, max_stream_ms=15)
document = copy.deepcopy(DOCUMENT)
for name in ("TimeMs", "StreamTimeMs"):
    document["components"]["schemas"][name]["maximum"] = 15

# JSON Schema cannot say which boards a game can reach. So the service refuses some boards that fit
# the schema.
config = SchemathesisConfig.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "304", "404", "422"]}}}
)
schema = schemathesis.openapi.from_dict(document, config=config)
schema.app = create_app(SETTINGS, write_log=lambda _: None)


def is_digits(case: schemathesis.Case[Any]) -> bool:
    return re.fullmatch("[0-2]+", str((case.query or {}).get("board", ""))) is not None


@COMPILED
@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
def test_the_service_follows_the_document(case: schemathesis.Case[Any]) -> None:
    # schemathesis asks for compressed answers, but does not unpack them without a socket.
    answer = case.call(headers={"Accept-Encoding": "identity"})
    # openapi.yaml allows a 503 if a textbook search does not end within the 15 ms of SETTINGS.
    late = answer.status_code == 503 and answer.json()["type"] == OUT_OF_TIME
    if late and case.path != "/game-tree":
        asked = case.body if isinstance(case.body, dict) else case.query
        assert asked["algorithm"] != "auto"
    # schemathesis reads a board of digits in a query as a number, and expects a refusal.
    excluded = FOR_OTHERS if late else [negative_data_rejection] if is_digits(case) else []
    case.validate_response(answer, excluded_checks=excluded)
