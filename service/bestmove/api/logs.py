"""Log lines: JSON, or plain text on a terminal. They contain no header values and no bodies."""

from __future__ import annotations

import json
import logging
import os
import select
import stat
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, lru_cache
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bestmove.api.record import RequestRecord

STDOUT: Final = 1
STDERR: Final = 2

_log: Final = logging.getLogger(__name__)


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def wants_json(log_format: str) -> bool:
    """Return True if logs are JSON; `log_format` is `auto`, `json` or `plain`."""
    return log_format == "json" or (log_format == "auto" and not sys.stdout.isatty())


def formatter(log_format: str) -> logging.Formatter:
    """Return the formatter for all lines except request lines."""
    if wants_json(log_format):
        return JsonFormatter()
    return logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")


class Output:
    """Writes lines to standard output or standard error, and drops lines that would block.

    The first line after a gap says how many lines were dropped.

    - A pipe or a terminal is opened again in non-blocking mode. `O_NONBLOCK` on the given
      descriptor would affect every process that shares the descriptor, such as the shell.
    - Where that is impossible (a socket, no /proc, another user's terminal), `poll` tells whether
      the output is ready. Each write then has at most `PIPE_BUF` bytes: a ready pipe takes them.
    - A line of up to `PIPE_BUF` bytes reaches a pipe in one piece. If only part of a longer line
      can be written, the rest is written before the next line.

    Args:
        descriptor: 1 or 2.

    Attributes:
        formatter: formats the line about dropped lines.
        on_dropped: called for each dropped line.
    """

    def __init__(self, descriptor: int) -> None:
        self.formatter = logging.Formatter()
        self.on_dropped: Callable[[], None] = lambda: None
        self._descriptor = _opened_again(descriptor)
        waits = self._descriptor == descriptor and not stat.S_ISREG(os.fstat(descriptor).st_mode)
        self._most = select.PIPE_BUF if waits else None
        self._room = select.poll()
        self._room.register(self._descriptor, select.POLLOUT)
        self._rest = b""  # the unwritten end of an earlier line
        self._dropped = 0
        self._lock = RLock()  # a signal handler may log while the same thread is writing a line

    def write(self, line: str) -> None:
        """Write a line that ends in a newline. Drop the line if no part can be written now."""
        with self._lock:
            if self._dropped and self._put(self._notice()):
                self._dropped = 0
            if self._dropped or not self._put(line):
                self._dropped += 1
                self.on_dropped()

    def _put(self, line: str) -> bool:
        """Write `_rest`, then `line`. Return False if no part of `line` was written."""
        if self._rest:
            self._rest = self._sent(self._rest)
            if self._rest:
                return False
        data = line.encode("utf-8", "backslashreplace")
        self._rest = self._sent(data)
        if len(self._rest) < len(data):
            return True
        self._rest = b""
        return False

    def _sent(self, data: bytes) -> bytes:
        """Write as much as possible without blocking. Return the rest."""
        try:
            while data and (self._most is None or self._room.poll(0)):
                data = data[os.write(self._descriptor, data[: self._most]) :]
        except OSError:  # the disk is full, or the pipe is full or closed
            pass
        return data

    def _notice(self) -> str:
        message = "%d lines before this one were dropped because the output was blocked"
        record = _log.makeRecord(
            _log.name, logging.WARNING, __file__, 0, message, (self._dropped,), None
        )
        return self.formatter.format(record) + "\n"


def _opened_again(descriptor: int) -> int:
    """Open a pipe or terminal again, non-blocking. If that fails, return `descriptor`."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY
        try:
            return os.open(f"/proc/self/fd/{descriptor}", flags)
        except OSError:
            pass
    return descriptor


@cache
def output(descriptor: int) -> Output:
    """Return the process's only `Output` for this descriptor."""
    return Output(descriptor)


RequestLine = Callable[["RequestRecord", str, str, int, float, str], str]
"""The type of `_json_line` and `_plain_line`; their signatures name the arguments."""


def request_line(log_format: str) -> RequestLine:
    """Return the function that makes the log line of a request."""
    return _json_line if wants_json(log_format) else _plain_line


# Each request logs a line, so the code formats it by hand: `isoformat` would take three times as
# long, and `json.dumps` four times.
def _now() -> str:
    second, ms = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_second(second)}.{ms:03d}+00:00"


@lru_cache(maxsize=1)
def _second(since_epoch: int) -> str:
    return datetime.fromtimestamp(since_epoch, UTC).strftime("%Y-%m-%dT%H:%M:%S")


# The method and the address come from the client, so they are checked or quoted.
def _json_line(
    record: RequestRecord, method: str, route: str, status: int, ms: float, client: str
) -> str:
    board = "" if record.board is None else f', "board": "{record.board}"'
    engine = "" if record.engine_ms is None else f', "engine_ms": {record.engine_ms}'
    if not (method.isalpha() and method.isascii()):
        method = "?"
    return (
        f'{{"time": "{_now()}", "level": "info", "request_id": "{record.request_id}", '
        f'"method": "{method}", "route": "{route}", "status": {status}, "ms": {ms}, '
        f'"client": {_quote(client)}{board}{engine}}}\n'
    )


def _plain_line(
    record: RequestRecord, method: str, route: str, status: int, ms: float, client: str
) -> str:
    board = "" if record.board is None else f" board={record.board}"
    engine = "" if record.engine_ms is None else f" engine_ms={record.engine_ms}"
    return (
        f"{_now()[11:23]} {status} {ascii(method)[1:-1]:4} {route} {ms} ms{board}{engine} "
        f"client={ascii(client)[1:-1]} request_id={record.request_id}\n"
    )


_quote: Final = lru_cache(1024)(json.dumps)
