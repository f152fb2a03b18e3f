"""A start that cannot succeed says why, in one line; one after a crash clears up."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.api.test_server import GUNICORN, children, get
from tests.client.serving import BESTMOVE
from tests.support.replicas import answers
from tests.support.servers import running_process

ROOT = Path(__file__).parents[2]
SERVE = [BESTMOVE, "serve"]
CLOSED = ["/bin/sh", "-c", 'exec "$@" >&-', "sh"]


def refusal(command: list[str], **variables: str) -> str:
    """The one line of a start that is refused."""
    ended = subprocess.run(
        command, env=os.environ | variables, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    return ended.stderr


@pytest.mark.parametrize("command", [SERVE, GUNICORN], ids=["serve", "gunicorn"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BESTMOVE_HOST", "no-such-host.invalid"),
        ("BESTMOVE_HOST", "[::1"),
        ("BESTMOVE_HOST", "::1]"),
        ("BESTMOVE_HOST", "[127.0.0.1]"),
        ("BESTMOVE_HOST", "12:34"),
        ("BESTMOVE_HOST", "unix"),
        ("BESTMOVE_CORS_ORIGINS", "https://page.example:99999"),
        ("BESTMOVE_CORS_ORIGINS", "https://[::1"),
    ],
)
def test_an_address_that_is_none_is_told_by_its_variable(
    command: list[str], name: str, value: str
) -> None:
    line = refusal(command, **{name: value})
    assert line.startswith(f"bestmove: {name} ")
    assert value in line


@pytest.mark.parametrize("command", [SERVE, GUNICORN], ids=["serve", "gunicorn"])
def test_a_closed_standard_output_is_told(command: list[str]) -> None:
    assert refusal([*CLOSED, *command]).startswith("bestmove: standard output is closed")


def test_an_address_of_another_machine_is_told() -> None:
    line = refusal(SERVE, BESTMOVE_HOST="192.0.2.1")
    assert "192.0.2.1" in line
    assert "BESTMOVE_HOST" in line


def test_a_name_is_resolved_and_ipv4_preferred() -> None:
    with running_process(host="localhost") as (_, url):
        assert get(f"{url}/healthz")


def test_make_run_takes_the_advice_about_a_taken_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        # What is installed is not looked at, and not where, either.
        make = ["make", "--old-file", ".venv/run", f"BIN={Path(sys.executable).parent}"]
        told = subprocess.run(
            [*make, "run", f"BESTMOVE_PORT={port}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        ).stderr
    assert f"port {port} of 127.0.0.1 is in use" in told
    assert "BESTMOVE_PORT" in told


def test_what_a_killed_service_left_is_removed_and_a_living_one_keeps_its_own(
    tmp_path: Path,
) -> None:
    from bestmove import gunicorn_conf  # once metrics are imported it sets nothing

    left = tmp_path / "bestmove-metrics-left"
    left.mkdir()
    (left / "counter_1.db").write_bytes(b"counts")
    other = tmp_path / "else"
    other.mkdir()
    living = gunicorn_conf.own_directory(str(tmp_path))
    assert not left.exists()
    assert other.exists()
    child = "import sys; from bestmove.gunicorn_conf import *; print(own_directory(sys.argv[1]))"
    made = subprocess.run(
        [sys.executable, "-c", child, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert Path(living).is_dir()
    assert Path(made).is_dir()  # its process has ended
    gunicorn_conf.own_directory(str(tmp_path))
    assert Path(living).is_dir()
    assert not Path(made).exists()


def test_a_start_after_a_kill_leaves_nothing_behind() -> None:
    places = [Path("/dev/shm"), Path("/tmp")]

    def counts_in(pid: int) -> Path:
        mapped = Path(f"/proc/{pid}/maps").read_text()
        (found,) = {
            Path(line.split(maxsplit=5)[5]).parent
            for line in mapped.splitlines()
            if "/bestmove-metrics-" in line
        }
        return found

    with running_process() as (master, _):
        workers = children(master.pid)
        left = counts_in(workers[0])
        assert left.parent in places
        master.kill()
        master.wait(60)
        give_up = time.monotonic() + 60
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            assert time.monotonic() < give_up
            time.sleep(0.05)
        assert left.is_dir()
    with running_process() as (master, url):
        assert not left.exists()
        assert answers(int(url.rpartition(":")[2]))
        now = counts_in(children(master.pid)[0])
        master.send_signal(signal.SIGTERM)
        master.wait(60)
        assert not now.exists()
