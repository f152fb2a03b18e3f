"""Log lines: JSON for machines, plain on a terminal; never a header's value or a body."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, Protocol

STDOUT: Final = 1


class JsonFormatter(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, the traceback in it if there is one."""
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
    """Whether `auto`, `json` or `plain` comes to JSON here."""
    return log_format == "json" or (log_format == "auto" and not sys.stdout.isatty())


def formatter(log_format: str) -> logging.Formatter:
    """The format of everything but the requests' lines."""
    if wants_json(log_format):
        return JsonFormatter()
    return logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")


def write_line(line: str) -> None:
    """One line to standard output, in one piece even with several processes writing."""
    try:
        os.write(STDOUT, line.encode())
    except OSError:  # a log that nobody reads is no reason to fail
        return


class Entry(Protocol):
    """What a request's line says."""

    request_id: str
    board: str | None
    engine_ms: float | None


class RequestLog:
    """One line a request.

    Args:
        as_json: JSON, or columns for people.
        write: takes a line with its newline.
    """

    def __init__(self, as_json: bool, write: Callable[[str], None] = write_line) -> None:
        self._line = _json_line if as_json else _plain_line
        self._write = write

    def __call__(
        self, entry: Entry, method: str, route: str, status: int, ms: float, client: str
    ) -> None:
        """Log a request: its route, never its query, and none of its headers."""
        self._write(self._line(entry, method, route, status, ms, client))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


# Written by hand, for it is on every request's way: json.dumps takes four times as long. Of the
# values only the method and the client's address come from outside, and they get quoted.
def _json_line(entry: Entry, method: str, route: str, status: int, ms: float, client: str) -> str:
    board = "" if entry.board is None else f', "board": "{entry.board}"'
    engine = "" if entry.engine_ms is None else f', "engine_ms": {entry.engine_ms}'
    if not (method.isalpha() and method.isascii()):
        method = "?"
    return (
        f'{{"time": "{_now()}", "level": "info", "request_id": "{entry.request_id}", '
        f'"method": "{method}", "route": "{route}", "status": {status}, "ms": {ms}, '
        f'"client": {_quote(client)}{board}{engine}}}\n'
    )


def _plain_line(entry: Entry, method: str, route: str, status: int, ms: float, client: str) -> str:
    board = "" if entry.board is None else f" board={entry.board}"
    engine = "" if entry.engine_ms is None else f" engine_ms={entry.engine_ms}"
    return (
        f"{_now()[11:23]} {status} {ascii(method)[1:-1]:4} {route} {ms} ms{board}{engine} "
        f"client={ascii(client)[1:-1]} request_id={entry.request_id}\n"
    )


_quote: Final = lru_cache(1024)(json.dumps)
