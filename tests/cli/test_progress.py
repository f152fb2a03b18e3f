"""The progress that `bestmove label` reports."""

import re
from unittest.mock import Mock

import pytest

from bestmove.cli import progress
from bestmove.label.tally import Tally


def test_a_log_says_how_far_the_table_is_and_when_no_worker_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Mock(return_value=0.0)
    monkeypatch.setattr("time.monotonic", clock)
    cluster = Mock(processors=2)
    log = progress._Log(100_000, Tally(rows=1_000), cluster)
    log.write()
    for seconds, rows, processors in ((30, 6_000, 2), (60, 0, 1), (90, 0, 0)):
        clock.return_value, cluster.processors = seconds, processors
        log.add(Tally(rows=rows))
        log.write()
    log.write_end()
    assert cluster.count.call_count == 4
    assert [_without_time(line) for line in capsys.readouterr().err.splitlines()] == [
        "1,000 of 100,000 rows (1%) on 2 processors",
        "7,000 of 100,000 rows (7%) on 2 processors, 200/s, 8 minutes left",
        "7,000 of 100,000 rows (7%) on 1 processor (1 fewer: others repeat the lost parts), 100/s, "
        "16 minutes left",
        "7,000 of 100,000 rows (7%), no workers: waiting for one, finished rows are kept",
        "6,000 rows in 90 seconds, 67/s",
    ]


def test_the_bar_says_when_no_worker_is_left() -> None:
    task = Mock(fields={"exact": 5}, completed=10, finished_speed=None, speed=20.0)
    cluster = Mock(processors=1)
    rate = progress._Rate(cluster)
    assert rate.render(task).plain == "20/s, 50% proven"
    cluster.processors = 0
    assert rate.render(task).plain == "no workers: waiting for one"


def _without_time(line: str) -> str:
    found = re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (.*)", line)
    assert found is not None, line
    return found[1]
