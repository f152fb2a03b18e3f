"""The real service in a process of its own, for tests that talk to it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.support.replicas import replica

BESTMOVE = str(Path(sys.executable).with_name("bestmove"))
T = TypeVar("T")

PATIENCE = 60
"""Seconds to wait for what takes about one: to be ready, to end."""


def awaited(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, in a loop of its own: this thread may run one already, as that of
    the tests in a browser does."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@contextmanager
def service(*options: str) -> Iterator[str]:
    """The URL of a service started with `bestmove serve`."""
    command = (BESTMOVE, "serve", *options)
    with (
        tempfile.TemporaryDirectory() as folder,
        replica(Path(folder), command=command, workers=1, log_level="warning") as running,
    ):
        yield f"http://127.0.0.1:{running.port}"


def wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait for /readyz, or fail if the process ends first."""
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        assert process.poll() is None, f"the service ended with {process.returncode}"
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    raise AssertionError("the service did not get ready")
