"""Real servers for tests: gunicorn on a free loopback port, ended by their own process id."""

from __future__ import annotations

import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

START_SECONDS = 60
STOP_SECONDS = 60


def free_port() -> int:
    """A loopback port that nothing listens on right now.

    Below those that the system gives to clients: one that polls a port of that range may be given
    the very port it polls, and would then talk to itself. Not by the seeded generator, which a
    property test sets back.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


@contextmanager
def running_service(workers: int = 1, **settings: str) -> Iterator[str]:
    """The address of a service that runs under gunicorn as in production.

    `settings` are BESTMOVE_ variables without their prefix, in lower case.
    """
    with running_process(workers, output=None, open_files=None, **settings) as (_, url):
        yield url


@contextmanager
def running_process(
    workers: int = 1, *, output: int | None = None, open_files: int | None = None, **settings: str
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The gunicorn master and its address.

    `output` is a descriptor that takes its two logs, `open_files` the descriptors that a process of
    it may have.
    """
    port = int(settings.get("port", 0)) or free_port()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("BESTMOVE_")
    }
    environment |= {"BESTMOVE_PORT": str(port), "BESTMOVE_WORKERS": str(workers)}
    environment |= {f"BESTMOVE_{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "-m", "gunicorn", "-c", "python:bestmove.gunicorn_conf"]
    with tempfile.TemporaryFile() as log:
        if open_files is not None:
            command = ["/bin/sh", "-c", f'ulimit -n {open_files}; exec "$@"', "sh", *command]
        place = log if output is None else output
        server = subprocess.Popen(command, env=environment, stdout=place, stderr=place)
        try:
            give_up = time.monotonic() + START_SECONDS
            while not is_ready(port):
                if server.poll() is not None or time.monotonic() > give_up:
                    log.seek(0)
                    raise RuntimeError(f"no service: {log.read().decode(errors='replace')}")
                time.sleep(0.05)
            yield server, f"http://127.0.0.1:{port}"
        finally:
            if server.poll() is None:
                server.send_signal(signal.SIGTERM)
            server.wait(STOP_SECONDS)
