"""gunicorn's configuration: `gunicorn -c python:bestmove.gunicorn_conf` or `bestmove serve`.

The master process reads this file before it loads the application. The values come from
`bestmove.api.settings`.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import resource
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

from gunicorn.http.errors import (  # type: ignore[import-untyped]
    ExpectationFailed,
    UnsupportedTransferCoding,
)

from bestmove.api.settings import Settings, unknown
from bestmove.errors import InvalidSetting, printable

_METRICS_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_OURS = "bestmove-metrics-"
_MEMORY = "/dev/shm"
_TRIES = 10
_DESCRIPTORS = 48
"""A worker needs this many file descriptors, and one more for each thread. With 14 fewer, most
requests are lost, because the worker closes each connection to make room for the next."""
_OWN_DESCRIPTORS = 32
"""File descriptors that a worker does not use for connections, for example for its event loop and
the metrics' files. It keeps one more for each thread."""
_CONNECTIONS = 1000
"""The most connections of a worker."""
_NOWHERE = "/nonexistent/bestmove-metrics"
"""A folder that does not exist. If no folder is writable, this path makes the workers count
nothing."""


def _refuse(message: str) -> None:
    print(printable(f"bestmove: {message}"), file=sys.stderr)
    raise SystemExit(2)


# If a standard stream is closed, the next opened file gets its descriptor. Then the logs would go
# to that file.
for _name, _stream in (("output", sys.stdout), ("error", sys.stderr)):
    if _stream is None:
        _refuse(f"standard {_name} is closed: redirect it to a file, a pipe or /dev/null")

# After SIGUSR2, gunicorn runs `sys.argv` again. Running the path of gunicorn/__main__.py would put
# gunicorn's folder first in `sys.path`, where its `http` hides the standard library's.
if sys.argv[0].endswith("gunicorn/__main__.py"):
    sys.argv[0] = "-mgunicorn"

try:
    _settings = Settings.from_environment(os.environ)
    _family, _address = _settings.address()
except InvalidSetting as error:
    _refuse(str(error))

_allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
_needed = _DESCRIPTORS + _settings.threads
if 0 <= _allowed < _needed:  # -1 means no limit
    _refuse(f"a process may open only {_allowed} files, but needs {_needed}: raise ulimit -n")

_memory = _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) else None
if _memory is None:
    try:
        tempfile.gettempdir()
    except OSError:
        _refuse("there is no writable temporary folder: mount a /tmp or a /dev/shm")


def _prepare_metrics() -> None:
    """Set the directory for the workers' counters, before prometheus-client is imported."""
    given = os.environ.get(_METRICS_DIRECTORY, "")
    upgraded = "GUNICORN_PID" in os.environ  # another master started this one after SIGUSR2
    if given and not (upgraded and Path(given).name.startswith(_OURS)):
        try:
            os.makedirs(given, exist_ok=True)
            tempfile.TemporaryFile(dir=given).close()
            if not upgraded:  # remove the counters of an earlier run
                for file in Path(given).glob("*.db"):
                    file.unlink()
        except OSError as error:
            _refuse(f"{_METRICS_DIRECTORY} is {given}, which is not writable: {error}")
        return
    for parent in (_memory, None):
        try:
            os.environ[_METRICS_DIRECTORY] = own_directory(parent or tempfile.gettempdir())
            atexit.register(_remove_metrics, os.getpid())  # if the service fails to start
            return
        except OSError:
            continue
    os.environ[_METRICS_DIRECTORY] = _NOWHERE


def own_directory(parent: str) -> str:
    """Make a new directory, and remove the directories of services that were killed.

    A service locks its directory as long as one of its processes runs.
    """
    for left in Path(parent).glob(f"{_OURS}*"):
        lock = _locked(left)
        if lock is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)
    for _ in range(_TRIES):
        made = tempfile.mkdtemp(prefix=_OURS, dir=parent)
        # Another service may have removed the directory before this process locked it.
        if _locked(made) is not None and os.path.isdir(made):
            break
    return made


def _locked(directory: str | Path) -> int | None:
    """Lock a directory. Return the lock's descriptor, or None if the directory cannot be locked."""
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except OSError:  # another user owns the directory, or it was removed
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _remove_metrics(owner: int) -> None:
    directory = os.environ.get(_METRICS_DIRECTORY, "")
    if os.getpid() == owner and Path(directory).name.startswith(_OURS):
        shutil.rmtree(directory, ignore_errors=True)


# After a reload, this file runs again, but the counters exist already.
if _settings.metrics and "prometheus_client" not in sys.modules:
    _prepare_metrics()

wsgi_app = "bestmove.api.app:create_app()"
worker_class = "bestmove.server.worker.Worker"
match _family:
    case socket.AF_UNIX:
        bind = [f"unix:{_address}"]
    case socket.AF_INET6:
        bind = [f"[{_address}]:{_settings.port}"]
    case _:
        bind = [f"{_address}:{_settings.port}"]
workers = _settings.worker_count
threads = _settings.threads
# gunicorn warns unless there are more connections than threads.
_free = _allowed - _OWN_DESCRIPTORS - threads if _allowed >= 0 else _CONNECTIONS
worker_connections = max(threads + 1, min(_CONNECTIONS, _free))

# Workers are forked after the application was loaded, so no import may start a thread.
preload_app = True
# The workers' heartbeat files are in memory, so that workers never wait for a disk.
worker_tmp_dir = _memory
# A worker is restarted if its main thread hangs for this many seconds. Requests may take longer.
timeout = 60
graceful_timeout = _settings.graceful_timeout_s
keepalive = _settings.keepalive_s
sendfile = False  # sendfile would need blocking sockets

# gunicorn's maximum. It is enough: the largest board, percent-encoded, takes 4,800 bytes.
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190

# BESTMOVE_TRUSTED_PROXIES decides which forwarded headers are trusted.
forwarded_allow_ips = ""
control_socket_disable = True
proc_name = "bestmove"
accesslog = None  # the application logs the requests
errorlog = "-"
loglevel = _settings.log_level
logger_class = "bestmove.server.worker.Logger"


_UNKNOWN_CODINGS = frozenset(("gzip", "x-gzip", "compress", "x-compress", "deflate"))


def pre_request(worker: Any, req: Any) -> None:
    """Refuse headers that gunicorn wrongly accepts, and treat HTTP/1.2 and later as HTTP/1.1."""
    del worker
    req.version = min(req.version, (1, 1))  # we answer with HTTP/1.1 at most
    for name, value in req.headers:
        if name == "TRANSFER-ENCODING":
            if not _UNKNOWN_CODINGS.isdisjoint(_parts(value)):
                raise UnsupportedTransferCoding(value)
        elif name == "CONNECTION" and "close" in _parts(value):
            req.force_close()
        elif name == "EXPECT" and req.version == (1, 1) and value.lower() != "100-continue":
            raise ExpectationFailed(value)


def _parts(value: str) -> list[str]:
    return [part.strip().lower() for part in value.split(",")]


def when_ready(server: Any) -> None:
    """Log warnings before the master starts the workers."""
    from bestmove.search.engines.gomoku import search

    for warning in unknown(os.environ):
        server.log.warning(warning)
    if not search.compiled:
        server.log.warning(
            "the engine is not compiled, so it is about a hundred times slower: install a C "
            "compiler and Python's headers, then reinstall bestmove"
        )


def on_exit(server: Any) -> None:
    """Remove the directory of the counters when the master ends."""
    _remove_metrics(server.pid)
