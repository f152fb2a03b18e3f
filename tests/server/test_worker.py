"""The worker's refusals of what gunicorn cannot read."""

from __future__ import annotations

import pytest
from gunicorn.http import errors as http  # type: ignore[import-untyped]

from bestmove.server.refusals import problem_of


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (http.LimitRequestLine(9000, 8190), 414),
        (http.LimitRequestHeaders("too many"), 431),
        (http.UnsupportedTransferCoding("gzip"), 501),
        (http.ExpectationFailed("200-ok"), 417),
        (http.InvalidRequestLine("GET"), 400),
        (http.InvalidHeader("no colon"), 400),
        (http.InvalidResponseHeader("ours"), 500),
        (http.InvalidResponseHeaderName("ours"), 500),
        (RuntimeError("ours"), 500),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_a_fault_of_the_client_is_told_by_its_status_and_ours_is_500(
    error: Exception, status: int
) -> None:
    assert problem_of(error).kind.status == status
