"""When something other than a request fails, the service does what docs/operations.md says."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.programs import run
from tests.support.replicas import COMMAND, ROOT, answers, replica, wait_until
from tests.support.servers import running_process
from tests.support.sockets import eventually, get, metric, post

LOST = "the metrics cannot be kept, so the service goes on without them"
QUESTION = {"board": "XX.OO...."}
PATIENCE = 60


def test_a_full_disk_for_the_log_costs_only_its_lines() -> None:
    with Path("/dev/full").open("wb") as full, running_process(output=full.fileno()) as (_, url):
        assert post(url, "/best-move", QUESTION) == 200
        eventually(lambda: metric(url, "bestmove_log_lines_dropped_total") > 0)
        assert post(url, "/best-move", QUESTION) == 200


def test_a_folder_of_metrics_that_is_removed_costs_only_the_metrics(tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    with replica(tmp_path, workers=1, extra={"PROMETHEUS_MULTIPROC_DIR": str(folder)}) as service:
        url = f"http://127.0.0.1:{service.port}"
        assert "bestmove_build_info" in get(f"{url}/metrics")
        shutil.rmtree(folder)
        assert post(url, "/best-move", QUESTION) == 200
        before = service.workers
        service.reload()
        wait_until(lambda: {*service.workers}.isdisjoint(before), PATIENCE, "the new worker")
        wait_until(lambda: answers(service.port), PATIENCE, "its first answer")
        assert post(url, "/best-move", QUESTION) == 200
        with pytest.raises(OSError, match="503"):
            get(f"{url}/metrics")
    said = [line for line in service.log.read_text("utf-8").splitlines() if LOST in line]
    assert 1 <= len(said) <= 2, "each process reports it once"


def test_a_folder_of_metrics_that_cannot_be_made_is_refused() -> None:
    given = {"PROMETHEUS_MULTIPROC_DIR": "/dev/null/metrics"}
    ended = run(*COMMAND, cwd=ROOT, env=os.environ | given, timeout=PATIENCE, status=2)
    assert "PROMETHEUS_MULTIPROC_DIR is /dev/null/metrics, which is not writable" in ended.stderr


NO_FOLDER = """
import os, tempfile

def missing():
    raise FileNotFoundError("No usable temporary directory found")

os.access = lambda *_: False
tempfile.gettempdir = missing
import bestmove.gunicorn_conf
"""


def test_without_a_folder_that_can_be_written_the_start_says_what_to_mount() -> None:
    ended = run(sys.executable, "-c", NO_FOLDER, timeout=PATIENCE, status=2)
    assert ended.stderr.startswith("bestmove: there is no writable temporary folder: mount a /tmp")


Copied = Callable[[str], dict[str, str]]


@pytest.fixture
def copied(tmp_path: Path) -> Copied:
    def copy(missing: str) -> dict[str, str]:
        ignored = shutil.ignore_patterns(missing, "__pycache__")
        shutil.copytree(ROOT / "service" / "bestmove", tmp_path / "bestmove", ignore=ignored)
        return os.environ | {"PYTHONPATH": str(tmp_path)}

    return copy


START = "import bestmove; from bestmove.api.app import create_app; create_app()"


def test_without_its_book_the_service_does_not_start(copied: Copied) -> None:
    ended = run(sys.executable, "-c", START, env=copied("opening.bin"), timeout=PATIENCE, status=1)
    assert "opening.bin" in ended.stderr


def test_without_the_compiled_engine_it_starts_and_says_so(copied: Copied, tmp_path: Path) -> None:
    extra = {"PYTHONPATH": copied("*.so")["PYTHONPATH"]}
    with replica(tmp_path, workers=1, cwd=tmp_path, extra=extra) as service:
        assert '"compiled":false' in get(f"http://127.0.0.1:{service.port}/readyz")
    assert "the engine is not compiled" in service.log.read_text("utf-8")
