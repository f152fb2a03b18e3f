"""The real service in a process of its own, for tests that talk to it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.support.servers import free_port

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
    port = free_port()
    process = subprocess.Popen(
        [BESTMOVE, "serve", "--port", str(port), "--workers", "1", *options],
        env={**os.environ, "BESTMOVE_LOG_LEVEL": "warning"},
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(PATIENCE)


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
