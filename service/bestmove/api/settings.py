"""Reads the settings from the environment.

A variable's name is `BESTMOVE_` and the field's name in capitals. `python -m bestmove.api.settings`
prints the table of docs/operations.md.
"""

from __future__ import annotations

import dataclasses
import difflib
import ipaddress
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any, Final

from bestmove.cpus import available_cpus
from bestmove.errors import InvalidSetting
from bestmove.search.engine import SEARCH_BYTES
from bestmove.search.limits import DEFAULT_TIME_MS
from bestmove.search.limits import MAX_TIME_MS as LONGEST_TIME_MS

PREFIX: Final = "BESTMOVE_"
SPARE_THREADS: Final = 2
"""Each worker reserves this many threads for cheap requests."""

HELD_SHARE: Final = 1 / 8
"""The share of a worker's memory for its connections."""

REMEMBERED_SHARE: Final = 1 / 16
"""The share of a worker's memory for remembered answers; searches get the rest."""

READING: Final = 34
"""Bytes of memory for parsing one byte of JSON. The worst measured case is an object with many very
short field names."""

PROOF_BYTES: Final = 512 << 10

PROVING: Final = 24
"""Bytes of memory for making one byte of a certificate. The measured maximum is 19."""

_MIB: Final = 1 << 20

OF_OTHERS: Final = frozenset({"BESTMOVE_URL"})
"""The command reads these environment variables, and the service ignores them."""

_FROM_KUBERNETES: Final = (
    " (as Kubernetes sets it for a Service named bestmove: turn enableServiceLinks off)"
)

EVERYWHERE: Final = "*"
"""The host that means all addresses of the machine, IPv4 and IPv6."""

_UNIX: Final = "unix:"
_LONGEST_UNIX: Final = 100
"""The most characters of a unix socket's path; macOS allows 103, Linux 107."""

_BOOLEANS: Final = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}

_TYPO: Final = 0.85
"""If an unknown variable has at least this difflib ratio to a setting, the variable is a typo."""

_LIKELY: Final = 0.6
"""If a variable has at least this difflib ratio to a setting, the warning suggests the setting."""

_ROOT_PATH: Final = re.compile(r"(/[A-Za-z0-9._~-]{1,100}){1,8}")
_ORIGIN: Final = re.compile(r"https?://([A-Za-z0-9.\-]+|\[[0-9A-Fa-f.:]+\])(:[0-9]{1,5})?\Z")


