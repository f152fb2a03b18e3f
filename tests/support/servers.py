"""The service under gunicorn as in production, for tests that want no more than its address."""

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
"""The installed command."""

T = TypeVar("T")


@contextmanager
def running_service(workers: int = 1, **settings: Any) -> Iterator[str]:
    """The address of a service; `settings` are BESTMOVE_ variables, without that, in lower case."""
    with running_process(workers, **settings) as (_, url):
        yield url


@contextmanager
def running_process(
    workers: int = 1, **settings: Any
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The gunicorn master and its address."""
    with (
        tempfile.TemporaryDirectory() as folder,
        replica(Path(folder), workers=workers, **settings) as service,
    ):
        yield service.process, f"http://127.0.0.1:{service.port}"


def awaited(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, in a loop of its own: this thread may run one already, as that of
    the tests in a browser does."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
