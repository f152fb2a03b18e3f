"""The program that searches for the most expensive requests: its requests and its output."""

import re
import sys
from collections import Counter

import pytest

from benchmarks.load.sweep import PATHS, Breeder
from tests.support.builds import ROOT
from tests.support.programs import run


def test_a_seed_breeds_the_same_requests_of_every_endpoint_again() -> None:
    breeder, again = Breeder(3), Breeder(3)
    kinds: Counter[str] = Counter()
    for _ in range(300):
        one = breeder.new()
        for _ in range(3):
            one = breeder.crossed(breeder.changed(one), one)
        other = again.new()
        for _ in range(3):
            other = again.crossed(again.changed(other), other)
        assert one == other
        kinds[f"{one.method} {one.path}"] += 1
        kinds.update(name for name in one.fields if name in ("moves", "gravity", "overline"))
    posts = {f"POST {path}" for path in PATHS}
    assert {*posts, "GET /best-move", "GET /analyze", "moves", "gravity", "overline"} <= set(kinds)


@pytest.mark.slow
def test_it_runs_and_prints_its_worst() -> None:
    command = ("-m", "benchmarks.load.sweep", "--seconds", "4")
    done = run(sys.executable, *command, cwd=ROOT, status=None)
    rows = re.findall(r"^\| [0-9.]+ \| [0-9,]+ \| (\d{3}) \| (?:GET|POST) /", done.stdout, re.M)
    assert rows, done.stderr
    assert not [status for status in rows if status.startswith("5") and status != "503"]