def _integer(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise ValueError(f"must be an integer from {least} to {most}")
        return int(text)

    return parse


def _choice(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return text.lower()

    return parse


def _boolean(text: str) -> bool:
    if text.lower() not in _BOOLEANS:
        raise ValueError("must be 0 or 1")
    return _BOOLEANS[text.lower()]


def _host(text: str) -> str:
    if text == EVERYWHERE or re.fullmatch(rf"{_UNIX}/.{{1,{_LONGEST_UNIX - 1}}}", text):
        return text
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if ":" in bare:
        try:
            return str(ipaddress.IPv6Address(bare))
        except ValueError:
            pass
    elif bare == text and re.fullmatch(r"[A-Za-z0-9._\-]{1,253}", text):
        return text
    raise ValueError("must be an address, a host name, * or unix:/path")


def _path(text: str) -> str:
    path = text.rstrip("/")
    if path and not _ROOT_PATH.fullmatch(path):
        raise ValueError("must be a path, such as /api")
    return path


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in text.split(",") if part.strip())
    for origin in origins:
        match = _ORIGIN.match(origin)
        is_port = match is not None and int((match.group(2) or ":1")[1:]) in range(1, 65536)
        if origin != "*" and not is_port:
            raise ValueError(
                f"{origin!r} is not an origin: give https://host[:port], separated by commas, or *"
            )
    return tuple(map(_as_browsers_write, origins))


def _as_browsers_write(origin: str) -> str:
    """Return the origin in lower case, without the default port of its scheme."""
    origin = origin.lower()
    return origin.removesuffix(":443" if origin.startswith("https:") else ":80")


def _setting(default: object, parse: Callable[[str], object], about: str) -> Any:
    return dataclasses.field(default=default, metadata={"parse": parse, "about": about})


@dataclass(frozen=True)
class Settings:
    host: str = _setting(
        "127.0.0.1",
        _host,
        "address to listen on; `*` is every address, IPv4 and IPv6; unix:/path is a socket",
    )
    port: int = _setting(8000, _integer(0, 65535), "port to listen on; without it, `PORT`")
    workers: int = _setting(
        0, _integer(0, 256), "worker processes; 0 means one per CPU that the container may use"
    )
    threads: int = _setting(
        48, _integer(3, 256), "threads per worker: requests served at the same time"
    )
    max_time_ms: int = _setting(
        10_000, _integer(1, LONGEST_TIME_MS), "largest `time_ms` that a request may ask for"
    )
    max_body_bytes: int = _setting(
        1024 * 1024,
        _integer(64, 64 * 1024 * 1024),
        "bytes of the largest request body; larger ones get 413",
    )
    memory_mb: int = _setting(
        256,
        _integer(1, 1024 * 1024),
        "MiB per worker for search tables, remembered answers and requests; a worker needs 64 more",
    )
    search_slots: int = _setting(
        0,
        _integer(0, 64),
        "searches at the same time in all workers together; 0 means one per CPU",
    )
    search_threads: int = _setting(
        0,
        _integer(0, 64),
        "threads that one search may use, each in a slot; 0 means as many as there are slots",
    )
    search_queue: int | None = _setting(
        None,
        _integer(0, 256),
        "searches per worker that may wait for a slot, by default all but one; more get 503",
    )
    cors_origins: tuple[str, ...] = _setting(
        (), _origins, "origins whose pages may call the service, separated by commas, or *"
    )
    trusted_proxies: int = _setting(
        0, _integer(0, 16), "proxies in front whose X-Forwarded-* headers are trusted"
    )
    root_path: str = _setting(
        "",
        _path,
        "path below which a proxy forwards requests, such as /api, if it leaves the path in them",
    )
    log_level: str = _setting(
        "info",
        _choice("debug", "info", "warning", "error"),
        "least severe level to log; requests are logged as info",
    )
    log_format: str = _setting(
        "auto", _choice("auto", "json", "plain"), "auto means plain on a terminal, otherwise JSON"
    )
    metrics: bool = _setting(True, _boolean, "1 serves /metrics, 0 counts nothing")
    graceful_timeout_s: int = _setting(
        30, _integer(1, 3600), "seconds in which running requests may finish when the service stops"
    )
    keepalive_s: int = _setting(
        75,
        _integer(1, 86_400),
        "seconds that an idle connection stays open: longer than a proxy in front keeps it",
    )
    max_stream_ms: int = _setting(
        60_000,
        _integer(1, LONGEST_TIME_MS),
        "largest `time_ms` of a stream",
    )

    def __post_init__(self) -> None:
        if self.most_searches <= self.queue:
            raise InvalidSetting(
                f"{PREFIX}THREADS is {self.threads}, but a search and {PREFIX}SEARCH_QUEUE "
                f"{self.queue} need at least {1 + self.queue + SPARE_THREADS}"
            )

        if self.table_bytes < self.search_bytes:
            least = ceil(self.search_bytes / (1 - HELD_SHARE - REMEMBERED_SHARE) / _MIB)
            raise InvalidSetting(
                f"{PREFIX}MEMORY_MB is {self.memory_mb}, but one search, or a body of "
                f"{PREFIX}MAX_BODY_BYTES {self.max_body_bytes}, needs at least {least}"
            )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read the settings; an empty value means the default.

        Without `BESTMOVE_PORT`, `PORT` is used, which hosting platforms set.

        Raises:
            InvalidSetting: a misspelt variable, or a value out of range.
        """
        fields = {PREFIX + field.name.upper(): field for field in dataclasses.fields(cls)}
        if not environment.get(f"{PREFIX}PORT", "").strip():
            fields["PORT"] = fields[f"{PREFIX}PORT"]
        values: dict[str, Any] = {}
        for variable, text in sorted(environment.items()):
            field = fields.get(variable)
            if field is None and not variable.startswith(PREFIX):
                continue
            if field is None:
                # A typo is an error. For other unknown variables, `unknown` returns a warning.
                for likely in difflib.get_close_matches(variable, fields, 1, cutoff=_TYPO):
                    raise InvalidSetting(f"{variable} is not a setting: did you mean {likely}?")
            elif text.strip():
                try:
                    values[field.name] = field.metadata["parse"](text.strip())
                except ValueError as error:
                    hint = _FROM_KUBERNETES if text.startswith("tcp://") else ""
                    raise InvalidSetting(f"{variable} {error}, not {text!a}{hint}") from None
        return cls(**values)

    def address(self) -> tuple[socket.AddressFamily, str]:
        """Return the IP address to listen on, or the path of a unix socket.

        If a host has IPv4 and IPv6 addresses, an IPv4 address is used. `*` becomes `::`, which also
        takes IPv4 connections, or `0.0.0.0` on a machine without IPv6.

        Raises:
            InvalidSetting: the host cannot be resolved.
        """
        if self.host == EVERYWHERE:
            if socket.has_dualstack_ipv6():
                return socket.AF_INET6, "::"
            return socket.AF_INET, "0.0.0.0"
        if self.host.startswith(_UNIX):
            return socket.AF_UNIX, self.host.removeprefix(_UNIX)
        try:
            found = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InvalidSetting(
                f"{PREFIX}HOST is {self.host}, which cannot be resolved: {reason}"
            ) from None
        family, *_, address = min(found, key=lambda each: each[0] != socket.AF_INET)
        return family, str(address[0])

    @property
    def worker_count(self) -> int:
        return self.workers or available_cpus()

    @property
    def slots(self) -> int:
        return self.search_slots or available_cpus()

    @property
    def queue(self) -> int:
        return self.most_searches - 1 if self.search_queue is None else self.search_queue

    @property
    def most_searches(self) -> int:
        """The most searches of a worker, waiting and running: each has a thread."""
        return self.threads - SPARE_THREADS

    @property
    def held_bytes(self) -> int:
        """Bytes per worker for requests that are arriving and answers that are being sent."""
        return int(self.memory_mb * _MIB * HELD_SHARE)

    @property
    def remembered_bytes(self) -> int:
        return int(self.memory_mb * _MIB * REMEMBERED_SHARE)

    @property
    def table_bytes(self) -> int:
        """Bytes per worker for the tables of searches and for reading large bodies."""
        return self.memory_mb * _MIB - self.held_bytes - self.remembered_bytes

    @property
    def search_bytes(self) -> int:
        """The most memory that the work in one slot needs, in bytes."""
        return max(SEARCH_BYTES + PROOF_BYTES * PROVING, self.max_body_bytes * READING)

    @property
    def stream_time_ms(self) -> int:
        return max(self.max_time_ms, self.max_stream_ms)

    @cached_property
    def default_time_ms(self) -> int:
        return min(DEFAULT_TIME_MS, self.max_time_ms)


def unknown(environment: Mapping[str, str]) -> list[str]:
    """Return a warning for every `BESTMOVE_*` variable that nothing reads."""
    names = [field.name.upper() for field in dataclasses.fields(Settings)]
    warnings = []
    for variable in sorted(environment.keys() - OF_OTHERS):
        name = variable.removeprefix(PREFIX)
        if variable.startswith(PREFIX) and name not in names:
            likely = [longer for longer in names if name and name in longer]
            likely += difflib.get_close_matches(name, names, 1, cutoff=_LIKELY)
            hint = f": did you mean {PREFIX}{likely[0]}?" if likely else ""
            warnings.append(f"{variable} is not a setting and has no effect{hint}")
    return warnings


def table() -> str:
    lines = ["| variable | default | meaning |", "| --- | --- | --- |"]
    for field in dataclasses.fields(Settings):
        default = field.default
        shown = "1" if default is True else default if default not in ((), None, "") else "none"
        lines.append(f"| `{PREFIX}{field.name.upper()}` | {shown} | {field.metadata['about']} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
