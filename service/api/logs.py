"""Log lines: JSON for machines, plain on a terminal; never a header's value or a body."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

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
    with contextlib.suppress(OSError):  # a log that nobody reads is no reason to fail
        os.write(STDOUT, line.encode())


class RequestLog:
    """One line a request.

    Args:
        as_json: JSON, or columns for people.
        write: takes a line with its newline.
    """

    def __init__(self, as_json: bool, write: Callable[[str], None] = write_line) -> None:
        self._format = _json_line if as_json else _plain_line
        self._write = write

    def __call__(self, entry: dict[str, object]) -> None:
        """Log a request; values of None are left out."""
        self._write(self._format(entry))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _json_line(entry: dict[str, object]) -> str:
    return (
        json.dumps(
            {"time": _now(), "level": "info"}
            | {name: value for name, value in entry.items() if value is not None}
        )
        + "\n"
    )


def _plain_line(entry: dict[str, object]) -> str:
    extra = " ".join(
        f"{name}={entry[name]}"
        for name in ("board", "engine_ms", "request_id")
        if entry.get(name) is not None
    )
    return (
        f"{_now()[11:23]} {entry['status']} {entry['method']} {entry['route']} "
        f"{entry['ms']} ms {extra}\n"
    )
