"""`bestmove serve`: the HTTP service."""

from __future__ import annotations

import errno
import os
import runpy
import socket
import sys
from typing import Any

import click

from bestmove.api.settings import Settings
from bestmove.cli.exits import require_extra
from bestmove.cli.options import integer_option


def _help(name: str) -> str:
    """Return what the documents say about a setting."""
    about, default = Settings.__dataclass_fields__[name].metadata["about"], getattr(Settings, name)
    shown = f"  [default: {default}]" if default else ""
    return f"{about[0].upper()}{about[1:]}.{shown}"


@click.command()
@click.option("--host", metavar="ADDRESS", help=_help("host"))
@integer_option("--port", least=0, most=65535, help=_help("port"))
@integer_option("--workers", least=0, help=_help("workers"))
@integer_option("--threads", least=3, help=_help("threads"))
@integer_option("--max-time", "max_time_ms", metavar="MS", help=_help("max_time_ms"))
@click.option("--cors-origins", metavar="ORIGINS", help=_help("cors_origins"))
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help=_help("log_level"),
)
def serve(**values: Any) -> None:
    """Serve over HTTP. The page to play on is at /, the API's description at /docs.

    Environment variables set the options that are not given, such as BESTMOVE_PORT for --port.
    docs/operations.md lists the variables.
    """
    if os.name == "nt":
        raise click.ClickException("the server does not run on Windows: use the image, or WSL")
    require_extra("server")
    for name, value in values.items():
        if value is not None:
            os.environ[f"BESTMOVE_{name.upper()}"] = str(value)
    settings = Settings.from_environment(os.environ)
    family, address = settings.address()
    _require_free(family, address, settings.port)
    # Run gunicorn in this process, so that signals reach it.
    sys.argv[1:] = ["-c", "python:bestmove.gunicorn_conf"]
    runpy.run_module("gunicorn", run_name="__main__", alter_sys=True)


def _require_free(family: socket.AddressFamily, address: str, port: int) -> None:
    """Fail at once if the server cannot listen. gunicorn would try five times."""
    if family == socket.AF_UNIX:
        if os.access(os.path.dirname(address), os.W_OK | os.X_OK):
            return
        raise click.ClickException(
            f"cannot listen on {address}: its folder does not exist or is not writable; choose "
            "another path (--host or BESTMOVE_HOST)"
        )
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(
                f"port {port} of {address} is in use: choose another with --port or BESTMOVE_PORT"
            ) from None
        raise click.ClickException(
            f"cannot listen on port {port} of {address}: {error.strerror}; choose another address "
            "(--host or BESTMOVE_HOST) or another port (--port or BESTMOVE_PORT)"
        ) from None
