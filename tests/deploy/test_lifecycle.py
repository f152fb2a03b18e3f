"""How systemd and Kubernetes start, replace and stop the service."""

import os
import shlex
import signal
import socket
import subprocess
from pathlib import Path

from tests.support.connection import LOOPBACK, Connection, encode
from tests.support.replicas import COMMAND, ROOT, answers, environment, replica, wait_until

PASSED_ON = 3
"""The first file descriptor that systemd hands over."""


def activated(held: socket.socket, notified: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start the service as systemd does, with the listening socket as descriptor 3."""
    script = f"LISTEN_FDS=1 LISTEN_PID=$$ exec {shlex.join(COMMAND)}"
    with log.open("wb") as output:
        return subprocess.Popen(
            ["/bin/sh", "-c", script],
            cwd=ROOT,
            env=environment(1, {"workers": 1}) | {"NOTIFY_SOCKET": str(notified)},
            preexec_fn=lambda: os.dup2(held.fileno(), PASSED_ON) and None,
            pass_fds=[PASSED_ON],
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def test_it_serves_from_systemds_socket_and_says_when_it_is_ready(tmp_path: Path) -> None:
    with (
        socket.create_server((LOOPBACK, 0), backlog=64) as listening,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard,
    ):
        port = listening.getsockname()[1]
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(60)
        process = activated(listening, tmp_path / "notify", tmp_path / "log")
        try:
            assert b"READY=1" in heard.recv(4096)
            wait_until(lambda: answers(port), 30, "the service")
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
            # A new process answers a request that arrived while no process ran.
            with Connection(port) as early:
                early.open().sendall(encode("/best-move", {"board": "XX..O...."}))
                process = activated(listening, tmp_path / "notify", tmp_path / "log")
                assert early.open().recv(15) == b"HTTP/1.1 200 OK"
        finally:
            process.terminate()
            process.wait(60)


def test_nothing_is_left_behind_by_a_stop(tmp_path: Path) -> None:
    with replica(tmp_path, extra={"TMPDIR": str(tmp_path)}, workers=2) as service:
        files = Path(f"/proc/{service.process.pid}/fd").iterdir()
        (made,) = {path for file in files if (path := file.resolve()).match("bestmove-metrics-*")}
        assert any(made.iterdir()), "the workers have made no files for their counters"
        assert service.stop() == 0
    assert not made.exists()
