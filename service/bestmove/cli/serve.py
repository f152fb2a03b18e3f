"""`bestmove serve`: the HTTP service."""

from __future__ import annotations

import errno
import os
import runpy
import socket
import sys
from typing import Any

import click

from bestmove.cli.exits import require_extra
from bestmove.cli.options import integer_option


@click.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on.  [default: 127.0.0.1]")
@integer_option("--port", least=0, most=65535, help="Port to listen on.  [default: 8000]")
@integer_option("--workers", help="Processes.  [default: one per CPU]")
@integer_option("--threads", least=3, help="Threads in each process.  [default: 16]")
@integer_option(
    "--max-time",
    "max_time_ms",
    metavar="MS",
    help="The longest search that a request may ask for.  [default: 10000]",
)
@click.option(
    "--cors-origins",
    metavar="ORIGINS",
    help="Origins of web pages that may call the service, separated by commas.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="The least severe lines to log.  [default: info]",
)
def serve(**values: Any) -> None:
    """Serve over HTTP. The page to play on is at /, the API's description at /docs.

    Environment variables set the options that are not given, such as BESTMOVE_PORT for --port.
    docs/operations.md lists the variables.
    """
    if os.name == "nt":
        raise click.ClickException("the server does not run on Windows: use the image, or WSL")
    require_extra("server")
    from bestmove.api.settings import Settings

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
