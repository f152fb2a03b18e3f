"""The worker's refusals of what gunicorn cannot read."""

from __future__ import annotations

import errno
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from gunicorn.http import errors as http  # type: ignore[import-untyped]

from bestmove.server.refusals import problem_of
from bestmove.server.worker import Worker


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


@pytest.mark.parametrize("code", [errno.ECONNRESET, errno.ETIMEDOUT, errno.EHOSTUNREACH])
def test_however_a_client_is_lost_after_its_last_answer_its_connection_is_closed(code: int) -> None:
    conn: Any = Mock(held=0)
    state = {"_arriving": {}, "_sending": {}, "_lingering": {conn: None}, "_held": 0}
    worker: Any = SimpleNamespace(**state, nr_conns=1, poller=Mock())
    worker._close = lambda conn: Worker._close(worker, conn)
    lost = Mock(recv=Mock(side_effect=OSError(code, "lost")))
    Worker._on_lingering(worker, conn, lost)
    worker.poller.unregister.assert_called_once_with(lost)
    conn.close.assert_called_once_with()
    assert (worker._lingering, worker.nr_conns) == ({}, 0)
