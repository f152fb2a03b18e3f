"""A failed start prints the reason in one line. The next start after a crash removes the files that
the crash left."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.connection import encode
from tests.support.programs import run
from tests.support.replicas import COMMAND, children, replica, wait_until
from tests.support.servers import BESTMOVE, running_process
from tests.support.sockets import get, read_until

SERVE = [BESTMOVE, "serve"]
each_command = pytest.mark.parametrize("command", [SERVE, COMMAND], ids=["serve", "gunicorn"])
CLOSED = ["/bin/sh", "-c", 'exec "$@" >&-', "sh"]


@each_command
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BESTMOVE_HOST", "no-such-host.invalid"),
        ("BESTMOVE_HOST", "[::1"),
        ("BESTMOVE_HOST", "unix:relative"),
        ("BESTMOVE_WORKERS", "-1"),
        ("BESTMOVE_CORS_ORIGINS", "https://page.example:99999"),
    ],
)
def test_a_bad_setting_is_named(command: Sequence[str], name: str, value: str) -> None:
    line = refusal(command, **{name: value})
    assert line.startswith(f"bestmove: {name} ")
    assert value in line


def refusal(command: Sequence[str], **variables: str) -> str:
    ended = run(*command, env=os.environ | variables, timeout=60, status=None)
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    return ended.stderr


@each_command
def test_too_few_file_descriptors_are_reported(command: Sequence[str]) -> None:
    limited = ["/bin/sh", "-c", 'ulimit -n 50; exec "$@"', "sh", *command]
    line = "bestmove: a process may open only 50 files, but needs 96: raise ulimit -n\n"
    assert refusal(limited) == line


@each_command
def test_a_closed_standard_output_is_reported(command: Sequence[str]) -> None:
    assert refusal([*CLOSED, *command]).startswith("bestmove: standard output is closed")


@pytest.mark.parametrize("host", ["192.0.2.1", "unix:/no/folder/bestmove.sock"])
def test_an_address_that_cannot_be_listened_on_is_reported(host: str) -> None:
    line = refusal(SERVE, BESTMOVE_HOST=host)
    assert line.partition(": ")[2].startswith("cannot listen on ")
    assert host.removeprefix("unix:") in line
    assert "BESTMOVE_HOST" in line


def test_a_name_is_resolved_and_ipv4_preferred() -> None:
    with running_process(host="localhost") as (_, url):
        assert get(f"{url}/healthz")


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_a_star_listens_on_every_address_of_both_kinds(tmp_path: Path) -> None:
    with replica(tmp_path, workers=1, host="*") as service:
        for host in ("127.0.0.1", "[::1]"):
            assert get(f"http://{host}:{service.port}/games")
        request = encode("/nowhere")  # gunicorn refuses HTTP/x before the application runs
        with socket.create_connection(("127.0.0.1", service.port)) as sock:
            sock.sendall(request.replace(b"HTTP/1.1", b"HTTP/x"))
            assert b" 400 " in sock.recv(4096)
        wait_until(lambda: '"status": 400' in service.log.read_text("utf-8"), 60, "the line")
        lines = service.log.read_text("utf-8").splitlines()
    logged = [json.loads(line) for line in lines if '"client"' in line]
    asked = [line["client"] for line in logged if line["route"] == "/games"]
    assert asked == ["127.0.0.1", "::1"]
    assert [line["client"] for line in logged if line["status"] == 400] == ["127.0.0.1"]


@each_command
def test_a_socket_in_a_folder_is_listened_on(command: Sequence[str], tmp_path: Path) -> None:
    path = tmp_path / "bestmove.sock"
    variables = os.environ | {"BESTMOVE_HOST": f"unix:{path}", "BESTMOVE_WORKERS": "1"}
    with subprocess.Popen(command, env=variables, stderr=subprocess.DEVNULL) as process:
        try:
            with socket.socket(socket.AF_UNIX) as sock:
                sock.settimeout(60)
                wait_until(lambda: sock.connect_ex(str(path)) == 0, 60, "the socket")
                sock.sendall(encode("/best-move", {"board": "XX.OO...."}))
                assert '"index":2' in read_until(sock, b"}}").decode()
        finally:
            process.terminate()
        assert process.wait(60) == 0


def test_only_the_folder_of_a_killed_service_is_removed(tmp_path: Path) -> None:
    # prometheus_client is already imported, so this import makes no metrics folder.
    from bestmove import gunicorn_conf

    left = tmp_path / "bestmove-metrics-left"
    left.mkdir()
    (left / "counter_1.db").write_bytes(b"counts")
    other = tmp_path / "else"
    other.mkdir()
    living = gunicorn_conf.own_directory(str(tmp_path))
    assert not left.exists()
    assert other.exists()
    child = "import sys; from bestmove.gunicorn_conf import *; print(own_directory(sys.argv[1]))"
    made = run(sys.executable, "-c", child, tmp_path).stdout.strip()
    assert Path(living).is_dir()
    assert Path(made).is_dir()
    gunicorn_conf.own_directory(str(tmp_path))
    assert Path(living).is_dir()
    assert not Path(made).exists()


@pytest.mark.parametrize(("given", "kept"), [({}, False), ({"GUNICORN_PID": "1"}, True)])
def test_old_counters_are_removed(tmp_path: Path, given: dict[str, str], kept: bool) -> None:
    counters = tmp_path / "counter_1.db"
    counters.write_bytes(b"counts")
    variables = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)} | given
    run(sys.executable, "-c", "import bestmove.gunicorn_conf", env=variables)
    assert counters.exists() == kept


@pytest.mark.slow
@each_command
def test_a_master_that_sigusr2_starts_takes_over(command: Sequence[str]) -> None:
    with running_process(command=command) as (process, url):
        process.send_signal(signal.SIGUSR2)
        wait_until(lambda: any(map(children, children(process.pid))), 60, "the new master")
        (heir,) = (pid for pid in children(process.pid) if children(pid))
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        try:
            assert '"ok"' in get(f"{url}/healthz")
        finally:
            os.kill(heir, signal.SIGTERM)
