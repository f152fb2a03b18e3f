"""Runs the service under gunicorn, as in production."""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.support.replicas import replica

BESTMOVE = str(Path(sys.executable).with_name("bestmove"))

T = TypeVar("T")


@contextmanager
def running_service(workers: int = 1, **settings: Any) -> Iterator[str]:
    """Yield the address of a running service.

    `settings` are the BESTMOVE_ variables, in lower case and without the prefix.
    """
    with running_process(workers, **settings) as (_, url):
        yield url


@contextmanager
def running_process(
    workers: int = 1, **settings: Any
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Yield the process of a gunicorn master, and the service's address."""
    with (
        tempfile.TemporaryDirectory() as folder,
        replica(Path(folder), workers=workers, **settings) as service,
    ):
        yield service.process, f"http://127.0.0.1:{service.port}"


def awaited(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in another thread, because a browser test's thread already runs an event
    loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
