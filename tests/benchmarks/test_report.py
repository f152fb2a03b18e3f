"""The figures of wrk's reports, and the error if requests were refused."""

import pytest

from benchmarks.report import driving
from tests.support.connection import encode
from tests.support.needs import WRK


@WRK
def test_the_figures_of_a_load_are_in_seconds_and_refusals_an_error() -> None:
    requests = [encode("/best-move", {"board": "X...O...."}), encode("/healthz")]
    with driving.gunicorn(driving.FLASK) as server:
        rates, samples = driving.compare({"bare": (server.port, requests)}, 2, 1, 1)
        before = server.processor_seconds()
        with pytest.raises(RuntimeError, match="not all were answered"):
            driving.drive(server.port, [encode("/healthz"), encode("/nowhere")], 1, 1)
    found = samples["bare"]
    assert found.answers > 0
    assert rates["bare"] == [found.rate]
    assert 0 < found.median <= found.p99
    assert before > 0
